"""The units of a sweep as one job of HyperQueue: python hyperqueue_units.py FILE SHARED SERVER_FOLDER, of a server that has workers."""

import json
import subprocess
import sys

from hyperqueue import Client, Job

FILE, SHARED, SERVER = sys.argv[1:]
SWEEP = ["morta", "sweep", FILE, "--out", SHARED]

plan = json.loads(subprocess.check_output([*SWEEP, "--plan", "--json"]))
job = Job()
for unit in range(len(plan["units"])):
    job.program([*SWEEP, "--unit", str(unit), "--jobs", "1"])
client = Client(SERVER)
client.wait_for_jobs([client.submit(job)])
sys.exit(subprocess.run([*SWEEP, "--collect"]).returncode)
