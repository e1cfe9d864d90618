"""Morta's laboratory from Python: scenarios are lived, and golems may remember with a class of yours.

    import morta

    class Mean(morta.Memory):
        def __init__(self, birth):
            super().__init__(birth)
            self.count, self.sum_r = 0, 0.0

        def advise(self, moment, candidates):
            return [(prior + self.sum_r) / (1 + self.count) for prior in candidates.prior_r]

        def observe(self, experience):
            self.count += 1
            self.sum_r += experience.realised_r

    result = morta.run("scenarios/quickstart.toml", memory=Mean, out="runs/mean")
    print(result.digest, result.read("lives").num_rows)
"""

from .memory import Advice, Lesson, Memory, Upkeep
from .runs import Run, Sweep, conformance, read, run, sweep

__all__ = ["Advice", "Lesson", "Memory", "Run", "Sweep", "Upkeep", "conformance", "read", "run", "sweep"]
