//! What the tests of whole worlds share.

pub mod bardo;
pub mod dark_pawns;
pub mod dream;
pub mod episodes;
pub mod improviser;
pub mod market;
pub mod memory;
pub mod merge;
pub mod openclaw;
pub mod replay;

use morta_engine::event::Event;
use morta_engine::world::{Plan, Scenario, World};

/// Lives through a scenario whose assets are all synthetic, its money added up after every tick, and tells all that happened.
pub fn live(scenario: Scenario) -> Vec<Event> {
    let bars = vec![Vec::new(); scenario.market.assets.len()];
    let mut world = World::new(Plan::new(scenario, &bars).expect("the scenario is valid"), bars);
    let mut events = Vec::new();
    let lived = world.live_until(u64::MAX, |world, lived| {
        events.extend(lived.events);
        assert!(world.census().money_conserved(), "tick {}", world.tick());
    });
    lived.expect("no service fails");
    events.extend(world.finish());
    events
}

/// A scenario as its file says it. By way of JSON, because the engine has compiled the reading of that already: to read its keys from
/// TOML would take a test three quarters of a minute to compile.
pub fn scenario_of(text: &str) -> Scenario {
    let keys: serde_json::Value = toml::from_str(text).expect("the file is TOML");
    Scenario::from_value(keys).expect("the file is a scenario")
}
