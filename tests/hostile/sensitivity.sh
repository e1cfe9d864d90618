#!/usr/bin/env bash
# Whether the harness finds what it is there to find: each known defect of tests/hostile/defects is put back into a copy of the last commit, and
# the part of the harness that is meant to find it is tried. One that isn't found fails, as does a patch that no longer applies, and as does
# a part of the harness that fails where nothing was spoilt.
#   tests/hostile/sensitivity.sh [PART OF A NAME]
set -euo pipefail
cd "$(dirname "$0")/../.."

root=$PWD place=$PWD/target/sensitivity
copy=$place/copy
export CARGO_TARGET_DIR=$place/target HOSTILE_SEED=${HOSTILE_SEED:-1} HOSTILE_SECONDS=300

# What a defect is looked for with: how much of the harness, and which test of it.
meant() {
  case $1 in
  01-*) echo "HOSTILE_KIND=resume HOSTILE_RACES=40 crowd::races" ;;
  02-*) echo "HOSTILE_KIND=stats-parquet-snappy HOSTILE_CASES=90000 tables_of_anybody" ;;
  03-*) echo "bombs::prices_that_never_end_are_refused" ;;
  04-*) echo "HOSTILE_KIND=owm HOSTILE_KILLS=60 crowd::kills" ;;
  05-*) echo "HOSTILE_KIND=lethe HOSTILE_CASES=1000 what_runs_and_sweeps_leave" ;;
  06-*) echo "HOSTILE_KIND=sweep-folder HOSTILE_CASES=1000 what_runs_and_sweeps_leave" ;;
  07-*) echo "limits::a_store_that_the_disk_has_no_room_for_stays_as_it_was" ;;
  08-*) echo "HOSTILE_KIND=verify HOSTILE_KILLS=80 crowd::kills" ;;
  09-*) echo "HOSTILE_KIND=cassette HOSTILE_CASES=2000 what_runs_and_sweeps_leave" ;;
  10-*) echo "HOSTILE_KIND=report HOSTILE_RACES=40 crowd::races" ;;
  11-*) echo "HOSTILE_KIND=owm HOSTILE_RACES=40 crowd::races" ;;
  *) echo "sensitivity: nobody has said what finds $1" >&2 && exit 2 ;;
  esac
}

# Builds the copy as it is.
build() {
  cargo test --manifest-path "$copy/Cargo.toml" --workspace --test hostile --no-run 2>"$place/$1.build" ||
    { echo "$1: DOESN'T COMPILE; see target/sensitivity/$1.build" && exit 2; }
}

# Tries what is meant for a defect on what was built; what it says goes into a file of this name.
try() {
  local words
  read -ra words <<<"$(meant "$1")"
  local test=${words[-1]} settings=("${words[@]:0:${#words[@]}-1}")
  env "${settings[@]}" cargo test --manifest-path "$copy/Cargo.toml" --workspace --test hostile -- --exact "$test" \
    >"$place/$2.told" 2>&1
}

mkdir -p "$place"
git worktree prune
[ -d "$copy" ] || git worktree add --quiet --detach "$copy" HEAD
commit=$(git rev-parse HEAD)
git -C "$copy" checkout --quiet --force --detach "$commit"
build unspoilt
patches=(tests/hostile/defects/*"${1:-}"*.patch)
for patch in "${patches[@]}"; do
  name=$(basename "$patch" .patch)
  try "$name" "$name-unspoilt" || { echo "$name: what is meant to find it fails where nothing was spoilt" && exit 2; }
done

found=0
for patch in "${patches[@]}"; do
  name=$(basename "$patch" .patch)
  git -C "$copy" checkout --quiet --force --detach "$commit"
  if ! git -C "$copy" apply "$root/$patch"; then
    echo "$name: DOES NOT APPLY: the code it spoils has changed; write it anew"
    continue
  fi
  build "$name"
  if try "$name" "$name"; then
    echo "$name: NOT FOUND by $(meant "$name")"
  else
    found=$((found + 1))
    echo "$name: found by $(meant "$name")"
  fi
done
git -C "$copy" checkout --quiet --force --detach "$commit"
echo "$found of ${#patches[@]} defects found"
[ "$found" = "${#patches[@]}" ]
