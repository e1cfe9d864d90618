//! The trading days of the validation, and the days on which the regime changes: the trading calendar of a backtest. Equity curves,
//! Sharpe ratios and the bootstrap's blocks are by these days. Days are UTC, moments Unix epoch seconds. With bars a trading day is one
//! that has a bar, with own trades a Monday to Friday or another day with a decision or a close. Days without a trade count, because a
//! ratio over trading days alone would flatter. A day's regime is the most frequent one of the last `regime.days` days (default 3).

use super::deals::Deal;
use super::plan::Split;
use super::trades::Seen;
use morta_engine::market::{Bar, Regime};

const DAY_S: i64 = 86_400;
/// Trading days of a week, from Monday on. 1970-01-01 was a Thursday, so day number + 3 is 0 modulo 7 on a Monday.
const TRADED: i64 = 5;

/// The trading days.
#[derive(Clone, Debug)]
pub(super) struct Days {
    /// Days since 1970-01-01.
    pub numbers: Vec<i64>,
    /// Indices of days whose regime differs from the previous day's. A day's regime is the most frequent one of a window of days that ends with it.
    pub changes: Vec<usize>,
    /// Number of the validation's bars in each regime; 0 without bars.
    pub bars: Vec<u64>,
}

impl Days {
    /// Makes the trading calendar of bars: the days with at least one. Regimes are those at the closes of bars.
    pub(crate) fn of_bars(bars: &[Bar], seen: &[Seen], split: &Split, window: u32) -> Self {
        let mut numbers = Vec::new();
        let mut total = vec![0; Regime::COUNT];
        let mut counts: Vec<Vec<u64>> = Vec::new();
        for (bar, seen) in bars.iter().zip(seen) {
            if bar.open_time_s < split.validation_s || bar.open_time_s >= split.end_s {
                continue;
            }
            let number = bar.open_time_s.div_euclid(DAY_S);
            if numbers.last() != Some(&number) {
                numbers.push(number);
                counts.push(vec![0; Regime::COUNT]);
            }
            let today = counts.last_mut().expect("a day was just begun");
            today[seen.regime.index()] += 1;
            total[seen.regime.index()] += 1;
        }
        Self::counted(numbers, &counts, window, total)
    }

    /// Mondays to Fridays, and other days with a decision or a close (trading calendar of trades). Regimes are those of the trades decided on them.
    pub(crate) fn of_deals(deals: &[Deal], split: &Split, window: u32, regimes: usize) -> Self {
        let day = |moment_s: f64| (moment_s as i64).div_euclid(DAY_S);
        let span = split.validation_s.div_euclid(DAY_S)..=(split.end_s - 1).div_euclid(DAY_S);
        let moments = deals.iter().flat_map(|deal| [deal.known_s, deal.exited_s]);
        let mut numbers: Vec<i64> = moments.map(day).filter(|number| span.contains(number)).collect();
        numbers.extend(span.filter(|number| (number + 3).rem_euclid(7) < TRADED));
        numbers.sort_unstable();
        numbers.dedup();
        let mut counts = vec![vec![0; regimes]; numbers.len()];
        for deal in deals {
            if let Ok(place) = numbers.binary_search(&day(deal.known_s)) {
                counts[place][deal.regime] += 1;
            }
        }
        Self::counted(numbers, &counts, window, vec![0; regimes])
    }

    fn counted(numbers: Vec<i64>, counts: &[Vec<u64>], window: u32, bars: Vec<u64>) -> Self {
        let mut regimes: Vec<usize> = Vec::with_capacity(counts.len());
        for day in 0..counts.len() {
            let recent = &counts[(day + 1).saturating_sub(window as usize)..=day];
            // A window without a reading keeps the previous regime.
            let before = regimes.last().copied().unwrap_or(0);
            regimes.push(most_frequent(recent).unwrap_or(before));
        }
        let changes = (1..regimes.len()).filter(|day| regimes[*day] != regimes[*day - 1]).collect();
        Self { numbers, changes, bars }
    }

    /// Finds the index of a moment's day, or of the last trading day before it.
    pub(super) fn place(&self, time_s: f64) -> usize {
        let day = (time_s as i64).div_euclid(DAY_S);
        self.numbers.partition_point(|number| *number <= day).saturating_sub(1)
    }

    /// The number of calendar days from the first to the last, both included.
    pub(super) fn span(&self) -> f64 {
        match (self.numbers.first(), self.numbers.last()) {
            (Some(first), Some(last)) => (last - first + 1) as f64,
            _ => 0.0,
        }
    }
}

/// The most frequent regime, the first one of a tie; none if nothing was counted.
fn most_frequent(days: &[Vec<u64>]) -> Option<usize> {
    let regimes = days.first().map_or(0, Vec::len);
    let sum = |regime: usize| days.iter().map(|day| day[regime]).sum::<u64>();
    let best = (0..regimes).rev().max_by_key(|regime| sum(*regime))?;
    (sum(best) > 0).then_some(best)
}
