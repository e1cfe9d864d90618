//! The event sink of a run or repetition whose memories may be in processes: once a process has failed, it takes no events any more, so
//! that the tick in which golems died of that failure isn't recorded, and the run ends with the process's reason. It is a fail-fast
//! decorator; without processes it passes everything on. Runs with checkpoints make the same check in their own sink, a sweep's cell makes
//! it after each tick, and branches have no such memories (`morta branch` refuses them).

use super::MemoryProcesses;
use morta_actors::{EventSink, WriteError};
use morta_engine::event::Event;

/// A decorator of a sink that takes nothing in any more once a memory doesn't answer (fail-fast): its error ends the run, which would
/// otherwise record deaths that the failed process made.
pub struct Guarded<S> {
    sink: S,
    processes: MemoryProcesses,
}

impl<S> Guarded<S> {
    /// Wraps the sink of a run that uses these processes.
    pub fn new(sink: S, processes: &MemoryProcesses) -> Self {
        Self { sink, processes: processes.clone() }
    }

    /// Takes the wrapped sink out.
    pub fn into_inner(self) -> S {
        self.sink
    }
}

impl<S: EventSink> EventSink for Guarded<S> {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        self.processes.check()?;
        self.sink.take(events)
    }

    fn take_over(&mut self, events: Vec<Event>) -> Result<(), WriteError> {
        self.processes.check()?;
        self.sink.take_over(events)
    }
}
