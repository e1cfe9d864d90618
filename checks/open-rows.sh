#!/usr/bin/env bash
# Four rules of dreams that the audit found otherwise than the specs (rows 31, 57, 121, 149), each taken away in a build of its own: no key
# switches them, since nobody wants a mind that has half of one. Prints their lines of `docs/src/results/consequence.md`.
#
#   PYTHON=env/bin/python checks/open-rows.sh OUT [FIRST_SEED WORLDS]
#
# OUT is a folder for the build and the figures (what is there is gone on with), PYTHON one with pyarrow, pandas and scipy. Seeds left out: those of
# the page.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
out=$1 first=${2:-82001} worlds=${3:-12}
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(realpath "$out")
if [ ! -x "$out/morta" ]; then
    # The commit that the patch was made on: later ones would live other lives than those of the page.
    commit=$(git -C "$here" log -1 --format=%h --diff-filter=A -- checks/open-rows.patch)
    git -C "$here" worktree add --force --detach "$out/tree" "$commit"
    git -C "$out/tree" apply "$here/checks/open-rows.patch"
    (cd "$out/tree" && cargo build --release --package morta --target-dir "$out/target")
    cp "$out/target/release/morta" "$out/morta"
    git -C "$here" worktree remove --force "$out/tree"
fi
"${PYTHON:-python3}" "$here/checks/open_rows.py" "$out/morta" "$out" "$first" "$worlds"
