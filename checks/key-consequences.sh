#!/usr/bin/env bash
# What each key changes that no other study asked, all at once: the settings and changes of `docs/src/keys`, confirmed by the measures and
# signs that `checks/key-consequences.csv` registers. Writes `docs/src/results/key-consequences.md` and its lines of
# `docs/consequence-of-keys.txt`. With --rules the same of rules: `checks/rule-figures.csv`, which has their settings and changes too,
# `docs/src/results/rule-figures.md` and `docs/consequence-of-rules.txt`.
#
#   checks/key-consequences.sh MORTA OUT [--rules] [--choose]
#
# MORTA is the program, OUT a folder for the sweeps of one study (what is there is gone on with). --choose picks measures and signs anew,
# on seeds 1 to 6, before anything is confirmed: the registration is then another one, and the worlds of the page are spent.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 MORTA OUT [--rules] [--choose]" >&2; exit 2; }
morta=$(realpath "$1") out=$2 study=keys
script=$(dirname "$0")/key_consequences.py
shift 2
[ "${1:-}" != --rules ] || { study=rules; shift; }
mkdir -p "$out"
if [ "${1:-}" = --choose ]; then
    "$script" "$study" explore "$morta" "$out"
    "$script" "$study" choose "$out"
fi
"$script" "$study" confirm "$morta" "$out"
"$script" "$study" page "$out"
