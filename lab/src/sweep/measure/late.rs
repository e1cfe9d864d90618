//! The late part of a run, when most of what is learned has been learned. It is asymptotic performance: means over the last third of the
//! planned ticks, and niches (quality diversity) over the last half. Fitness and vitality are 0 to 1 and means over all golems of the
//! world, so cohorts have none; niches are counted for each cohort. Early ticks are left out, because every memory is empty then.

use morta_base::Tick;
use morta_engine::event::TickRecord;
use morta_engine::market::{Regime, Strategy};
use std::collections::BTreeMap;

/// Share of the late trades that makes a niche occupied. Our choice: a few explorations in a niche must not count as living in it.
const OCCUPIED_SHARE: f64 = 0.02;

/// Adds up fitness and vitality of the living over the last third of the run (late performance).
#[derive(Clone, Debug, Default)]
pub struct LateCondition {
    run_ticks: Tick,
    /// Late ticks in which somebody lived.
    pub ticks: u64,
    /// Sums over these ticks of the means over the living: a tick counts once, however many lived in it.
    pub fitness: f64,
    pub vitality: f64,
}

impl LateCondition {
    /// Starts for a run of this many ticks.
    pub fn new(run_ticks: Tick) -> Self {
        Self { run_ticks, ..Self::default() }
    }

    /// Takes in the close of a tick.
    pub fn take(&mut self, tick: Tick, closed: &TickRecord) {
        let is_late = u128::from(tick) * 3 >= u128::from(self.run_ticks) * 2;
        if is_late && closed.alive > 0 {
            self.ticks += 1;
            self.fitness += closed.fitness_mean;
            self.vitality += closed.vitality_mean;
        }
    }
}

/// Counts trades by niche over the last half of the run (quality diversity). A niche is a strategy in a regime as read (the digest's E1
/// counts occupied cells of MAP-Elites).
#[derive(Clone, Debug, Default)]
pub struct Niches {
    run_ticks: Tick,
    trades: BTreeMap<(Strategy, Regime), u64>,
}

impl Niches {
    /// Starts for a run of this many ticks.
    pub fn new(run_ticks: Tick) -> Self {
        Self { run_ticks, ..Self::default() }
    }

    /// Takes in a trade that was closed; it counts in the second half of the run.
    pub fn take(&mut self, tick: Tick, strategy: Strategy, regime: Regime) {
        if u128::from(tick) * 2 >= u128::from(self.run_ticks) {
            *self.trades.entry((strategy, regime)).or_default() += 1;
        }
    }

    /// Niches that hold at least 2 % of these trades; `None` without any (behavioural diversity).
    pub(crate) fn occupied(&self) -> Option<u64> {
        let all: u64 = self.trades.values().sum();
        let holds = |trades: &&u64| **trades as f64 >= OCCUPIED_SHARE * all as f64;
        (all > 0).then(|| self.trades.values().filter(holds).count() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::fixtures::closed;

    /// Of 9 ticks, 6, 7 and 8 are the last third; in tick 8 nobody lives.
    #[test]
    fn the_last_third_is_added_up() {
        let mut late = LateCondition::new(9);
        for (tick, alive, fitness) in [(5, 2, 0.9), (6, 2, 0.4), (7, 1, 0.6), (8, 0, 0.0)] {
            late.take(tick, &closed(alive, fitness, 1.0 - fitness));
        }
        assert_eq!((late.fitness, late.vitality, late.ticks), (1.0, 1.0, 2));
    }

    /// Of 100 late trades, 2 are just enough for a niche and 1 isn't.
    #[test]
    fn a_niche_holds_a_fiftieth_of_the_late_trades() {
        let mut niches = Niches::new(10);
        assert_eq!(niches.occupied(), None);
        let mut trade = |tick, strategy, regime, times| {
            (0..times).for_each(|_| niches.take(tick, strategy, regime));
        };
        trade(4, Strategy::TrendFollowing, Regime::RangeBound, 500);
        trade(5, Strategy::TrendFollowing, Regime::TrendingUp, 97);
        trade(9, Strategy::TrendFollowing, Regime::TrendingDown, 2);
        trade(9, Strategy::ALL[1], Regime::TrendingDown, 1);
        assert_eq!(niches.occupied(), Some(2));
    }
}
