//! Validation errors of a value, a line of a log, a row of an export or a question, with field, value and remedy. They don't name a place,
//! because it is a line for a log and an argument for a server: the caller adds it. A row or line with such an error is skipped and
//! counted, unless the reading is strict; a question fails as a whole.

use morta_memories::owm::semantic::BeliefError;
use morta_memories::owm::trigger::TriggerError;
use serde_json::Value;

/// The message of a JSON parser without the place, which is named in front of it.
pub(super) fn without_place(error: &serde_json::Error) -> String {
    let what = error.to_string();
    what.rsplit_once(" at line ").map_or(what.clone(), |(what, _)| what.to_owned())
}

/// Why a given value is refused (validation error).
#[derive(Debug, thiserror::Error)]
pub enum Mistake {
    /// A number outside of its range.
    #[error("{name} = {value}: must be a number from {low} to {high}")]
    OutOfRange {
        /// Its field.
        name: String,
        /// The number.
        value: f64,
        /// The lower bound, allowed.
        low: f64,
        /// The upper bound, allowed.
        high: f64,
    },
    /// A number whose square, summed over a store's trades, would overflow, or whose inverse would.
    #[error("{name} = {value}: must be 0, or from 1e-30 to 1e30 in size")]
    TooFar {
        /// Its field.
        name: String,
        /// The number.
        value: Value,
    },
    /// A moment that can't be read.
    #[error("{name} = {value}: must be a moment like 2026-02-01T14:00:00Z")]
    NoMoment {
        /// Its field.
        name: String,
        /// The refused value.
        value: Value,
    },
    /// A moment outside 1900 to 2200: mostly one in another unit.
    #[error(
        "{name} = {value}: is before 1900 or after 2200 in seconds since 1970: give seconds{}",
        unit(value)
    )]
    FarMoment {
        /// Its field.
        name: String,
        /// The refused value.
        value: Value,
    },
    /// A field of a context holds a list or an object.
    #[error("context.{0}: must be a text, a number, true, false or null")]
    NoScalar(String),
    /// A drawdown that isn't a share.
    #[error("context.drawdown_pct = {0}: must be a share from 0 to 1")]
    NoDrawdown(f64),
    /// A field of a context holds a word outside its vocabulary.
    #[error("context.{name}: {source}")]
    NoLabel {
        /// The field.
        name: String,
        /// The error, which lists the vocabulary.
        source: serde_json::Error,
    },
    /// An id that is neither a text nor a number.
    #[error("id = {0}: must be a text or a number")]
    NoId(Value),
    /// An id that names an earlier, different trade.
    #[error("id = {0}: was taken in before: every id once")]
    IdAgain(String),
    /// An id that a list has twice.
    #[error("memories[{place}]: id = {id}: is there twice: every id once")]
    IdTwice {
        /// The second place in the list, from 0.
        place: usize,
        /// The id.
        id: Value,
    },
    /// Lots need equity, stop and tick value; only some were given.
    #[error("equity, stop and tick_value: give all three for lots, or none")]
    HalfSized,
    /// A choice of memories from a store, without a store.
    #[error("strategy_name, symbol and memory_types choose from a store: give --store, or leave them out")]
    ChoosesWithoutStore,
    /// Neither a list of memories nor a store.
    #[error("memories: missing; give a list of them, or --store")]
    NoMemories,
    /// Both a list of memories and a store.
    #[error("memories: they are in the store; leave the list out, or --store")]
    MemoriesAndStore,
    /// A strategy or symbol that the store doesn't hold.
    #[error("{key} = {name}: the store knows {known}")]
    UnknownName {
        /// The field.
        key: &'static str,
        /// The name.
        name: String,
        /// The known names, separated by commas.
        known: String,
    },
    /// More strategies or symbols than a store can number.
    #[error("{0}: more than 65,536 names")]
    TooManyNames(String),
    /// An episode that the store doesn't hold.
    #[error("episode {0}: isn't in the store")]
    NoEpisode(String),
    /// A line that isn't text.
    #[error("isn't UTF-8")]
    NotText,
    /// A line that isn't JSON.
    #[error("column {column}: {what}")]
    NotJson {
        /// The column, from 1.
        column: usize,
        /// The parser's message.
        what: String,
    },
    /// An object that lacks a field, has an unknown one, or one of another type.
    #[error(transparent)]
    Shape(#[from] serde_json::Error),
    /// A line without a moment.
    #[error("timestamp: missing")]
    NoTimestamp,
    /// An action that isn't one.
    #[error(
        "action = {0}: must be remember_trade, close_trade, update_equity, seed_belief, reflect, create_trading_plan, carry_out_plan, cancel_plan or expire_plan"
    )]
    UnknownAction(Value),
    /// A confidence without a sample size, or the reverse.
    #[error("confidence and sample_size: give both, or neither")]
    HalfAPattern,
    /// A close of a trade that isn't open.
    #[error("id = {0}: isn't open: it was closed before, or forgotten")]
    NotOpen(String),
    /// The id of an open trade, reported again with another strategy, symbol or direction.
    #[error("id = {0}: is an open trade of another strategy, symbol or direction: every id once")]
    AnotherTrade(String),
    /// A close without a price, a profit or an R.
    #[error("id = {0}: give exit_price, pnl or pnl_r")]
    NoOutcome(String),
    /// A value that isn't a number.
    #[error("{name} = {value}: must be a number")]
    NotANumber {
        /// Its field.
        name: String,
        /// The refused value.
        value: Value,
    },
    /// A mandatory column that is missing.
    #[error("{0}: missing: there is no such column or field, or it says nothing")]
    NoColumn(&'static str),
    /// A cell of a database that holds bytes.
    #[error("{0} holds bytes that are no text")]
    NoText(String),
    /// A direction outside the vocabulary.
    #[error("direction = {0:?}: must be long, short, buy or sell")]
    NoDirection(String),
    /// A row with more or fewer cells than the header.
    #[error("{found} cells, but the header has {expected}")]
    OtherColumns {
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A zone that the IANA database doesn't have.
    #[error("--zone {0:?}: is no zone of the IANA database: give UTC, or a name like Europe/Berlin")]
    NoZone(String),
    /// A pattern without any of the fields that say what it is of: a file of patterns has fewer of them than a reflection.
    #[error("a pattern must say what it is of: give {0}")]
    PatternOfNothing(&'static str),
    /// A trigger that can't be read.
    #[error("{key}: {source}")]
    Trigger {
        /// The field.
        key: &'static str,
        /// The parser's error.
        source: TriggerError,
    },
    /// A belief with an invalid distribution or scope.
    #[error(transparent)]
    Belief(#[from] BeliefError),
    /// A plan that the store doesn't hold.
    #[error("plan = {0}: isn't in the store")]
    NoPlan(u32),
    /// A plan that has ended.
    #[error("plan = {0}: isn't active any more")]
    PlanIsOver(u32),
    /// A row of an export that isn't a trade, such as a deposit.
    #[error("is no trade: {0}")]
    NotATrade(&'static str),
}

/// Returns a number if it lies in a range, bounds included (range check).
///
/// # Errors
/// [`Mistake::OutOfRange`] when it doesn't, or is NaN.
pub fn within(name: &str, value: f64, low: f64, high: f64) -> Result<f64, Mistake> {
    if (low..=high).contains(&value) {
        Ok(value)
    } else {
        Err(Mistake::OutOfRange { name: name.to_owned(), value, low, high })
    }
}

/// As [`within`], for a number that may be missing.
///
/// # Errors
/// As [`within`].
pub(super) fn within_if_given(name: &str, value: Option<f64>, low: f64, high: f64) -> Result<(), Mistake> {
    value.map_or(Ok(()), |value| within(name, value, low, high).map(drop))
}

/// Parses a mandatory timestamp, in seconds since 1970.
///
/// # Errors
/// [`Mistake::NoMoment`] when it can't be read; [`Mistake::FarMoment`] when it lies outside 1900 to 2200.
pub fn moment(name: &str, value: &Value) -> Result<f64, Mistake> {
    let moment_s = super::context::moment_s(value)
        .ok_or_else(|| Mistake::NoMoment { name: name.to_owned(), value: value.clone() })?;
    if !MOMENTS_S.contains(&moment_s) {
        return Err(Mistake::FarMoment { name: name.to_owned(), value: value.clone() });
    }
    Ok(moment_s)
}

/// 1900 to 2200. A moment in milliseconds would lie thousands of years ahead, and every later trade would count as a late one.
const MOMENTS_S: std::ops::Range<f64> = -2_208_988_800.0..7_258_118_400.0;

/// The unit in which a number would be a moment near the present. 1e11 s is the year 5138; 1e11 ms is 1973, so the ranges of the units don't overlap
/// for moments since 1973.
fn unit(value: &Value) -> &'static str {
    let size = value.as_f64().unwrap_or(0.0).abs();
    match size {
        _ if size < 1e11 => "",
        _ if size < 1e14 => " (these look like milliseconds)",
        _ if size < 1e17 => " (these look like microseconds)",
        _ => " (these look like nanoseconds)",
    }
}
