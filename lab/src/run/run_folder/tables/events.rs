//! `events.parquet`: the whole log, each event's payload as JSON, left out with `record.events = false`. It is the event log (event
//! sourcing): the other tables are made of the same events, in the same pass. It is kept so that a question nobody thought of can still be
//! answered.

use super::{Heard, RowsOf};
use crate::io::error::Result;
use crate::io::table::{Named, table};
use crate::run::run_folder::writer::TableWriter;
use morta_engine::event::Event;

/// An event, and its payload as JSON.
pub(crate) struct LoggedEvent<'a> {
    event: &'a Event,
    payload: &'a str,
}

table! {
    /// One event of the log, in the order in which it happened. Every other table is made from these. Left out with `record.events = false`.
    pub struct EventRow in "events.parquet" at tick from logged: LoggedEvent<'_>;

    /// When it happened.
    tick: u64, Tick = logged.event.tick;
    /// Lineage of the golem it happened to; empty for events of the world itself.
    lineage: Option<u32>, Number = logged.event.golem.map(|golem| golem.lineage);
    /// Generation of that golem; empty for events of the world itself.
    generation: Option<u32>, Number = logged.event.golem.map(|golem| golem.generation);
    /// That golem; empty for events of the world itself.
    golem: Option<String>, Id = logged.event.golem.map(Named);
    /// What happened, in a word: `born`, `decided`, `trade_closed`, `life_ended`, `tick_closed`, ...; the variants of
    /// `morta_engine::event::EventKind`, in snake case.
    kind: String, Word = logged.event.kind.name();
    /// All that is told of it: the fields of the variant.
    #[stored(unique)]
    payload: String, Json = logged.payload;
}

/// Makes the rows of the table from events.
#[derive(Default)]
pub(super) struct Events {
    payload: Vec<u8>,
}

impl RowsOf for Events {
    type Row = EventRow;

    fn take(&mut self, Heard { event, .. }: Heard<'_>, out: &mut TableWriter<EventRow>) -> Result<()> {
        let payload = event.kind.payload_in(&mut self.payload);
        out.add(&LoggedEvent { event, payload })
    }
}
