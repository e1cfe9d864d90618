//! What the tests of whole worlds share.

pub mod bardo;
pub mod dark_pawns;
pub mod dream;
pub mod episodes;
pub mod improviser;
pub mod lethe;
pub mod market;
pub mod memory;
pub mod merge;
pub mod openclaw;
pub mod replay;

use morta_base::Digest;
use morta_engine::episode::ClaimKind;
use morta_engine::event::{Event, EventKind};
use morta_engine::market::Bar;
use morta_engine::world::{Plan, Scenario, World};

/// What the events of a kind say, `of_kind!(event in &events, EventKind::LifeEnded(life) => life.trades)`; or, without an arrow, the events
/// themselves.
macro_rules! of_kind {
    ($event:ident in $events:expr, $kind:pat $(if $only:expr)? => $said:expr) => {
        $events.iter().filter_map(|$event| match &$event.kind {
            $kind $(if $only)? => Some($said),
            _ => None,
        })
    };
    ($event:ident in $events:expr, $kind:pat $(if $only:expr)?) => {
        $events.iter().filter(|$event| matches!(&$event.kind, $kind $(if $only)?))
    };
}
pub(crate) use of_kind;

/// Lives through a scenario whose assets are all synthetic, its money added up after every tick, and tells all that happened.
pub fn live(scenario: Scenario) -> Vec<Event> {
    let mut world = world_of(scenario);
    let mut events = Vec::new();
    let lived = world.live_until(u64::MAX, |world, lived| {
        events.extend(lived.events);
        assert!(world.census().money_conserved(), "tick {}", world.tick());
    });
    lived.expect("no service fails");
    events.extend(world.finish());
    events
}

/// A plan of a scenario whose assets are all synthetic, and their bars, of which there are none.
pub fn planned(scenario: Scenario) -> (Plan, Vec<Vec<Bar>>) {
    let bars = vec![Vec::new(); scenario.market.assets.len()];
    (Plan::new(scenario, &bars).expect("the scenario is valid"), bars)
}

/// The world of such a scenario, before its first tick.
pub fn world_of(scenario: Scenario) -> World {
    let (plan, bars) = planned(scenario);
    World::new(plan, bars)
}

/// Claims of a kind that were put to the test, and those that became rules.
pub fn claims(events: &[Event], kind: ClaimKind) -> (usize, usize) {
    let tested = of_kind!(event in events, EventKind::ClaimStaged { claim, .. } if claim.kind() == kind);
    let rules = of_kind!(event in events, EventKind::RuleAdmitted { claim, .. } if claim.kind() == kind);
    (tested.count(), rules.count())
}

/// A scenario as its file says it. By way of JSON, because the engine has compiled the reading of that already: to read its keys from
/// TOML would take a test three quarters of a minute to compile.
pub fn scenario_of(text: &str) -> Scenario {
    let keys: serde_json::Value = toml::from_str(text).expect("the file is TOML");
    Scenario::from_value(keys).expect("the file is a scenario")
}

/// The first version of the positive control: strategies pay in their own regimes, and costs are low.
pub fn learnable() -> Scenario {
    scenario_of(include_str!("../../../scenarios/controls/learnable-v1.toml"))
}

/// So many golems of one of its cohorts.
pub fn learnable_by(cohort: &str, golems: u32, ticks: u64) -> Scenario {
    let mut scenario = learnable();
    scenario.cohorts.retain(|entry| entry.name == cohort);
    scenario.cohorts[0].golems = golems;
    scenario.ticks = ticks;
    scenario
}

/// The keys in the schema of a table, and of those within, whose meaning isn't said.
pub fn undescribed(schema: &serde_json::Value) -> Vec<String> {
    let Some(schema) = schema.as_object() else { return Vec::new() };
    let properties = schema.get("properties").and_then(|p| p.as_object());
    let bare = properties.into_iter().flatten().filter(|(_, p)| p.get("description").is_none());
    let bare: Vec<String> = bare.map(|(key, _)| key.clone()).collect();
    schema.values().flat_map(undescribed).chain(bare).collect()
}

/// The digest of all that happened.
pub fn digest(events: &[Event]) -> String {
    let mut digest = Digest::default();
    events.iter().for_each(|event| event.record_in(&mut digest));
    digest.hex()
}

/// The market of a small world: one asset, which golems move nothing of and trade at little cost.
pub fn market_of_price_takers() -> serde_json::Value {
    serde_json::json!({
        "impact": "price_taker",
        "assets": [{ "symbol": "A", "source": {
            "kind": "synthetic", "volatility": 0.004, "half_spread_bps": 0.5, "mean_regime_ticks": 300.0
        } }],
        "pool": { "fee_bps": 1.0 },
        "gas": { "base_usdc": 0.0001 }
    })
}
