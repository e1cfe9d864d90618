#!/usr/bin/env bash
# What rules of replay and imagination change downstream: `scenarios/levers/replay-rules.toml`, each arm against the shipped rules, by six measures
# from the dream to the life, with what other luck in dreams comes to beside it.
#
#   checks/consequence.sh MORTA OUT [FIRST_SEED WORLDS]
#
# MORTA is the program, OUT a folder for the sweep (what is there is gone on with). Seeds left out: the registered ones; exploration: below 100.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 MORTA OUT [FIRST_SEED WORLDS]" >&2; exit 2; }
morta=$(realpath "$1") out=$2
here=$(cd "$(dirname "$0")/.." && pwd)
file="$here/scenarios/levers/replay-rules.toml"
if [ $# -ge 4 ]; then
    sed -e "s/^first = .*/first = $3/" -e "s/^count = .*/count = $4/" -e "s|^scenario = \"\.\./|scenario = \"$here/scenarios/|" "$file" >"$out.toml"
    file="$out.toml"
fi
resume=()
[ ! -d "$out" ] || resume=(--resume)
"$morta" sweep "$file" --out "$out" "${resume[@]}" >&2
. "$here/checks/arms.sh"
for measure in claims_staged rules_admitted trades deaths mean_r r_per_golem_tick; do
    echo "== $measure"
    compared "$out/results.csv" --arm arm --pair seed --only cohort=golems --score "$measure" --baseline as-shipped
done
