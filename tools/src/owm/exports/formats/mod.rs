//! The format registry of the import: one file for each known program, and the type `Format` that describes an export. `exports::read`
//! takes the first format whose signature any table of the file has (for trades; none is tried for patterns); without one the table is read
//! by the general column aliases, as `NAMED_COLUMNS` or `NAMED_FILLS`. Format detection goes by column names and not by the file's name,
//! because users rename files. Column keys are compared in lower case, without signs and without a currency at the end.

mod backtesting;
mod backtrader;
mod binance;
mod brokers;
mod bybit;
mod freqtrade;
mod metatrader;
mod projectx;
mod quantconnect;
mod tradememory;
mod tradenote;
mod tradetally;
mod tradingview;
mod tradovate;
mod vectorbt;

pub(super) use backtrader::transactions as backtrader_transactions;
pub(super) use tradingview::joined;

use super::columns::Values;
use super::moments::DateOrder;
use crate::owm::mistake::Mistake;

/// The meaning of a row: a round-trip trade, a fill (execution), or one half of a trade, its entry or its exit. Fills may open a short
/// position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A trade.
    Trades,
    /// A fill, to be paired.
    Fills {
        /// Whether a sale without a purchase opens a short position.
        shorts: bool,
    },
    /// The entry or the exit of a trade; the two have one number.
    Halves,
}

/// An export format of a program: the columns by which it is recognised, and what its rows mean.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The program and the kind of export.
    pub name: &'static str,
    /// Keys of columns by which it is recognised, separated by spaces: all keys of any of these texts.
    pub signatures: &'static [&'static str],
    /// Keys of columns with our names, `key=name key=name`, in the order of precedence. A key without a name isn't read, so that no general name
    /// applies to it.
    pub columns: &'static str,
    /// The meaning of a row.
    pub shape: Shape,
    /// Whether dates with two-digit years begin with the year.
    pub has_short_years: bool,
    /// The order of day and month in ambiguous dates: a program of one country writes one order only.
    pub dates: Option<DateOrder>,
    /// Converts a row's own conventions to ours.
    pub finish: fn(&mut Values) -> Result<(), Mistake>,
    /// A remark on its trades for the user.
    pub remark: Option<&'static str>,
}

/// A table of an unknown program whose columns have known names (fallback).
pub(crate) const NAMED_COLUMNS: Format = Format {
    name: "columns by their names",
    signatures: &[],
    columns: "",
    shape: Shape::Trades,
    has_short_years: false,
    dates: None,
    finish: |_| Ok(()),
    remark: None,
};

/// As [`NAMED_COLUMNS`], with a fill a row.
pub(crate) const NAMED_FILLS: Format = Format {
    name: "fills by the names of their columns",
    shape: Shape::Fills { shorts: true },
    ..NAMED_COLUMNS
};

/// Removes the end from a trade that is still open: its program writes the present price and moment there.
fn reopened(row: &mut Values) {
    for name in ["exit_timestamp", "exit_price", "pnl"] {
        row.remove(name);
    }
}

/// All known formats (format registry). Special ones come before general ones, because the first match is taken.
pub(super) fn known() -> impl Iterator<Item = &'static Format> {
    let all: [&[Format]; 15] = [
        tradememory::FORMATS,
        metatrader::FORMATS,
        freqtrade::FORMATS,
        vectorbt::FORMATS,
        quantconnect::FORMATS,
        backtrader::FORMATS,
        backtesting::FORMATS,
        projectx::FORMATS,
        tradenote::FORMATS,
        tradovate::FORMATS,
        tradingview::FORMATS,
        binance::FORMATS,
        bybit::FORMATS,
        brokers::FORMATS,
        tradetally::FORMATS,
    ];
    all.into_iter().flatten()
}

impl Format {
    /// The column aliases of the format: pairs of a key and our name.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.columns.split_whitespace().filter_map(|column| column.split_once('='))
    }

    /// Whether columns with these keys belong to this format (format detection): all keys of one signature are there; other columns don't
    /// matter.
    pub fn matches(&self, keys: &[String]) -> bool {
        let has = |wanted: &str| {
            keys.iter().any(|key| key == wanted || super::names::without_currency(key) == Some(wanted))
        };
        self.signatures.iter().any(|signature| signature.split_whitespace().all(has))
    }
}
