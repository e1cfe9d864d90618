//! Dreams, what they conclude, and what passes from golem to golem (dream statistics, predictive accuracy of claims, knowledge transfer).
//! Each measure names its unit: counts, shares from 0 to 1, ticks, R, USDC, a bare number (intensity, ratchet), or a rate per 1,000
//! golem-ticks. Rates are per golem-tick, because cohorts that die out dream less in all. Where dreams are off, as by default, their counts
//! are 0, and their shares and means are missing.

use super::Better::{Less, More, Neither};
use super::{LifeTally, Measure, count, measure, per_1000_golem_ticks, ratio};
use morta_engine::episode::Evidence;
use morta_engine::replay::LiveVerdicts;

/// Conclusions of a kind that were borne out, over those that were decided.
fn borne_out(tally: &LifeTally, of_kind: fn(&LiveVerdicts) -> Evidence) -> Option<f64> {
    let [confirmed, decided] = tally.validated.values().map(of_kind).fold([0_u64; 2], |[yes, all], said| {
        [yes + u64::from(said.confirmed), all + u64::from(said.tests())]
    });
    ratio(confirmed as f64, decided)
}

/// In the order of their columns.
pub(super) const ALL: &[Measure] = &[
    measure("dreams", "dreams", "dreams", Neither, "dreams completed", |t, _| count(t.dreams)),
    measure("dreams_interrupted", "interrupted dreams", "dreams", Less, "dreams broken off", |t, _| {
        count(t.dreams_interrupted)
    }),
    measure(
        "dream_ticks_mean",
        "mean dream length",
        "ticks",
        Neither,
        "ticks a dream, of those dreamt to their ends",
        |t, _| t.minds.ticks(),
    ),
    measure(
        "dream_gap_ticks",
        "time lost per dream",
        "ticks",
        Less,
        "ticks from a close to the next order with a dream in between, beyond those without one, a dream: what dreaming costs in time",
        |t, _| t.dream_gaps.ticks_a_dream(),
    ),
    measure(
        "dream_cost_mean_usdc",
        "mean cost of a dream",
        "USDC",
        Less,
        "inference a dream, of those dreamt to their ends",
        |t, _| t.minds.cost(),
    ),
    measure(
        "dream_intensity_mean",
        "mean dream intensity",
        "intensity",
        Neither,
        "mean intensity with which dreams began: 1 without any pressure of the clocks",
        |t, _| t.minds.intensity(),
    ),
    measure(
        "unsure_dream_share",
        "share of dreams when unsure",
        "share",
        Neither,
        "dreams of golems that were very unsure of their predictions, over all dreams",
        |t, _| t.minds.unsure_share(),
    ),
    measure(
        "confused_dream_share",
        "share of dreams about confusion",
        "share",
        Neither,
        "dreams that went after what had confused the golem most, over all dreams",
        |t, _| t.minds.confused_share(),
    ),
    measure(
        "mood_dream_share",
        "share of dreams drawn by mood",
        "share",
        Neither,
        "dreams whose choice of episodes a mood drew to something, over all dreams",
        |t, _| t.minds.drawn_share(),
    ),
    measure(
        "legacy_dream_share",
        "share of dreams about legacy",
        "share",
        Neither,
        "dreams of golems that had begun to turn to what they can pass on, over all dreams",
        |t, _| t.minds.legacy_share(),
    ),
    measure(
        "depotentiated_a_dream",
        "depotentiated episodes per dream",
        "episodes",
        Neither,
        "episodes that a dream took some of the feeling from, mean",
        |t, _| t.minds.depotentiated(),
    ),
    measure(
        "dream_quality_mean",
        "mean dream quality",
        "0 to 1",
        More,
        "mean quality of dreams by the golems' own judgement",
        |t, _| ratio(t.dream_quality, t.dreams),
    ),
    measure(
        "episodes_replayed",
        "replayed episodes",
        "episodes",
        Neither,
        "episodes gone through again in dreams",
        |t, _| count(t.episodes_replayed),
    ),
    measure("claims_staged", "staged claims", "claims", Neither, "conclusions put to the test", |t, _| {
        count(t.claims_staged)
    }),
    measure("claims_promoted", "promoted claims", "claims", More, "of these, borne out", |t, _| {
        count(t.claims_promoted)
    }),
    measure("claims_refuted", "refuted claims", "claims", Less, "of these, refuted", |t, _| {
        count(t.claims_refuted)
    }),
    measure(
        "replay_predictive_accuracy",
        "predictive accuracy of replay",
        "share",
        More,
        "insights of replay that live trading bore out, over those it bore out or refuted",
        |t, _| borne_out(t, |live| live.insights),
    ),
    measure(
        "guard_predictive_accuracy",
        "predictive accuracy of guards",
        "share",
        More,
        "guards against threats that live trading bore out, over those it bore out or refuted",
        |t, _| borne_out(t, |live| live.guards),
    ),
    measure(
        "fragment_predictive_accuracy",
        "predictive accuracy of fragments",
        "share",
        More,
        "fragments from the edge of sleep that live trading bore out, over those it bore out or refuted",
        |t, _| borne_out(t, |live| live.fragments),
    ),
    measure(
        "imagination_predictive_accuracy",
        "predictive accuracy of imagination",
        "share",
        More,
        "hypotheses and transformations of imagination that live trading bore out, over those it bore out or refuted",
        |t, _| borne_out(t, |live| live.imagined),
    ),
    measure(
        "displaced_untested_share",
        "share of claims displaced untested",
        "share",
        Less,
        "conclusions that had to make room for a stronger one before any outcome spoke to them, over those put to the test",
        |t, _| ratio(t.claims_displaced_untested as f64, t.claims_staged),
    ),
    measure("rules_admitted", "admitted rules", "rules", Neither, "rules that entered a playbook", |t, _| {
        count(t.rules_admitted)
    }),
    measure(
        "claims_per_1000_golem_ticks",
        "claims per 1,000 golem-ticks",
        "claims",
        More,
        "conclusions put to the test for every 1000 ticks that a golem lived",
        |t, _| per_1000_golem_ticks(t.claims_staged, t),
    ),
    measure(
        "rules_per_1000_golem_ticks",
        "rules per 1,000 golem-ticks",
        "rules",
        More,
        "rules that entered a playbook for every 1000 ticks that a golem lived",
        |t, _| per_1000_golem_ticks(t.rules_admitted, t),
    ),
    measure("rules_retired", "retired rules", "rules", Neither, "rules that left one", |t, _| {
        count(t.rules_retired)
    }),
    measure(
        "bloodstains_left",
        "bloodstains left",
        "bloodstains",
        Neither,
        "bloodstains left by the dead",
        |t, _| count(t.bloodstains_left),
    ),
    measure(
        "bloodstains_drawn",
        "bloodstains drawn",
        "bloodstains",
        Neither,
        "bloodstains drawn by newborns",
        |t, _| count(t.bloodstains_drawn),
    ),
    measure(
        "bloodstains_used",
        "bloodstains used",
        "bloodstains",
        Neither,
        "of these, heard in a trade's decision",
        |t, _| count(t.bloodstains.used),
    ),
    measure(
        "bloodstain_win_rate",
        "win rate with a bloodstain",
        "share",
        More,
        "trades that heard a bloodstain and won, over those that heard one, each bloodstain counted",
        |t, _| ratio(t.bloodstains.wins as f64, t.bloodstains.uses),
    ),
    measure(
        "bloodstain_mean_r",
        "mean R per trade with a bloodstain",
        "R",
        More,
        "mean R-multiple of those trades",
        |t, _| ratio(t.bloodstains.total_r, t.bloodstains.uses),
    ),
    measure(
        "legacy_used",
        "legacies used",
        "lessons",
        Neither,
        "things a predecessor handed on that a trade's decision heard",
        |t, _| count(t.legacies.used),
    ),
    measure(
        "legacy_win_rate",
        "win rate with a legacy",
        "share",
        More,
        "trades that heard a legacy and won, over those that heard one, each lesson counted",
        |t, _| ratio(t.legacies.wins as f64, t.legacies.uses),
    ),
    measure(
        "legacy_mean_r",
        "mean R per trade with a legacy",
        "R",
        More,
        "mean R-multiple of those trades",
        |t, _| ratio(t.legacies.total_r, t.legacies.uses),
    ),
    measure(
        "ratchet_mean",
        "mean ratchet",
        "ratchet",
        More,
        "mean of what a life added to its inheritance: half its new entries and 0.3 of those it bore out less 0.2 of those \
         it refuted, over those inherited; of lives that inherited",
        |t, _| ratio(t.ratchet, t.inheriting_lives),
    ),
    measure("shared", "lessons shared", "lessons", Neither, "lessons offered to the clade", |t, _| {
        count(t.shared)
    }),
    measure(
        "clade_used",
        "clade lessons used",
        "lessons",
        Neither,
        "things a sibling told that a trade's decision heard",
        |t, _| count(t.clade_lessons.used),
    ),
    measure(
        "clade_mean_r",
        "mean R per trade with a clade lesson",
        "R",
        More,
        "mean R-multiple of those trades",
        |t, _| ratio(t.clade_lessons.total_r, t.clade_lessons.uses),
    ),
];
