"""Figures of the package: what a call costs, golem-ticks a second, growth over runs, digests in threads and processes, what processes gain.

    python python/tests/figures.py [costs] [growth] [digests] [processes]
"""

import concurrent.futures
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import time

import morta
from ledger import Ledger
from test_morta import LEARNABLE

#: Seconds of a figure are the least of so many runs: what else the machine does only ever adds to them.
RUNS = 5


class Idle(morta.Memory):
    """Says the prior: what remains is the way there and back."""

    def advise(self, moment, candidates):
        return candidates.prior_r

    def observe(self, experience):
        pass


class Mean(morta.Memory):
    """Expects what trades have come to so far."""

    def __init__(self, birth):
        super().__init__(birth)
        self.count, self.sum_r = 0, 0.0

    def advise(self, moment, candidates):
        return [(prior + self.sum_r) / (1 + self.count) for prior in candidates.prior_r]

    def observe(self, experience):
        self.count += 1
        self.sum_r += experience.realised_r


def counting(memory):
    """The class, counting its calls in `calls`."""
    calls = [0]

    class Counts(memory):
        name = "counts"

        def advise(self, moment, candidates):
            calls[0] += 1
            return super().advise(moment, candidates)

        def observe(self, experience):
            calls[0] += 1
            super().observe(experience)

    seconds("counts", Counts)
    return calls[0]


def lived(name, memory=None, ticks=2000, golems=16, **more):
    changes = {"cohorts": [{"name": "golems", "golems": golems, "memory": name}]}
    return morta.run(os.environ.get("SCENARIO", LEARNABLE), memory, set=changes, ticks=ticks, plain=True, progress=False, **more)


def seconds(name, memory=None):
    begun = time.process_time()  # Of all threads; a busy machine makes less of a difference to it than to the clock on the wall.
    run = lived(name, memory)
    return time.process_time() - begun, run


def costs():
    """Processor time of a call beyond that of the same world with a memory that is asked nothing in Python."""
    alone = min(seconds("none")[0] for _ in range(RUNS))
    print(f"none     {2000 * 16 / alone:>9,.0f} golem-ticks/s of processor time")
    for name, memory in (("rag", None), ("idle", Idle), ("mean", Mean), ("ledger", Ledger)):
        took = min(seconds(name, memory)[0] for _ in range(RUNS))
        rate = f"{name:8} {2000 * 16 / took:>9,.0f} golem-ticks/s of processor time"
        if memory is None:
            print(rate)
        else:
            calls = counting(memory)
            print(f"{rate}; {(took - alone) / calls * 1e6:.2f} us for each of {calls} calls")


def growth():
    """Memory of the process over 1,000 runs, a class of its own each."""
    def run():
        lived("mean", type("Mean", (Mean,), {"name": "mean"}), ticks=100, golems=4)

    at, sizes = (0, 100, 200, 500, 1000), []
    for count in range(at[-1] + 1):
        run()
        if count in at:
            with open("/proc/self/statm", encoding="ascii") as file:
                sizes.append(int(file.read().split()[1]) * resource.getpagesize() // 1024)
    print("resident KiB after 1, 101, 201, 501, 1001 runs:", *sizes)
    # The allocator takes memory in steps of some MB at any time, once or twice; what a run left behind would be there 900 times.
    assert sizes[-1] - sizes[1] < 16 * 1024, "it grows"


def digest(seed):
    return lived("ledger", Ledger, ticks=200, golems=4, seed=seed).digest


def digests():
    """The same digests alone, in 2, 4 and 8 threads, and in 2, 4 and 8 processes, spawned and by a fork server."""
    seeds = range(1, 9)
    alone = [digest(seed) for seed in seeds]
    assert len({*alone}) == len(alone)
    for workers in (2, 4, 8):
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            assert list(pool.map(digest, seeds)) == alone
        for method in ("spawn", "forkserver"):
            with concurrent.futures.ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context(method)) as pool:
                assert list(pool.map(digest, seeds)) == alone
        print(f"{workers} threads, {workers} processes spawned, {workers} by a fork server: 8 worlds, the digests of each alone")


def processes():
    """Wall seconds of a sweep of two arms in Python, by one process and by two."""
    arms = [(name, [{"name": "golems", "golems": 32, "memory": name}]) for name in ("ledger", "mean")]
    question = {
        "name": "figures", "scenario": LEARNABLE, "seeds": {"first": 1, "count": 8}, "set": {"ticks": 4000},
        "arms": [{"name": name, "set": {"cohorts": cohorts}} for name, cohorts in arms],
    }
    room = tempfile.mkdtemp()
    took = {}
    try:
        for count in (None, 1, 2):
            out = os.path.join(room, str(count))
            begun = time.monotonic()
            morta.sweep(question, out, memories=[Ledger, Mean], processes=count, progress=False)
            took[count] = time.monotonic() - begun
        told = [open(os.path.join(room, str(count), "results.csv"), "rb").read() for count in took]
        assert told[0] == told[1] == told[2], "not the same bytes"
    finally:
        shutil.rmtree(room)
    print(f"this process {took[None]:.1f} s, processes=1 {took[1]:.1f} s, processes=2 {took[2]:.1f} s: {took[None] / took[2]:.2f} times this one")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; the results have the same bytes")


if __name__ == "__main__":
    for part in sys.argv[1:] or ["costs", "growth", "digests", "processes"]:
        {"costs": costs, "growth": growth, "digests": digests, "processes": processes}[part]()
