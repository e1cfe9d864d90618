use crate::common::episodes::{episode, holding};
use morta_base::{EpisodeId, RuleId};
use morta_engine::dream::micro::{MicroConfig, MicroOutcome, WakingMind, consolidate, likeness};
use morta_engine::dream::{Belief, Beliefs};
use morta_engine::episode::{Claim, ContextPattern, DreamPriority, EntryKind, Episode, Grimoire};
use morta_engine::market::Regime;

/// Three episodes: two that taught the insight (+1 R at a cosine of 1 with [1, 0]), and the new one.
fn mind(realised_r: f64, embedding: [f32; 2], confidence: f64) -> (Grimoire, Beliefs) {
    let taught = |number| Episode { realised_r: 1.0, ..episode(number, u64::from(number)) };
    let new = Episode { embedding: embedding.into(), realised_r, ..episode(2, 2) };
    let grimoire = holding(5, [taught(0), taught(1), new]);
    let lived = grimoire.record(0).clone();
    let pattern = ContextPattern::from_regime(lived.context.regime);
    let claim = Claim::of_worth(lived.strategy, pattern, 0.5);
    let insight = Belief {
        learned_from: vec![lived.id, EpisodeId { number: 1, ..lived.id }],
        ..Belief::new(RuleId { golem: lived.id.golem, number: 0 }, claim, confidence, 1)
    };
    let mut beliefs = Beliefs::default();
    beliefs.add_candidate(insight, EntryKind::Insight);
    (grimoire, beliefs)
}

fn pass(grimoire: &mut Grimoire, beliefs: &mut Beliefs, fresh: usize) -> MicroOutcome {
    let ids: Vec<EpisodeId> = grimoire.records().iter().map(|record| record.id).collect();
    let fresh = &ids[ids.len() - fresh..];
    let mut mind = WakingMind { grimoire, insights: beliefs.insights_mut().collect() };
    consolidate(&mut mind, fresh, &MicroConfig::default())
}

/// The regime holds (1) and the cosine of [4, 3] with [1, 0] is .8: a likeness of .9.
#[test]
fn a_match_strengthens_and_an_anomaly_is_flagged() {
    let (mut grimoire, mut beliefs) = mind(0.7, [4.0, 3.0], 0.6);
    assert!((likeness(grimoire.record(2), &beliefs.insights()[0], &grimoire) - 0.9).abs() < 1e-6);
    let outcome = pass(&mut grimoire, &mut beliefs, 1);
    assert_eq!(outcome, MicroOutcome { matches: 1, anomalies: 0 });
    assert!((beliefs.insights()[0].standing.strength - 1.1).abs() < 1e-12 && !outcome.unresolved());
    assert_eq!(beliefs.insights()[0].standing.accesses, 1);
    assert_eq!(grimoire.priority()[2], DreamPriority::Normal);

    let (mut grimoire, mut beliefs) = mind(-0.7, [4.0, 3.0], 0.6);
    let outcome = pass(&mut grimoire, &mut beliefs, 1);
    assert_eq!(outcome, MicroOutcome { matches: 0, anomalies: 1 });
    assert!(outcome.unresolved() && beliefs.insights()[0].standing.strength == 1.0);
    assert_eq!(grimoire.priority()[2], DreamPriority::High);
}

/// [3, 4] has a cosine of .6: a likeness of .8 is not above .8, but above .7.
#[test]
fn likenesses_have_their_own_thresholds() {
    let (mut grimoire, mut beliefs) = mind(0.7, [3.0, 4.001], 0.6);
    assert_eq!(pass(&mut grimoire, &mut beliefs, 1), MicroOutcome::default());
    let (mut grimoire, mut beliefs) = mind(-0.7, [3.0, 4.001], 0.6);
    assert_eq!(pass(&mut grimoire, &mut beliefs, 1).anomalies, 1);
    let (mut grimoire, mut beliefs) = mind(-0.7, [0.0, 1.0], 0.6);
    assert_eq!(pass(&mut grimoire, &mut beliefs, 1).anomalies, 0, "likeness .5");
}

#[test]
fn an_uncertain_insight_can_not_be_contradicted() {
    let (mut grimoire, mut beliefs) = mind(-0.7, [4.0, 3.0], 0.49);
    assert_eq!(pass(&mut grimoire, &mut beliefs, 1), MicroOutcome::default());
}

#[test]
fn only_new_episodes_are_checked() {
    let (mut grimoire, mut beliefs) = mind(0.7, [4.0, 3.0], 0.6);
    assert_eq!(pass(&mut grimoire, &mut beliefs, 0), MicroOutcome::default());
    // All three are new: each agrees.
    assert_eq!(pass(&mut grimoire, &mut beliefs, 3).matches, 3);
}

#[test]
fn without_its_sources_an_insight_is_known_by_its_circumstances() {
    let (grimoire, mut beliefs) = mind(0.7, [0.0, 1.0], 0.6);
    beliefs.insights_mut().for_each(|insight| insight.learned_from.clear());
    assert_eq!(likeness(grimoire.record(2), &beliefs.insights()[0], &grimoire), 1.0);
    let pattern = ContextPattern::from_regime(Regime::Volatile);
    beliefs.insights_mut().for_each(|insight| insight.claim.pattern = pattern);
    let elsewhere = grimoire.record(2).context.regime != Regime::Volatile;
    assert_eq!(likeness(grimoire.record(2), &beliefs.insights()[0], &grimoire) == 0.0, elsewhere);
}
