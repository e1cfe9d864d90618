//! The recorder actor: it passes events on to the writer. It is an actor of its own, so that the conductor goes on with the next tick when
//! the writer is far behind and the recorder blocks.

use crate::event_writer::EventWriter;
use crate::guard;
use crate::message::{Record, Report};
use crate::sink::EventSink;
use actix::{Actor, Context, Handler, Recipient};

/// Messages that the mailbox holds. The conductor awaits every record before the next tick's, so there are at most the last two messages
/// of a run. The room for more is there because a full mailbox parks its sender.
const MAILBOX_CAPACITY: usize = 4;

/// The actor's name in errors.
pub const NAME: &str = "the recorder";

/// Passes events on to the writer (event recorder actor).
pub struct Recorder {
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
