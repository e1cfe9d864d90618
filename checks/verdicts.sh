#!/usr/bin/env bash
# The figures of the verdicts: how often their words are wrong of twenty questions with known truth, each asked 2,000 times, and how often the routines
# for looks and equivalence reject where they mustn't. With `hostile [SEED]` also what comes of mutated files.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT
MORTA_FIGURES=$figures cargo test -q --workspace --lib words_are_wrong_no_more_often_than_registered > /dev/null
cat "$figures"
cargo test -q -p morta-stats --test statistics -- equivalence looks rates overlap 2>&1 | tail -5
# A hundred thousand files of users, mutated: about ten minutes. Nothing may fail; what ends the process is kept in target/hostile/failures.
if [ "${1:-}" = hostile ]; then
  export HOSTILE_SUMMARY=$figures.hostile HOSTILE_SEED=${2:-36} HOSTILE_CASES=3400 HOSTILE_SECONDS=100000
  for kinds in what_runs_and_sweeps_leave texts_that_are_written_by_hand tables_of_anybody memories_of_users; do
    cargo test -q --workspace --test hostile -- --exact --test-threads=1 "$kinds" > /dev/null
  done
  awk '/ accepted / { c += $2; a += $4; f += $8 } END { print c " mutated files, " a " accepted, " f " failures" }' "$HOSTILE_SUMMARY"
fi
