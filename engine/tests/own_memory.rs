//! A memory that no fork of the engine knows: lived with in a world, written down at a barrier, resumed, branched.

use crate::snapshots::live;
use crate::world::own_memory::registry;
use morta_base::Digest;
use morta_engine::market::Bar;
use morta_engine::memory::MemoryName;
use morta_engine::world::{Plan, ResumeError, Scenario, Snapshot, World};
use serde_json::json;
use std::sync::Arc;

const TICKS: u64 = 400;

fn world() -> (Plan, Vec<Vec<Bar>>) {
    let scenario = Scenario::from_value(json!({
        "name": "own", "seed": 7, "ticks": TICKS,
        "cohorts": [
            { "name": "own", "golems": 8, "memory": "running-mean" },
            { "name": "none", "golems": 8, "memory": "none" }
        ],
        "market": {
            "tick_seconds": 3600, "impact": "price_taker",
            "assets": [{ "symbol": "A", "source": { "kind": "synthetic" } }],
            "gas": { "base_usdc": 0.002 }
        },
        "golem": { "compute_usdc_per_tick": 0.02 },
        "mortality": { "hazard_scale": 500.0 }
    }))
    .expect("a scenario");
    let bars = vec![Vec::new()];
    (Plan::with_memories(scenario, &bars, Arc::new(registry())).expect("a plan"), bars)
}

fn learned(world: &World) -> usize {
    let empty = world
        .plan()
        .empty_memory(world.golem(0).expect("it lives").id(), &MemoryName::from_static("running-mean"));
    let empty = empty.expect("it is registered");
    (0..8).filter_map(|lineage| world.golem(lineage)).filter(|golem| *golem.memory() != empty).count()
}

#[test]
fn it_lives_and_goes_on_from_any_barrier() {
    let (plan, bars) = world();
    let mut whole = Digest::default();
    let mut uninterrupted = World::new(plan.clone(), bars.clone());
    live(&mut uninterrupted, TICKS, &mut whole);
    assert!(uninterrupted.census().money_conserved());
    assert!(learned(&uninterrupted) > 0, "somebody has traded and learned from it");
    let mut digest = Digest::default();
    let mut interrupted = World::new(plan.clone(), bars.clone());
    for stop in [0, 1, 137, 301] {
        live(&mut interrupted, stop, &mut digest);
        let snapshot = Snapshot::read(&interrupted.written_down()).expect("what was written can be read");
        interrupted = World::resume(plan.clone(), bars.clone(), snapshot).expect("the registry knows it");
    }
    live(&mut interrupted, TICKS, &mut digest);
    assert_eq!(digest.hex(), whole.hex());
    assert!(interrupted.written_down() == uninterrupted.written_down());
}

#[test]
fn a_branch_shares_nothing_with_its_trunk() {
    let (plan, bars) = world();
    let mut world = World::new(plan.clone(), bars);
    live(&mut world, 200, &mut Digest::default());
    let before = world.written_down();
    let mut branch = world.clone();
    branch.rebind(plan).expect("the same plan changes nothing");
    assert!(branch.written_down() == before);
    let lineage = (8..16).find(|lineage| world.golem(*lineage).is_some_and(|golem| !golem.is_dying()));
    let lineage = lineage.expect("one of those without memory lives");
    branch.swap_memory(lineage, &MemoryName::from_static("running-mean")).expect("it lives");
    live(&mut branch, TICKS, &mut Digest::default());
    assert!(world.written_down() == before, "the trunk hasn't moved");
    assert!(branch.census().money_conserved());
}

#[test]
fn whoever_doesnt_know_it_can_neither_plan_nor_resume() {
    let (plan, bars) = world();
    let problems = Plan::new(plan.scenario().clone(), &bars).expect_err("only the shipped ones are known");
    assert_eq!(problems[0].key, "cohorts.0.memory");
    assert!(problems[0].remedy.contains("\"none\", \"bardo\""), "{}", problems[0]);
    let mut world = World::new(plan.clone(), bars.clone());
    live(&mut world, 10, &mut Digest::default());
    let snapshot = Snapshot::read(&world.written_down()).expect("it is whole");
    let mut shipped = plan.scenario().clone();
    shipped.cohorts[0].memory = MemoryName::NONE;
    let plan = Plan::new(shipped, &bars).expect("all are known now");
    let refused = World::resume(plan, bars, snapshot);
    assert!(matches!(refused, Err(ResumeError::Memory(_))), "{refused:?}");
}
