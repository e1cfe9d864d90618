#!/usr/bin/env bash
# A night's round: mutated files until a number of cases a kind, then races and kills. Writes target/hostile/summary.txt.
#   tests/hostile/long.sh [CASES a kind] [SECONDS a kind] [RACES] [KILLS] [SEED]
set -euo pipefail
cd "$(dirname "$0")/../.."

cases=${1:-40000} seconds=${2:-1200} races=${3:-1000} kills=${4:-1000} seed=${5:-$RANDOM}
summary=$PWD/target/hostile/summary.txt
mkdir -p target/hostile
export CARGO_INCREMENTAL=0
failed=0
say() { echo "$*" | tee -a "$summary"; }

: > "$summary"
say "seed $seed: at most $cases cases and $seconds s a kind, $races races, $kills kills"
HOSTILE_SUMMARY=$summary HOSTILE_SEED=$seed HOSTILE_CASES=$cases HOSTILE_SECONDS=$seconds \
  cargo test --workspace --test hostile -- --test-threads=1 || failed=1
say "$(awk '/ accepted / { c += $2; a += $4; r += $6; f += $8 } END { print "all kinds: " c " cases, " a " accepted, " r " refused, " f " failures" }' "$summary")"
if MORTA_RACES=$races cargo test --workspace --test races; then say "races: $races rounds, nothing lost"; else say "races: FAILED"; failed=1; fi
if MORTA_KILLS=$kills cargo test --workspace --test memory_tools stores; then say "kills: $kills rounds of three, nothing lost"; else say "kills: FAILED"; failed=1; fi
exit "$failed"
