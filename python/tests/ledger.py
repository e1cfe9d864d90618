"""The memory of lab/examples/own_memory.rs, in Python: same arithmetic in the same order, so the same bytes."""

import morta


class Ledger(morta.Memory):
    """Remembers the mean R of each strategy, side and regime, and trusts it the more the oftener it was seen."""

    def __init__(self, birth):
        super().__init__(birth)
        self.prior_weight = birth["parameters"].get("prior_weight", 5.0)
        self.seen = {}

    def advise(self, moment, candidates):
        regime = moment.regime
        said = []
        for strategy, side, prior_r in zip(candidates.strategy, candidates.side, candidates.prior_r):
            count, sum_r = self.seen.get((regime, strategy, side), (0, 0.0))
            weight = self.prior_weight + count
            said.append(morta.Advice((self.prior_weight * prior_r + sum_r) / weight, confidence=count / weight))
        return said

    def observe(self, experience):
        key = (experience.regime, experience.strategy, experience.side)
        count, sum_r = self.seen.get(key, (0, 0.0))
        self.seen[key] = (count + 1, sum_r + experience.realised_r)
