//! What happens in a world, tick by tick: hashes of the events of each, told apart as soon as they differ.

use morta_engine::base::digest::Digest;
use morta_engine::world::{self, World};
use morta_lab::scenario_file::{self, Library};
use serde_json::Value;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Mutex;

thread_local! {
    /// Files of bars, read once.
    static LIBRARY: RefCell<Library> = RefCell::default();
}

/// A world that is lived as far as somebody asks.
struct Telling {
    world: Option<World>,
    ticks: Vec<[u8; 32]>,
}

/// A world as it is shipped; several changes are held against it at once.
pub struct Story(Mutex<Telling>);

/// The world of a scenario; the error says why there can't be one.
fn begin(scenario: &Value) -> Result<World, String> {
    let scenario = world::Scenario::from_value(scenario.clone()).map_err(|error| error.to_string())?;
    let read = |library: &RefCell<Library>| {
        scenario_file::from_resolved(scenario, Path::new(""), &mut library.borrow_mut())
    };
    let loaded = LIBRARY.with(read).map_err(|error| error.to_string())?;
    let plan = loaded.plan().map_err(|error| error.to_string())?;
    Ok(World::new(plan, loaded.bars))
}

impl Telling {
    fn of(scenario: &Value) -> Result<Self, String> {
        Ok(Self { world: Some(begin(scenario)?), ticks: Vec::new() })
    }

    /// Lives one tick more; the last words of those who outlive the run are one more still. What a scenario is called isn't told by events.
    fn go_on(&mut self) -> Result<(), String> {
        let Some(world) = &mut self.world else { return Ok(()) };
        let mut digest = Digest::default();
        if world.goes_on() {
            let lived = world.live().map_err(|error| error.to_string())?;
            lived.events.iter().for_each(|event| digest.record(event));
        } else {
            digest.record(&"the end");
            world.finish().iter().for_each(|event| digest.record(event));
            self.world = None;
        }
        self.ticks.push(digest.value());
        Ok(())
    }

    fn at(&mut self, tick: usize) -> Result<Option<[u8; 32]>, String> {
        while self.ticks.len() <= tick && self.world.is_some() {
            self.go_on()?;
        }
        Ok(self.ticks.get(tick).copied())
    }
}

impl Story {
    /// The story of a scenario that is shipped.
    pub fn of(scenario: &Value) -> Result<Self, String> {
        Ok(Self(Mutex::new(Telling::of(scenario)?)))
    }

    /// The first tick, below a limit, in which something else happens in another scenario; the end of the run counts as one more. The error
    /// says why the other can't be lived.
    pub fn parts_from(
        &self,
        other: &Value,
        ticks: usize,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Option<usize>, String> {
        let mut other = Telling::of(other)?;
        for tick in 0..ticks {
            let here = self.0.lock().expect("nobody panics while living").at(tick)?;
            let there = other.at(tick)?;
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
