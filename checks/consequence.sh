#!/usr/bin/env bash
# What a rule of the specs changes downstream: the same worlds with the rule and without it, beside worlds in which nothing but the luck of dreams
# differs (`dream.luck`). A rule has a consequence where taking it away moves a figure farther than other luck does.
#
#   checks/consequence.sh MORTA OUT [FIRST_SEED WORLDS [WORLD]]
#
# MORTA is the program, OUT a folder for the sweeps (what is there is resumed). Exploration: seeds below 100. WORLD is one of nightly, hard-times,
# thin; left out: all. Rules that have no key are held against the build before, by the same sweep with its program.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 MORTA OUT [FIRST_SEED WORLDS [WORLD]]" >&2; exit 2; }
morta=$(realpath "$1") out=$2 first=${3:-1} worlds=${4:-10} only=${5:-}
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(realpath "$out")
. "$here/checks/arms.sh"

# Rules with a key, and the key's value without the rule. Every arm with luck is one that changes nothing a rule is about.
rules='all|
no-diversity|dream.replay.diversity_share = 0.0
no-decay|dream.replay.replay_decay = 1.0
no-spacing|dream.replay.spacing_weight = 0.0
no-perturbation|dream.replay.perturbation_rate = 0.0, dream.replay.deviation_multiples = [0.0]
no-creative-floor|dream.replay.creative_floor = 0.0
same-intensity|dream.imagination.scales_with_uncertainty = false
same-batches|dream.replay.intensity.scales_batch = false
no-counterfactuals|dream.imagination.key_decisions = 0
no-threats|dream.imagination.threat_scenarios = 0
no-ideas|dream.imagination.creative_sessions = 0, dream.imagination.stochastic_sessions = 0
no-reverse|dream.replay.reverse.rate_per_r = 0.0
no-strength|dream.replay.strength_per_replay = 0.0
no-curator-tags|dream.replay.curator_boost = 1.0, dream.replay.curator_boost_medium = 1.0
no-mood-bias|dream.replay.bias_weight = 1.0
no-bloodstain-boost|dream.replay.bloodstain_boost = 1.0
no-onset|dream.hypnagogia.enabled = false
never-confused|dream.replay.confused_below_accuracy = 0.0
no-dreams|dream.enabled = false
luck-1|dream.luck = 1
luck-2|dream.luck = 2
luck-3|dream.luck = 3'

# NAME SCENARIO SETTINGS
world() {
    local name=$1 scenario=$2 settings=$3
    [ -z "$only" ] || [ "$only" = "$name" ] || return 0
    live_through "$name" "Rules of replay and dreams, each taken away." "$scenario" "$settings" "$rules"
    local measure
    for measure in r_per_golem_tick trades deaths claims_staged rules_admitted; do
        echo "== $name: $measure"
        compared "$out/$name/results.csv" --arm arm --pair seed --only cohort=golems --score "$measure" --baseline all
    done
}

world nightly nightly.toml ''
world hard-times hard-times.toml ''
# Pools a tenth as deep and gas five times as dear: what trades bear counts here.
world thin nightly.toml 'market.pool.depth_usdc = 200_000.0
market.gas.base_usdc = 0.0025'
