//! The ranges that keys are moved in: the parameter range of each input factor.
//!
//! A declared range holds everything that a key can be at all, such as 1 to 1,000,000,000 ticks, and hardly any of it is of use. So a number is
//! moved by a factor around the value it has, from value/factor to value·factor, within its declared range, and evenly by logarithms where that
//! spans more than a factor of [`LOG_FROM`]. A flag takes both values, a word all that are declared. A value of 0 has no factor: such keys are moved
//! in ranges that are given, or not at all.
//!
//! A range is a uniform or log-uniform distribution of an input factor. The factor is the user's (`--factor`, by default 2, so that most
//! ranges span a factor of 4 and are log-uniform). A range from 0 or below, or of up to eight whole numbers, is never log-uniform. A range
//! that is given (`--range`) is log-uniform by the same rule, but neither clamped to the declared one nor narrowed: a point outside makes
//! the scenario invalid, and the key is skipped.

use crate::io::error::{Error, Result};
use serde_json::Value;

/// The declared range of a number (numeric bounds): `minimum` or `exclusiveMinimum`, and `maximum`, of its JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RangeBounds {
    /// The least value.
    pub low: Option<f64>,
    /// The largest.
    pub high: Option<f64>,
    /// Whether the least value itself is out.
    pub above: bool,
    /// Whether it is a whole number.
    pub integer: bool,
}

/// The parameter range in which a key is moved, uniformly or by logarithms, or the values that it takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Range {
    /// From one number to another.
    Numbers {
        /// The least.
        low: f64,
        /// The largest.
        high: f64,
        /// Whether evenly by logarithms.
        log: bool,
        /// Whether in whole numbers.
        integer: bool,
    },
    /// Between values.
    Values(Vec<Value>),
}

/// The factor from which on a range is spread by logarithms. Our choice: spread evenly from a tenth of a value to ten times it, nine tenths of the
/// points would lie above the value.
const LOG_FROM: f64 = 3.0;
/// Up to so many whole numbers are spread evenly: by logarithms, rounding would draw the small ones far more often than the large.
const FEW: f64 = 8.0;

impl RangeBounds {
    /// Reads the bounds from a key's JSON Schema (`exclusiveMinimum`, `minimum`, `maximum`); `None` where none are declared.
    pub(super) fn declared(schema: &Value, integer: bool) -> Option<Self> {
        let end = |name: &str| schema[name].as_f64();
        let above = end("exclusiveMinimum").is_some();
        let (low, high) = (end("exclusiveMinimum").or_else(|| end("minimum")), end("maximum"));
        (low.is_some() || high.is_some()).then_some(Self { low, high, above, integer })
    }

    /// The parameter range around a value, scaled by a multiplicative factor above 1 and clamped to the declared bounds; the error says why
    /// there is none.
    pub(super) fn around(&self, value: f64, factor: f64) -> Result<Range, &'static str> {
        if value == 0.0 {
            return Err("it is 0, which no factor moves");
        }
        let (mut low, mut high) = (value / factor, value * factor);
        if value < 0.0 {
            (low, high) = (high, low);
        }
        if let Some(least) = self.low {
            // An end that is excluded itself is replaced by the middle between it and the value.
            low = if self.above && low <= least { f64::midpoint(least, value) } else { low.max(least) };
        }
        high = high.min(self.high.unwrap_or(f64::INFINITY));
        if self.integer {
            (low, high) = (low.ceil(), high.floor());
        }
        if high > low {
            Ok(Range::numbers(low, high, self.integer))
        } else {
            Err("its range leaves it no room")
        }
    }
}

impl Range {
    /// Makes a numeric range, uniform or log-uniform: a log scale where it spans more than a factor of three above 0 and isn't a few whole
    /// numbers.
    pub fn numbers(low: f64, high: f64, integer: bool) -> Self {
        let few = integer && high - low < FEW;
        Self::Numbers { low, high, log: low > 0.0 && high / low > LOG_FROM && !few, integer }
    }

    /// Halves the range towards a value: each end moves to the midpoint, or by logarithms to the geometric mean; `None` where nothing is
    /// left.
    pub fn narrowed(&self, value: f64) -> Option<Self> {
        let Self::Numbers { low, high, log, integer } = *self else { return None };
        let middle = |end: f64| if log { (end * value).sqrt() } else { f64::midpoint(end, value) };
        let (mut low, mut high) = (middle(low), middle(high));
        if integer {
            (low, high) = (low.ceil(), high.floor());
        }
        (high > low).then_some(Self::Numbers { low, high, log, integer })
    }

    /// Writes the range for people: `LOW to HIGH`, or a comma-separated list of its values.
    pub fn shown(&self) -> String {
        match self {
            Self::Numbers { low, high, .. } => format!("{low} to {high}"),
            Self::Values(values) => {
                let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                values.iter().map(word).collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// The extreme values, which are tried alone: both endpoints of numbers, or all listed values.
    pub fn ends(&self) -> Vec<Value> {
        match self {
            Self::Numbers { low, high, integer: true, .. } => {
                vec![(*low as i64).into(), (*high as i64).into()]
            }
            Self::Numbers { low, high, .. } => vec![(*low).into(), (*high).into()],
            Self::Values(values) => values.clone(),
        }
    }
}

/// Range parsing of `--range KEY=A..B` or `--range KEY=A,B,C` (command-line parser); `integer` says of a key whether it is a whole number.
pub(super) fn read(text: &str, integer: impl Fn(&str) -> bool) -> Result<(String, Range)> {
    let refused = |why: &str| Error::invalid(format!("--range {text}: {why}"));
    let (key, range) = text.split_once('=').ok_or_else(|| {
        refused("must be KEY=LOW..HIGH or KEY=VALUE,VALUE, as in golem.risk_per_trade=0.01..0.04")
    })?;
    let key = key.trim();
    if let Some((low, high)) = range.split_once("..") {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        let (Some(low), Some(high)) = (number(low), number(high)) else {
            return Err(refused("both ends must be numbers"));
        };
        let integer = integer(key);
        if high <= low {
            return Err(refused("the second number must be above the first"));
        }
        if integer && high.floor() <= low.ceil() {
            return Err(refused("it must hold two whole numbers or more"));
        }
        return Ok((key.to_owned(), Range::numbers(low, high, integer)));
    }
    let value = |word: &str| {
        let word = word.trim();
        serde_json::from_str(word).unwrap_or_else(|_| Value::String(word.trim_matches('"').to_owned()))
    };
    let values: Vec<Value> = range.split(',').filter(|word| !word.trim().is_empty()).map(value).collect();
    if values.len() < 2 {
        return Err(refused("name two values or more, or a range LOW..HIGH"));
    }
    Ok((key.to_owned(), Range::Values(values)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(low: f64, high: f64, log: bool, integer: bool) -> Range {
        Range::Numbers { low, high, log, integer }
    }

    #[test]
    fn a_number_is_moved_by_a_factor_within_its_declared_range() {
        let share = RangeBounds { low: Some(0.0), high: Some(1.0), above: false, integer: false };
        assert_eq!(share.around(0.02, 2.0), Ok(numbers(0.01, 0.04, true, false)));
        assert_eq!(share.around(0.8, 2.0), Ok(numbers(0.4, 1.0, false, false)));
        assert_eq!(share.around(0.0, 2.0), Err("it is 0, which no factor moves"));
        let count = RangeBounds { low: Some(1.0), high: Some(1e9), above: false, integer: true };
        assert_eq!(count.around(1.0, 2.0), Ok(numbers(1.0, 2.0, false, true)));
        assert_eq!(count.around(300.0, 2.0), Ok(numbers(150.0, 600.0, true, true)));
        let positive = RangeBounds { low: Some(1.0), high: None, above: true, integer: false };
        assert_eq!(positive.around(1.5, 3.0), Ok(numbers(1.25, 4.5, true, false)));
        let full = RangeBounds { low: Some(1.0), high: Some(1.0), above: false, integer: true };
        assert_eq!(full.around(1.0, 2.0), Err("its range leaves it no room"));
        let below = RangeBounds { low: Some(-5.0), high: Some(5.0), above: false, integer: false };
        assert_eq!(below.around(-1.0, 2.0), Ok(numbers(-2.0, -0.5, false, false)));
    }

    #[test]
    fn narrowing_goes_half_the_way() {
        let log = numbers(1.0, 100.0, true, false).narrowed(4.0);
        assert_eq!(log, Some(numbers(2.0, 20.0, true, false)));
        assert_eq!(numbers(3.0, 5.0, false, true).narrowed(4.0), None);
        assert_eq!(Range::Values(vec![true.into(), false.into()]).narrowed(1.0), None);
    }

    #[test]
    fn flags_are_read_or_refused() {
        let read = |text| read(text, |key| key == "whole");
        assert_eq!(read("a.b=0.1..10").unwrap(), ("a.b".to_owned(), numbers(0.1, 10.0, true, false)));
        assert_eq!(read("whole=1..4").unwrap().1, numbers(1.0, 4.0, false, true));
        let values = Range::Values(vec!["x".into(), 2.into(), true.into()]);
        assert_eq!(read("k=x, 2,true").unwrap().1, values);
        for (text, why) in [
            ("a", "must be KEY=LOW..HIGH or KEY=VALUE,VALUE, as in golem.risk_per_trade=0.01..0.04"),
            ("a=1..x", "both ends must be numbers"),
            ("a=2..1", "the second number must be above the first"),
            ("whole=1.2..1.8", "it must hold two whole numbers or more"),
            ("a=x", "name two values or more, or a range LOW..HIGH"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), format!("--range {text}: {why}"));
        }
    }
}
