//! The same bytes (determinism, bit-for-bit reproducibility): the busy world is lived twice by the plain loop, by actors on one thread and
//! on two, and once with the world saved and loaded at a third and at two thirds of its ticks. The digests of all events must be equal, and
//! what was loaded must be saved as the same bytes again. A memory that reads a clock or iterates a hash map fails here. Such a memory
//! would make every experiment with it unrepeatable.

use super::Check;
use super::worlds::Unlived;
use crate::io::error::Result;
use morta_actors::{EventSink, RunOptions, WriteError};
use morta_base::Digest;
use morta_engine::event::Event;
use morta_engine::world::{Snapshot, World};

/// The digest of all events (hashing sink).
#[derive(Default)]
struct DigestSink {
    digest: Digest,
    events: u64,
}

impl EventSink for DigestSink {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        events.iter().for_each(|event| self.digest.record(event));
        self.events += events.len() as u64;
        Ok(())
    }
}

impl DigestSink {
    fn short(&self) -> String {
        self.digest.hex()[..12].to_owned()
    }
}

/// `same-bytes` and `save-load`.
pub(super) fn checks(busy: &Unlived) -> Result<Vec<Check>> {
    let first = plain(busy)?;
    let others = [
        ("the plain loop again", plain(busy)?),
        ("one thread", by_actors(busy, 1)?),
        ("two threads", by_actors(busy, 2)?),
    ];
    let other = others.iter().find(|(_, lived)| lived.digest.value() != first.digest.value());
    let same = match other {
        None => Check::new(
            "same-bytes",
            true,
            format!("four runs, {} events, digest {}", first.events, first.short()),
        ),
        Some((who, lived)) => Check::new(
            "same-bytes",
            false,
            format!("the plain loop has the digest {}, {who} {}", first.short(), lived.short()),
        ),
    };
    Ok(vec![same, save_load(busy, &first)?])
}

fn plain(world: &Unlived) -> Result<DigestSink> {
    let (mut world, mut sink) = (world.begin(), DigestSink::default());
    while world.goes_on() {
        sink.all(&world.live()?.events);
    }
    sink.all(&world.finish());
    Ok(sink)
}

fn by_actors(world: &Unlived, threads: usize) -> Result<DigestSink> {
    let options = RunOptions { threads, ..RunOptions::default() };
    Ok(morta_actors::run(world.plan.clone(), world.bars(), options, DigestSink::default())?.sink)
}

impl DigestSink {
    fn all(&mut self, events: &[Event]) {
        self.take(events).expect("a digest takes everything");
    }
}

/// The world is written down after a third and two thirds of its ticks, and goes on as it was read.
fn save_load(unlived: &Unlived, first: &DigestSink) -> Result<Check> {
    let failed = |found: String| Ok(Check::new("save-load", false, found));
    let ticks = unlived.plan.scenario().ticks;
    let (mut world, mut sink, mut size) = (unlived.begin(), DigestSink::default(), 0);
    while world.goes_on() {
        if [ticks / 3, 2 * ticks / 3].contains(&world.tick()) {
            let at = world.tick();
            if let Some(why) = unwritable(&world) {
                return failed(format!("a memory can't be written down at tick {at}: {why}"));
            }
            let bytes = world.written_down();
            world = match World::resume(unlived.plan.clone(), unlived.bars(), Snapshot::read(&bytes)?) {
                Ok(read) => read,
                Err(error) => {
                    return failed(format!("what was written down at tick {at} can't be read: {error}"));
                }
            };
            if world.written_down() != bytes {
                return failed(format!(
                    "at tick {at}, what is written down and read is written down otherwise"
                ));
            }
            size = bytes.len();
        }
        sink.all(&world.live()?.events);
    }
    sink.all(&world.finish());
    if sink.digest.value() == first.digest.value() {
        return Ok(Check::new(
            "save-load",
            true,
            format!("written down twice ({size} bytes), the same digest"),
        ));
    }
    failed(format!("written down and read twice it has the digest {}, not {}", sink.short(), first.short()))
}

/// Why a memory can't be written down, if one can't.
fn unwritable(world: &World) -> Option<String> {
    let golems = world.plan().lineages();
    let of = |lineage| postcard::to_allocvec(world.golem(lineage)?.memory()).err();
    (0..golems).find_map(of).map(|error| error.to_string())
}
