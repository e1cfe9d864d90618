//! What the tests of whole worlds share.

use morta_engine::event::Event;
use morta_engine::world::{Plan, Scenario, World};

/// Lives through a scenario whose assets are all synthetic, its money added up after every tick, and tells all that happened.
pub fn live(scenario: Scenario) -> Vec<Event> {
    let bars = vec![Vec::new(); scenario.market.assets.len()];
    let mut world = World::new(Plan::new(scenario, &bars).expect("the scenario is valid"), bars);
    let mut events = Vec::new();
    while world.goes_on() {
        events.extend(world.live().expect("no service fails").events);
        assert!(world.census().money_conserved(), "tick {}", world.tick());
    }
    events.extend(world.finish());
    events
}
