"""Written by `morta sweep --submit ray`: one task for each unit of the plan. A unit may be run as often as one likes, so tasks of nodes that
are gone are begun anew elsewhere. Change it as your cluster needs it; to run it by hand: python driver.py --collect, where `ray.init()` finds the cluster.
"""

import subprocess
import sys

import ray

MORTA = @MORTA_PY@
SWEEP = @SWEEP_PY@
UNITS = @UNITS@
# What the caller has got wrong, and begun anew would be as wrong.
MISTAKE = 2


class Failed(Exception):
    """A unit whose process ended by a signal or for want of room: worth another try."""


@ray.remote(num_cpus=1, max_retries=8, retry_exceptions=[Failed])
def run(unit):
    command = [MORTA, "sweep", *SWEEP, "--unit", str(unit), "--jobs", "1"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    # 1: cells of it have failed; they are packed, and collect tells of them.
    if done.returncode in (0, 1):
        return unit, None
    if done.returncode == MISTAKE:
        return unit, done.stderr
    raise Failed(f"unit {unit}: exit code {done.returncode}: {done.stderr}")


def main():
    ray.init(log_to_driver=False)
    waiting, done = [run.remote(unit) for unit in range(UNITS)], 0
    while waiting:
        ended, waiting = ray.wait(waiting, num_returns=1)
        unit, mistake = ray.get(ended[0])
        if mistake:
            sys.exit(mistake)
        done += 1
        print(f"{done}/{UNITS} units", flush=True)
    if "--collect" in sys.argv:
        sys.exit(subprocess.run([MORTA, "sweep", *SWEEP, "--collect"]).returncode)


main()
