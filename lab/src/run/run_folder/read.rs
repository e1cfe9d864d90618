//! Reading the tables of a run back, row by row: typed iterators (row readers) over Parquet tables (lives, trades, dreams, event log), with
//! memory for one batch. Rows are iterated and not collected, because a long run's tables don't fit into memory. Each file's hash is
//! checked at its first use (`sound_path`). The program reads the log by `read_events` and the clade table nowhere: `events` and `clade`
//! serve users of the library.

use crate::io::error::Result;
use crate::io::table::{RowReader, TableRow};
use crate::run::run_folder::{
    BloodstainRow, CladeStep, Draw, Dream, EventRow, FinishedRun, Life, ReplayRow, RuleStep, TickRow, Trade,
};

macro_rules! readers {
    ($($(#[$about:meta])+ $name:ident: $row:ty;)+) => {
        /// Each table, row by row and with no more than a batch of it in memory; `.all()` collects the rows, `.keep(..)` those that are wanted.
        /// An error is a table that is missing or was written by a build whose columns differ; a row that is one, a damaged table.
        impl FinishedRun {
            $($(#[$about])+
            pub fn $name(&self) -> Result<RowReader<$row>> {
                self.rows()
            })+
        }
    };
}

readers! {
    /// Reads every life of the finished run from `lives.parquet`, right-censored ones included.
    ///
    /// # Errors
    /// When the table is missing, damaged or of another build's columns.
    lives: Life;

    /// Reads the closed trades of the finished run from `trades.parquet`, in the order of closing.
    ///
    /// # Errors
    /// As [`Self::lives`].
    trades: Trade;

    /// Reads every dream cycle from `dreams.parquet`.
    ///
    /// # Errors
    /// As [`Self::lives`].
    dreams: Dream;

    /// Reads every episode that a dream chose to replay from `replays.parquet` (experience replay).
    ///
    /// # Errors
    /// As [`Self::lives`].
    replays: ReplayRow;

    /// Reads every step in the lifecycle of a rule from `rules.parquet`.
    ///
    /// # Errors
    /// As [`Self::lives`].
    rules: RuleStep;

    /// Reads every bloodstain that was left from `bloodstains.parquet`.
    ///
    /// # Errors
    /// As [`Self::lives`].
    bloodstains: BloodstainRow;

    /// Reads every inherited item, with what came of it, from `inheritance.parquet`.
    ///
    /// # Errors
    /// As [`Self::lives`].
    inheritance: Draw;

    /// Reads every lesson that siblings shared from `clade.parquet` (social learning).
    ///
    /// # Errors
    /// As [`Self::lives`].
    clade: CladeStep;

    /// Reads the world at the close of every tick from `ticks.parquet` (time series).
    ///
    /// # Errors
    /// As [`Self::lives`].
    ticks: TickRow;

    /// Reads the event log from `events.parquet`, with its payloads as JSON; [`read_events`](super::events::read_events) decodes them.
    ///
    /// # Errors
    /// As [`Self::lives`]; the log may not have been kept.
    events: EventRow;
}

impl FinishedRun {
    /// The rows of whatever table they are of, or some columns of them.
    ///
    /// # Errors
    /// As [`Self::lives`].
    pub(crate) fn rows<T: TableRow>(&self) -> Result<RowReader<T>> {
        RowReader::open(&self.sound_path(T::TABLE.file)?)
    }
}
