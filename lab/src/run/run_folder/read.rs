//! Reading the tables of a run back, row by row: typed iterators (row readers) over Parquet tables (lives, trades, dreams, event log), with
//! memory for one batch. Rows are iterated and not collected, because a long run's tables don't fit into memory. Each file's hash is
//! checked at its first use (`sound_path`). The program reads the log by `read_events` and the clade table nowhere: `events` and `clade`
//! serve users of the library.

use crate::io::error::Result;
use crate::io::table::{RowReader, TableRow};
use crate::run::run_folder::{
    BloodstainRow, CladeStep, Draw, Dream, EventRow, FinishedRun, Life, ReplayRow, RuleStep, TickRow, Trade,
};

/// Each table, row by row and with no more than a batch of it in memory; `.all()` collects the rows, `.keep(..)` those that are wanted.
/// An error is a table that is missing or was written by a build whose columns differ; a row that is one, a damaged table.
impl FinishedRun {
    /// Reads every life of the finished run from `lives.parquet`, right-censored ones included.
    ///
    /// # Errors
    /// When the table is missing, damaged or of another build's columns.
    pub fn lives(&self) -> Result<RowReader<Life>> {
        self.rows()
    }

    /// Reads the closed trades of the finished run from `trades.parquet`, in the order of closing.
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn trades(&self) -> Result<RowReader<Trade>> {
        self.rows()
    }

    /// Reads every dream cycle from `dreams.parquet`.
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn dreams(&self) -> Result<RowReader<Dream>> {
        self.rows()
    }

    /// Reads every episode that a dream chose to replay from `replays.parquet` (experience replay).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn replays(&self) -> Result<RowReader<ReplayRow>> {
        self.rows()
    }

    /// Reads every step in the lifecycle of a rule from `rules.parquet`.
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn rules(&self) -> Result<RowReader<RuleStep>> {
        self.rows()
    }

    /// Reads every bloodstain that was left from `bloodstains.parquet`.
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn bloodstains(&self) -> Result<RowReader<BloodstainRow>> {
        self.rows()
    }

    /// Reads every inherited item, with what came of it, from `inheritance.parquet`.
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn inheritance(&self) -> Result<RowReader<Draw>> {
        self.rows()
    }

    /// Reads every lesson that siblings shared from `clade.parquet` (social learning).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn clade(&self) -> Result<RowReader<CladeStep>> {
        self.rows()
    }

    /// Reads the world at the close of every tick from `ticks.parquet` (time series).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn ticks(&self) -> Result<RowReader<TickRow>> {
        self.rows()
    }

    /// Reads the event log from `events.parquet`, with its payloads as JSON; [`read_events`](super::events::read_events) decodes them.
    ///
    /// # Errors
    /// As [`Self::lives`]; the log may not have been kept.
    pub fn events(&self) -> Result<RowReader<EventRow>> {
        self.rows()
    }

    /// The rows of whatever table they are of, or some columns of them.
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub(crate) fn rows<T: TableRow>(&self) -> Result<RowReader<T>> {
        RowReader::open(&self.sound_path(T::TABLE.file)?)
    }
}
