//! Limits of what is read of users' files before they are refused: a few kilobytes can hold gigabytes, and claim terabytes.
//!
//! Limits belong to a [`Laboratory`](crate::Laboratory) (`morta --at-most NAME=NUMBER`) and to no scenario: they decide whether a file is
//! read and change no byte of the results, so a run under larger limits is the same run. The memory tools keep theirs for the process.
//! These are resource limits against hostile input (decompression bomb): bytes or rows, each with a default. They can be raised or lowered
//! by name, because a limit that fits most files is wrong for some. Morta's own tables are read by the defaults whatever is set.

use std::fmt;
use std::str::FromStr;

morta_base::words! {
    /// A quantity of a file that is bounded, against denial of service by a huge file (resource limit).
    pub enum Limit {
        /// A line of CSV, or a row where quotes hold its line ends.
        LineBytes = "line-bytes",
        /// A file of prices, and its text when decompressed.
        BarsBytes = "bars-bytes",
        /// Rows of a file of prices.
        BarsRows = "bars-rows",
        /// A table of `morta stats`, and its text when decompressed.
        TableBytes = "table-bytes",
        /// Rows of such a table.
        TableRows = "table-rows",
        /// What the columns that are read of such a table take in memory, its texts included.
        TableMemory = "table-memory",
        /// A cell of such a table that is text.
        CellBytes = "cell-bytes",
        /// The largest pages of the columns that are read of a Parquet file together, in one row group, decompressed.
        PageBytes = "page-bytes",
        /// A log or a store of a memory, and the input of `morta score`.
        LogBytes = "log-bytes",
    }
}

const MIB: u64 = 1 << 20;

impl Limit {
    /// Describes what is bounded, as a help text for a list of limits.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::LineBytes => "a line of CSV, or a row where quotes hold line ends",
            Self::BarsBytes => "a file of prices, and its text when decompressed",
            Self::BarsRows => "rows of a file of prices",
            Self::TableBytes => "a table of `morta stats`, and its text when decompressed",
            Self::TableRows => "rows of such a table",
            Self::TableMemory => "bytes that the columns asked for of such a table take, and their texts",
            Self::CellBytes => "a text in a cell of such a table",
            Self::PageBytes => "the largest pages of a Parquet file together, decompressed",
            Self::LogBytes => "a log or a store of a memory",
        }
    }

    /// Its default: enough for what people have, and little enough that refusing takes no longer than a second or two and half a gigabyte.
    pub fn usual(self) -> u64 {
        match self {
            // A row of some ten thousand columns.
            Self::LineBytes => MIB,
            Self::BarsBytes | Self::TableBytes => 512 * MIB,
            // Bars of a minute for nine years.
            Self::BarsRows => 5_000_000,
            Self::TableRows => 2_000_000,
            Self::TableMemory | Self::PageBytes | Self::LogBytes => 256 * MIB,
            // Names and labels are far shorter, and plots and reports repeat them.
            Self::CellBytes => 10_000,
        }
    }

    /// Words the remedy for a user who wants more, as the hint at the end of an error message.
    pub fn remedy(self) -> String {
        format!("or allow more with --at-most {}=N", self.name())
    }
}

/// An override of one limit: its name and the value that was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitSetting {
    limit: Limit,
    value: u64,
}

/// Why a text of the form `NAME=NUMBER` sets no limit (parse error).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotALimit {
    /// It isn't of the form.
    #[error("must be NAME=NUMBER, as in table-rows=5M")]
    Form,
    /// There is none of that name.
    #[error("there is no limit {0}: use {names}", names = names())]
    Name(String),
    /// It is no number, or none that bounds anything.
    #[error(
        "{0}: must be a whole number from 1 on, with k, M or G for thousands, millions or thousand millions"
    )]
    Number(String),
}

fn names() -> String {
    Limit::ALL.map(Limit::name).join(", ")
}

impl FromStr for LimitSetting {
    type Err = NotALimit;

    fn from_str(text: &str) -> Result<Self, NotALimit> {
        let (name, number) = text.split_once('=').ok_or(NotALimit::Form)?;
        let limit = name.parse().map_err(|_| NotALimit::Name(name.to_owned()))?;
        let value = whole(number).filter(|value| *value > 0);
        value.map(|value| Self { limit, value }).ok_or_else(|| NotALimit::Number(number.to_owned()))
    }
}

fn whole(number: &str) -> Option<u64> {
    let (digits, times) = match number.char_indices().last()? {
        (at, 'k') => (&number[..at], 1_000),
        (at, 'M') => (&number[..at], 1_000_000),
        (at, 'G') => (&number[..at], 1_000_000_000),
        _ => (number, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(times)
}

impl fmt::Display for LimitSetting {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}={}", self.limit, self.value)
    }
}

/// All resource limits: the defaults, but for those that were set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    set: Vec<LimitSetting>,
}

impl Limits {
    /// Makes the usual limits with these overrides; of several for one limit the last counts.
    pub fn new(set: Vec<LimitSetting>) -> Self {
        Self { set }
    }

    /// The largest allowed value of a limit: the setting given last, else the default (override lookup).
    pub fn most(&self, limit: Limit) -> u64 {
        let said = self.set.iter().rev().find(|setting| setting.limit == limit);
        said.map_or_else(|| limit.usual(), |setting| setting.value)
    }

    /// The limits that were set, without the defaults, for a process that is to read the same files (overrides for a child process).
    pub fn settings(&self) -> &[LimitSetting] {
        &self.set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_read_back_as_it_is_written() {
        for (index, limit) in Limit::ALL.into_iter().enumerate() {
            let setting = LimitSetting { limit, value: 1 + index as u64 * 1_000 };
            assert_eq!(setting.to_string().parse(), Ok(setting));
        }
        let value = |text: &str| text.parse().map(|setting: LimitSetting| setting.value).ok();
        assert_eq!(value("bars-rows=5M"), Some(5_000_000));
        assert_eq!(value("line-bytes=3k"), Some(3_000));
        for wrong in [
            "", "bars-rows", "bars-rows=", "bars-rows=0", "bars-rows=-1", "bars-rows=5 M",
            "bars-rows=99999999999G",
        ] {
            assert_eq!(value(wrong), None, "{wrong}");
        }
        let message = "rows=1".parse::<LimitSetting>().unwrap_err().to_string();
        assert!(message.contains("no limit rows: use line-bytes, bars-bytes"), "{message}");
    }

    #[test]
    fn the_last_word_counts() {
        let set = ["table-rows=1", "line-bytes=7", "table-rows=2"].map(|text| text.parse().unwrap()).to_vec();
        let limits = Limits { set };
        assert_eq!(limits.most(Limit::TableRows), 2);
        assert_eq!(limits.most(Limit::LineBytes), 7);
        assert_eq!(limits.most(Limit::BarsRows), Limit::BarsRows.usual());
    }
}
