//! What happens in a world, tick by tick: hashes of the events of each, told apart as soon as they differ.

use morta_base::digest::Digest;
use morta_engine::market::Bar;
use morta_engine::world::{self, Plan, World};
use morta_lab::scenario_file::{self, Library};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

thread_local! {
    /// Files of bars, read once.
    static LIBRARY: RefCell<Library> = RefCell::default();
}

/// The ticks at which a change may take hold: from the start, or when there are dreams, rules and deaths. One that takes hold late parts the
/// runs soon, and what was lived before is lived once for all changes.
pub const FROM: [usize; 5] = [0, 1_000, 2_000, 400, 4_000];

/// A world that is lived as far as somebody asks.
struct Telling {
    world: Option<World>,
    /// A hash of the events of each tick lived.
    ticks: Vec<[u8; 32]>,
    /// The world before the ticks of [`FROM`].
    kept: BTreeMap<usize, World>,
}

/// A world as it is shipped; several changes are held against it at once.
pub struct Story(Mutex<Telling>);

fn plan(scenario: &Value) -> Result<(Plan, Vec<Vec<Bar>>), String> {
    let scenario = world::Scenario::from_value(scenario.clone()).map_err(|error| error.to_string())?;
    let read = |library: &RefCell<Library>| {
        scenario_file::from_resolved(scenario, Path::new(""), &mut library.borrow_mut())
    };
    let loaded = LIBRARY.with(read).map_err(|error| error.to_string())?;
    let plan = loaded.plan().map_err(|error| error.to_string())?;
    Ok((plan, loaded.bars))
}

/// Lives one tick; the last words of those who outlive the run are one more, and then there are none. What a scenario is called isn't told
/// by events.
fn next(world: &mut Option<World>) -> Result<Option<[u8; 32]>, String> {
    let Some(lived) = world else { return Ok(None) };
    let mut digest = Digest::default();
    if lived.goes_on() {
        let tick = lived.live().map_err(|error| error.to_string())?;
        tick.events.iter().for_each(|event| digest.record(event));
    } else {
        digest.record(&"the end");
        lived.finish().iter().for_each(|event| digest.record(event));
        *world = None;
    }
    Ok(Some(digest.value()))
}

impl Telling {
    fn at(&mut self, tick: usize) -> Result<Option<[u8; 32]>, String> {
        while self.ticks.len() <= tick {
            if let Some(world) = self.world.as_ref().filter(|_| FROM.contains(&self.ticks.len())) {
                self.kept.insert(self.ticks.len(), world.clone());
            }
            let Some(told) = next(&mut self.world)? else { break };
            self.ticks.push(told);
        }
        Ok(self.ticks.get(tick).copied())
    }
}

impl Story {
    /// The story of a scenario that is shipped.
    pub fn of(scenario: &Value) -> Result<Self, String> {
        let (plan, bars) = plan(scenario)?;
        let world = Some(World::new(plan, bars));
        Ok(Self(Mutex::new(Telling { world, ticks: Vec::new(), kept: BTreeMap::new() })))
    }

    /// The world that lives on by another scenario from a tick of [`FROM`] on; `None` where the run is over by then.
    fn changed(&self, other: &Value, from: usize) -> Result<Option<World>, String> {
        let (plan, bars) = plan(other)?;
        if from == 0 {
            return Ok(Some(World::new(plan, bars)));
        }
        let mut story = self.0.lock().expect("nobody panics while living");
        story.at(from)?;
        let Some(mut world) = story.kept.get(&from).cloned() else { return Ok(None) };
        drop(story);
        world.rebind(plan).map_err(|error| error.to_string())?;
        Ok(Some(world))
    }

    /// The first of so many ticks, from one of [`FROM`] on, in which something else happens by another scenario; the end of the run counts
    /// as one more. The error says why the other can't be lived.
    pub fn parts_from(
        &self,
        other: &Value,
        (from, ticks): (usize, usize),
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Option<usize>, String> {
        let mut other = self.changed(other, from)?;
        if other.is_none() {
            return Ok(None);
        }
        for tick in from..from.saturating_add(ticks) {
            let here = self.0.lock().expect("nobody panics while living").at(tick)?;
            let there = next(&mut other)?;
            if here != there {
                return Ok(Some(tick));
            }
            if here.is_none() || !goes_on() {
                break;
            }
        }
        Ok(None)
    }
}
