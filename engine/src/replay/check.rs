//! Collects what is wrong with a group of settings.

use crate::base::Problem;
use std::fmt::Display;

/// Checks settings one by one and keeps what fails.
pub(crate) struct Checker<'a> {
    prefix: String,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Checker<'a> {
    /// For settings under a key; what fails is added to `problems`.
    pub(crate) fn new(prefix: &str, problems: &'a mut Vec<Problem>) -> Self {
        Self { prefix: prefix.to_owned(), problems }
    }

    /// For a group within these settings.
    pub(crate) fn under(&mut self, group: &str) -> Checker<'_> {
        Checker { prefix: format!("{}.{group}", self.prefix), problems: self.problems }
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn within(&mut self, key: &str, value: f64, low: f64, high: f64) {
        if !(low..=high).contains(&value) {
            self.add(key, value, format!("use {low} to {high}"));
        }
    }

    /// A number above `low`, to `high`.
    pub(crate) fn above(&mut self, key: &str, value: f64, low: f64, high: f64) {
        if value.is_nan() || value <= low || value > high {
            let upper = if high == f64::MAX { String::new() } else { format!(", at most {high}") };
            self.add(key, value, format!("use a number above {low}{upper}"));
        }
    }

    /// A whole number from `low` to `high`.
    pub(crate) fn count(&mut self, key: &str, value: u64, low: u64, high: u64) {
        if !(low..=high).contains(&value) {
            let remedy = match high {
                u64::MAX => format!("use at least {low}"),
                _ => format!("use {low} to {high}"),
            };
            self.add(key, value, remedy);
        }
    }

    fn add(&mut self, key: &str, value: impl Display, remedy: String) {
        let problem = Problem { key: format!("{}.{key}", self.prefix), value: value.to_string(), remedy };
        self.problems.push(problem);
    }
}
