//! Events are written on a thread of their own (background writer thread). They reach it in batches of up to 16 ticks through a bounded
//! channel with backpressure, so that a slow disk doesn't slow golems down until it is far behind, and memory stays bounded when it is. It
//! is used by the recorder actor, and by the laboratory's plain loop in runs without checkpoints; runs with checkpoints and cells of
//! sweeps, among others, write to their sinks without it. The order of events is the caller's. An error of the sink ends the thread: later
//! calls fail, and `WriterThread::finish` returns the cause.

use crate::sink::{EventSink, WriteError};
use crossbeam_channel::{Sender, bounded};
use morta_base::panic_message;
use morta_engine::event::Event;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Ticks in a batch. Waking the writer costs more than writing a tick of a small world. Our choice: of sixteen ticks the waking is a
/// small part, and the writer lags by no more than that.
const TICKS_PASSED_ON: usize = 16;
/// Events that complete a batch of fewer ticks. Our choice, so that a batch of a large world stays small in memory.
const EVENTS_PASSED_ON: usize = 4_096;
/// Batches that may wait in the channel. A seventeenth one blocks the caller (the recorder or the plain loop): that is the bound on memory.
const BATCHES_BUFFERED: usize = 16;

/// The thread that writes events into a sink: its join handle.
pub struct WriterThread<S>(JoinHandle<Result<S, WriteError>>);

impl<S> WriterThread<S> {
    /// Waits until all events are written and returns the sink (join of the writer thread). It returns only after the [`EventWriter`] is
    /// finished or dropped, because the channel stays open until then.
    ///
    /// # Errors
    /// The sink's own error when an event could not be written, or the message of its panic.
    pub fn finish(self) -> Result<S, WriteError> {
        self.0.join().map_err(|panic| panic_message(panic.as_ref()))?
    }
}

/// The events of up to [`TICKS_PASSED_ON`] ticks, one vector a tick: a sink takes whole ticks.
type Batch = Vec<Vec<Event>>;

/// Starts a thread that writes the events given to the returned event writer into the sink.
///
/// # Errors
/// When no thread can be started.
pub fn start_writer<S: EventSink>(mut sink: S) -> std::io::Result<(EventWriter, WriterThread<S>)> {
    let (sender, receiver) = bounded::<Batch>(BATCHES_BUFFERED);
    let at_work = Arc::new(AtomicBool::new(false));
    let busy = Arc::clone(&at_work);
    let write = move || {
        for batch in receiver {
            busy.store(true, Ordering::Relaxed);
            for events in batch {
                sink.take(&events)?;
            }
            busy.store(false, Ordering::Relaxed);
        }
        Ok(sink)
    };
    let thread = std::thread::Builder::new().name("morta-writer".to_owned()).spawn(write)?;
    let writer = EventWriter { to_thread: Some(sender), batch: Batch::new(), at_work };
    Ok((writer, WriterThread(thread)))
}

/// Passes events on to the thread that writes them (the sender of a bounded channel). Its errors say only that the thread has stopped: the
/// cause is the sink's error, which [`WriterThread::finish`] returns.
pub struct EventWriter {
    /// `None` when it is finished.
    to_thread: Option<Sender<Batch>>,
    /// Ticks that haven't been passed on yet.
    batch: Batch,
    /// Whether the thread is writing.
    at_work: Arc<AtomicBool>,
}

impl EventWriter {
    /// A flag that is true while the thread writes. Another thread sets it at any moment, so a reader gets a hint, not a fact.
    pub(crate) fn at_work(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.at_work)
    }

    fn pass_on(&mut self) -> Result<(), WriteError> {
        let thread = self.to_thread.as_ref().ok_or("the event writer is finished")?;
        thread
            .send(std::mem::take(&mut self.batch))
            .map_err(|_| "the thread that writes events has stopped".into())
    }

    /// Passes on the last batch and closes the channel; later events are refused.
    pub(crate) fn finish(&mut self) -> Result<(), WriteError> {
        self.pass_on()?;
        self.to_thread = None;
        Ok(())
    }
}

impl EventSink for EventWriter {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        self.take_over(events.to_vec())
    }

    /// Adds a tick's events to the batch. It blocks when `BATCHES_BUFFERED` batches wait: that is the back-pressure.
    fn take_over(&mut self, events: Vec<Event>) -> Result<(), WriteError> {
        self.batch.push(events);
        let waiting: usize = self.batch.iter().map(Vec::len).sum();
        let enough = self.batch.len() >= TICKS_PASSED_ON || waiting >= EVENTS_PASSED_ON;
        if enough { self.pass_on() } else { Ok(()) }
    }
}

/// Passes on the last batch even if the run has failed: otherwise up to 15 closed ticks would be missing from its record.
impl Drop for EventWriter {
    fn drop(&mut self) {
        let thread_gone = self.to_thread.is_some() && self.pass_on().is_err();
        tracing::trace!(thread_gone, "the event writer is dropped");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::{Tick, Usdc};
    use morta_engine::event::EventKind;

    /// A sink that keeps the ticks of events, and fails at one of them.
    #[derive(Default)]
    struct Kept {
        ticks: Vec<Vec<Tick>>,
        fails_at: Option<Tick>,
    }

    impl EventSink for Kept {
        fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
            let ticks: Vec<Tick> = events.iter().map(|event| event.tick).collect();
            match self.fails_at {
                Some(tick) if ticks.contains(&tick) => Err("the disk is full".into()),
                _ => {
                    self.ticks.push(ticks);
                    Ok(())
                }
            }
        }
    }

    fn events(tick: Tick, count: usize) -> Vec<Event> {
        let kind = EventKind::Born { cohort: 0, parent: None, endowment: Usdc::ZERO };
        vec![Event { tick, golem: None, kind }; count]
    }

    #[test]
    fn all_ticks_are_written_in_order_even_if_the_writer_is_only_dropped() {
        for is_finished in [true, false] {
            let (mut writer, thread) = start_writer(Kept::default()).expect("a thread can be started");
            for tick in 0..100 {
                writer.take_over(events(tick, tick as usize % 3)).expect("the thread goes on");
            }
            if is_finished {
                writer.finish().expect("the thread goes on");
                assert!(writer.take_over(events(100, EVENTS_PASSED_ON)).is_err(), "it is finished");
            }
            drop(writer);
            let written = thread.finish().expect("nothing fails").ticks;
            let expected: Vec<Vec<Tick>> = (0..100).map(|tick| vec![tick; tick as usize % 3]).collect();
            assert_eq!(written, expected);
        }
    }

    #[test]
    fn the_thread_returns_the_error_it_stopped_with() {
        let full = Kept { fails_at: Some(3), ..Kept::default() };
        let (mut writer, thread) = start_writer(full).expect("a thread can be started");
        let noticed = (0..100_000).any(|tick| writer.take(&events(tick, 1)).is_err());
        assert!(noticed, "it is noticed sooner or later");
        drop(writer);
        let error = thread.finish().err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("the disk is full"));
    }
}
