//! The trading days of the validation, and the regimes they lie in.

use super::plan::Split;
use super::trades::Seen;
use crate::market::{Bar, Regime};

const DAY_S: i64 = 86_400;

/// The days with at least one bar.
#[derive(Clone, Debug)]
pub(super) struct Days {
    /// Days since 1970-01-01.
    pub numbers: Vec<i64>,
    /// The regime of each: the most frequent one in the bars of so many days up to it.
    pub regimes: Vec<Regime>,
    /// Days whose regime is another than that of the day before.
    pub changes: Vec<usize>,
    /// Bars of the validation read in each regime.
    pub bars: [u64; Regime::COUNT],
}

impl Days {
    pub fn of(bars: &[Bar], seen: &[Seen], split: &Split, window: u32) -> Self {
        let mut days =
            Self { numbers: Vec::new(), regimes: Vec::new(), changes: Vec::new(), bars: Default::default() };
        let mut counts: Vec<[u64; Regime::COUNT]> = Vec::new();
        for (bar, seen) in bars.iter().zip(seen) {
            if bar.open_time_s < split.validation_s || bar.open_time_s >= split.end_s {
                continue;
            }
            let number = bar.open_time_s.div_euclid(DAY_S);
            if days.numbers.last() != Some(&number) {
                days.numbers.push(number);
                counts.push([0; Regime::COUNT]);
            }
            let today = counts.last_mut().expect("a day was just begun");
            today[seen.regime.index()] += 1;
            days.bars[seen.regime.index()] += 1;
        }
        for day in 0..counts.len() {
            let recent = &counts[(day + 1).saturating_sub(window as usize)..=day];
            days.regimes.push(most_frequent(recent));
        }
        days.changes = (1..days.regimes.len()).filter(|d| days.regimes[*d] != days.regimes[*d - 1]).collect();
        days
    }

    /// The place of a moment's day; that of the last day before it if nothing was traded on it.
    pub fn place(&self, time_s: i64) -> usize {
        self.numbers.partition_point(|number| *number <= time_s.div_euclid(DAY_S)).saturating_sub(1)
    }

    /// Days from the first to the last, both included.
    pub fn span(&self) -> f64 {
        match (self.numbers.first(), self.numbers.last()) {
            (Some(first), Some(last)) => (last - first + 1) as f64,
            _ => 0.0,
        }
    }
}

fn most_frequent(days: &[[u64; Regime::COUNT]]) -> Regime {
    let sum = |regime: &Regime| days.iter().map(|day| day[regime.index()]).sum::<u64>();
    let mut best = Regime::ALL[0];
    for regime in Regime::ALL {
        if sum(&regime) > sum(&best) {
            best = regime;
        }
    }
    best
}
