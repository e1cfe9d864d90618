//! Lives that may outlast their observation: right-censored survival analysis.
//!
//! A censored life counts as at risk up to and including its last moment; when deaths and censorings fall on one moment, the
//! deaths come first. A life that was not observed from its start (left truncation, delayed entry) is at risk after its entry only.
//!
//! Times are in any unit of the caller's, weights are numbers of lives. Censored lives aren't left out, because a mean of the dead alone
//! would be too short. Sweeps, `morta compare`, reports of runs, `inspect`, `watch` and the Python binding make `Lifetimes` from records of
//! lives, without entries and weights; the command for survival tables alone reads those too.

mod compensated;
pub mod cox;
pub mod kaplan_meier;
pub mod log_rank;
mod moments;
pub mod proportional;
pub mod restricted_mean;

use crate::error::StatsError;
use crate::summary::check;
pub(crate) use moments::Moment;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Least and largest weight (range of case weights): beside a million times a million of the others, a life still counts.
pub const WEIGHTS: RangeInclusive<f64> = 1e-6..=1e6;

/// Survival data: durations, and whether each ended in the event or was censored; from when on each was observed, and its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lifetimes {
    /// Last observation of each life, 0 or more.
    durations: Vec<f64>,
    /// Whether it ended in the event; false for a censored life.
    events: Vec<bool>,
    /// From when on it was observed; `None`: all from 0 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entries: Option<Vec<f64>>,
    /// Case weights; `None`: all are 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<f64>>,
}

impl Lifetimes {
    /// Checks and keeps right-censored data; `events[i]` is false for a censored life.
    ///
    /// # Errors
    /// When there are none, the lengths differ, or a duration is not finite or negative.
    pub fn new(durations: Vec<f64>, events: Vec<bool>) -> Result<Self, StatsError> {
        check_length("events", events.len(), durations.len())?;
        check("duration", &durations, 1)?;
        check_not_negative("duration", &durations)?;
        Ok(Self { durations, events, entries: None, weights: None })
    }

    /// Adds left truncation (delayed entry): each life was observed from its entry on only, a time on the scale of the durations, and is at
    /// risk at times after it. A life that ended before could not be observed, so no life counts as at risk before its entry. An entry at 0
    /// is observation from the start.
    ///
    /// # Errors
    /// When the lengths differ, or an entry is not finite, negative, or above 0 and not before the duration.
    pub fn entered_at(self, entries: Vec<f64>) -> Result<Self, StatsError> {
        check_length("entries", entries.len(), self.count())?;
        check("entry", &entries, 1)?;
        check_not_negative("entry", &entries)?;
        match entries.iter().zip(&self.durations).position(|(entry, end)| *entry > 0.0 && entry >= end) {
            Some(index) => Err(StatsError::EntryAfterEnd {
                row: index + 1,
                entry: entries[index].to_string(),
                duration: self.durations[index].to_string(),
            }),
            None => Ok(Self { entries: Some(entries), ..self }),
        }
    }

    /// Weights the lives (case weights): in curves and the log-rank test a weight counts as that many lives, as `lifelines` has it. The Cox
    /// model's standard errors are robust then, because a weight is seldom a number of copies.
    ///
    /// # Errors
    /// When the lengths differ, or a weight is not from 1e-6 to 1e6.
    pub fn weighted(self, weights: Vec<f64>) -> Result<Self, StatsError> {
        check_length("weights", weights.len(), self.count())?;
        check("weight", &weights, 1)?;
        match weights.iter().position(|weight| !WEIGHTS.contains(weight)) {
            Some(index) => Err(StatsError::OutOfRange {
                subject: format!("weight, row {}", index + 1),
                value: weights[index].to_string(),
                remedy: format!("from {:e} to {:e}", WEIGHTS.start(), WEIGHTS.end()),
            }),
            None => Ok(Self { weights: Some(weights), ..self }),
        }
    }

    /// Selects the lives of these rows, in this order.
    ///
    /// # Errors
    /// When there are none.
    pub fn of_rows(&self, rows: &[usize]) -> Result<Self, StatsError> {
        let picked = |values: &Vec<f64>| -> Vec<f64> { rows.iter().map(|row| values[*row]).collect() };
        let events = rows.iter().map(|row| self.events[*row]).collect();
        let (entries, weights) = (self.entries.as_ref().map(picked), self.weights.as_ref().map(picked));
        Ok(Self { entries, weights, ..Self::new(picked(&self.durations), events)? })
    }

    /// The durations (survival times), in the order handed in.
    pub fn durations(&self) -> &[f64] {
        &self.durations
    }

    /// Whether each ended in the event (event indicator) or was censored.
    pub fn events(&self) -> &[bool] {
        &self.events
    }

    /// From when on each was observed (left truncation); `None`: all from the start.
    pub fn entries(&self) -> Option<&[f64]> {
        self.entries.as_deref()
    }

    /// The weight of each life (case weights); `None`: 1.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Number of lives, the sample size.
    pub fn count(&self) -> usize {
        self.durations.len()
    }

    /// Number of events among the lives, the others being censored.
    pub fn event_count(&self) -> usize {
        self.events.iter().filter(|event| **event).count()
    }

    /// The weight of a life.
    pub(crate) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// The weight of all that ended in the event.
    pub(crate) fn event_weight(&self) -> f64 {
        (0..self.count()).filter(|row| self.events[*row]).map(|row| self.weight(row)).sum()
    }

    /// The entry of a life that wasn't observed from the start.
    pub(crate) fn late_entry(&self, row: usize) -> Option<f64> {
        self.entries.as_ref().map(|entries| entries[row]).filter(|entry| *entry > 0.0)
    }

    /// The last duration, and whether a life is censored there.
    pub(crate) fn last(&self) -> (f64, bool) {
        let last = self.durations.iter().copied().fold(0.0, f64::max);
        let censored = self.durations.iter().zip(&self.events).any(|(t, event)| *t == last && !event);
        (last, censored)
    }

    /// The number at risk: lives under observation at each time, events at that very time included.
    pub fn at_risk(&self, times: &[f64]) -> Vec<u64> {
        let sorted = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values
        };
        let ends = sorted(self.durations.clone());
        let entries = sorted((0..self.count()).filter_map(|row| self.late_entry(row)).collect());
        // A life that has ended before a time entered before it too.
        let before = |time: &f64| ends.partition_point(|end| end < time);
        let yet_to_come = |time: &f64| entries.len() - entries.partition_point(|entry| entry < time);
        times.iter().map(|time| (ends.len() - before(time) - yet_to_come(time)) as u64).collect()
    }
}

fn check_length(subject: &str, found: usize, expected: usize) -> Result<(), StatsError> {
    if found == expected {
        return Ok(());
    }
    Err(StatsError::LengthsDiffer { subject: subject.to_owned(), found, expected })
}

fn check_not_negative(subject: &str, values: &[f64]) -> Result<(), StatsError> {
    match values.iter().position(|value| *value < 0.0) {
        Some(index) => Err(StatsError::Negative {
            subject: subject.to_owned(),
            row: index + 1,
            value: values[index].to_string(),
        }),
        None => Ok(()),
    }
}

/// Lives under one name, a cohort or treatment arm for example (a stratum).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its lives.
    pub lifetimes: Lifetimes,
}

/// At least so many groups, no name twice.
pub(crate) fn check_groups(groups: &[Group], needed: usize) -> Result<(), StatsError> {
    if groups.len() < needed {
        return Err(StatsError::TooFew { subject: "groups".to_owned(), found: groups.len(), needed });
    }
    let mut names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(StatsError::GroupTwice(pair[0].to_owned())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_lives_are_refused_with_their_row() {
        for (durations, events, expected) in [
            (vec![1.0, -2.0], vec![true, true], "duration, row 2: -2 is negative"),
            (vec![f64::INFINITY], vec![true], "duration, row 1: inf is not a finite number"),
            (vec![1.0], vec![], "events: 0 rows where 1 are expected"),
            (vec![], vec![], "duration: 0 of them, and at least 1 are needed"),
        ] {
            assert_eq!(Lifetimes::new(durations, events).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn lives_that_end_at_a_time_were_at_risk_then() {
        let lives = Lifetimes::new(vec![3.0, 1.0, 3.0, 5.0], vec![true, true, false, false]).unwrap();
        assert_eq!(lives.at_risk(&[0.0, 1.0, 3.0, 3.5, 6.0]), [4, 4, 3, 1, 0]);
        assert_eq!(
            lives.moments()[1],
            Moment { time: 3.0, at_risk: 3, events: 1, censored: 1, deaths: 1.0, left: 2.0 }
        );
    }
}
