#!/usr/bin/env bash
# What each key changes that no other study asked, all at once: the settings and changes of `docs/src/keys`, confirmed by the measures and
# signs that `checks/key-consequences.csv` registers. Writes `docs/src/results/key-consequences.md` and its lines of
# `docs/consequence-of-keys.txt`.
#
#   checks/key-consequences.sh MORTA OUT [--choose]
#
# MORTA is the program, OUT a folder for the sweeps (what is there is gone on with). --choose picks measures and signs anew, on seeds 1 to
# 6, before anything is confirmed: the registration is then another one, and the worlds of the page are spent.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 MORTA OUT [--choose]" >&2; exit 2; }
morta=$(realpath "$1") out=$2
study=$(dirname "$0")/key_consequences.py
mkdir -p "$out"
if [ "${3:-}" = --choose ]; then
    "$study" explore "$morta" "$out"
    "$study" choose "$out"
fi
"$study" confirm "$morta" "$out"
"$study" page "$out"
