//! The worlds that are lived through.

use morta_engine::world::{Plan, Scenario, World as Plainly};
use serde_json::{Value, json};

/// Synthetic worlds with an exogenous market: golems without memory, with Bardo's memory but no dreams, with both, and with
/// outcome-weighted memory, whose steps take longest.
pub const NAMES: [&str; 4] = ["none", "bardo-dreamless", "bardo-dreams", "owm"];

/// A world to live through.
pub struct World {
    scenario: Scenario,
}

impl World {
    /// A memory's, or one of [`NAMES`], with a single golem for a single tick.
    pub fn named(name: &str) -> Self {
        let (memory, rest) = match name {
            "none" => ("none", json!({})),
            "bardo-dreamless" => ("bardo", json!({ "dream": { "enabled": false } })),
            "bardo-dreams" => ("bardo", json!({ "dream": { "schedule": { "mode": "interval" } } })),
            memory => (memory, json!({})),
        };
        let mut scenario = json!({
            "name": "bench", "seed": 1, "ticks": 1,
            "cohorts": [{ "name": "golems", "golems": 1, "memory": memory }],
            "market": {
                "impact": "price_taker",
                "assets": [{ "symbol": "SYN", "source": { "kind": "synthetic" } }]
            }
        });
        merge(&mut scenario, rest);
        Self { scenario: Scenario::from_value(scenario).expect("the scenario is well formed") }
    }

    /// A scenario of the repository.
    pub fn shipped(path: &str) -> Self {
        let text = std::fs::read_to_string(path).expect("the scenario is there");
        let keys: serde_json::Value = toml::from_str(&text).expect("the scenario is TOML");
        Self { scenario: Scenario::from_value(keys).expect("the scenario is well formed") }
    }

    /// So many golems, for so many ticks.
    pub fn with(mut self, golems: u32, ticks: u64) -> Self {
        self.scenario.cohorts[0].golems = golems;
        self.scenario.ticks = ticks;
        self
    }

    /// So many times the golems in each cohort, for as many golem-ticks.
    pub fn times(mut self, factor: u32) -> Self {
        self.scenario.cohorts.iter_mut().for_each(|cohort| cohort.golems *= factor);
        self.scenario.ticks /= u64::from(factor);
        self
    }

    /// Before its first tick.
    pub fn begin(&self) -> Plainly {
        let bars = vec![Vec::new(); self.scenario.market.assets.len()];
        Plainly::new(Plan::new(self.scenario.clone(), &bars).expect("the scenario is valid"), bars)
    }
}

fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            from.into_iter().for_each(|(key, value)| merge(into.entry(key).or_insert(Value::Null), value));
        }
        (into, from) => *into = from,
    }
}
