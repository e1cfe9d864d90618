//! Each kind worked out by hand on one trade: 0.5 R, slippage 0.02 R, gas 0.01 R, expected 0.3 R.

use crate::common::episodes::{episode, holding, id, trade};
use morta_base::{EpisodeId, Purpose, WorldSeed};
use morta_engine::episode::EpisodeKind;
use morta_engine::replay::{
    PerturbationConfig, PerturbationKind, PerturbedReplay, Tolerance, perturb, plan_perturbations,
};
use std::collections::BTreeSet;

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

fn below(tolerance: Tolerance) -> f64 {
    match tolerance {
        Tolerance::Below(magnitude) => magnitude,
        other => panic!("{other:?}"),
    }
}

fn at_default(kind: PerturbationKind) -> PerturbedReplay {
    let config = PerturbationConfig::default();
    perturb(&trade(), kind, kind.magnitude(&config), 40.0).unwrap()
}

/// Twice the slippage costs 0.02 R more; 0.5 R of headroom is 25 times as much on top of the first.
#[test]
fn slippage() {
    let replay = at_default(PerturbationKind::Slippage);
    near(replay.perturbed_r, 0.48);
    near(below(replay.tolerates), 26.0);
    near(below(replay.changes_decision.unwrap()), 16.0);
    assert!(replay.survives && !replay.breaks());
}

/// Five times the gas costs 0.04 R more.
#[test]
fn gas() {
    let replay = at_default(PerturbationKind::GasSpike);
    near(replay.perturbed_r, 0.46);
    near(below(replay.tolerates), 51.0);
}

/// Half the liquidity doubles the impact, 0.01 R; 0.5 = 0.01·m/(1 − m) at m = 0.5/0.51.
#[test]
fn liquidity() {
    let replay = at_default(PerturbationKind::Liquidity);
    near(replay.perturbed_r, 0.49);
    near(below(replay.tolerates), 0.5 / 0.51);
}

/// Of 0.53 R gross, 0.7 are common: 0.371 R gone. All of it is less than 0.5 R of headroom.
#[test]
fn decoupling() {
    let replay = at_default(PerturbationKind::Decoupling);
    near(replay.perturbed_r, 0.129);
    assert_eq!(replay.tolerates, Tolerance::Any);
    near(below(replay.changes_decision.unwrap()), 0.3 / 0.371);
}

/// Three blocks of 12 s are 0.9 ticks, in which 0.43·0.9/40 R are missed. 0.5 R are missed at tick
/// 60 + 40·(0.47 − 0.1)/0.4 = 97, which is 323.3 blocks.
#[test]
fn latency() {
    let replay = at_default(PerturbationKind::Latency);
    near(replay.perturbed_r, 0.5 - 0.009_675);
    near(below(replay.tolerates), 97.0 / 0.3);
    assert_eq!(replay.changes_decision, None);
}

/// Ten minutes are 15 ticks; the worst fall within them is 0.3·15/20 = 0.225 R.
#[test]
fn dropout() {
    let replay = at_default(PerturbationKind::DataDropout);
    near(replay.perturbed_r, 0.275);
    assert_eq!(replay.tolerates, Tolerance::Any);
}

#[test]
fn a_perturbation_that_breaks_calls_for_a_guard() {
    let replay = perturb(&trade(), PerturbationKind::GasSpike, 60.0, 40.0).unwrap();
    near(replay.perturbed_r, -0.09);
    assert!(!replay.survives && replay.breaks());
    let mut loss = trade();
    (loss.realised_r, loss.pnl) = (-loss.realised_r, -loss.pnl);
    let replay = perturb(&loss, PerturbationKind::GasSpike, 5.0, 40.0).unwrap();
    assert_eq!((replay.tolerates, replay.breaks()), (Tolerance::None, false));
}

#[test]
fn unknown_costs_give_no_perturbation() {
    let config = PerturbationConfig::default();
    let mut unverified = trade();
    unverified.verification = None;
    for kind in PerturbationKind::ALL {
        let known = matches!(kind, PerturbationKind::Latency | PerturbationKind::DataDropout);
        let found = perturb(&unverified, kind, kind.magnitude(&config), 40.0);
        assert_eq!(found.is_some(), known, "{kind:?}");
    }
    unverified.kind = EpisodeKind::StayedOut;
    assert_eq!(perturb(&unverified, PerturbationKind::Latency, 3.0, 40.0), None);
}

#[test]
fn the_rate_is_met_and_all_kinds_occur() {
    let grimoire = holding(0, (0..10).map(|number| episode(number, 10)));
    let chosen: Vec<EpisodeId> = (0..10).map(id).collect();
    let mut kinds = BTreeSet::new();
    for tick in 0..50 {
        let mut stream = WorldSeed(5).world(Purpose::Perturbation, 0, tick);
        let plan = plan_perturbations(&chosen, &grimoire, 0.3, &mut stream);
        let drawn: BTreeSet<EpisodeId> = plan.iter().map(|(episode, _)| episode.id).collect();
        assert_eq!((plan.len(), drawn.len()), (3, 3));
        kinds.extend(plan.into_iter().map(|(_, kind)| kind));
    }
    assert_eq!(kinds.len(), 6);
}
