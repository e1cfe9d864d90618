//! The recorder actor: hands events to the writer.

use crate::guard;
use crate::message::{Book, Report};
use crate::pen::Pen;
use crate::sink::EventSink;
use actix::{Actor, Context, Handler, Recipient};

/// Ticks that may wait for the recorder.
const MAILBOX_CAPACITY: usize = 4;

/// What the conductor calls this actor.
pub const NAME: &str = "the recorder";

/// Passes events on to the writer.
pub struct Recorder {
    pub pen: Pen,
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
        let pen = &mut self.pen;
        guard::report(NAME, &self.conductor, || {
            let done = match message {
                Book::Events(events) => pen.take_over(events),
                Book::Close => pen.close(),
            };
            done.map(|()| Report::Recorded).map_err(|error| error.to_string())
        });
    }
}
