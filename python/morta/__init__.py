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
    print(result.digest, len(result.lives))
    result.lives.to_pandas()

`run` lives one world, `sweep` compares arms in many, `conformance` checks a class, `open` takes up a folder that is there already.
"""

from ._morta import Attention, Candidates, Experience, Moment, Random
from .memory import Advice, Candidate, Lesson, Memory, MemoryFault, MemoryFaultWarning, MemorySaveWarning, Upkeep
from .runs import Fault, Run, Sweep, Table, conformance, read, run, sweep
from .runs import open_run as open

__all__ = [
    "run", "sweep", "conformance", "open", "read",
    "Memory", "Advice", "Upkeep", "Lesson", "Moment", "Candidates", "Candidate", "Experience", "Attention", "Random",
    "Run", "Sweep", "Table", "Fault", "MemoryFault", "MemoryFaultWarning", "MemorySaveWarning",
]
