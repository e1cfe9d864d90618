//! A sample in brief, intervals, and the check that its values are numbers. They are descriptive statistics: mean, standard deviation (n −
//! 1), minimum, maximum, interval, in the unit of the values. Values are checked first, because one infinity would be the mean; most tests
//! and estimates of this crate refuse NaN, infinities, sizes above 1e90, and series without any size of 1e-90 that aren't all 0, by
//! `check`.

use crate::error::StatsError;
use morta_base::moments::{self, Moments};
use serde::{Deserialize, Serialize};

/// The largest absolute value whose cube can still be summed up.
const LARGEST: f64 = 1e90;

/// A confidence interval: its lower and upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Confidence level, in (0, 1).
    pub level: f64,
}

/// A sample in brief: its descriptive (summary) statistics.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of values.
    pub count: u64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation with divisor n − 1; `None` for a single value.
    pub standard_deviation: Option<f64>,
    /// The minimum.
    pub minimum: f64,
    /// The largest value.
    pub maximum: f64,
}

impl Summary {
    /// Sums a sample up; `subject` names it in errors (summary statistics).
    ///
    /// # Errors
    /// When it is empty or holds what is not a finite number.
    pub fn from_values(subject: &str, values: &[f64]) -> Result<Self, StatsError> {
        check(subject, values, 1)?;
        Ok(Self {
            count: values.len() as u64,
            mean: mean(values),
            standard_deviation: Moments::of(values).and_then(|moments| moments.deviation()),
            minimum: values.iter().copied().fold(f64::INFINITY, f64::min),
            maximum: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }
}

/// The smallest size of a series, unless all of it is 0: its square, 1e-180, and its cube are still far from 0 in double precision.
const SMALLEST: f64 = 1e-90;

/// Checks that every value is finite (no NaN) and at most 1e90 in size, one of them 0 or of 1e-90 or more, and that there are at least so
/// many.
///
/// # Errors
/// When there are fewer, or with the first row that is not so.
pub fn check(subject: &str, values: &[f64], needed: usize) -> Result<(), StatsError> {
    if values.len() < needed {
        return Err(StatsError::TooFew { subject: subject.to_owned(), found: values.len(), needed });
    }
    let Some(index) = values.iter().position(|value| value.is_nan() || value.abs() > LARGEST) else {
        let largest = values.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        return match largest {
            Some((index, value)) if *value != 0.0 && value.abs() < SMALLEST => {
                let (subject, row, value) = (subject.to_owned(), index + 1, format!("{value:e}"));
                Err(StatsError::TooSmall { subject, row, value })
            }
            _ => Ok(()),
        };
    };
    let (subject, row, value) = (subject.to_owned(), index + 1, format!("{:e}", values[index]));
    if values[index].is_finite() {
        return Err(StatsError::TooLarge { subject, row, value });
    }
    Err(StatsError::NotFinite { subject, row, value: values[index].to_string() })
}

/// Checks that a level or probability is strictly between 0 and 1.
///
/// # Errors
/// When it isn't.
pub fn check_share(subject: &str, value: f64) -> Result<(), StatsError> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(StatsError::OutOfRange {
        subject: subject.to_owned(),
        value: value.to_string(),
        remedy: "above 0 and below 1".to_owned(),
    })
}

/// Arithmetic mean of a sample that was checked to have at least one value (average).
pub fn mean(values: &[f64]) -> f64 {
    moments::mean(values).expect("a sample was checked to have a value")
}

/// Sample variance, with divisor n − 1 (unbiased), of a sample that was checked to have at least two values.
pub fn variance(values: &[f64]) -> f64 {
    Moments::of(values)
        .and_then(|moments| moments.variance())
        .expect("a sample was checked to have two values")
}

/// Sample covariance, with divisor n − 1, of two series that were checked to be of one length and to have at least two values.
pub fn covariance(a: &[f64], b: &[f64]) -> f64 {
    moments::covariance(a, b).expect("a sample was checked to have two values")
}

/// Whether all values are the same, exactly (rounding in the mean must not pass for spread), or so close that their variance is 0 (a
/// constant series).
pub fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1]) || variance(values) <= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// numpy 2.4.6: mean, std(ddof=1), min, max.
    #[test]
    fn a_sample_in_brief() {
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        let summary = Summary::from_values("x", &values).unwrap();
        assert_eq!((summary.mean, summary.minimum, summary.maximum, summary.count), (5.0, 2.0, 9.0, 8));
        assert!((summary.standard_deviation.unwrap() - 2.138089935299395).abs() < 1e-15);
    }

    #[test]
    fn values_that_are_no_numbers_are_refused_with_their_row() {
        let error = Summary::from_values("score", &[1.0, f64::NAN]).unwrap_err();
        assert_eq!(error.to_string(), "score, row 2: NaN is not a finite number");
        let error = Summary::from_values("score", &[]).unwrap_err();
        assert_eq!(error.to_string(), "score: 0 of them, and at least 1 are needed");
        assert!(check_share("level", f64::NAN).is_err());
    }
}
