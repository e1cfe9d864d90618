//! Reads the event log back: `events.parquet`, with predicate pushdown. Only events that pass the filter are decoded from their JSON.
//! Payloads are decoded late, because parsing JSON is most of the cost of reading a log. `read_events` serves `morta inspect`, `morta
//! compare`, `morta cassette prune` and the comparison of memories' effects; `EventStream`, tick by tick, branches (what a branch shares
//! with its run, and its control) and `morta watch`. A run without a log (`record.events = false`) and a log whose hash isn't the
//! manifest's are refused.

use crate::io::error::{Context as _, Error, Result};
use crate::io::parquet_guard::{ColumnCells, Filter};
use crate::io::table::{RowReader, selection};
use crate::run::run_folder::EventRow;
use crate::run::run_folder::FinishedRun;
use crate::run::run_folder::tables::EVENTS;
use morta_base::{GolemId, Lineage};
use morta_engine::event::{Event, EventKind};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

selection! {
    /// The cells of an event. The columns of the filter come first, so that the others, above all the long payloads, needn't be decoded
    /// where it refuses every row of a batch.
    struct EventCells of EventRow {
        lineage: Option<u32>,
        generation: Option<u32>,
        kind: String,
        tick: u64,
        payload: String,
    }
}

impl EventCells {
    fn event(&self) -> Result<Event> {
        let golem = self.lineage.zip(self.generation);
        let golem = golem.map(|(lineage, generation)| GolemId { lineage, generation });
        Ok(Event { tick: self.tick, golem, kind: EventKind::of_payload(&self.kind, &self.payload)? })
    }
}

/// Selects events; a field that is `None` or empty selects all (event filter).
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Only events of golems of this lineage.
    pub lineage: Option<Lineage>,
    /// Only events of golems of this generation.
    pub generation: Option<u32>,
    /// Only events of these kinds, by [`EventKind::name`].
    pub kinds: Vec<&'static str>,
}

impl EventFilter {
    /// Selects events of one golem, of some kinds or of all.
    pub fn for_golem(golem: GolemId, kinds: &[&'static str]) -> Self {
        let (lineage, generation) = (Some(golem.lineage), Some(golem.generation));
        Self { lineage, generation, kinds: kinds.to_vec() }
    }

    fn keeps(&self, lineage: Option<i64>, generation: Option<i64>, kind: Option<&str>) -> bool {
        let fits = |found, wanted: Option<u32>| wanted.is_none_or(|wanted| found == Some(i64::from(wanted)));
        fits(lineage, self.lineage)
            && fits(generation, self.generation)
            && (self.kinds.is_empty() || kind.is_some_and(|kind| self.kinds.contains(&kind)))
    }

    /// The filter on the first columns of [`EventCells`].
    fn of_rows(self) -> Filter {
        let wants = move |cells: &[ColumnCells], row: usize| {
            self.keeps(cells[0].int(row), cells[1].int(row), cells[2].text(row))
        };
        Filter { columns: 3, wants: Arc::new(wants) }
    }
}

/// Scans the event log and hands over the events that fit, in their order, until `receive` breaks. One by one, because the log of a long
/// run doesn't fit into memory. The receiver answers with a `ControlFlow`, as a visitor does.
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
        return Err(Error::at(run.dir(), reason));
    }
    let path = run.sound_path(EVENTS)?;
    for row in RowReader::<EventCells>::open_where(&path, Some(filter.of_rows()))? {
        let event = row?.event().with_context(|| format!("{} is damaged", path.display()))?;
        if receive(event)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Reads all events that pass a filter into memory.
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

/// A stream of the whole event log, tick by tick, which is never wholly in memory.
pub struct EventStream {
    path: PathBuf,
    rows: RowReader<EventCells>,
    /// Events after the last tick that was closed: those of the end of the run.
    rest: Vec<Event>,
}

impl EventStream {
    /// Opens the event log of a run.
    ///
    /// # Errors
    /// When it was not kept, is missing or damaged.
    pub fn open(run: &FinishedRun) -> Result<Self> {
        let path = run.sound_path(EVENTS)?;
        let rows = RowReader::open(&path)?;
        Ok(Self { path, rows, rest: Vec::new() })
    }

    fn next(&mut self) -> Result<Option<Event>> {
        let damaged = || format!("{} is damaged", self.path.display());
        self.rows.next().map(|row| row?.event().with_context(damaged)).transpose()
    }

    /// Reads the events of the next tick, its close last; none when there is no tick left.
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

    /// Skips ticks without parsing their payloads: the kinds of rows are enough to count the ticks.
    ///
    /// # Errors
    /// When the log is damaged or has fewer.
    pub(crate) fn skip_ticks(&mut self, mut ticks: u64) -> Result<()> {
        while ticks > 0 {
            let Some(row) = self.rows.next().transpose()? else {
                return Err(crate::io::error::Error::failed(format!(
                    "{} ends too early",
                    self.path.display()
                )));
            };
            ticks -= u64::from(row.kind == "tick_closed");
        }
        Ok(())
    }

    /// Reads the events after the last tick.
    ///
    /// # Errors
    /// When the log is damaged, or there are ticks left.
    pub fn rest(&mut self) -> Result<Vec<Event>> {
        if self.next_tick()?.is_some() {
            return Err(crate::io::error::Error::failed(format!("{} has ticks left", self.path.display())));
        }
        Ok(std::mem::take(&mut self.rest))
    }
}
