//! Writing aside: events go through a bounded channel to a thread that writes them, so that disks don't slow golems down until they
//! are far behind, and memory stays bounded when they are.

use crate::sink::{EventSink, WriteError};
use crossbeam_channel::{Sender, bounded};
use morta_engine::event::Event;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Ticks that are passed on at once: waking the writer costs more than writing a tick of a small world.
const TICKS_PASSED_ON: usize = 16;
/// Events that are enough to be passed on before that.
const EVENTS_PASSED_ON: usize = 4_096;
/// Times that ticks may wait for the writer.
const BATCHES_BUFFERED: usize = 16;

/// The thread that writes.
pub struct Writer<S>(JoinHandle<Result<S, WriteError>>);

impl<S> Writer<S> {
    /// Waits until all is written, which is when the pen is gone, and gives the sink back.
    ///
    /// # Errors
    /// When something could not be written.
    pub fn finish(self) -> Result<S, WriteError> {
        self.0.join().map_err(|panic| crate::guard::said_by(panic.as_ref()))?
    }
}

/// The events of some ticks, each tick's for itself.
type Batch = Vec<Vec<Event>>;

/// Starts a thread that writes what the pen is given.
///
/// # Errors
/// When no thread can be started.
pub fn start_writer<S: EventSink>(mut sink: S) -> std::io::Result<(Pen, Writer<S>)> {
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
    let writer = std::thread::Builder::new().name("morta-writer".to_owned()).spawn(write)?;
    Ok((Pen { to_writer: Some(sender), batch: Batch::new(), at_work }, Writer(writer)))
}

/// The way to the writer. Its errors tell that there is no writer any more; why, [`Writer::finish`] tells.
pub struct Pen {
    /// Closed when the book is.
    to_writer: Option<Sender<Batch>>,
    batch: Batch,
    at_work: Arc<AtomicBool>,
}

impl Pen {
    /// Whether the writer is at work; changes while it is looked at.
    pub(crate) fn writer_at_work(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.at_work)
    }

    fn pass_on(&mut self) -> Result<(), WriteError> {
        let writer = self.to_writer.as_ref().ok_or("the book is closed")?;
        writer.send(std::mem::take(&mut self.batch)).map_err(|_| "the writer has stopped".into())
    }

    /// Passes on what is left and closes the book.
    pub(crate) fn close(&mut self) -> Result<(), WriteError> {
        self.pass_on()?;
        self.to_writer = None;
        Ok(())
    }
}

impl EventSink for Pen {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        self.take_over(events.to_vec())
    }

    /// Blocks when the writer is far behind: that is the back-pressure.
    fn take_over(&mut self, events: Vec<Event>) -> Result<(), WriteError> {
        self.batch.push(events);
        let waiting: usize = self.batch.iter().map(Vec::len).sum();
        let enough = self.batch.len() >= TICKS_PASSED_ON || waiting >= EVENTS_PASSED_ON;
        if enough { self.pass_on() } else { Ok(()) }
    }
}

/// What was lived through before a failure is written as well.
impl Drop for Pen {
    fn drop(&mut self) {
        let writer_gone = self.to_writer.is_some() && self.pass_on().is_err();
        tracing::trace!(writer_gone, "the pen is laid down");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_engine::base::{Tick, Usdc};
    use morta_engine::event::EventKind;

    /// Keeps the ticks of events, and fails at one of them.
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
    fn all_ticks_are_written_in_order_even_if_nobody_closes_the_book() {
        for is_closed in [true, false] {
            let (mut pen, writer) = start_writer(Kept::default()).expect("a thread can be started");
            for tick in 0..100 {
                pen.take_over(events(tick, tick as usize % 3)).expect("the writer goes on");
            }
            if is_closed {
                pen.close().expect("the writer goes on");
                assert!(pen.take_over(events(100, EVENTS_PASSED_ON)).is_err(), "the book is closed");
            }
            drop(pen);
            let written = writer.finish().expect("nothing fails").ticks;
            let expected: Vec<Vec<Tick>> = (0..100).map(|tick| vec![tick; tick as usize % 3]).collect();
            assert_eq!(written, expected);
        }
    }

    #[test]
    fn the_writer_says_why_it_stopped() {
        let full = Kept { fails_at: Some(3), ..Kept::default() };
        let (mut pen, writer) = start_writer(full).expect("a thread can be started");
        let noticed = (0..100_000).any(|tick| pen.take(&events(tick, 1)).is_err());
        assert!(noticed, "the pen notices sooner or later");
        drop(pen);
        let error = writer.finish().err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("the disk is full"));
    }
}
