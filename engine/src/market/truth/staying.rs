//! The true worth of staying in a position: for each strategy, each state of its positions, and each regime.
//!
//! At each look at a position, worth = (result at the stop or at the end of the horizon) − (result now), in R before costs; an entry is the
//! mean of it over all positions in that state. Costs of closing are left out, because they are paid either way. In optimal stopping this
//! is the continuation value by tabular Monte Carlo (state value of holding).
//!
//! Ticks are those of the market; times come in bands and open results in bands of R. States with fewer than 100 positions have no entry.
//! The memories `oracle`, `oracle-times` and `oracle-as-read` read it at their reviews, the last by regimes as golems read them. A plan
//! works it out, by 20,000 ticks for each law, where a cohort, or a golem of a branch, has any oracle and `golem.holding.review_ticks` is
//! above 0 (by default not).

use super::{SHORT_EMBEDDING, along, other_luck};
use crate::market::{
    AssetIndex, Bar, Held, MarketConfig, MarketError, PaperTrade, PathPoint, Regime, RegimeThresholds,
    Signal, SignalNow, Strategy,
};
use morta_base::WorldSeed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Fewest positions in a state whose mean is used; our choice: they overlap, so it takes this many for a few that are independent.
const FEWEST: u64 = 100;

/// A continuation value estimate with its sample size: the mean worth of staying in to the stop or the end of the horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StayEntry {
    /// Change of the result before costs, in R.
    pub stay_r: f64,
    /// Ticks it takes.
    pub ticks_left: f64,
    /// Positions it was estimated from; they overlap.
    pub positions: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    r: f64,
    ticks: u64,
    count: u64,
}

type State = (Strategy, Held, Regime);

/// A table of continuation values (the value function of holding) for each asset, an optimal stopping benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StayTruth {
    by_asset: Vec<Vec<(State, StayEntry)>>,
}

/// One asset as it was walked.
#[derive(Default)]
struct Path {
    points: Vec<PathPoint>,
    regimes: Vec<Regime>,
    signals: Vec<[Signal; Strategy::COUNT]>,
}

impl StayTruth {
    /// Estimates continuation values by Monte Carlo: follows every signal of every strategy along a world of the same law and other luck,
    /// `ticks` long, or along the recorded bars, and looks at it every `review_ticks`. Regimes are the true ones, or with `thresholds`
    /// those that a golem with these reads. Planned shocks are left out.
    ///
    /// # Errors
    /// When the market can't be made.
    pub fn estimate(
        config: &MarketConfig,
        seed: WorldSeed,
        bars: Vec<Vec<Bar>>,
        ticks: u64,
        review_ticks: u32,
        thresholds: Option<RegimeThresholds>,
    ) -> Result<Self, MarketError> {
        let market = other_luck(config, seed, bars, &[], SHORT_EMBEDDING)?;
        let paths: Vec<Path> = config.assets.iter().map(|_| Path::default()).collect();
        let paths = along(market, ticks, thresholds, paths, |path, market, asset, regime| {
            let seen = market.view().asset(asset);
            path.points.push(PathPoint::from(seen));
            path.regimes.push(regime);
            path.signals.push(seen.signals);
        });
        let by_asset = paths.iter().map(|path| path.table(review_ticks as usize)).collect();
        Ok(Self { by_asset })
    }

    /// Looks up the continuation value (state value); `None` where the state was met fewer than 100 times.
    pub fn at(
        &self,
        asset: AssetIndex,
        strategy: Strategy,
        held: Held,
        regime: Regime,
    ) -> Option<&StayEntry> {
        let table = self.by_asset.get(usize::from(asset))?;
        let place = table.binary_search_by(|(state, _)| state.cmp(&(strategy, held, regime))).ok()?;
        Some(&table[place].1)
    }
}

impl Path {
    fn table(&self, review_ticks: usize) -> Vec<(State, StayEntry)> {
        let mut sums: BTreeMap<State, Sum> = BTreeMap::new();
        for entered in 0..self.points.len() {
            for (strategy, signal) in Strategy::ALL.into_iter().zip(self.signals[entered]) {
                self.follow(entered, strategy, &signal, review_ticks, &mut sums);
            }
        }
        let entry = |sum: &Sum| StayEntry {
            stay_r: sum.r / sum.count as f64,
            ticks_left: sum.ticks as f64 / sum.count as f64,
            positions: sum.count,
        };
        let known = sums.iter().filter(|(_, sum)| sum.count >= FEWEST);
        known.map(|(state, sum)| (*state, entry(sum))).collect()
    }

    /// Adds the worth of staying in at each look at one trade whose whole horizon was walked. Others are left out: those cut off by the end
    /// of the walk would all count as ended at a price of chance.
    fn follow(
        &self,
        entered: usize,
        strategy: Strategy,
        signal: &Signal,
        review_ticks: usize,
        sums: &mut BTreeMap<State, Sum>,
    ) {
        let Some(side) = signal.side(strategy) else { return };
        let last = entered + signal.horizon_ticks as usize;
        if last >= self.points.len() {
            return;
        }
        let (entry, stop_distance) = (self.points[entered], signal.stop_distance);
        let trade = PaperTrade { side, entry, stop_distance, cost_bps: 0.0 };
        let r = |at: usize| trade.gain(self.points[at]) / stop_distance;
        let end = (entered + 1..last).find(|&at| r(at) <= -1.0).unwrap_or(last);
        let end_r = r(end);
        for at in (entered + review_ticks..end).step_by(review_ticks) {
            let now = SignalNow::from_signal(self.signals[at][strategy.index()], strategy, side);
            let held = Held::read((at - entered) as u64, signal.horizon_ticks, r(at), now);
            let sum = sums.entry((strategy, held, self.regimes[at])).or_default();
            sum.r += end_r - r(at);
            sum.ticks += (end - at) as u64;
            sum.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::market::{AssetConfig, AssetSource, SyntheticConfig};

    fn truth(synthetic: SyntheticConfig) -> StayTruth {
        let source = AssetSource::Synthetic(synthetic);
        let assets = vec![AssetConfig { symbol: "A".to_owned(), source }];
        let config = MarketConfig { assets, ..MarketConfig::default() };
        StayTruth::estimate(&config, WorldSeed(2026), vec![Vec::new()], 20_000, 4, None).unwrap()
    }

    fn mean_of(truth: &StayTruth, strategy: Strategy, regime: Regime) -> (f64, f64) {
        let states = truth.by_asset[0].iter().filter(|((s, _, r), _)| (*s, *r) == (strategy, regime));
        let sum = |(r, n): (f64, f64), (_, entry): &(State, StayEntry)| {
            (r + entry.stay_r * entry.positions as f64, n + entry.positions as f64)
        };
        let (r, n) = states.fold((0.0, 0.0), sum);
        (r / n, n)
    }

    /// Who follows a trend does well to stay while it lasts, and gains nothing by staying in a range; where prices are a martingale,
    /// staying is worth nothing whatever the state.
    #[test]
    fn staying_pays_while_the_trend_lasts() {
        let truth_ = truth(SyntheticConfig::default());
        let (trend, _) = mean_of(&truth_, Strategy::TrendFollowing, Regime::TrendingUp);
        let (range, _) = mean_of(&truth_, Strategy::TrendFollowing, Regime::RangeBound);
        assert!(trend > 0.1 && trend > range + 0.1, "{trend} {range}");
        let fair = truth(SyntheticConfig { martingale: true, ..SyntheticConfig::default() });
        for regime in Regime::ALL {
            let (r, positions) = mean_of(&fair, Strategy::TrendFollowing, regime);
            // One R² of variance a position at the least, of which forty overlap.
            assert!(r.abs() < 5.0 * (40.0 / positions).sqrt(), "{regime:?} {r} {positions}");
        }
    }
}
