#!/usr/bin/env bash
# Everything that the pages of results are made of, run anew: levers, experiments, sweeps, sensitivity, validation. Each is a folder under OUT; what is
# there is gone on with, to the cell, so that it may be stopped at any time.
#
#   scenarios/rerun.sh --hours MORTA              how long all of it would take on this machine, by one short cell of each
#   scenarios/rerun.sh MORTA OUT [NAME...]        runs all, or those named, in the order of their names
#
# OUT/times.tsv has the seconds and the end of each, OUT/NAME.md its page. Seeds are those that the files register: a build that changes what is lived
# takes a new block, so change `first` before.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
files() { ls "$here"/levers/*.toml "$here"/experiments/*.toml "$here"/sweeps/*.toml "$here"/sensitivity/*.toml "$here"/validation/*.toml; }

if [ "${1:-}" = "--hours" ] && [ $# -eq 2 ]; then
    for file in $(files); do
        printf '%s\t' "$(basename "$file" .toml)"
        "$2" sweep "$file" --dry-run 2>/dev/null | sed -n 's/^about \(.*\) on [0-9]* threads.*/\1/p' | head -1
    done
    exit
fi
[ $# -ge 2 ] || { sed -n '5,6s/^# *//p' "$0" >&2; exit 2; }
morta=$(realpath "$1") out=$2
shift 2
mkdir -p "$out"
for file in $(files); do
    name=$(basename "$file" .toml)
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    resume=()
    [ ! -d "$out/$name" ] || resume=(--resume)
    began=$SECONDS
    "$morta" sweep "$file" --out "$out/$name" "${resume[@]}" >"$out/$name.log" 2>&1 || echo "$name: $(tail -1 "$out/$name.log")" >&2
    "$morta" report "$out/$name" --markdown >"$out/$name.md" 2>/dev/null || rm -f "$out/$name.md"
    printf '%s\t%s\t%s\n' "$name" $((SECONDS - began)) "$(date -u +%FT%TZ)" | tee -a "$out/times.tsv"
done
# All their registered comparisons together, for docs/results.py; none of a folder in which nothing has ended yet.
"$morta" stats across "$out" --json >"$out/across.json" 2>/dev/null || rm -f "$out/across.json"
