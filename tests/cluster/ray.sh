#!/usr/bin/env bash
# A sweep on two nodes of a real Ray, one of which is killed in the middle: the same bytes as on one machine.
#
#   tests/cluster/ray.sh MORTA SWEEP [FLAG...]      flags are those of `morta sweep` that choose a profile or seeds
#
# Where Ray can't be had from PyPI, it says SKIPPED and why, and ends with 0; CI_NEEDS_RAY=1 makes that an error.
#
#   RAY_VENV      where the virtual environment is, or is made (default: target/ray-venv)
#   KILL_AFTER    units that are done before a node is killed (default 3)
#   UNIT_MINUTES  about how long a unit takes (default 0.02)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${RAY_VENV:-$here/../../target/ray-venv}

skip() {
    echo "ray: SKIPPED, $1"
    exit "${CI_NEEDS_RAY:-0}"
}
[ $# -ge 2 ] || { echo "usage: $0 MORTA SWEEP [FLAG...]" >&2; exit 2; }
morta=$(realpath "$1") sweep=$(realpath "$2")
shift 2
if [ ! -e "$venv/ready" ]; then
    command -v python3 > /dev/null || skip "there is no python3"
    rm -rf "$venv"
    python3 -m venv "$venv" || skip "python3 can't make virtual environments"
    "$venv/bin/pip" install --quiet --disable-pip-version-check 'ray[default]==2.60.0' || skip "PyPI can't be reached, or has no wheel for this machine"
    touch "$venv/ready"
fi
export PATH=$venv/bin:$PATH
export RAY_USAGE_STATS_ENABLED=0 RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO=0

room=$(mktemp -d)
# Ray's sockets have paths of at most 107 bytes.
spool=$(mktemp -d /tmp/rayXXXX)
nodes=()
cleanup() {
    for pid in "${nodes[@]}"; do kill -9 -- "-$pid" 2> /dev/null || true; done
    pkill -9 -f "$spool" 2> /dev/null || true
    rm -rf "$room" "$spool"
}
trap cleanup EXIT

setsid ray start --head --block --port=6399 --dashboard-port=8299 --num-cpus=1 \
    --temp-dir="$spool" --disable-usage-stats > "$room/head" 2>&1 &
nodes+=($!)
for _ in $(seq 240); do
    curl -sf http://127.0.0.1:8299/api/version > /dev/null 2>&1 && break
    sleep 0.5
done
setsid ray start --address=127.0.0.1:6399 --block --num-cpus=1 > "$room/worker" 2>&1 &
worker=$!
nodes+=("$worker")
export RAY_API_SERVER_ADDRESS=http://127.0.0.1:8299
python3 - <<'EOF'
import time

import ray

ray.init(address="127.0.0.1:6399", log_to_driver=False)
for _ in range(240):
    if sum(node["Alive"] for node in ray.nodes()) == 2:
        break
    time.sleep(0.5)
else:
    raise SystemExit("error: the nodes don't come up")
EOF

began=$(date +%s.%N)
"$morta" sweep "$sweep" "$@" --out "$room/local" --jobs 2 > "$room/local.txt"
local_s=$(echo "$(date +%s.%N) - $began" | bc)

began=$(date +%s.%N)
"$morta" sweep "$sweep" "$@" --out "$room/shared" --submit ray --unit-minutes "${UNIT_MINUTES:-0.02}" \
    --engine-args='--address http://127.0.0.1:8299' > "$room/shared.txt" 2> "$room/shared.err" &
submitted=$!
units_there() { find "$room/shared/units" -name '*.tar' 2> /dev/null | wc -l || true; }
for _ in $(seq 1200); do
    [ "$(units_there)" -ge "${KILL_AFTER:-3}" ] && break
    sleep 0.1
done
there=$(units_there)
kill -9 -- "-$worker"
echo "ray: a node killed with $there units done"
code=0
wait "$submitted" || code=$?
ray_s=$(echo "$(date +%s.%N) - $began" | bc)
if [ "$code" != 0 ]; then
    cat "$room/shared.txt" "$room/shared.err" "$room/shared/ray/submit.txt" >&2 || true
    exit 1
fi
for table in results.csv results.parquet series.parquet lives.parquet analysis.json sweep.json; do
    if [ -e "$room/local/$table" ] || [ -e "$room/shared/$table" ]; then
        cmp "$room/local/$table" "$room/shared/$table"
    fi
done
units=$(find "$room/shared/units" -name '*.tar' | wc -l)
cells=$(($(wc -l < "$room/shared/timings.csv") - 1))
hosts=$(tail -n +2 "$room/shared/timings.csv" | cut -d, -f8 | sort | uniq -c | tr -s ' \n' ' ')
echo "ray: $units units, $cells cells, the same bytes; engine:$hosts; $ray_s s, on one machine $local_s s"
