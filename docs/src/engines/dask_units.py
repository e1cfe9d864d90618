"""The units of a sweep as tasks of Dask: python dask_units.py FILE SHARED [SCHEDULER]. Without a scheduler's address, a cluster on this machine."""

import json
import subprocess
import sys

from dask.distributed import Client, as_completed

FILE, SHARED, *SCHEDULER = sys.argv[1:]
SWEEP = ["morta", "sweep", FILE, "--out", SHARED]


def run(unit):
    # 0: done, or there already. 1: cells of it have failed; they are packed, and --collect tells of them. Anything else is tried again.
    code = subprocess.run([*SWEEP, "--unit", str(unit), "--jobs", "1"], stdout=subprocess.DEVNULL).returncode
    if code not in (0, 1):
        raise RuntimeError(f"unit {unit}: exit code {code}")


if __name__ == "__main__":
    plan = json.loads(subprocess.check_output([*SWEEP, "--plan", "--json"]))
    with Client(*SCHEDULER) as client:
        for task in as_completed(client.map(run, range(len(plan["units"])), retries=3)):
            task.result()
    sys.exit(subprocess.run([*SWEEP, "--collect"]).returncode)
