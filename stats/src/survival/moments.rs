//! Risk sets: the lives at risk at each time, and the deaths then. Curves, restricted means and the log-rank test are computed from them.
//! It is the number at risk and the number of events (life table) by time. One routine makes them for all of these, so that late entries
//! and weights are handled alike: counts are numbers of lives, `deaths` and `left` their weights.

use super::compensated::Compensated;
use crate::error::StatsError;
use crate::survival::Lifetimes;

/// What happens at one time, in lives and in what they weigh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moment {
    /// The time.
    pub time: f64,
    /// Lives under observation that reach it.
    pub at_risk: u64,
    /// Lives that end in the event at it.
    pub events: u64,
    /// Lives that are censored at it.
    pub censored: u64,
    /// The weight of lives that end.
    pub deaths: f64,
    /// The weight of lives at risk that don't end.
    pub left: f64,
}

impl Moment {
    /// The weighted number at risk (risk set).
    pub(crate) fn risk(&self) -> f64 {
        self.left + self.deaths
    }

    /// The share of those at risk that lives on (conditional survival).
    pub(crate) fn surviving(&self) -> f64 {
        1.0 - self.deaths / self.risk()
    }
}

impl Lifetimes {
    /// Events and censorings by distinct time, ascending.
    pub(crate) fn moments(&self) -> Vec<Moment> {
        let mut times = self.durations.clone();
        times.sort_by(f64::total_cmp);
        times.dedup();
        self.moments_at(&times)
    }

    /// The risk sets at these ascending times.
    pub(crate) fn moments_at(&self, times: &[f64]) -> Vec<Moment> {
        let by = |key: &dyn Fn(&usize) -> f64, mut rows: Vec<usize>| {
            rows.sort_by(|a, b| key(a).total_cmp(&key(b)));
            rows
        };
        let entry = |row: &usize| self.late_entry(*row).unwrap_or(0.0);
        let mut ending = by(&|row| self.durations[*row], (0..self.count()).collect());
        let mut entering =
            by(&entry, (0..self.count()).filter(|row| self.late_entry(*row).is_some()).collect());
        let (mut at_risk, mut risk) = (0_u64, Compensated::default());
        // From the last time back: a life that ends is added, a life that enters is removed. Lives that end at a time are added last, so that what is left by
        // them is a sum and not a difference.
        let here = |time: &f64| {
            let mut moment = Moment { time: *time, ..Moment::default() };
            while let Some(row) = ending.pop_if(|row| self.durations[*row] >= *time) {
                at_risk += 1;
                if self.durations[row] > *time || !self.events[row] {
                    moment.censored += u64::from(self.durations[row] == *time);
                    risk.add(self.weight(row));
                } else {
                    moment.events += 1;
                    moment.deaths += self.weight(row);
                }
            }
            while let Some(row) = entering.pop_if(|row| entry(row) >= *time) {
                at_risk -= 1;
                risk.add(-self.weight(row));
            }
            moment.at_risk = at_risk;
            moment.left = if at_risk > moment.events { risk.value() } else { 0.0 };
            risk.add(moment.deaths);
            moment
        };
        let mut moments: Vec<Moment> = times.iter().rev().map(here).collect();
        moments.reverse();
        moments
    }

    /// That a curve says something of those who enter late.
    ///
    /// # Errors
    /// When at some time everybody under observation dies while others enter later: the curve would be 0 from there on.
    pub(crate) fn check_curve(&self, moments: &[Moment]) -> Result<(), StatsError> {
        let (last, _) = self.last();
        let ends = |moment: &&Moment| moment.time < last && moment.events == moment.at_risk;
        match moments.iter().find(ends) {
            Some(moment) => Err(StatsError::NobodyLeft { time: moment.time.to_string() }),
            None => Ok(()),
        }
    }
}
