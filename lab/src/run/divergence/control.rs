//! The arm in which nothing is changed: read from the record where that is whole, of this build and ends where the branch does, so that
//! nothing need be lived twice, and lived again otherwise. It is the control arm of a counterfactual. An arm that is lived again is
//! verified by the digest (hash chain) of the record at one tick, the last that both have; the caller refuses the branch if it differs,
//! because the difference could then be one between builds.

use crate::io::error::{Context as _, Result};
use crate::run::run_folder::events::EventStream;
use morta_base::{Digest, Tick};
use morta_engine::event::{Event, EventKind};
use morta_engine::world::World;

/// The control arm: the unchanged continuation of a run, tick by tick.
pub struct Control {
    source: Source,
    /// Of all events from the start of the run on.
    digest: Digest,
    /// A tick with the digest that the log must have after it.
    check: Option<(Tick, String)>,
    /// The tick of the check, if it failed.
    parted_at: Option<Tick>,
}

/// Where the control arm comes from: the record, or a simulation that is repeated.
enum Source {
    /// The run's own log.
    Recorded(Box<EventStream>),
    /// The world, lived on.
    Lived(Box<World>),
}

impl Control {
    /// Makes a control arm from the run's log, of which everything before the branch has been read; `digest` is that of the events read.
    pub fn recorded(stream: EventStream, digest: Digest) -> Self {
        Self { source: Source::Recorded(Box::new(stream)), digest, check: None, parted_at: None }
    }

    /// Makes a control arm that is lived again; `check` is a tick and the digest that the record has after it.
    pub fn lived(world: World, digest: Digest, check: Option<(Tick, String)>) -> Self {
        Self { source: Source::Lived(Box::new(world)), digest, check, parted_at: None }
    }

    /// The name of the control arm's source: "recorded" or "recomputed".
    pub fn name(&self) -> &'static str {
        match self.source {
            Source::Recorded(_) => "recorded",
            Source::Lived(_) => "recomputed",
        }
    }

    /// Pulls the events of the next tick from the stream; none when it is over.
    ///
    /// # Errors
    /// When the log is damaged, or a shared service fails.
    pub fn next_tick(&mut self) -> Result<Option<Vec<Event>>> {
        let events = match &mut self.source {
            Source::Recorded(stream) => stream.next_tick()?,
            Source::Lived(world) if world.goes_on() => Some(world.live()?.events),
            Source::Lived(_) => None,
        };
        if let Some(events) = &events {
            self.note(events);
        }
        Ok(events)
    }

    /// Reads the last events, of golems that outlive the run. To be called when there is no tick left.
    ///
    /// # Errors
    /// When the log is damaged.
    pub fn ending(&mut self) -> Result<Vec<Event>> {
        let events = match &mut self.source {
            Source::Recorded(stream) => stream.rest().context("the end of the log")?,
            Source::Lived(world) => world.finish(),
        };
        self.note(&events);
        Ok(events)
    }

    fn note(&mut self, events: &[Event]) {
        events.iter().for_each(|event| event.record_in(&mut self.digest));
        let closed = events.last().filter(|event| matches!(event.kind, EventKind::TickClosed(_)));
        if let (Some(closed), Some((tick, expected))) = (closed, &self.check)
            && closed.tick == *tick
            && self.digest.hex() != *expected
        {
            self.parted_at = Some(*tick);
        }
    }

    /// The running hash of all events up to here, those before the branch included.
    pub fn digest(&self) -> String {
        self.digest.hex()
    }

    /// The tick of a reproducibility mismatch: that of the check, if the digest after it wasn't the record's; the first difference may lie
    /// before it.
    pub fn parted_at(&self) -> Option<Tick> {
        self.parted_at
    }
}
