"""What a call into Python costs, in processor time: the ledger in a world, against the same world with a memory that is asked nothing in Python.

    python python/tests/cost.py [TICKS]
"""

import os
import sys
import time

import morta
from ledger import Ledger
from test_morta import LEARNABLE


class Idle(morta.Memory):
    """Says the prior: what remains is the way there and back."""

    def advise(self, moment, candidates):
        return candidates.prior_r

    def observe(self, experience):
        pass


class Counts(Ledger):
    """Counts its calls."""

    calls = {"advise": 0, "observe": 0}

    def advise(self, moment, candidates):
        self.calls["advise"] += 1
        return super().advise(moment, candidates)

    def observe(self, experience):
        self.calls["observe"] += 1
        super().observe(experience)


def seconds(ticks, name, memory=None):
    changes = {"cohorts": [{"name": "golems", "golems": 16, "memory": name}]}
    begun = time.process_time()  # Of all threads; a busy machine makes less of a difference to it than to the clock on the wall.
    morta.run(LEARNABLE, memory, set=changes, ticks=ticks, plain=True, progress=False)
    return time.process_time() - begun


def main():
    ticks = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seconds(ticks, "counts", Counts)
    calls = sum(Counts.calls.values())
    alone = seconds(ticks, "none")
    for name, memory in (("window", None), ("idle", Idle), ("ledger", Ledger)):
        took = seconds(ticks, name, memory)
        print(f"{name:8} {took:.2f} s, {(took - alone) / calls * 1e6:+.1f} us a call beyond none ({alone:.2f} s)")
    print(f"{Counts.calls['advise']} advise, {Counts.calls['observe']} observe in the ledger's world; cores {os.cpu_count()}")


if __name__ == "__main__":
    main()
