//! `events.parquet`: the whole log, each event's payload as JSON.

use super::{Cast, Table};
use crate::run_folder::column::{Column, int, text, unique_text};
use crate::run_folder::writer::TableWriter;
use morta_engine::base::Digest;
use morta_engine::event::Event;

pub const COLUMNS: &[Column] = &[
    int("tick"),
    int("lineage").or_null(),
    int("generation").or_null(),
    text("golem").or_null(),
    text("kind"),
    unique_text("payload"),
];

/// Makes the rows.
#[derive(Default)]
pub struct Events {
    payload: Vec<u8>,
}

impl Table for Events {
    fn take(&mut self, event: &Event, _: &Cast, _: &Digest, out: &mut TableWriter) -> crate::Result<()> {
        let mut row = out.row();
        row.int(event.tick);
        row.int_or_null(event.golem.map(|golem| golem.lineage));
        row.int_or_null(event.golem.map(|golem| golem.generation));
        row.name_or_null(event.golem);
        row.text(event.kind.name()).text(event.kind.payload_in(&mut self.payload)).end()
    }
}
