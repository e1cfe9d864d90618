//! A world that is written down and read again goes on as if nothing had happened.

use crate::common::planned;
use morta_base::Digest;
use morta_engine::market::Bar;
use morta_engine::world::{LivedTick, Plan, ResumeError, Scenario, Snapshot, World};
use serde_json::json;

const TICKS: u64 = 600;

fn scenario(seed: u64) -> Scenario {
    Scenario::from_value(json!({
        "name": "written-down", "seed": seed, "ticks": TICKS,
        "cohorts": [
            { "name": "bardo", "golems": 8, "memory": "bardo" },
            { "name": "oracle", "golems": 3, "memory": "oracle" },
            { "name": "none", "golems": 3, "memory": "none" }
        ],
        "market": {
            "tick_seconds": 3600,
            "assets": [
                { "symbol": "A", "source": { "kind": "synthetic" } },
                { "symbol": "B", "source": { "kind": "synthetic", "correlation": 0.5 } }
            ],
            "gas": { "base_usdc": 0.002 },
            "shocks": { "rates": { "liquidity_crisis": 0.01 } }
        },
        "golem": { "compute_usdc_per_tick": 0.02, "holding": { "review_ticks": 3 } },
        "mortality": { "hazard_scale": 500.0 },
        "dream": {
            "enabled": true, "min_episodes": 5, "dream_cycle_interval": 40, "schedule": { "mode": "interval" }
        },
        // Spelled out, so that keys which are left out when they are empty are covered too.
        "llm": { "t1": { "latency_ticks": 3 } }
    }))
    .expect("a scenario")
}

fn world(seed: u64) -> (Plan, Vec<Vec<Bar>>) {
    planned(scenario(seed))
}

/// Lives until a tick, or to the end.
pub fn live(world: &mut World, until: u64, digest: &mut Digest) {
    let note = |_: &World, lived: LivedTick| lived.events.iter().for_each(|event| event.record_in(digest));
    world.live_until(until, note).expect("ticks");
}

#[test]
fn a_world_goes_on_from_any_barrier_as_if_nothing_had_happened() {
    let (plan, bars) = world(5);
    let mut whole = Digest::default();
    let mut uninterrupted = World::new(plan.clone(), bars.clone());
    live(&mut uninterrupted, TICKS, &mut whole);
    let ending = uninterrupted.written_down();
    assert!(uninterrupted.census().money_conserved());
    for stops in [vec![0], vec![1, 2, 3], vec![137, 301, 599]] {
        let mut digest = Digest::default();
        let mut world = World::new(plan.clone(), bars.clone());
        for stop in &stops {
            live(&mut world, *stop, &mut digest);
            let snapshot = Snapshot::read(&world.written_down()).expect("what was written can be read");
            assert_eq!(snapshot.tick(), *stop);
            world = World::resume(plan.clone(), bars.clone(), snapshot).expect("the same world");
        }
        live(&mut world, TICKS, &mut digest);
        assert_eq!(digest.hex(), whole.hex(), "stopped at {stops:?}");
        assert!(world.written_down() == ending, "the state differs after stops at {stops:?}");
    }
}

#[test]
fn a_snapshot_of_another_world_is_refused() {
    let (plan, bars) = world(5);
    let snapshot = Snapshot::read(&World::new(plan, bars).written_down()).expect("a world");
    let (other, bars) = world(6);
    assert!(matches!(World::resume(other, bars, snapshot), Err(ResumeError::OtherWorld)));
}
