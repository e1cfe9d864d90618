//! A world under way that is changed: every holder of keys gets the new ones, and nothing else happens.

use crate::common::{digest, of_kind, planned};
use morta_base::{BloodstainId, GolemId, Lineage};
use morta_engine::event::{Event, EventKind};
use morta_engine::market::Bar;
use morta_engine::memory::{Dreams, Foreknowledge, Memory, MemoryName, MemoryRegistry};
use morta_engine::world::{ChangeError, Plan, Scenario, World};
use serde_json::{Value, json};
use std::mem::discriminant;

const TICKS: u64 = 500;
const BRANCH: u64 = 200;

/// What stands at a key of a table, or at a place of a list.
fn within<'a>(table: &'a mut Value, key: &str) -> &'a mut Value {
    match key.parse::<usize>() {
        Ok(place) => &mut table[place],
        Err(_) => &mut table[key],
    }
}

fn scenario(changes: &[(&str, Value)]) -> Scenario {
    let mut scenario = json!({
        "name": "changed", "seed": 5, "ticks": TICKS,
        "cohorts": [
            { "name": "bardo", "golems": 9, "memory": "bardo" },
            { "name": "none", "golems": 4, "memory": "none" }
        ],
        "market": {
            "assets": [{ "symbol": "A", "source": { "kind": "synthetic" } }],
            "gas": { "base_usdc": 0.002 }
        },
        "golem": { "compute_usdc_per_tick": 0.1 },
        "clade": { "enabled": true, "size": 3, "sync_ticks": 10 },
        "mortality": {
            "hazard_scale": 2000.0,
            "thanatopsis": { "snapshot_interval_ticks": 10, "snapshot_usdc": 0.0001 }
        },
        "lethe": { "delay_hours_min": 0.0, "delay_hours_max": 0.1 },
        "dream": {
            "enabled": true, "min_episodes": 5, "dream_cycle_interval": 20, "schedule": { "mode": "interval" }, "clocks": { "time_scale": 100.0 }
        },
        "llm": { "t1": { "latency_ticks": 3 } }
    });
    for (key, value) in changes {
        *key.split('.').fold(&mut scenario, within) = value.clone();
    }
    Scenario::from_value(scenario).expect("a scenario")
}

fn plan(changes: &[(&str, Value)]) -> (Plan, Vec<Vec<Bar>>) {
    planned(scenario(changes))
}

fn world() -> World {
    let (plan, bars) = plan(&[]);
    World::new(plan, bars)
}

fn live(world: &mut World, until: u64) -> Vec<Event> {
    let mut events = Vec::new();
    world.live_until(until, |_, lived| events.extend(lived.events)).expect("ticks");
    events
}

/// A world in the middle of its time.
fn halfway() -> World {
    let mut world = world();
    live(&mut world, BRANCH);
    world
}

#[test]
fn the_plan_it_has_changes_nothing() {
    let mut world = halfway();
    let before = world.written_down();
    world.rebind(plan(&[]).0).unwrap();
    assert!(world.written_down() == before);
}

/// Keys of every table that a living world takes over, each with a value that makes a difference.
fn open_keys() -> Vec<(&'static str, Value)> {
    vec![
        ("golem.max_position_share", json!(0.1)),
        ("golem.exploration_rate", json!(0.5)),
        ("memory.bardo.evidence_cap", json!(0.5)),
        ("memory.bardo.grimoire", json!({ "capacity": 3 })),
        ("mortality.hazard_scale", json!(40_000.0)),
        ("population.policy", json!("extinction")),
        ("succession.policy", json!("fresh")),
        ("daimon.enabled", json!(false)),
        ("curator.interval_ticks", json!(7)),
        ("dream.enabled", json!(false)),
        ("dream.dream_cycle_interval", json!(35)),
        ("dream.consolidation", json!({ "hypothesis_confidence": 0.9 })),
        ("dream.replay.prioritization", json!("uniform")),
        ("llm.t0.latency_ticks", json!(9)),
        ("lethe.draws_at_birth", json!(1)),
        ("lethe.capacity", json!(10)),
        ("clade.sync_ticks", json!(3)),
        ("clade.enabled", json!(false)),
        ("cohorts.0.dreams", json!(false)),
        ("market.pool.fee_bps", json!(90.0)),
        ("market.pool.depth_usdc", json!(20_000.0)),
        ("market.gas.base_usdc", json!(0.05)),
        ("market.oracle.lag_ticks", json!(40)),
        ("market.shocks.rates", json!({ "gas_spike": 0.2 })),
    ]
}

#[test]
fn every_open_key_takes_effect_in_a_world_under_way() {
    let middle = halfway();
    let unchanged = digest(&live(&mut middle.clone(), TICKS));
    for (key, value) in open_keys() {
        let mut changed = middle.clone();
        changed.rebind(plan(&[(key, value.clone())]).0).unwrap();
        let events = live(&mut changed, TICKS);
        assert_ne!(digest(&events), unchanged, "{key} = {value} makes no difference");
        assert!(changed.census().money_conserved(), "{key}");
        assert!(!is_faulty(&events), "{key} = {value} makes golems fail");
    }
}

fn is_faulty(events: &[Event]) -> bool {
    let fault = morta_engine::mortality::Cause::Fault;
    events.iter().any(|event| matches!(&event.kind, EventKind::LifeEnded(life) if life.cause == Some(fault)))
}

/// Before anybody lives, a world that is given other keys is the world that had them from the start; only the market's warm-up is over.
#[test]
fn no_holder_of_keys_is_forgotten() {
    for (key, value) in open_keys().into_iter().filter(|(key, _)| !key.starts_with("market")) {
        let (plan, bars) = plan(&[(key, value)]);
        let mut rebound = world();
        rebound.rebind(plan.clone()).unwrap();
        let born_so = World::new(plan, bars);
        assert!(rebound.written_down() == born_so.written_down(), "{key}");
    }
}

#[test]
fn the_living_hold_the_new_keys() {
    let mut world = halfway();
    let (plan, _) = plan(&[
        ("memory.bardo.evidence_cap", json!(5.0)),
        ("memory.bardo.grimoire", json!({ "capacity": 4 })),
        ("dream.consolidation", json!({ "hypothesis_confidence": 0.9 })),
    ]);
    let expected = plan.scenario().clone();
    world.rebind(plan).unwrap();
    let mut seen = 0;
    for lineage in 0..9 {
        let Some(golem) = world.golem(lineage) else { continue };
        let Memory::Bardo(bardo) = golem.memory() else { panic!("a bardo") };
        assert!(bardo.grimoire().len() <= 4);
        let held = serde_json::to_value(golem).unwrap()["memory"]["bardo"].clone();
        assert_eq!(held["config"], serde_json::to_value(&expected.memory.bardo).unwrap());
        let consolidation = serde_json::to_value(&expected.dream.consolidation).unwrap();
        assert_eq!(held["consolidation"], consolidation);
        let grimoire = serde_json::to_value(&expected.memory.bardo.grimoire).unwrap();
        assert_eq!(held["grimoire"]["config"], grimoire);
        seen += 1;
    }
    assert!(seen > 5, "{seen}");
}

/// The tick at which the change is made knows it already.
#[test]
fn the_next_tick_pays_the_new_price_of_gas() {
    let middle = halfway();
    let gas = |mut world: World| {
        let events = live(&mut world, BRANCH + 1);
        let Some(EventKind::TickClosed(closed)) = events.last().map(|event| &event.kind) else {
            panic!("a close")
        };
        closed.gas.dollars()
    };
    let before = gas(middle.clone());
    let mut dear = middle;
    dear.rebind(plan(&[("market.gas.base_usdc", json!(0.02))]).0).unwrap();
    assert!((gas(dear) / before - 10.0).abs() < 0.05);
}

#[test]
fn what_fixes_the_past_is_refused_and_nothing_is_changed() {
    for (key, value) in [
        ("seed", json!(6)),
        ("cohorts.0.golems", json!(10)),
        ("cohorts.0.memory", json!("none")),
        ("market.tick_seconds", json!(60)),
        ("market.impact", json!("price_taker")),
        ("market.assets.0.source", json!({ "kind": "synthetic", "volatility": 0.01 })),
    ] {
        let mut world = world();
        let before = world.written_down();
        let refused = world.rebind(plan(&[(key, value)]).0);
        assert!(
            matches!(&refused, Err(ChangeError::Fixed { key: named, .. }) if named.starts_with(key)),
            "{key}: {refused:?}"
        );
        assert!(world.written_down() == before, "{key}");
    }
}

#[test]
fn a_bloodstain_that_is_taken_away_is_drawn_by_nobody() {
    let middle = halfway();
    let drawn_of = |events: &[Event]| -> Vec<BloodstainId> {
        of_kind!(event in events, EventKind::BloodstainDrawn { id, .. } => *id).collect()
    };
    let present: Vec<BloodstainId> = middle.bloodstains().collect();
    let drawn = drawn_of(&live(&mut middle.clone(), TICKS));
    let wanted = *drawn.iter().find(|id| present.contains(id)).expect("something old is drawn");
    let mut without = middle;
    assert!(without.remove_bloodstain(wanted).unwrap());
    assert!(!without.remove_bloodstain(wanted).unwrap(), "it is gone");
    assert_eq!(without.bloodstains().count(), present.len() - 1);
    let events = live(&mut without, TICKS);
    // Letters on their way when it was taken away may still carry it.
    let later: Vec<BloodstainId> =
        drawn_of(&events.into_iter().filter(|event| event.tick > BRANCH).collect::<Vec<_>>());
    assert!(!later.contains(&wanted) && !later.is_empty());
}

#[test]
fn another_memory_is_empty_and_the_heirs_have_their_cohorts() {
    let (knowing, bars) = plan(&[("memory", json!({ "oracle_as_read": { "walk_ticks": 3000 } }))]);
    let knowing = knowing.knowing(Foreknowledge::Truth, &bars).unwrap();
    let knowing = knowing.knowing(Foreknowledge::AsRead, &bars).unwrap();
    let mut seen_dreaming = false;
    for at in BRANCH..BRANCH + 60 {
        let mut world = World::new(knowing.clone(), bars.clone());
        live(&mut world, at);
        let sleeper = (0..9).find(|lineage| world.golem(*lineage).is_some_and(|golem| golem.is_dreaming()));
        let Some(sleeper) = sleeper else { continue };
        seen_dreaming = true;
        let registry = MemoryRegistry::default();
        let given = registry.names().map(|name| (sleeper, name)).chain([(10, "bardo")]);
        for (lineage, name) in given {
            let name = MemoryName::from(name);
            let mut swapped = world.clone();
            let Ok(()) = swapped.swap_memory(lineage, &name) else { continue };
            let golem = swapped.golem(lineage).unwrap();
            let empty = knowing.empty_memory(golem.id(), &name).unwrap();
            let fits = discriminant(golem.memory()) == discriminant(&empty)
                && golem.memory().census() == empty.census();
            assert!(fits && !golem.is_dreaming());
            let events = live(&mut swapped, TICKS);
            assert!(swapped.census().money_conserved() && !is_faulty(&events), "{name}");
            let heir = GolemId { lineage, generation: golem_generation(&world, lineage) + 1 };
            if let Some(living) = swapped.golem(lineage).filter(|golem| golem.id() == heir) {
                let is_bardo = matches!(living.memory(), Memory::Bardo(_));
                assert_eq!(is_bardo, lineage < 9, "heirs have their cohort's memory again");
            }
        }
        break;
    }
    assert!(seen_dreaming, "somebody sleeps");
}

fn golem_generation(world: &World, lineage: Lineage) -> u32 {
    world.golem(lineage).map_or(0, |golem| golem.id().generation)
}

#[test]
fn memories_can_be_given_to_the_living_only() {
    let mut world = world();
    assert!(matches!(world.swap_memory(3, &MemoryName::NONE), Err(ChangeError::NobodyThere(3))));
    live(&mut world, 1);
    world.swap_memory(3, &MemoryName::NONE).unwrap();
    assert!(matches!(world.swap_memory(99, &MemoryName::NONE), Err(ChangeError::NobodyThere(99))));
    let unknown = world.swap_memory(4, &MemoryName::from_static("wax")).unwrap_err().to_string();
    assert!(unknown.contains("`wax`") && unknown.contains("\"bardo+owm\""), "{unknown}");
}
