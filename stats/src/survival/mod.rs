//! Lives that may outlast their observation: right-censored survival analysis.
//!
//! A censored life counts as at risk up to and including its last moment; when deaths and censorings fall on one moment, the
//! deaths come first.

pub mod cox;
pub mod kaplan_meier;
pub mod log_rank;
pub mod proportional;
pub mod restricted_mean;

use crate::error::StatsError;
use crate::summary::check;
use serde::{Deserialize, Serialize};

/// Durations, and whether each ended in the event or was censored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lifetimes {
    durations: Vec<f64>,
    events: Vec<bool>,
}

impl Lifetimes {
    /// Checks and keeps them; `events[i]` is false for a censored life.
    ///
    /// # Errors
    /// When there are none, the lengths differ, or a duration is not finite or negative.
    pub fn new(durations: Vec<f64>, events: Vec<bool>) -> Result<Self, StatsError> {
        if durations.len() != events.len() {
            let what = "events".to_owned();
            return Err(StatsError::LengthsDiffer { what, found: events.len(), expected: durations.len() });
        }
        check("duration", &durations, 1)?;
        match durations.iter().position(|duration| *duration < 0.0) {
            Some(index) => {
                Err(StatsError::NegativeDuration { row: index + 1, value: durations[index].to_string() })
            }
            None => Ok(Self { durations, events }),
        }
    }

    /// Durations, in the order handed in.
    pub fn durations(&self) -> &[f64] {
        &self.durations
    }

    /// Whether each ended in the event.
    pub fn events(&self) -> &[bool] {
        &self.events
    }

    /// Number of lives.
    pub fn count(&self) -> usize {
        self.durations.len()
    }

    /// Number of events.
    pub fn event_count(&self) -> usize {
        self.events.iter().filter(|event| **event).count()
    }

    /// The last duration, and whether somebody is censored there.
    pub(crate) fn last(&self) -> (f64, bool) {
        let last = self.durations.iter().copied().fold(0.0, f64::max);
        let censored = self.durations.iter().zip(&self.events).any(|(t, event)| *t == last && !event);
        (last, censored)
    }

    /// How many lives reach each time, events at that very time included.
    pub fn at_risk(&self, times: &[f64]) -> Vec<u64> {
        let mut sorted = self.durations.clone();
        sorted.sort_by(f64::total_cmp);
        let reach = |time: &f64| (sorted.len() - sorted.partition_point(|t| t < time)) as u64;
        times.iter().map(reach).collect()
    }

    /// Events and censorings by distinct time, ascending.
    pub(crate) fn moments(&self) -> Vec<Moment> {
        let mut order: Vec<usize> = (0..self.count()).collect();
        order.sort_by(|a, b| self.durations[*a].total_cmp(&self.durations[*b]));
        let mut at_risk = self.count() as u64;
        let mut moments = Vec::new();
        for tied in order.chunk_by(|a, b| self.durations[*a] == self.durations[*b]) {
            let events = tied.iter().filter(|index| self.events[**index]).count() as u64;
            moments.push(Moment { time: self.durations[tied[0]], at_risk, events });
            at_risk -= tied.len() as u64;
        }
        moments
    }
}

/// What happens at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    pub time: f64,
    pub at_risk: u64,
    pub events: u64,
}

/// Lives under one name, a cohort for example.
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
        return Err(StatsError::TooFew { what: "groups".to_owned(), found: groups.len(), needed });
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
    fn what_is_no_life_is_refused_with_its_row() {
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
    fn those_who_end_at_a_time_were_at_risk_there() {
        let lives = Lifetimes::new(vec![3.0, 1.0, 3.0, 5.0], vec![true, true, false, false]).unwrap();
        assert_eq!(lives.at_risk(&[0.0, 1.0, 3.0, 3.5, 6.0]), [4, 4, 3, 1, 0]);
        assert_eq!(lives.moments()[1], Moment { time: 3.0, at_risk: 3, events: 1 });
    }
}
