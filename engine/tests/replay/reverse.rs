use crate::common::episodes::{episode, holding, id, record};
use morta_base::{Purpose, Tick, WorldSeed};
use morta_engine::episode::{DecisionStep, Episode, EpisodeRecord, StepKind};
use morta_engine::market::Strategy;
use morta_engine::replay::{ReverseConfig, assign_credit, reverse_replays};
use proptest::prelude::*;

fn step(kind: StepKind, tick: Tick, r: f64) -> DecisionStep {
    DecisionStep { kind, tick, r }
}

/// Expected +0.6; in at −0.1; up to +0.9 at the first hold; down to −0.8 at the exit; −1.0 after slippage.
fn chain() -> EpisodeRecord {
    let mut lived = record(0, 40);
    (lived.opened, lived.expected_r, lived.realised_r) = (0, 0.6, -1.0);
    lived.chain = vec![
        step(StepKind::Analysis, 0, 0.6),
        step(StepKind::Entry, 0, -0.1),
        step(StepKind::Hold, 20, 0.9),
        step(StepKind::Exit, 40, -0.8),
    ];
    lived
}

#[test]
fn credit_by_hand() {
    let assignment = assign_credit(&chain());
    let kinds: Vec<_> = assignment.steps.iter().map(|step| step.kind).collect();
    assert_eq!(kinds, [StepKind::Exit, StepKind::Hold, StepKind::Entry, StepKind::Analysis]);
    let credits: Vec<f64> = assignment.steps.iter().map(|step| step.credit_r).collect();
    for (found, expected) in credits.iter().zip([-0.2, -1.7, 0.9, 0.0]) {
        assert!((found - expected).abs() < 1e-12, "{credits:?}");
    }
    // 1.7 of 2.8 R of movement.
    assert!((assignment.steps[1].share - 0.607_142_857).abs() < 1e-9);
    assert_eq!(assignment.pivotal, Some(1));
    assert_eq!(assignment.steps[1].r_if_closed_here, Some(0.9));
    assert!((assignment.forecast_error_r + 1.6).abs() < 1e-12);
}

#[test]
fn without_a_chain_the_outcome_has_one_step() {
    let assignment = assign_credit(&record(0, 40));
    assert_eq!(assignment.steps.len(), 1);
    assert_eq!((assignment.steps[0].kind, assignment.steps[0].credit_r), (StepKind::Exit, 0.2));
    assert_eq!(assignment.steps[0].share, 1.0);
}

/// The entry moved .9 of 2.8 R; a reader may say that the outcome turned on it all the same. What has no chain left isn't divided.
#[test]
fn only_a_divided_outcome_is_complete() {
    let mut assignment = assign_credit(&chain());
    assert!(assignment.is_complete());
    assert!((assignment.entry_share().unwrap() - 0.9 / 2.8).abs() < 1e-9);
    assignment.turn_on(StepKind::Entry);
    assert_eq!(assignment.pivotal, Some(2));
    let whole = assign_credit(&record(0, 40));
    assert_eq!((whole.is_complete(), whole.entry_share()), (false, None));
}

#[test]
fn the_rate_grows_with_the_outcome_and_losses_come_first() {
    let config = ReverseConfig::default();
    for (r, rate) in [(0.0, 0.0), (1.0, 0.5), (3.0, 1.0), (-0.3, 0.3), (-1.0, 1.0)] {
        assert!((config.rate(r) - rate).abs() < 1e-12, "{r}");
    }
    let results = [(0, 2.5), (1, -1.0), (2, 4.0), (3, -2.0), (4, 0.0)];
    let mut grimoire =
        holding(0, results.map(|(number, realised_r)| Episode { realised_r, ..episode(number, 10) }));
    let mut stream = WorldSeed(0).world(Purpose::Dream, 0, 0);
    let traced = reverse_replays(&[0, 1, 2, 3, 4].map(id), &grimoire, &[], &config, &mut stream);
    let results: Vec<f64> = traced.iter().map(|assignment| assignment.realised_r).collect();
    assert_eq!(results, [-2.0, -1.0, 4.0, 2.5]);
    // A gain of 1 R is traced in half of all dreams, and in every one where a position of its strategy is about to break.
    let mut gained = episode(5, 10);
    gained.realised_r = 1.0;
    let strategy = gained.strategy;
    grimoire.insert(gained, 0);
    let mut times = |attention: &[Strategy]| {
        let traced = (0..100).map(|_| reverse_replays(&[id(5)], &grimoire, attention, &config, &mut stream));
        traced.filter(|traced| !traced.is_empty()).count()
    };
    assert_eq!(times(&[strategy]), 100);
    assert!((35..65).contains(&times(&[])), "half of them");
}

proptest! {
    /// Whatever the chain, the credits add up to the outcome.
    #[test]
    fn credits_sum_to_the_outcome(
        rs in prop::collection::vec(-3.0_f64..3.0, 0..11),
        realised in -3.0_f64..3.0,
        analysed in any::<bool>(),
    ) {
        let mut lived = record(0, 100);
        lived.realised_r = realised;
        lived.chain.extend(analysed.then(|| step(StepKind::Analysis, 0, 0.3)));
        let last = rs.len().saturating_sub(1);
        lived.chain.extend(rs.iter().enumerate().map(|(i, &r)| {
            let kind = if i == 0 { StepKind::Entry } else if i == last { StepKind::Exit } else { StepKind::Hold };
            step(kind, i as Tick, r)
        }));
        let sum: f64 = assign_credit(&lived).steps.iter().map(|step| step.credit_r).sum();
        prop_assert!((sum - realised).abs() < 1e-12);
    }
}
