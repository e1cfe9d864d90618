#!/usr/bin/env bash
# The figures of the verdicts: how often their words are wrong of twenty questions with known truth, each asked 2,000 times, and how often the routines
# for looks and equivalence reject where they mustn't.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT
MORTA_FIGURES=$figures cargo test -q --workspace --lib words_are_wrong_no_more_often_than_registered > /dev/null
cat "$figures"
cargo test -q -p morta-stats --test statistics -- equivalence looks rates overlap 2>&1 | tail -5
