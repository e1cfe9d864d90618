//! The recorder actor: events go through a bounded channel to a thread that writes them, so that disks don't slow
//! golems down until they are far behind, and memory stays bounded when they are.

use crate::guard;
use crate::message::{Book, Report};
use crate::sink::{EventSink, WriteError};
use actix::{Actor, Context, Handler, Recipient};
use crossbeam_channel::{Sender, bounded};
use morta_engine::event::Event;
use std::thread::JoinHandle;

/// Ticks that may wait for the writer.
const TICKS_BUFFERED: usize = 256;
/// Ticks that may wait for the recorder.
const MAILBOX_CAPACITY: usize = 4;

/// The thread that writes; joining it gives the sink back.
pub type Writer<S> = JoinHandle<Result<S, WriteError>>;

/// Starts the writer.
pub fn start_writer<S: EventSink>(mut sink: S) -> std::io::Result<(Sender<Vec<Event>>, Writer<S>)> {
    let (sender, receiver) = bounded::<Vec<Event>>(TICKS_BUFFERED);
    let write = move || {
        for events in receiver {
            sink.take(&events)?;
        }
        Ok(sink)
    };
    let writer = std::thread::Builder::new().name("morta-writer".to_owned()).spawn(write)?;
    Ok((sender, writer))
}

/// What the conductor calls this actor.
pub const NAME: &str = "the recorder";

/// Passes events on to the writer.
pub struct Recorder {
    /// Closed when the book is.
    pub channel: Option<Sender<Vec<Event>>>,
    pub conductor: Recipient<Report>,
}

impl Actor for Recorder {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<Book> for Recorder {
    type Result = ();

    fn handle(&mut self, message: Book, _: &mut Self::Context) {
        let channel = &mut self.channel;
        guard::report(NAME, &self.conductor, || {
            match message {
                // Blocks when the writer is far behind: that is the back-pressure.
                Book::Events(events) => {
                    let channel = channel.as_ref().ok_or("the book is closed")?;
                    channel.send(events).map_err(|_| "the writer has stopped")?;
                }
                Book::Close => *channel = None,
            }
            Ok(Report::Recorded)
        });
    }
}
