#!/usr/bin/env bash
# The book's scripts for Dask, Snakemake and HyperQueue (docs/src/engines), each with two workers on this machine: the same bytes as one process.
#
#   tests/cluster/engines.sh MORTA SWEEP [UNIT_MINUTES]
#
# Where an engine can't be had from PyPI, it says SKIPPED; CI_NEEDS_ENGINES=1 makes that an error. ENGINES_VENV names the virtual environment.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${ENGINES_VENV:-$here/../../target/engines-venv}
scripts=$here/../../docs/src/engines

skip() {
    echo "engines: SKIPPED, $1"
    exit "${CI_NEEDS_ENGINES:-0}"
}
[ $# -ge 2 ] || { echo "usage: $0 MORTA SWEEP [UNIT_MINUTES]" >&2; exit 2; }
morta=$(realpath "$1") sweep=$(realpath "$2") minutes=${3:-0.001}
if [ ! -e "$venv/ready" ]; then
    command -v python3 > /dev/null || skip "there is no python3"
    rm -rf "$venv"
    python3 -m venv "$venv" || skip "python3 can't make virtual environments"
    "$venv/bin/pip" install --quiet --disable-pip-version-check 'dask[distributed]==2026.8.0' snakemake==9.27.1 hyperqueue==0.27.0 \
        || skip "PyPI can't be reached, or has no wheel for this machine"
    touch "$venv/ready"
fi
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir "$room/bin" "$room/work"
ln -s "$morta" "$room/bin/morta"
export PATH=$room/bin:$venv/bin:$PATH
cd "$room/work"

morta sweep "$sweep" --out "$room/local" > /dev/null
# With a plan in the folder, the scripts keep to it.
for engine in dask snakemake hyperqueue; do morta sweep "$sweep" --out "$room/$engine" --plan --unit-minutes "$minutes" > /dev/null; done

python "$scripts/dask_units.py" "$sweep" "$room/dask" > dask.txt 2>&1 || { cat dask.txt >&2; exit 1; }
snakemake -s "$scripts/Snakefile" --jobs 2 --config file="$sweep" out="$room/snakemake" > snakemake.txt 2>&1 || { cat snakemake.txt >&2; exit 1; }
python - "$scripts/hyperqueue_units.py" "$sweep" "$room/hyperqueue" > hyperqueue.txt 2>&1 <<'PYTHON' || { cat hyperqueue.txt >&2; exit 1; }
import subprocess
import sys

from hyperqueue.cluster import LocalCluster, WorkerConfig

with LocalCluster() as cluster:
    for _ in range(2):
        cluster.start_worker(WorkerConfig(cores=1))
    sys.exit(subprocess.run([sys.executable, *sys.argv[1:], cluster.cluster.server_dir]).returncode)
PYTHON
for engine in dask snakemake hyperqueue; do
    for table in results.csv results.parquet series.parquet lives.parquet analysis.json sweep.json; do
        cmp "$room/local/$table" "$room/$engine/$table"
    done
    echo "$engine: $(find "$room/$engine/units" -name '*.tar' | wc -l) units, the same bytes"
done
