//! The tables of a run, all made from its event log, in one pass and with bounded memory.

mod bloodstains;
mod cast;
mod clade;
mod dreams;
mod events;
mod inheritance;
mod journal;
mod lives;
mod rules;
mod ticks;
mod totals;
mod trades;

pub use bloodstains::{ids, kind_of};
pub use cast::{Cast, CohortEntry, name_of};
pub use totals::{CohortTotals, Totals};

use crate::profile::phase;
use crate::run_folder::column::Column;
use crate::run_folder::writer::TableWriter;
use crate::run_folder::{RunFolder, TableFile};
use journal::Journal;
use morta_actors::{EventSink, WriteError};
use morta_engine::base::Digest;
use morta_engine::event::Event;
use morta_engine::world::Scenario;

/// The whole log.
pub const EVENTS: &str = "events.parquet";
/// The notable events, for people.
pub const JOURNAL: &str = "journal.jsonl";

/// What is fixed about a table.
#[derive(Clone, Copy, Debug)]
pub struct TableSpec {
    /// Its file.
    pub file: &'static str,
    /// Its columns.
    pub columns: &'static [Column],
    /// The column that says at which tick a row was written.
    pub tick: &'static str,
}

/// All tables; where several tell of the same tick, the one that says most comes first.
pub const ALL: [TableSpec; 10] = [
    TableSpec { file: EVENTS, columns: events::COLUMNS, tick: "tick" },
    TableSpec { file: "trades.parquet", columns: trades::COLUMNS, tick: "closed_tick" },
    TableSpec { file: "dreams.parquet", columns: dreams::COLUMNS, tick: "ended_tick" },
    TableSpec { file: "rules.parquet", columns: rules::COLUMNS, tick: "tick" },
    TableSpec { file: "bloodstains.parquet", columns: bloodstains::COLUMNS, tick: "died_tick" },
    TableSpec { file: "clade.parquet", columns: clade::COLUMNS, tick: "tick" },
    TableSpec { file: "inheritance.parquet", columns: inheritance::COLUMNS, tick: "settled_tick" },
    TableSpec { file: "lives.parquet", columns: lives::COLUMNS, tick: "ended_tick" },
    TableSpec { file: "ticks.parquet", columns: ticks::COLUMNS, tick: "tick" },
    TableSpec { file: JOURNAL, columns: &[], tick: "tick" },
];

/// Turns events into rows of one table.
trait Table: Send {
    /// Takes in one event; `digest` is that of the log up to and with it.
    fn take(
        &mut self,
        event: &Event,
        cast: &Cast,
        digest: &Digest,
        out: &mut TableWriter,
    ) -> crate::Result<()>;
}

/// `lives.parquet` alone, as the cells of a sweep keep it.
pub struct LivesTable {
    folder: RunFolder,
    cast: Cast,
    digest: Digest,
    out: TableWriter,
}

/// The file of lives.
pub const LIVES: &str = "lives.parquet";

impl LivesTable {
    /// Begins the table.
    ///
    /// # Errors
    /// When the file can't be made.
    pub fn create(folder: &RunFolder, cast: Cast) -> crate::Result<Self> {
        let out = TableWriter::create(folder, LIVES, lives::COLUMNS)?;
        Ok(Self { folder: folder.clone(), cast, digest: Digest::default(), out })
    }

    /// Takes in one event.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn take(&mut self, event: &Event) -> crate::Result<()> {
        lives::Lives.take(event, &self.cast, &self.digest, &mut self.out)
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// When it can't be written or renamed.
    pub fn finish(self) -> crate::Result<TableFile> {
        let file = self.out.finish()?;
        self.folder.put_in_place(&file.name)?;
        Ok(file)
    }
}

/// What a run comes to, without a table.
pub struct Gist {
    digest: Digest,
    totals: Totals,
}

impl Gist {
    /// Of a scenario.
    pub fn of(scenario: &Scenario) -> Self {
        Self { digest: Digest::default(), totals: Totals::new(&Cast::of(scenario)) }
    }

    fn take_one(&mut self, event: &Event) {
        event.record_in(&mut self.digest);
        self.totals.take(event);
    }

    /// The same as if there had been tables, but for the files.
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

/// All tables of a run being written.
pub struct Tables {
    folder: RunFolder,
    cast: Cast,
    gist: Gist,
    tables: Vec<(Box<dyn Table>, TableWriter)>,
    journal: Journal,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub struct TablesSummary {
    /// BLAKE3 over the event log.
    pub digest: String,
    /// The files, in the order of [`ALL`].
    pub files: Vec<TableFile>,
    /// Sums over all of it.
    pub totals: Totals,
}

impl Tables {
    /// Begins all tables, under temporary names.
    ///
    /// # Errors
    /// When a file can't be made.
    pub fn create(folder: &RunFolder, scenario: &Scenario) -> crate::Result<Self> {
        let mut tables = Vec::new();
        for spec in &ALL {
            if let Some(table) = table_of(spec.file).filter(|_| spec.file != EVENTS || scenario.record.events)
            {
                tables.push((table, TableWriter::create(folder, spec.file, spec.columns)?));
            }
        }
        let (folder, cast, gist) = (folder.clone(), Cast::of(scenario), Gist::of(scenario));
        Ok(Self { journal: Journal::create(&folder)?, folder, cast, gist, tables })
    }

    fn take_one(&mut self, event: &Event) -> crate::Result<()> {
        self.gist.take_one(event);
        for (table, out) in &mut self.tables {
            table.take(event, &self.cast, &self.gist.digest, out)?;
        }
        self.journal.take(event, &self.cast)
    }

    /// Ends all files and gives them their names.
    ///
    /// # Errors
    /// When a file can't be written or renamed.
    pub fn finish(self) -> crate::Result<TablesSummary> {
        let _phase = phase!("recorder: closing").entered();
        let mut files =
            self.tables.into_iter().map(|(_, out)| out.finish()).collect::<crate::Result<Vec<_>>>()?;
        files.push(self.journal.finish()?);
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

fn table_of(file: &str) -> Option<Box<dyn Table>> {
    Some(match file {
        EVENTS => Box::new(events::Events::default()),
        "trades.parquet" => Box::new(trades::Trades::default()),
        "dreams.parquet" => Box::new(dreams::Dreams::default()),
        "rules.parquet" => Box::new(rules::Rules),
        "bloodstains.parquet" => Box::new(bloodstains::Bloodstains),
        "clade.parquet" => Box::new(clade::CladeTable),
        "inheritance.parquet" => Box::new(inheritance::Inheritances::default()),
        "lives.parquet" => Box::new(lives::Lives),
        "ticks.parquet" => Box::new(ticks::Ticks),
        _ => return None,
    })
}
