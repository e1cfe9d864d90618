"""The memory of lab/examples/own_memory.rs, in Python: same arithmetic in the same order, so the same bytes."""

import morta


class Ledger(morta.Memory):
    """Remembers the mean R of each strategy, side and regime, and trusts it the more the oftener it was seen."""

    parameters = {"prior_weight": 5.0}

    def __init__(self, birth):
        super().__init__(birth)
        self.seen = {}

    def advise(self, moment, candidates):
        return [
            morta.Advice.mean(each, self.prior_weight, self.seen.get((moment.regime, each.strategy, each.side), (0, 0.0)))
            for each in candidates
        ]

    def observe(self, experience):
        key = (experience.regime, experience.strategy, experience.side)
        count, sum_r = self.seen.get(key, (0, 0.0))
        self.seen[key] = (count + 1, sum_r + experience.realised_r)
