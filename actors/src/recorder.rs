//! The recorder actor: it passes the events of each closed tick on to the writer's thread. It is an actor of its own, so that the conductor
//! can open the next tick before the record is done; the conductor awaits the record in that tick's first phase. It shares the first
//! arbiter's thread with the conductor: when the writer is far behind, the full channel blocks that thread (backpressure), and the run
//! waits for the disk.

use crate::event_writer::EventWriter;
use crate::guard;
use crate::message::{Record, Report};
use crate::sink::EventSink;
use actix::{Actor, Context, Handler, Recipient};

/// Messages that the mailbox holds. The conductor awaits every record before the next tick's, so there are at most the last two messages
/// of a run. The room for more is there because a full mailbox parks its sender.
const MAILBOX_CAPACITY: usize = 4;

/// The actor's name in errors.
pub(crate) const NAME: &str = "the recorder";

/// The actor that passes events on to the writer's thread (event recorder).
pub(crate) struct Recorder {
    pub writer: EventWriter,
    pub conductor: Recipient<Report>,
}

impl Actor for Recorder {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<Record> for Recorder {
    type Result = ();

    fn handle(&mut self, message: Record, _: &mut Self::Context) {
        let writer = &mut self.writer;
        guard::report(NAME, &self.conductor, || {
            let done = match message {
                Record::Events(events) => writer.take_over(events),
                Record::Finish => writer.finish(),
            };
            done.map(|()| Report::Recorded).map_err(|error| error.to_string())
        });
    }
}
