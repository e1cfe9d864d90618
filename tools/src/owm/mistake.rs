//! What can be wrong with a value, a line of a log or a question; its file and line are told by whoever reads them.

use morta_memories::owm::semantic::BeliefError;
use morta_memories::owm::trigger::TriggerError;
use serde_json::Value;

/// Why something that was given can't be taken.
#[derive(Debug, thiserror::Error)]
pub enum Mistake {
    /// A number outside of its range.
    #[error("{name} = {value}: must be a number from {low} to {high}")]
    OutOfRange {
        /// What it is.
        name: String,
        /// The number.
        value: f64,
        /// The least it may be.
        low: f64,
        /// The most it may be.
        high: f64,
    },
    /// A number whose square, summed over a store's trades, could not be kept any more, or by whose inverse one could not.
    #[error("{name} = {value}: must be 0, or from 1e-30 to 1e30 in size")]
    TooFar {
        /// What it is.
        name: String,
        /// The number.
        value: Value,
    },
    /// A moment that can't be read.
    #[error("{name} = {value}: must be a moment like 2026-02-01T14:00:00Z")]
    NoMoment {
        /// What it is.
        name: String,
        /// What was given.
        value: Value,
    },
    /// A moment that is no moment of a trade: mostly one in another unit.
    #[error(
        "{name} = {value}: is before 1900 or after 2200 in seconds since 1970: give seconds{}",
        unit(value)
    )]
    FarMoment {
        /// What it is.
        name: String,
        /// What was given.
        value: Value,
    },
    /// A field of a context holds a list or an object.
    #[error("context.{0}: must be a text, a number, true, false or null")]
    NoScalar(String),
    /// A field of a context holds no number.
    #[error("context.{name} = {value}: must be a number")]
    NoNumber {
        /// The field.
        name: String,
        /// What it holds.
        value: Value,
    },
    /// A loss from the last peak that is no share.
    #[error("context.drawdown_pct = {0}: must be a share from 0 to 1")]
    NoDrawdown(f64),
    /// A field of a context holds a word that isn't one of its words.
    #[error("context.{name}: {source}")]
    NoLabel {
        /// The field.
        name: String,
        /// Which words there are.
        source: serde_json::Error,
    },
    /// An id that is neither a text nor a number.
    #[error("id = {0}: must be a text or a number")]
    NoId(Value),
    /// An id that has come before.
    #[error("id = {0}: was taken in before: every id once")]
    IdAgain(String),
    /// An id that a list has twice.
    #[error("memories[{place}]: id = {id}: is there twice: every id once")]
    IdTwice {
        /// Its second place in the list.
        place: usize,
        /// The id.
        id: Value,
    },
    /// Lots need three figures.
    #[error("equity, stop and tick_value: give all three for lots, or none")]
    HalfSized,
    /// What chooses from a store was given without one.
    #[error("strategy_name, symbol and memory_types choose from a store: give --store, or leave them out")]
    ChoosesWithoutStore,
    /// There is nothing to recall from.
    #[error("memories: missing; give a list of them, or --store")]
    NoMemories,
    /// There are two things to recall from.
    #[error("memories: they are in the store; leave the list out, or --store")]
    MemoriesAndStore,
    /// A name that the store hasn't met.
    #[error("{key} = {name}: the store knows {known}")]
    UnknownName {
        /// What it names.
        key: &'static str,
        /// The name.
        name: String,
        /// Those there are, with commas.
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
        /// Where in the line, from 1.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// An object that lacks a field, has one too many, or one of another type.
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
    /// Half of a pattern's evidence.
    #[error("confidence and sample_size: give both, or neither")]
    HalfAPattern,
    /// An end of a trade that isn't open.
    #[error("id = {0}: isn't open: it was closed before, or forgotten")]
    NotOpen(String),
    /// A trade that is told of again as another one.
    #[error("id = {0}: is an open trade of another strategy, symbol or direction: every id once")]
    AnotherTrade(String),
    /// An end of a trade that says nothing of it.
    #[error("id = {0}: give exit_price, pnl or pnl_r")]
    NoOutcome(String),
    /// A value that is no number.
    #[error("{name} = {value}: must be a number")]
    NotANumber {
        /// What it is.
        name: String,
        /// What was given.
        value: Value,
    },
    /// A column that is needed.
    #[error("{0}: missing: there is no such column or field, or it says nothing")]
    NoColumn(&'static str),
    /// A cell of a database that holds bytes.
    #[error("{0} holds bytes that are no text")]
    NoText(String),
    /// A side that isn't one.
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
    /// A row that is no CSV.
    #[error("{0}")]
    NotCsv(String),
    /// A zone that the IANA database doesn't have.
    #[error("--zone {0:?}: is no zone of the IANA database: give UTC, or a name like Europe/Berlin")]
    NoZone(String),
    /// A reflection on nothing.
    #[error("a pattern must say what it is of: give regime, strategy or symbol")]
    PatternOfNothing,
    /// A trigger that can't be read.
    #[error("{key}: {source}")]
    Trigger {
        /// The field it is in.
        key: &'static str,
        /// What is wrong with it.
        source: TriggerError,
    },
    /// A belief that can't be held.
    #[error(transparent)]
    Belief(#[from] BeliefError),
    /// A plan that the store doesn't hold.
    #[error("plan = {0}: isn't in the store")]
    NoPlan(u32),
    /// A plan that is over.
    #[error("plan = {0}: isn't active any more")]
    PlanIsOver(u32),
    /// A row of an export that is none of its trades.
    #[error("is no trade: {0}")]
    NotATrade(&'static str),
}

/// A number that must lie in a range.
///
/// # Errors
/// [`Mistake::OutOfRange`] when it doesn't, or isn't a number.
pub fn within(name: &str, value: f64, low: f64, high: f64) -> Result<f64, Mistake> {
    if (low..=high).contains(&value) {
        Ok(value)
    } else {
        Err(Mistake::OutOfRange { name: name.to_owned(), value, low, high })
    }
}

/// A number that may be missing and must lie in a range if it isn't.
///
/// # Errors
/// As [`within`].
pub(super) fn within_if_given(name: &str, value: Option<f64>, low: f64, high: f64) -> Result<(), Mistake> {
    value.map_or(Ok(()), |value| within(name, value, low, high).map(drop))
}

/// A moment that must be readable, in seconds since 1970.
///
/// # Errors
/// [`Mistake::NoMoment`] when it isn't.
pub fn moment(name: &str, value: &Value) -> Result<f64, Mistake> {
    let moment_s = super::context::moment_s(value)
        .ok_or_else(|| Mistake::NoMoment { name: name.to_owned(), value: value.clone() })?;
    if !MOMENTS_S.contains(&moment_s) {
        return Err(Mistake::FarMoment { name: name.to_owned(), value: value.clone() });
    }
    Ok(moment_s)
}

/// 1900 to 2200. A moment in another unit would make everything after it late.
const MOMENTS_S: std::ops::Range<f64> = -2_208_988_800.0..7_258_118_400.0;

/// The unit that a number would be a moment of our time in.
fn unit(value: &Value) -> &'static str {
    let size = value.as_f64().unwrap_or(0.0).abs();
    match size {
        _ if size < 1e11 => "",
        _ if size < 1e14 => " (these look like milliseconds)",
        _ if size < 1e17 => " (these look like microseconds)",
        _ => " (these look like nanoseconds)",
    }
}
