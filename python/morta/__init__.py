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

    result = morta.run(morta.scenario("quickstart"), memory=Mean, out="runs/mean")
    print(result.digest, len(result.lives))
    result.lives.to_pandas()

`scenario` has the worlds that come with the package, `run` lives one, `sweep` compares arms in many, `conformance` checks a class, `open` takes up a folder that is there already.
"""

from importlib.metadata import PackageNotFoundError as _PackageNotFoundError
from importlib.metadata import version as _version

from ._morta import Attention, Candidates, Experience, Moment, Random
from .memory import Advice, Candidate, Lesson, Memory, MemoryFault, MemoryFaultWarning, MemorySaveWarning, Upkeep
from .runs import Conformance, Fault, Run, Sweep, Table, conformance, read, run, scenario, sweep
from .runs import open_run as open

try:
    __version__ = _version("morta-lab")
except _PackageNotFoundError:  # Used where it was built, without being installed.
    __version__ = "0"

__all__ = [
    "run", "scenario", "sweep", "conformance", "open", "read",
    "Memory", "Advice", "Upkeep", "Lesson", "Moment", "Candidates", "Candidate", "Experience", "Attention", "Random",
    "Run", "Sweep", "Table", "Conformance", "Fault", "MemoryFault", "MemoryFaultWarning", "MemorySaveWarning",
]
