//! The rule that a declaration gives for a key's values: an interval with its unit (range validation), or lengths of lists. `keys!` makes
//! the rules, checks values with them and writes them into the JSON Schema. The unit is a text for messages and documentation; nothing is
//! converted by it. NaN is in no interval. Rules are types, so that a key without one doesn't compile.

use crate::check::TableChecker;
use serde_json::{Value, json};
use std::fmt::Display;
use std::ops::{RangeFrom, RangeInclusive};

/// A numeric type that keys may hold.
pub trait Number: Copy + PartialOrd + Display + Into<Value> {
    /// Its least value, if it goes below zero: as a lower end that is no limit.
    const LEAST: Option<Self>;
    /// Its largest value: as an upper end it is no limit.
    const LARGEST: Self;
    /// What its values are called.
    const NOUN: &str;
}

/// A numeric interval: numbers from `low` to `high`; `high` is in it, `low` unless the interval is open there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval<T> {
    low: T,
    high: T,
    is_open: bool,
}

impl<T: Number> Interval<T> {
    fn contains(&self, value: T) -> bool {
        // Written so that a NaN is in no interval: its comparisons are all false, where `!(value < low)` would let it in.
        (self.low < value || (!self.is_open && self.low == value)) && value <= self.high
    }

    fn has_lower_end(&self) -> bool {
        T::LEAST.is_none_or(|least| self.low > least)
    }

    fn has_upper_end(&self) -> bool {
        self.high < T::LARGEST
    }

    /// As `a number above 0, at most 1`.
    fn described(&self) -> String {
        let (noun, low, high) = (T::NOUN, self.low, self.high);
        if !self.has_lower_end() && !self.has_upper_end() {
            return noun.to_owned();
        }
        match (self.is_open, self.has_upper_end()) {
            (false, true) => format!("{noun} from {low} to {high}"),
            (false, false) => format!("{noun} of at least {low}"),
            (true, true) => format!("{noun} above {low}, at most {high}"),
            (true, false) => format!("{noun} above {low}"),
        }
    }
}

impl<T> From<RangeInclusive<T>> for Interval<T> {
    fn from(range: RangeInclusive<T>) -> Self {
        let (low, high) = range.into_inner();
        Self { low, high, is_open: false }
    }
}

impl<T: Number> From<RangeFrom<T>> for Interval<T> {
    fn from(range: RangeFrom<T>) -> Self {
        Self { low: range.start, high: T::LARGEST, is_open: false }
    }
}

/// Makes the open interval of numbers above this one, which is not in it, up to the largest.
pub fn above(low: f64) -> Interval<f64> {
    Interval { low, high: f64::MAX, is_open: true }
}

impl Interval<f64> {
    /// The same interval, only as far as this upper bound, which is in it.
    pub fn to(self, high: f64) -> Self {
        Self { high, ..self }
    }
}

/// The rule of a numeric key: numbers of an interval (range), in a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within<T> {
    interval: Interval<T>,
    unit: &'static str,
}

impl<T: Number> Within<T> {
    /// Makes the rule of numbers of this interval (range) in this unit.
    pub fn new(interval: impl Into<Interval<T>>, unit: &'static str) -> Self {
        Self { interval: interval.into(), unit }
    }

    pub(super) fn check(&self, value: T, name: &str, table: &mut TableChecker<'_>) {
        let remedy = || format!("must be {} ({})", self.interval.described(), self.unit);
        table.demand_else(self.interval.contains(value), name, value, remedy);
    }

    pub(super) fn declare(&self, schema: &mut Value) {
        let Interval { low, high, is_open } = self.interval;
        if let Some(keys) = schema.as_object_mut() {
            // What the type alone allows goes: an editor should show the range.
            for bound in ["minimum", "maximum"] {
                keys.shift_remove(bound);
            }
        }
        if self.interval.has_lower_end() {
            schema[if is_open { "exclusiveMinimum" } else { "minimum" }] = low.into();
        }
        if self.interval.has_upper_end() {
            schema["maximum"] = high.into();
        }
        schema["x-unit"] = json!(self.unit);
    }
}

/// The rule of a list: its length, and a rule for each entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<R> {
    pub(super) lengths: RangeInclusive<usize>,
    pub(super) each: R,
}

impl<R> Listed<R> {
    /// Makes the rule of a list of so many entries, each by this rule.
    pub fn new(lengths: RangeInclusive<usize>, each: R) -> Self {
        Self { lengths, each }
    }

    pub(super) fn check(&self, length: usize, name: &str, table: &mut TableChecker<'_>) {
        let (low, high) = (self.lengths.start(), self.lengths.end());
        let remedy = || match (low, high) {
            (_, &usize::MAX) => format!("must have at least {low} entries"),
            (0, _) => format!("must have at most {high} entries"),
            _ => format!("must have {low} to {high} entries"),
        };
        table.demand_else(self.lengths.contains(&length), name, format!("{length} entries"), remedy);
    }

    pub(super) fn declare(&self, schema: &mut Value) {
        if *self.lengths.start() > 0 {
            schema["minItems"] = json!(self.lengths.start());
        }
        if *self.lengths.end() < usize::MAX {
            schema["maxItems"] = json!(self.lengths.end());
        }
    }
}

/// No rule (no validation) but that of the type: flags, words, texts, and tables, whose keys have rules of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free;
