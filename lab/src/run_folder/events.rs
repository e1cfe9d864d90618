//! Reading the event log back; only what is asked for is decoded.

use crate::error::{Context as _, Error, Result};
use crate::run_folder::EventRow;
use crate::run_folder::FinishedRun;
use crate::run_folder::tables::EVENTS;
use crate::table::{Batches, Column, Table, TableRow as _, batches};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, BooleanArray, Int64Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;
use morta_base::{GolemId, Lineage};
use morta_engine::event::{Event, EventKind};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowPredicateFn, RowFilter};
use std::ops::ControlFlow;
use std::path::PathBuf;

const TICK: &Column = EventRow::TABLE.column("tick");
const LINEAGE: &Column = EventRow::TABLE.column("lineage");
const GENERATION: &Column = EventRow::TABLE.column("generation");
const KIND: &Column = EventRow::TABLE.column("kind");
const PAYLOAD: &Column = EventRow::TABLE.column("payload");

/// Which events are wanted; what is `None` or empty doesn't matter.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Of golems of this lineage.
    pub lineage: Option<Lineage>,
    /// Of golems of this generation.
    pub generation: Option<u32>,
    /// Of these kinds, by [`EventKind::name`].
    pub kinds: Vec<&'static str>,
}

impl EventFilter {
    /// Events of one golem.
    pub fn of(golem: GolemId, kinds: &[&'static str]) -> Self {
        let (lineage, generation) = (Some(golem.lineage), Some(golem.generation));
        Self { lineage, generation, kinds: kinds.to_vec() }
    }

    /// Of the columns lineage, generation and kind.
    fn keeps(&self, batch: &RecordBatch) -> Result<BooleanArray> {
        let (lineages, generations) = (ints(batch, LINEAGE)?, ints(batch, GENERATION)?);
        let kinds = texts(batch, KIND)?;
        let fits = |array: &Int64Array, row, wanted: Option<u32>| {
            wanted.is_none_or(|wanted| array.is_valid(row) && array.value(row) == i64::from(wanted))
        };
        let keep = |row| {
            fits(lineages, row, self.lineage)
                && fits(generations, row, self.generation)
                && (self.kinds.is_empty() || self.kinds.contains(&kinds.value(row)))
        };
        Ok((0..batch.num_rows()).map(|row| Some(keep(row))).collect())
    }
}

/// Hands over the events that fit, in their order, until told to stop.
///
/// # Errors
/// When the log was not kept or is damaged, and whatever the receiver fails with.
pub fn read_events(
    run: &FinishedRun,
    filter: EventFilter,
    mut receive: impl FnMut(Event) -> Result<ControlFlow<()>>,
) -> Result<()> {
    if !run.has_events() {
        let reason = "the event log was not kept (record.events = false in the scenario)";
        return Err(Error::invalid(format!("{}: {reason}", run.dir().display())));
    }
    let path = run.sound_path(EVENTS)?;
    let table = Table::open(&path)?;
    let key = table.columns([LINEAGE.name, GENERATION.name, KIND.name]);
    let keeps = move |batch| filter.keeps(&batch).map_err(|error| ArrowError::ExternalError(Box::new(error)));
    let predicate = ArrowPredicateFn::new(key, keeps);
    let damaged = || format!("{} is damaged", path.display());
    let filter = RowFilter::new(vec![Box::new(predicate)]);
    for batch in table.read(ProjectionMask::all(), Some(filter))? {
        let batch = batch?;
        for row in 0..batch.num_rows() {
            if receive(event(&batch, row).with_context(damaged)?)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// All events that fit.
///
/// # Errors
/// As [`read_events`].
pub fn collect_events(run: &FinishedRun, filter: EventFilter) -> Result<Vec<Event>> {
    let mut events = Vec::new();
    read_events(run, filter, |event| {
        events.push(event);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(events)
}

/// The whole log, tick by tick.
pub struct EventStream {
    path: PathBuf,
    reader: Batches,
    batch: Option<RecordBatch>,
    next: usize,
    /// What came after the last tick that was closed.
    rest: Vec<Event>,
}

impl EventStream {
    /// Opens the log of a run.
    ///
    /// # Errors
    /// When it was not kept, is missing or damaged.
    pub fn open(run: &FinishedRun) -> Result<Self> {
        let path = run.sound_path(EVENTS)?;
        let reader = batches(&path)?;
        Ok(Self { path, reader, batch: None, next: 0, rest: Vec::new() })
    }

    /// Moves on by a row; false at the end.
    fn advance(&mut self) -> Result<bool> {
        while self.batch.as_ref().is_none_or(|batch| self.next == batch.num_rows()) {
            match self.reader.next() {
                Some(batch) => (self.batch, self.next) = (Some(batch?), 0),
                None => return Ok(false),
            }
        }
        self.next += 1;
        Ok(true)
    }

    fn next(&mut self) -> Result<Option<Event>> {
        if !self.advance()? {
            return Ok(None);
        }
        let damaged = || format!("{} is damaged", self.path.display());
        let row = self.next - 1;
        self.batch.as_ref().map(|batch| event(batch, row).with_context(damaged)).transpose()
    }

    /// The events of the next tick, its close last; none when there is no tick left.
    ///
    /// # Errors
    /// When the log is damaged.
    pub fn next_tick(&mut self) -> Result<Option<Vec<Event>>> {
        let mut events = std::mem::take(&mut self.rest);
        while let Some(event) = self.next()? {
            let closes = matches!(event.kind, EventKind::TickClosed(_));
            events.push(event);
            if closes {
                return Ok(Some(events));
            }
        }
        self.rest = events;
        Ok(None)
    }

    /// Passes ticks over without reading what happened in them.
    ///
    /// # Errors
    /// When the log is damaged or has fewer.
    pub fn skip_ticks(&mut self, mut ticks: u64) -> Result<()> {
        while ticks > 0 {
            if !self.advance()? {
                return Err(crate::error::Error::failed(format!("{} ends too early", self.path.display())));
            }
            let batch = self.batch.as_ref().context("a row has been read")?;
            let kinds = texts(batch, KIND).with_context(|| format!("{} is damaged", self.path.display()))?;
            ticks -= u64::from(kinds.value(self.next - 1) == "tick_closed");
        }
        Ok(())
    }

    /// What is told after the last tick.
    ///
    /// # Errors
    /// When the log is damaged, or there are ticks left.
    pub fn rest(&mut self) -> Result<Vec<Event>> {
        if self.next_tick()?.is_some() {
            return Err(crate::error::Error::failed(format!("{} has ticks left", self.path.display())));
        }
        Ok(std::mem::take(&mut self.rest))
    }
}

fn ints<'a>(batch: &'a RecordBatch, column: &Column) -> Result<&'a Int64Array> {
    let found = batch.column_by_name(column.name).and_then(|cells| cells.as_primitive_opt::<Int64Type>());
    found.with_context(|| format!("there is no column {} of whole numbers", column.name))
}

fn texts<'a>(batch: &'a RecordBatch, column: &Column) -> Result<&'a StringArray> {
    let found = batch.column_by_name(column.name).and_then(|cells| cells.as_string_opt());
    found.with_context(|| format!("there is no column {} of text", column.name))
}

fn event(batch: &RecordBatch, row: usize) -> Result<Event> {
    let int = |column| {
        let cells = ints(batch, column)?;
        crate::error::Result::<_>::Ok(cells.is_valid(row).then(|| cells.value(row)))
    };
    let golem = match (int(LINEAGE)?, int(GENERATION)?) {
        (Some(lineage), Some(generation)) => {
            Some(GolemId { lineage: lineage.try_into()?, generation: generation.try_into()? })
        }
        _ => None,
    };
    let tick = int(TICK)?.context("an event without a tick")?.try_into()?;
    let kind = EventKind::of_payload(texts(batch, KIND)?.value(row), texts(batch, PAYLOAD)?.value(row))?;
    Ok(Event { tick, golem, kind })
}
