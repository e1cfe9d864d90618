//! Dreams, what they conclude, and what passes from golem to golem (dream statistics, predictive accuracy of claims, knowledge transfer).
//! Each measure names its unit: counts, shares from 0 to 1, ticks, R, USDC, a bare number (intensity, ratchet), or a rate per 1,000
//! golem-ticks. Rates are per golem-tick, because cohorts that die out dream less in all. Where dreams are off, as by default, their counts
//! are 0, and their shares and means are missing.

use super::{LifeTally, count, measures, per_1000_golem_ticks, ratio};
use morta_engine::episode::Evidence;
use morta_engine::replay::LiveVerdicts;

/// Conclusions of a kind that were borne out, over those that were decided.
fn borne_out(tally: &LifeTally, of_kind: fn(&LiveVerdicts) -> Evidence) -> Option<f64> {
    let [confirmed, decided] = tally.validated.values().map(of_kind).fold([0_u64; 2], |[yes, all], said| {
        [yes + u64::from(said.confirmed), all + u64::from(said.tests())]
    });
    ratio(confirmed as f64, decided)
}

measures! {
    tally;

    dreams: "dreams", "dreams", Neither, "dreams completed" = count(tally.dreams);
    dreams_interrupted: "interrupted dreams", "dreams", Less,
        "dreams broken off" = count(tally.dreams_interrupted);
    dream_ticks_mean: "mean dream length", "ticks", Neither,
        "ticks a dream, of those dreamt to their ends"
            = ratio(tally.minds.ticks as f64, tally.minds.completed);
    dream_gap_ticks: "time lost per dream", "ticks", Less,
        "ticks from a close to the next order with a dream in between, beyond those without one, a dream: what dreaming costs in time"
            = tally.dream_gaps.ticks_a_dream();
    dream_cost_mean_usdc: "mean cost of a dream", "USDC", Less,
        "inference a dream, of those dreamt to their ends"
            = ratio(tally.minds.cost.dollars(), tally.minds.completed);
    dream_intensity_mean: "mean dream intensity", "intensity", Neither,
        "mean intensity with which dreams began: 1 without any pressure of the clocks"
            = ratio(tally.minds.intensity, tally.minds.begun);
    unsure_dream_share: "share of dreams when unsure", "share", Neither,
        "dreams of golems that were very unsure of their predictions, over all dreams"
            = ratio(tally.minds.unsure as f64, tally.minds.begun);
    confused_dream_share: "share of dreams about confusion", "share", Neither,
        "dreams that went after what had confused the golem most, over all dreams"
            = ratio(tally.minds.confused as f64, tally.minds.begun);
    mood_dream_share: "share of dreams drawn by mood", "share", Neither,
        "dreams whose choice of episodes a mood drew to something, over all dreams"
            = ratio(tally.minds.drawn as f64, tally.minds.begun);
    legacy_dream_share: "share of dreams about legacy", "share", Neither,
        "dreams of golems that had begun to turn to what they can pass on, over all dreams"
            = ratio(tally.minds.turned as f64, tally.minds.begun);
    depotentiated_a_dream: "depotentiated episodes per dream", "episodes", Neither,
        "episodes that a dream took some of the feeling from, mean"
            = ratio(tally.minds.depotentiated as f64, tally.minds.completed);
    dream_quality_mean: "mean dream quality", "0 to 1", More,
        "mean quality of dreams by the golems' own judgement" = ratio(tally.dream_quality, tally.dreams);
    episodes_replayed: "replayed episodes", "episodes", Neither,
        "episodes gone through again in dreams" = count(tally.episodes_replayed);
    claims_staged: "staged claims", "claims", Neither,
        "conclusions put to the test" = count(tally.claims_staged);
    claims_promoted: "promoted claims", "claims", More, "of these, borne out" = count(tally.claims_promoted);
    claims_refuted: "refuted claims", "claims", Less, "of these, refuted" = count(tally.claims_refuted);
    replay_predictive_accuracy: "predictive accuracy of replay", "share", More,
        "insights of replay that live trading bore out, over those it bore out or refuted"
            = borne_out(tally, |live| live.insights);
    guard_predictive_accuracy: "predictive accuracy of guards", "share", More,
        "guards against threats that live trading bore out, over those it bore out or refuted"
            = borne_out(tally, |live| live.guards);
    fragment_predictive_accuracy: "predictive accuracy of fragments", "share", More,
        "fragments from the edge of sleep that live trading bore out, over those it bore out or refuted"
            = borne_out(tally, |live| live.fragments);
    imagination_predictive_accuracy: "predictive accuracy of imagination", "share", More,
        "hypotheses and transformations of imagination that live trading bore out, over those it bore out or refuted"
            = borne_out(tally, |live| live.imagined);
    displaced_untested_share: "share of claims displaced untested", "share", Less,
        "conclusions that had to make room for a stronger one before any outcome spoke to them, over those put to the test"
            = ratio(tally.claims_displaced_untested as f64, tally.claims_staged);
    rules_admitted: "admitted rules", "rules", Neither,
        "rules that entered a playbook" = count(tally.rules_admitted);
    claims_per_1000_golem_ticks: "claims per 1,000 golem-ticks", "claims", More,
        "conclusions put to the test for every 1000 ticks that a golem lived"
            = per_1000_golem_ticks(tally.claims_staged, tally);
    rules_per_1000_golem_ticks: "rules per 1,000 golem-ticks", "rules", More,
        "rules that entered a playbook for every 1000 ticks that a golem lived"
            = per_1000_golem_ticks(tally.rules_admitted, tally);
    rules_retired: "retired rules", "rules", Neither, "rules that left one" = count(tally.rules_retired);
    bloodstains_left: "bloodstains left", "bloodstains", Neither,
        "bloodstains left by the dead" = count(tally.bloodstains_left);
    bloodstains_drawn: "bloodstains drawn", "bloodstains", Neither,
        "bloodstains drawn by newborns" = count(tally.bloodstains_drawn);
    bloodstains_used: "bloodstains used", "bloodstains", Neither,
        "of these, heard in a trade's decision" = count(tally.bloodstains.used);
    bloodstain_win_rate: "win rate with a bloodstain", "share", More,
        "trades that heard a bloodstain and won, over those that heard one, each bloodstain counted"
            = ratio(tally.bloodstains.wins as f64, tally.bloodstains.uses);
    bloodstain_mean_r: "mean R per trade with a bloodstain", "R", More,
        "mean R-multiple of those trades" = ratio(tally.bloodstains.total_r, tally.bloodstains.uses);
    legacy_used: "legacies used", "lessons", Neither,
        "things a predecessor handed on that a trade's decision heard" = count(tally.legacies.used);
    legacy_win_rate: "win rate with a legacy", "share", More,
        "trades that heard a legacy and won, over those that heard one, each lesson counted"
            = ratio(tally.legacies.wins as f64, tally.legacies.uses);
    legacy_mean_r: "mean R per trade with a legacy", "R", More,
        "mean R-multiple of those trades" = ratio(tally.legacies.total_r, tally.legacies.uses);
    ratchet_mean: "mean ratchet", "ratchet", More,
        "mean of what a life added to its inheritance: half its new entries and 0.3 of those it bore out less 0.2 of those it refuted, over \
         those inherited; of lives that inherited"
            = ratio(tally.ratchet, tally.inheriting_lives);
    shared: "lessons shared", "lessons", Neither, "lessons offered to the clade" = count(tally.shared);
    clade_used: "clade lessons used", "lessons", Neither,
        "things a sibling told that a trade's decision heard" = count(tally.clade_lessons.used);
    clade_mean_r: "mean R per trade with a clade lesson", "R", More,
        "mean R-multiple of those trades" = ratio(tally.clade_lessons.total_r, tally.clade_lessons.uses);
}
