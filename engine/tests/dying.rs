//! Deaths in small worlds: money is conserved, every dying golem ends its phases, and each cause of death is recorded completely.

use crate::common::merge::merge;
use crate::common::{live, of_kind};
use morta_base::{GolemId, Tick, Usdc};
use morta_engine::dream::WakeSource;
use morta_engine::event::{Event, EventKind, ExitReason, LifeRecord};
use morta_engine::lethe::testament::SectionKind;
use morta_engine::mortality::{Cause, DyingPhase};
use morta_engine::world::Scenario;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn scenario(change: serde_json::Value) -> Scenario {
    let mut scenario = serde_json::json!({
        "name": "deaths", "seed": 5, "ticks": 400,
        "cohorts": [
            { "name": "bardo", "golems": 12, "memory": "bardo" },
            { "name": "none", "golems": 4, "memory": "none" }
        ],
        "market": { "assets": [{ "symbol": "A", "source": { "kind": "synthetic" } }], "gas": { "base_usdc": 0.002 } },
        "golem": { "compute_usdc_per_tick": 0.05 },
        "mortality": { "hazard_scale": 2000.0, "thanatopsis": { "snapshot_interval_ticks": 10 } },
        "dream": {
            "enabled": true, "min_episodes": 5, "dream_cycle_interval": 15,
            "schedule": { "mode": "interval" }, "clocks": { "time_scale": 100.0 }
        },
        "lethe": { "delay_hours_min": 0.0, "delay_hours_max": 0.1 }
    });
    merge(&mut scenario, change);
    Scenario::from_value(scenario).unwrap()
}

/// Lives it to the end; money is conserved at every tick.
fn deaths(events: &[Event]) -> impl Iterator<Item = (GolemId, &LifeRecord, Cause)> {
    of_kind!(event in events, EventKind::LifeEnded(life) => (event.golem?, &**life, life.cause?))
}

/// When each golem began to die, and of what.
fn beginnings(events: &[Event]) -> BTreeMap<GolemId, (Tick, Cause)> {
    of_kind!(event in events, EventKind::DeathInitiated { cause, .. } => (event.golem?, (event.tick, *cause)))
        .collect()
}

/// Dying is completed by everybody who began in time: testament, legacy and end, once each, in the order of the phases.
fn check_rites(events: &[Event], last_tick: Tick) {
    let began = beginnings(events);
    let mut phases: BTreeMap<GolemId, Vec<DyingPhase>> = BTreeMap::new();
    let mut testaments: BTreeMap<GolemId, u32> = BTreeMap::new();
    for event in events {
        match &event.kind {
            EventKind::DyingPhase { phase, .. } => {
                phases.entry(event.golem.unwrap()).or_default().push(*phase)
            }
            EventKind::TestamentWritten(testament) => {
                assert_eq!(testament.sections.len(), SectionKind::ALL.len());
                assert!(testament.budget.total() <= Usdc::from_dollars(1e6));
                *testaments.entry(event.golem.unwrap()).or_default() += 1;
            }
            _ => {}
        }
    }
    let dead: BTreeMap<GolemId, Cause> = deaths(events).map(|(golem, _, cause)| (golem, cause)).collect();
    for (golem, (tick, cause)) in &began {
        let passed = &phases[golem];
        assert!(passed.is_sorted() && passed[0] == DyingPhase::Acceptance, "{golem}: {passed:?}");
        if let Some(found) = dead.get(golem) {
            assert_eq!(found, cause);
            assert_eq!((passed.last(), testaments[golem]), (Some(&DyingPhase::Legacy), 1), "{golem}");
            assert!(!(passed.contains(&DyingPhase::Review) && cause.is_sudden()), "{golem}");
        } else {
            assert!(tick + 30 > last_tick, "{golem} began at {tick} and never ended");
        }
    }
    let unannounced = dead.keys().filter(|golem| !began.contains_key(golem)).count();
    assert_eq!(unannounced, 0, "nobody dies without a beginning");
}

#[test]
fn chance_may_strike_at_any_time() {
    let events = live(scenario(serde_json::json!({ "ticks": 1_500 })));
    check_rites(&events, 1_500);
    let struck: BTreeMap<GolemId, Tick> = beginnings(&events)
        .into_iter()
        .filter(|(_, (_, cause))| *cause == Cause::Stochastic)
        .map(|(golem, (tick, _))| (golem, tick))
        .collect();
    let at = |event: &Event| event.golem.and_then(|golem| struck.get(&golem)).copied();
    let asleep = of_kind!(event in events, EventKind::DreamInterrupted { source: WakeSource::Death, .. }
        if at(event) == Some(event.tick));
    assert!(asleep.count() > 0, "nobody was struck asleep: the world is too quiet");
    // Its stop or its time had come in the same tick: the order to close was out already, and is answered to the dying.
    let ordered = of_kind!(event in events, EventKind::TradeClosed { exit: ExitReason::Stop | ExitReason::Horizon, .. }
        if at(event) == Some(event.tick - 1));
    assert!(ordered.count() > 0, "nobody was struck with an order out: the world is too quiet");
    let left = of_kind!(event in events, EventKind::BloodstainLeft(_) if at(event).is_some());
    assert!(left.count() > 0, "snapshots survive sudden deaths");
}

/// At a hazard of 1 nobody survives the first tick, nor do their successors; in the last tick of the run neither.
#[test]
fn chance_may_strike_in_the_first_and_the_last_tick() {
    let events = live(scenario(serde_json::json!({ "ticks": 5, "mortality": { "hazard_scale": 1e6 } })));
    check_rites(&events, 5);
    assert_eq!(deaths(&events).count(), 16 * 5, "one generation a tick");
    assert!(deaths(&events).all(|(_, life, cause)| life.lifespan() == 0 && cause == Cause::Stochastic));
    assert_eq!(deaths(&events).filter(|(_, life, _)| life.ended == 4).count(), 16, "in the last tick too");
}

/// A fault before the last rites leaves neither their events nor a tier; one during them leaves both, and no testament.
#[test]
fn a_fault_during_the_last_rites_ends_them() {
    let fault = |slot| serde_json::json!({ "tick": 25, "target": "golem", "lineage": slot });
    let events = live(scenario(serde_json::json!({
        "ticks": 40,
        "faults": [fault(0), fault(1)],
        "mortality": {
            "hazard_scale": 0.0,
            "kills": [{ "tick": 20, "lineage": 0 }],
            "thanatopsis": { "acceptance_ticks": 10 }
        }
    })));
    let began = beginnings(&events);
    for (slot, killed) in [(0, Some((20, Cause::OwnerKill))), (1, None)] {
        let golem = GolemId::founder(slot);
        let (_, life, _) = deaths(&events).find(|(dead, ..)| *dead == golem).expect("it died");
        assert_eq!((life.ended, life.cause), (25, Some(Cause::Fault)));
        assert_eq!(began.get(&golem), killed.as_ref());
        assert_eq!(life.tier.is_some(), killed.is_some());
        let mut written = of_kind!(event in events, EventKind::TestamentWritten(_));
        assert!(!written.any(|event| event.golem == Some(golem)));
    }
}

/// Without a snapshot a sudden death leaves nothing; with one, exactly what was put down.
#[test]
fn a_sudden_death_falls_back_to_the_last_snapshot() {
    let none = live(scenario(serde_json::json!({ "mortality": { "thanatopsis": { "snapshots": false } } })));
    let sudden = |events: &[Event]| -> Vec<(GolemId, Option<Tick>, u32)> {
        of_kind!(event in events, EventKind::TestamentWritten(testament) if testament.mark.cause == Cause::Stochastic => {
            (event.golem.unwrap(), testament.as_of, testament.unfinished)
        })
        .collect()
    };
    assert!(!sudden(&none).is_empty() && sudden(&none).iter().all(|(_, as_of, _)| as_of.is_none()));
    let by_chance: BTreeSet<GolemId> = sudden(&none).into_iter().map(|(golem, ..)| golem).collect();
    let left = |events: &[Event], of: &BTreeSet<GolemId>| {
        of_kind!(event in events, EventKind::BloodstainLeft(_) if of.contains(&event.golem.unwrap())).count()
    };
    assert_eq!(left(&none, &by_chance), 0);
    let some = live(scenario(serde_json::json!({})));
    let began = beginnings(&some);
    let with = sudden(&some);
    assert!(with.iter().any(|(_, as_of, _)| as_of.is_some()));
    for (golem, as_of, _) in with {
        assert!(as_of.is_none_or(|tick| tick < began[&golem].0), "{golem}: put down before it was struck");
    }
}

#[test]
fn owners_and_kill_switches_spare_nobody() {
    let events = live(scenario(serde_json::json!({
        "ticks": 60,
        "population": { "policy": "immortal" },
        "mortality": { "kills": [{ "tick": 20, "lineage": 3 }, { "tick": 40, "cohort": "none" }] }
    })));
    check_rites(&events, 60);
    let causes: Vec<(u32, Cause)> = deaths(&events).map(|(golem, _, cause)| (golem.lineage, cause)).collect();
    assert_eq!(causes[0], (3, Cause::OwnerKill));
    // In no order: who holds a position dies when it is closed.
    let switched: BTreeSet<u32> =
        causes[1..].iter().filter(|(_, cause)| *cause == Cause::KillSwitch).map(|(slot, _)| *slot).collect();
    assert_eq!((switched, causes.len()), (BTreeSet::from([12, 13, 14, 15]), 5));
}

/// Immortals live in full health, and the first tick at which each clock would have stopped is recorded. The earliest of these is the life's own.
#[test]
fn immortals_record_when_each_clock_would_have_stopped() {
    let events = live(scenario(serde_json::json!({
        "golem": { "compute_usdc_per_tick": 0.3 },
        "population": { "policy": "immortal" }
    })));
    assert_eq!(beginnings(&events).len(), 0);
    let lives: Vec<&LifeRecord> = of_kind!(event in events, EventKind::LifeEnded(life) => &**life).collect();
    assert_eq!(lives.len(), 16);
    let both = lives
        .iter()
        .filter(|life| life.would_have_died_by[0].is_some() && life.would_have_died_by[2].is_some());
    assert!(both.count() > 0, "money and chance would both have ended some");
    for life in &lives {
        assert_eq!(life.vitality, 1.0);
        let first = life.would_have_died_by.iter().flatten().min();
        assert_eq!(first.copied(), life.would_have_died.map(|(tick, _)| tick));
    }
    let reported = of_kind!(event in events, EventKind::ImmortalWouldHaveDied { .. }).count();
    let noted: usize = lives.iter().map(|life| life.would_have_died_by.iter().flatten().count()).sum();
    assert_eq!(reported, noted, "each clock is reported once");
}

/// Dying golems with time and money ask a model for the common ground of their strongest memories, and bequeath its answer.
/// They pay for it from the review's budget.
#[test]
fn the_review_asks_a_model_within_its_budget() {
    let events = live(scenario(serde_json::json!({
        "ticks": 600,
        "mortality": { "stochastic_clock": false, "kills": [{ "tick": 300, "cohort": "bardo" }] }
    })));
    check_rites(&events, 600);
    let mut found = 0;
    for event in &events {
        let EventKind::TestamentWritten(testament) = &event.kind else { continue };
        let Some(review) = &testament.review else { continue };
        assert!(review.cost <= testament.budget.review);
        assert!(review.episodes.len() <= 20 && review.turning_points.len() <= 5);
        let charged = events.iter().any(|other| {
            other.golem == event.golem
                && matches!(other.kind, EventKind::InferenceCharged { cost, .. } if cost == review.cost)
        });
        assert!(review.cost == Usdc::ZERO || charged);
        found += review.findings.len();
        if !review.findings.is_empty() {
            let untested = &testament.sections[SectionKind::NeverTested as usize];
            assert!(!untested.entries.is_empty() && testament.unfinished > 0);
        }
    }
    assert!(found > 0, "nobody found anything: the world is too quiet");
}

/// The poor go down the ladder rung by rung, watch, and die of money with a testament; their credit was put aside before.
#[test]
fn poor_golems_descend_the_ladder_rung_by_rung() {
    let events = live(scenario(serde_json::json!({
        "ticks": 2_500,
        "golem": { "compute_usdc_per_tick": 0.03 },
        "mortality": { "stochastic_clock": false },
        "population": { "policy": "extinction" }
    })));
    check_rites(&events, 2_500);
    let poor: Vec<GolemId> =
        deaths(&events).filter(|(.., cause)| *cause == Cause::Economic).map(|(golem, ..)| golem).collect();
    let put_aside = of_kind!(event in events, EventKind::LegacyPutAside { .. });
    assert!(!poor.is_empty() && put_aside.count() > 0);
    for golem in poor {
        let names: BTreeSet<&str> =
            events.iter().filter(|event| event.golem == Some(golem)).map(|event| event.kind.name()).collect();
        for name in ["economic_critical", "vitality_update", "testament_written"] {
            assert!(names.contains(name), "{golem}: no {name}");
        }
        let mut watching = false;
        for event in events.iter().filter(|event| event.golem == Some(golem)) {
            match &event.kind {
                EventKind::EconomicCritical { to, .. } => watching = !to.may_open(),
                EventKind::Decided { .. } => assert!(!watching, "{golem} opens while it only watches"),
                _ => {}
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Whatever kills them, and whatever they leave: all money is accounted for at every tick, and dying is completed.
    #[test]
    fn money_survives_every_death(
        seed in 0_u64..1_000_000,
        hazard_scale in prop_oneof![Just(0.0), 500.0..20_000.0],
        compute in 0.01_f64..0.5,
        endowment in prop_oneof![1.0_f64..5.0, 20.0_f64..80.0],
        policy in prop_oneof![Just("fixed"), Just("extinction"), Just("immortal")],
        lethe in any::<bool>(),
        acceptance in 0_u64..5,
        death in prop_oneof![Just("reserve"), Just("spendable"), Just("share")],
        gas in prop_oneof![Just(0.0005), Just(0.05), Just(0.6)],
        impact in prop_oneof![Just("endogenous"), Just("price_taker")],
    ) {
        let events = live(scenario(serde_json::json!({
            "seed": seed, "ticks": 150,
            "market": {
                "impact": impact, "gas": { "base_usdc": gas },
                "pool": { "depth_usdc": 5_000.0 },
                "shocks": { "rates": { "liquidity_crisis": 0.05, "gas_spike": 0.05 } }
            },
            "golem": { "compute_usdc_per_tick": compute, "endowment_usdc": endowment },
            "mortality": {
                "hazard_scale": hazard_scale, "economic": { "death": death },
                "thanatopsis": { "acceptance_ticks": acceptance },
                "kills": [{ "tick": 75, "cohort": "bardo" }]
            },
            "population": { "policy": policy },
            "lethe": { "enabled": lethe }
        })));
        check_rites(&events, 150);
        prop_assert!(!beginnings(&events).is_empty());
        let left = events.iter().any(|event| matches!(event.kind, EventKind::BloodstainLeft(_)));
        prop_assert!(lethe || !left);
    }
}
