#!/usr/bin/env bash
# Prints the figures by which the replications were judged.
#
#   checks/replications.sh figures          every registered replication with its own seeds: published, ours, inside or outside; and how long it took
#   checks/replications.sh inheritance      lineages in mazes with their own seeds: steps and deaths, arms held against each other, and each maze's seeds
#   checks/replications.sh bench            backups a second beside plain loops over arrays, in the same run
#   checks/replications.sh numba PROTOTYPES the same of the numba prototypes (a folder with md.py and dyna.py), in a Python that has numba: MORTA_NUMBA_PYTHON
#   checks/replications.sh lines            lines of Rust, tests among them
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
figures)
    cargo build -q --release
    time ./target/release/morta replicate --all --out "$(mktemp -d)"
    ;;
inheritance)
    cargo build -q --release
    out=$(mktemp -d)
    time ./target/release/morta replicate inheritance --out "$out"
    head -3 "$out/inheritance/comparison.csv" "$out/inheritance/seeds.csv" | cut -c1-160
    ;;
bench)
    cargo bench -q -p morta-replications --bench replications
    ;;
numba)
    cd "${2:?the folder of the prototypes}"
    "${MORTA_NUMBA_PYTHON:-python3}" - << 'PYTHON'
import contextlib, io, os, time
os.environ["NUMBA_CACHE_DIR"] = "/tmp/numba-replications"
import md
with contextlib.redirect_stdout(io.StringIO()):  # dyna.py runs its own table when it is imported
    import dyna

md.track(0, 1)
begun, runs = time.time(), md.track(0, 40, seed0=1)
print(f"EVB, linear track (runs tested for direction too) {runs[:, 5].sum() / (time.time() - begun):12.0f}/s")
dyna.dyna(0, 50, .1, .1, .95, 50)
begun, steps = time.time(), sum(dyna.dyna(seed, 50, .1, .1, .95, 50).sum() for seed in range(200))
print(f"random, Dyna maze, n = 50                         {50 * steps / (time.time() - begun):12.0f}/s")
PYTHON
    ;;
lines)
    git ls-files | grep -E 'replicat' | grep '\.rs$' | xargs wc -l | tail -1
    wc -l lab/src/report/plot/field.rs stats/src/median.rs engine/src/replay/utility/formula.rs | tail -1
    ;;
*)
    sed -n '2,9p' "$0" | cut -c3-
    exit 2
    ;;
esac
