#!/usr/bin/env bash
# A long round: a million mutated files (tests/hostile/cases.txt), then races and kills. Writes target/hostile/summary.txt as it goes; the
# line of what is under way stands in target/hostile/summary.under-way.
#   tests/hostile/long.sh [SEED] [RACES] [KILLS]
set -euo pipefail
cd "$(dirname "$0")/../.."

seed=${1:-$RANDOM} races=${2:-1000} kills=${3:-1000}
place=$PWD/target/hostile
export HOSTILE_SUMMARY=$place/summary.txt HOSTILE_SEED=$seed
mkdir -p "$place"

# The profile of development has overflow checks and debug assertions; only the laboratory isn't optimised in it, which a long round can't wait
# for. What is tried is copied, so that no later build changes it on the way.
build=(cargo test --config profile.dev.package.morta-lab.opt-level=1 --workspace --test hostile)
"${build[@]}" --no-run
cp "$("${build[@]}" --no-run --message-format=json 2>/dev/null |
  python3 -c 'import json, sys; print([m["executable"] for m in map(json.loads, sys.stdin) if m.get("executable") and m["target"]["name"] == "hostile"][-1])')" "$place/tried"
cp target/debug/morta target/debug/morta-memory "$place/"
export CARGO_BIN_EXE_morta=$place/morta
# Files are put back a million times: in memory, where there is a place for them.
if [ -d /dev/shm ] && [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi

failed=0
say() { echo "$*" | tee -a "$HOSTILE_SUMMARY"; }
try() {
  if ! "$place/tried" --exact --test-threads=1 "$1" >>"$place/told.txt" 2>&1; then
    failed=1
    say "FAILED: $1; see target/hostile/told.txt and target/hostile/failures"
    # A process that ended with a case left its line.
    if [ -e "$place/summary.under-way" ]; then say "$(cat "$place/summary.under-way")"; rm "$place/summary.under-way"; fi
  fi
}

: >"$HOSTILE_SUMMARY" && : >"$place/told.txt"
say "$(date -u +%FT%TZ), commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), seed $seed"
for kinds in what_runs_and_sweeps_leave texts_that_are_written_by_hand tables_of_anybody memories_of_users; do
  HOSTILE_PLAN=tests/hostile/cases.txt HOSTILE_SECONDS=100000 try "$kinds"
done
say "$(awk '/ accepted / { c += $2; a += $4; r += $6; f += $8 } END { print "all kinds: " c " cases, " a " accepted, " r " refused, " f " failures" }' "$HOSTILE_SUMMARY")"
say "races:"
HOSTILE_RACES=$races try crowd::races
say "kills:"
HOSTILE_KILLS=$kills try crowd::kills
say "$(date -u +%FT%TZ): $([ "$failed" = 0 ] && echo "nothing failed" || echo "FAILURES")"
exit "$failed"
