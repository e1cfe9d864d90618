#!/usr/bin/env bash
# What units and their collection cost: a sweep of very short worlds, cut into units, run, and collected.
#
#   tests/cluster/collect.sh MORTA [CELLS] [CELLS_A_UNIT]      default: 100000 cells, 1000 a unit
#
# Prints the time of a unit, the bytes of a cell in an archive, the time and the peak memory of the collection, and, where strace is
# installed, how many operations on names (open, create, link, unlink, stat, mkdir) a unit and the collection make in the shared folder.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: $0 MORTA [CELLS] [CELLS_A_UNIT]" >&2; exit 2; }
morta=$(realpath "$1") cells=${2:-100000} a_unit=${3:-1000}
scenarios=$(cd "$(dirname "$0")/../../scenarios" && pwd)
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cat > "$room/sweep.toml" <<TOML
name = "many-cells"
scenario = "$scenarios/controls/learnable.toml"
seeds = { first = 1, count = $((cells / 2)) }
[set]
ticks = 10
cohorts = [{ name = "one", golems = 2, memory = "bardo" }]
[[arms]]
name = "one"
[[arms]]
name = "two"
set = { golem.exploration_rate = 0.4 }
TOML
shared=$room/shared
began=$(date +%s.%N)
units=$((cells / a_unit))
seq 0 $((units - 1)) | xargs -P 2 -I{} bash -c '
    "$0" sweep "$1/sweep.toml" --out "$1/shared" --cells $(({} * $2))..$((({} + 1) * $2)) --jobs 1 > /dev/null' "$morta" "$room" "$a_unit"
echo "units: $units of $a_unit cells, $(echo "($(date +%s.%N) - $began) * 2 / $units" | bc -l | cut -c1-6) s of a core each"
echo "archives: $(du -sb "$shared/units" | cut -f1 | awk -v n="$cells" '{ printf "%.0f bytes, %.0f a cell", $1, $1 / n }')"
cat > "$room/peak.py" <<'PY'
import resource, subprocess, sys, time
began = time.time()
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
peak = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"collect: {time.time() - began:.1f} s, {peak.ru_utime + peak.ru_stime:.1f} s of processor, peak {peak.ru_maxrss / 1024:.0f} MB, exit {code}")
PY
python3 "$room/peak.py" "$morta" sweep "$room/sweep.toml" --out "$shared" --collect
echo "tables: $(du -cb "$shared"/*.csv "$shared"/*.parquet "$shared"/*.json | tail -1 | cut -f1 | awk -v n="$cells" '{ printf "%.0f bytes, %.0f a cell", $1, $1 / n }')"
if command -v strace > /dev/null; then
    names=open,openat,creat,link,linkat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,stat,lstat,statx,newfstatat,access,readlink
    counted() { grep -c "$shared" "$1" || true; }
    strace -f -e trace=$names -o "$room/unit.trace" "$morta" sweep "$room/sweep.toml" --out "$shared" --cells 0..10 --jobs 1 > /dev/null
    echo "names: $(counted "$room/unit.trace") operations in the shared folder for a unit of 10 cells"
    strace -f -e trace=$names -o "$room/collect.trace" "$morta" sweep "$room/sweep.toml" --out "$shared" --collect > /dev/null
    echo "names: $(counted "$room/collect.trace") operations in the shared folder for the collection, $(find "$shared/units" -name '*.tar' | wc -l) archives"
fi
