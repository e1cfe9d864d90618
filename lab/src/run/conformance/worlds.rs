//! The three worlds in which memories are checked (test environments). The busy one, with many deaths, serves the checks of equal bytes;
//! the fair one, a martingale with free trading and without deaths, serves the check of vetoes; the long one, without deaths, serves the
//! check of size; the other checks use the fair and the long one. No check looks at earnings. They are made here and not read from files,
//! so that a program that links the laboratory has them wherever it runs.

use crate::io::error::Result;
use morta_engine::market::Bar;
use morta_engine::memory::{MemoryName, MemoryRegistry};
use morta_engine::world::{Plan, Scenario, World};
use serde_json::{Value, json};
use std::sync::Arc;

/// The memory that is checked, and the seed of its worlds (test environments).
pub(crate) struct ConformanceWorlds<'a> {
    /// The architecture of all golems.
    pub memory: &'a MemoryName,
    /// The registry that knows it.
    pub registry: Arc<MemoryRegistry>,
    /// The seed of all worlds.
    pub seed: u64,
}

/// A world that has not been lived yet (prepared test world).
pub(crate) struct Unlived {
    /// Its plan.
    pub plan: Plan,
}

impl Unlived {
    /// Prices are synthetic: there are none to be read (no price bars: empty vectors).
    pub(super) fn bars(&self) -> Vec<Vec<Bar>> {
        vec![Vec::new(); self.plan.scenario().market.assets.len()]
    }

    /// Makes the world before its first tick, a new one at each call.
    pub(super) fn begin(&self) -> World {
        World::new(self.plan.clone(), self.bars())
    }
}

impl ConformanceWorlds<'_> {
    /// Many short lives in a market that pays: births, deaths, dreams, bloodstains and successors in a few hundred ticks
    /// (test environment with many deaths). Same bytes on any threads, and saving and loading, are checked in it.
    pub(super) fn busy(&self) -> Result<Unlived> {
        self.world(json!({
            "ticks": 300,
            "cohorts": [self.cohort(8)],
            "market": { "assets": [asset(json!({ "volatility": 0.004, "mean_regime_ticks": 100.0 }))] },
            "golem": { "compute_usdc_per_tick": 0.02 },
            "mortality": {
                "hazard_scale": 500.0,
                "thanatopsis": { "snapshot_interval_ticks": 20, "snapshot_usdc": 0.0001 }
            },
            "dream": dreams(20),
            "lethe": { "delay_hours_min": 0.0, "delay_hours_max": 0.5 }
        }))
    }

    /// Makes the fair world, a negative control: prices are a martingale and trading is free, so there is nothing to know. A veto is
    /// checked in it: the share of candidates that a memory forbids without a reason.
    pub(super) fn fair(&self) -> Result<Unlived> {
        self.world(json!({
            "ticks": 800,
            "cohorts": [self.cohort(4)],
            "market": {
                "assets": [asset(json!({ "martingale": true, "half_spread_bps": 0.0 }))],
                "pool": { "fee_bps": 0.0, "depth_usdc": 1e8, "arbitrage_rate": 1.0 },
                "gas": { "base_usdc": 0.0 }
            },
            "golem": { "compute_usdc_per_tick": 0.0 },
            "population": { "policy": "immortal" },
            "dream": dreams(200)
        }))
    }

    /// Makes the world in which each golem has one long life, in a market that pays. The size of a memory is checked in it; faults, advice,
    /// voices, counts and payment are checked in the fair world and in this one.
    pub(super) fn long(&self) -> Result<Unlived> {
        self.world(json!({
            "ticks": 1_600,
            "cohorts": [self.cohort(3)],
            "market": {
                "impact": "price_taker",
                "assets": [asset(json!({ "volatility": 0.004, "mean_regime_ticks": 300.0, "half_spread_bps": 0.5 }))],
                "pool": { "fee_bps": 1.0 }
            },
            "golem": { "prior_edge_r": 0.2 },
            "population": { "policy": "immortal" },
            "dream": dreams(200)
        }))
    }

    fn cohort(&self, golems: u32) -> Value {
        json!({ "name": "checked", "golems": golems, "memory": self.memory })
    }

    fn world(&self, mut scenario: Value) -> Result<Unlived> {
        scenario["name"] = "conformance".into();
        scenario["seed"] = self.seed.into();
        // An hour a tick: with a tick of seconds, a memory that acts once a day by the clock would never act in 300 ticks.
        scenario["market"]["tick_seconds"] = 3_600.into();
        let scenario = Scenario::from_value(scenario)?;
        let bars = vec![Vec::new(); scenario.market.assets.len()];
        let plan = Plan::with_memories(scenario, &bars, Arc::clone(&self.registry));
        Ok(Unlived { plan: plan? })
    }
}

fn asset(mut source: Value) -> Value {
    source["kind"] = "synthetic".into();
    json!({ "symbol": "SYN", "source": source })
}

fn dreams(interval: u32) -> Value {
    json!({
        "enabled": true, "min_episodes": 10, "max_batches": 1, "dream_cycle_interval": interval,
        "schedule": { "mode": "interval" }
    })
}
