#!/usr/bin/env bash
# The figures of the bounded mind: what dreams are worth beside a recall that fades, and the whole architecture beside the one before it, which
# summed all voices, recalled without forgetting, and slept between trades alone.
#
#   checks/bounded-mind.sh MORTA OUT [FIRST_SEED WORLDS [WORLD]]
#
# MORTA is the program, OUT a folder for the sweeps (what is there is resumed). Worlds 60001 to 60020 are those that the results are of. WORLD is one of drift-500, drift-2000, drift-stands, reverting, mortal, gold; left out: all.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 MORTA OUT [FIRST_SEED WORLDS [WORLD]]" >&2; exit 2; }
morta=$(realpath "$1") out=$2 first=${3:-60001} worlds=${4:-20} only=${5:-}
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(realpath "$out")
. "$here/checks/arms.sh"

# NAME SCENARIO SETTINGS: the four arms of a world.
compare() {
    local name=$1 scenario=$2 settings=$3
    [ -z "$only" ] || [ "$only" = "$name" ] || return 0
    local before='memory.bardo.pooling = "sum", memory.bardo.recall.age_half_life_ticks = 0.0, dream.schedule.position_is_pending = true'
    live_through "$name" "The whole architecture with and without dreams, as it was and as it is." "$scenario" \
        'cohorts = [{ name = "golems", golems = 16, memory = "bardo" }]'"
$settings" "now-awake|dream.enabled = false
now-real|dream.enabled = true
before-awake|dream.enabled = false, $before
before-real|dream.enabled = true, $before"
    echo "== $name"
    local arm of=("$out/$name/results.csv" --arm arm --pair seed --only cohort=golems)
    for arm in before-real now-awake before-awake; do
        compared "${of[@]}" --score r_per_golem_tick --baseline "$arm"
    done
    # Arms without dreams have no such figure: rows of them are left out.
    "$morta" stats compare "${of[@]}" --only dream.enabled=true --score dream_gap_ticks --baseline before-real | sed -n '/^arm .* mean /,/^$/p'
}

immortal='population.policy = "immortal"
lethe.enabled = false
dream.dream_cycle_interval = 300
dream.min_episodes = 20
dream.max_batches = 3
dream.schedule.mode = "interval"'
echo "R a golem-tick, paired by world, 95 % intervals by t; then ticks that a dream costs"
compare drift-500 drift.toml "$immortal"
compare drift-2000 drift.toml "$immortal
market.drift.repeat_ticks = 4000
market.drift.changes = [{ tick = 2000, law = \"turned\" }, { tick = 4000, law = \"base\" }]"
compare drift-stands drift.toml "$immortal
market.drift.repeat_ticks = 0
market.drift.changes = []"
compare reverting reverting.toml ""
compare mortal mortal.toml ""
# Eighteen stretches that don't overlap, as in experiments/memory-arena-gold.toml.
worlds=$((worlds < 18 ? worlds : 18))
compare gold quickstart.toml "ticks = 4000
market.impact = \"price_taker\"
market.start_within_bars = 70176
market.start_every_bars = 4128
market.assets = [{ symbol = \"XAU\", source = { kind = \"replay\", file = \"$here/sim-data/xauusd_hour.csv.gz\" } }]"
