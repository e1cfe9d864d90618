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
    /// Every life, those that outlived the run included (survival data, right-censored lives).
    ///
    /// # Errors
    /// When the table is missing, damaged or of another build's columns.
    pub fn lives(&self) -> Result<RowReader<Life>> {
        self.rows()
    }

    /// Every trade that was closed (closed trades table, Parquet reader).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn trades(&self) -> Result<RowReader<Trade>> {
        self.rows()
    }

    /// Every dream cycle (dream table, Parquet reader).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn dreams(&self) -> Result<RowReader<Dream>> {
        self.rows()
    }

    /// Every episode that a dream chose to replay (experience replay table).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn replays(&self) -> Result<RowReader<ReplayRow>> {
        self.rows()
    }

    /// Every step in the life of a rule (rule lifecycle table).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn rules(&self) -> Result<RowReader<RuleStep>> {
        self.rows()
    }

    /// Every bloodstain that was left (bloodstain table).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn bloodstains(&self) -> Result<RowReader<BloodstainRow>> {
        self.rows()
    }

    /// Everything that was inherited, with what came of it (inheritance table, Parquet reader).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn inheritance(&self) -> Result<RowReader<Draw>> {
        self.rows()
    }

    /// Every lesson that siblings shared (social learning table).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn clade(&self) -> Result<RowReader<CladeStep>> {
        self.rows()
    }

    /// The world at the close of every tick (time series table).
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub fn ticks(&self) -> Result<RowReader<TickRow>> {
        self.rows()
    }

    /// The event log with its payloads as JSON; [`read_events`](super::events::read_events) decodes them (event log table).
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
