#!/usr/bin/env bash
# What rules of replay and imagination change downstream, each by a figure of its own: `scenarios/levers/rule-consequences.toml`, and four further worlds
# in which rules act that `nightly.toml` has no use for. Prints the table of `docs/src/results/consequence.md`.
#
#   PYTHON=env/bin/python checks/consequence.sh MORTA OUT [FIRST_SEED WORLDS [WORLD]]
#
# MORTA is the program, OUT a folder for the sweeps (what is there is gone on with), PYTHON one with pyarrow, pandas and scipy. Seeds left out: the
# registered ones; exploration: below 100. WORLD is one of nightly, hard-times, moods, quickstart, attention, lived through without a table; left out: all.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 MORTA OUT [FIRST_SEED WORLDS [WORLD]]" >&2; exit 2; }
morta=$(realpath "$1") out=$2 first=${3:-87001} worlds=${4:-20} only=${5:-}
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(realpath "$out")
. "$here/checks/arms.sh"

# NAME SCENARIO SETTINGS ARMS: a further world, with the three arms of luck.
ask() {
    local name=$1 scenario=$2 settings=$3 arms=$4
    [ -z "$only" ] || [ "$only" = "$name" ] || return 0
    live_through "$name" "Rules of replay, each taken away, beside other luck." "$scenario" "$settings
record.events = false
[record]
runs = true
[question]
measure = \"mean_r\"" "as-shipped|dream.luck = 0
other-luck|dream.luck = 1
other-luck-again|dream.luck = 2
$arms"
}

if [ -z "$only" ] || [ "$only" = nightly ]; then
    file="$here/scenarios/levers/rule-consequences.toml"
    sed -e "s/^first = .*/first = $first/" -e "s/^count = .*/count = $worlds/" -e "s|^scenario = \"\.\./|scenario = \"$here/scenarios/|" "$file" >"$out/nightly.toml"
    resume=()
    [ ! -d "$out/nightly" ] || resume=(--resume)
    "$morta" sweep "$out/nightly.toml" --out "$out/nightly" "${resume[@]}" >"$out/nightly.log" 2>&1 || { tail -3 "$out/nightly.log" >&2; exit 1; }
fi
ask hard-times hard-times.toml "" "no-perturbation|dream.replay.perturbation_rate = 0.0, dream.replay.deviation_multiples = [0.0]
mild-deviations|dream.replay.deviation_multiples = [2.0]
no-creative-floor|dream.replay.creative_floor = 0.0
no-confusion|dream.replay.confused_below_accuracy = 0.0
same-intensity|dream.imagination.scales_with_uncertainty = false, dream.replay.intensity.scales_batch = false
no-micro-consolidation|dream.micro.enabled = false"
# Dreams that follow utility: in confused ones surprise leaves moods less to choose.
ask moods hard-times.toml 'dream.replay.confused_by = "classes"
dream.replay.prioritization = "utility"' "no-mood-bias|dream.replay.bias_weight = 1.0
no-depotentiation|dream.imagination.depotentiation_min = 0.0, dream.imagination.depotentiation_max = 0.0"
ask quickstart quickstart.toml "ticks = 3000" "no-diversity|dream.replay.diversity_share = 0.0"
ask attention proving/attention.toml "" "no-reverse-replay|dream.replay.reverse.rate_per_r = 0.0"
[ -n "$only" ] || "${PYTHON:-python3}" "$here/checks/rule_consequences.py" "$out"
