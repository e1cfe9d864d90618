//! The tables of a run, all made from its event log, in one pass; memory is bounded by the living golems. It is a projection of the event
//! log (materialized views): each table is a fold over events. Nothing is taken from the world itself, so that a log alone can make all
//! tables again. `Tables` writes all for runs, branches and repetitions, and for the cells of a sweep that keep whole runs, but for
//! `events.parquet` where `record.events = false`; `LivesTable` writes the lives of every cell; `Gist` keeps digest and totals of a run
//! without a folder. `cast` puts names to numbers, `journal` has the events in words, `totals` the sums, and each other module one table.

mod bloodstains;
mod cast;
mod clade;
mod dreams;
mod events;
mod inheritance;
mod journal;
mod lives;
mod replays;
mod rules;
mod ticks;
mod totals;
mod trades;

pub use bloodstains::{BloodstainRow, kind_of};
pub use cast::{Cast, CohortEntry};
pub use clade::CladeStep;
pub use dreams::Dream;
pub use events::EventRow;
pub use inheritance::Draw;
pub use lives::Life;
pub use replays::ReplayRow;
pub use rules::RuleStep;
pub use ticks::TickRow;
pub use totals::{CohortTotals, ModelTotals, Totals};
pub use trades::{Trade, voice_name};

use crate::io::error::Result;
use crate::io::table::{TableRow, TableSpec};
use crate::run::profile::phase;
use crate::run::run_folder::writer::TableWriter;
use crate::run::run_folder::{RunFolder, WrittenTable};
use journal::RunJournal;
use morta_actors::{EventSink, WriteError};
use morta_base::{Digest, GolemId};
use morta_engine::episode::Provenance;
use morta_engine::event::Event;
use morta_engine::world::Scenario;

/// The whole log (event log file).
pub const EVENTS: &str = EventRow::TABLE.file;
/// The file of lives (life table file).
pub const LIVES: &str = Life::TABLE.file;
/// The notable events, for people (event journal file).
pub const JOURNAL: &str = "journal.jsonl";

/// All tables but the journal; where several have rows of the same tick, the one that says most comes first.
pub const ALL: [TableKind; 10] = [
    TableKind::from_rows::<events::Events>(),
    TableKind::from_rows::<trades::Trades>(),
    TableKind::from_rows::<dreams::Dreams>(),
    TableKind::from_rows::<replays::Replays>(),
    TableKind::from_rows::<rules::RulesRecorder>(),
    TableKind::from_rows::<bloodstains::Bloodstains>(),
    TableKind::from_rows::<clade::CladeTable>(),
    TableKind::from_rows::<inheritance::Inheritances>(),
    TableKind::from_rows::<lives::LivesRecorder>(),
    TableKind::from_rows::<ticks::Ticks>(),
];

/// A kind of table that a run writes, with its file and columns; `record.events = false` leaves out `events.parquet` alone.
#[derive(Clone, Copy)]
pub struct TableKind {
    /// Its file and columns.
    pub spec: &'static TableSpec,
    begin: fn(&RunFolder) -> Result<Box<dyn Recording>>,
}

impl TableKind {
    const fn from_rows<T: RowsOf + Default + 'static>() -> Self {
        Self { spec: T::Row::TABLE, begin: begin::<T> }
    }
}

/// Turns events into rows of one table. A table sees events alone and never the world, so a resumed run makes its tables again from the
/// log.
trait RowsOf: Send {
    /// A row of it.
    type Row: TableRow;

    /// Takes in one event; `digest` is that of the log up to and with it.
    fn take(&mut self, heard: Heard<'_>, out: &mut TableWriter<Self::Row>) -> Result<()>;
}

/// An event, and what is known beside it when it is taken.
#[derive(Clone, Copy)]
struct Heard<'a> {
    event: &'a Event,
    cast: &'a Cast,
    /// Of the log so far, with this event.
    digest: &'a Digest,
}

/// By which way something came to be known, and which golem it comes from; none for the knower's own.
fn came_by(provenance: Provenance) -> (&'static str, Option<GolemId>) {
    match provenance {
        Provenance::Own => ("own", None),
        Provenance::Bloodstain(id) => ("bloodstain", Some(id.golem)),
        Provenance::Predecessor(golem) => ("predecessor", Some(golem)),
        Provenance::Clade(golem) => ("clade", Some(golem)),
    }
}

/// Joins ids into one text, with spaces between.
fn joined<T: ToString>(ids: impl IntoIterator<Item = T>) -> String {
    let names: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
    names.join(" ")
}

/// A table being written, of any type of rows.
trait Recording: Send {
    fn take(&mut self, heard: Heard<'_>) -> Result<()>;

    fn finish(self: Box<Self>) -> Result<WrittenTable>;
}

struct Rows<T: RowsOf> {
    of: T,
    out: TableWriter<T::Row>,
}

impl<T: RowsOf> Recording for Rows<T> {
    fn take(&mut self, heard: Heard<'_>) -> Result<()> {
        self.of.take(heard, &mut self.out)
    }

    fn finish(self: Box<Self>) -> Result<WrittenTable> {
        self.out.finish()
    }
}

fn begin<T: RowsOf + Default + 'static>(folder: &RunFolder) -> Result<Box<dyn Recording>> {
    Ok(Box::new(Rows { of: T::default(), out: TableWriter::create(folder)? }))
}

/// Writes `lives.parquet` alone, as the cells of a sweep keep it: all tables of a million cells would fill a disk, and lives are what
/// survival analysis can't do without.
pub(crate) struct LivesTable {
    folder: RunFolder,
    cast: Cast,
    digest: Digest,
    lives: Box<dyn Recording>,
}

impl LivesTable {
    /// Begins the table (creates a Parquet table).
    ///
    /// # Errors
    /// When the file can't be made.
    pub(crate) fn create(folder: &RunFolder, cast: Cast) -> Result<Self> {
        let lives = begin::<lives::LivesRecorder>(folder)?;
        Ok(Self { folder: folder.clone(), cast, digest: Digest::default(), lives })
    }

    /// Takes in one event, and appends the row of a life that it ends.
    ///
    /// # Errors
    /// When the file can't be written.
    pub(crate) fn take(&mut self, event: &Event) -> Result<()> {
        self.lives.take(Heard { event, cast: &self.cast, digest: &self.digest })
    }

    /// Ends the file and gives it its name (finalizes the Parquet file).
    ///
    /// # Errors
    /// When it can't be written or renamed.
    pub(crate) fn finish(self) -> Result<WrittenTable> {
        let file = self.lives.finish()?;
        self.folder.put_in_place(&file.name)?;
        Ok(file)
    }
}

/// Sums up a run without writing tables: its digest, a checksum of all events, and its totals.
pub struct Gist {
    digest: Digest,
    totals: Totals,
}

impl Gist {
    /// Starts for a scenario, with an empty digest and totals of 0.
    pub(crate) fn from_scenario(scenario: &Scenario) -> Self {
        Self { digest: Digest::default(), totals: Totals::new(&Cast::from_scenario(scenario)) }
    }

    fn take_one(&mut self, event: &Event) {
        event.record_in(&mut self.digest);
        self.totals.take(event);
    }

    /// Ends the run and returns the same summary as with tables, but for the files: a run's digest must not depend on whether it was
    /// recorded.
    pub fn finish(self) -> TablesSummary {
        TablesSummary { digest: self.digest.hex(), files: Vec::new(), totals: self.totals }
    }
}

impl EventSink for Gist {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        let _phase = phase!("recorder").entered();
        events.iter().for_each(|event| self.take_one(event));
        Ok(())
    }
}

/// Records the events of a run: each goes to the writers of all tables.
pub struct Tables {
    folder: RunFolder,
    cast: Cast,
    gist: Gist,
    tables: Vec<Box<dyn Recording>>,
    journal: RunJournal,
}

/// What the writer of tables hands over at the end: digest, files and totals of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct TablesSummary {
    /// BLAKE3 over the event log.
    pub digest: String,
    /// The files, in the order of [`ALL`], and the journal.
    pub files: Vec<WrittenTable>,
    /// Sums over all of it.
    pub totals: Totals,
}

impl Tables {
    /// Creates all tables, under temporary names.
    ///
    /// # Errors
    /// When a file can't be made.
    pub fn create(folder: &RunFolder, scenario: &Scenario) -> Result<Self> {
        let written = ALL.iter().filter(|kind| kind.spec.file != EVENTS || scenario.record.events);
        let tables = written.map(|kind| (kind.begin)(folder)).collect::<Result<Vec<_>>>()?;
        let (folder, cast, gist) =
            (folder.clone(), Cast::from_scenario(scenario), Gist::from_scenario(scenario));
        Ok(Self { journal: RunJournal::create(&folder)?, folder, cast, gist, tables })
    }

    fn take_one(&mut self, event: &Event) -> Result<()> {
        // The digest first: rows have that of the log up to and with their event.
        self.gist.take_one(event);
        let heard = Heard { event, cast: &self.cast, digest: &self.gist.digest };
        self.tables.iter_mut().try_for_each(|table| table.take(heard))?;
        self.journal.take(event, &self.cast)
    }

    /// Finalises all tables: ends their files and gives them their names.
    ///
    /// # Errors
    /// When a file can't be written or renamed.
    pub fn finish(self) -> Result<TablesSummary> {
        let _phase = phase!("recorder: closing").entered();
        let mut files = self.tables.into_iter().map(Recording::finish).collect::<Result<Vec<_>>>()?;
        files.push(self.journal.finish()?);
        // Names are given last, when all files are whole: a table that fails leaves none behind that looks complete.
        for file in &files {
            self.folder.put_in_place(&file.name)?;
        }
        Ok(TablesSummary { files, ..self.gist.finish() })
    }
}

impl EventSink for Tables {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        let _phase = phase!("recorder").entered();
        for event in events {
            self.take_one(event)?;
        }
        Ok(())
    }
}
