//! The programs whose exports are known: one file each, and what all of them say of theirs.

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

pub use backtrader::transactions as backtrader_transactions;
pub use tradingview::joined;

use super::columns::Values;
use super::moments::DateOrder;
use crate::owm::mistake::Mistake;

/// What a row of an export is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A trade.
    Trades,
    /// A fill, to be paired; whether a sale of what wasn't bought opens a short.
    Fills {
        /// It does where positions can be short.
        shorts: bool,
    },
    /// The entry or the exit of a trade, of one number.
    Halves,
}

/// An export of a program.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The program, and which export of it.
    pub name: &'static str,
    /// Keys of columns by which it is known: all of any of these lists.
    pub signatures: &'static [&'static [&'static str]],
    /// Keys of columns with our names for them, `key=name key=name`, in the order in which they are asked; a key without a name is looked at by
    /// nobody.
    pub columns: &'static str,
    /// What a row is.
    pub shape: Shape,
    /// Whether dates with years of two digits begin with them.
    pub has_short_years: bool,
    /// The order of day and month where its dates read both ways: a program of one country knows no other.
    pub dates: Option<DateOrder>,
    /// Makes a row's values ours.
    pub finish: fn(&mut Values) -> Result<(), Mistake>,
    /// What is to be known of its trades.
    pub remark: Option<&'static str>,
}

/// A table whose columns have names that are known, of nobody in particular.
pub const NAMED_COLUMNS: Format = Format {
    name: "columns by their names",
    signatures: &[],
    columns: "",
    shape: Shape::Trades,
    has_short_years: false,
    dates: None,
    finish: |_| Ok(()),
    remark: None,
};

/// The same, of fills.
pub const NAMED_FILLS: Format = Format {
    name: "fills by the names of their columns",
    shape: Shape::Fills { shorts: true },
    ..NAMED_COLUMNS
};

/// Those that are known, the more particular first.
pub fn known() -> impl Iterator<Item = &'static Format> {
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
    /// Keys of columns with our names for them.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.columns.split_whitespace().filter_map(|column| column.split_once('='))
    }

    /// Whether a table with columns of these keys is of it.
    pub fn is_of(&self, keys: &[String]) -> bool {
        let has = |wanted: &&str| {
            keys.iter().any(|key| key == wanted || super::names::without_currency(key) == Some(*wanted))
        };
        self.signatures.iter().any(|signature| signature.iter().all(has))
    }
}
