//! The baseline arm `layers`, the rule-based predecessor of outcome-weighted memory: raw trades (L1), patterns found by a scan over all of
//! them (L2), and adjustments of the fixed lot by strategy, symbol and side until the next scan (L3). The first scan is at the validation's
//! first decision, since the training is run with the fixed lot, and each later one at the first decision `scan_days` (default 30) or more
//! after the last. Context doesn't matter, and old trades count as much as new ones. Win rates are 0 to 1, outcomes are R; a factor of 0
//! disables a side. It belongs to no hypothesis, and runs only where a plan names it, or without a plan. It stands beside Kelly, because a
//! memory must beat what its authors had before.

use super::deals::Deal;
use super::plan::LayersConfig;
use morta_memories::owm::episodic::Direction;
use morta_stats::summary::mean;
use std::collections::BTreeMap;

const DAY_S: f64 = 86_400.0;

/// Factor of the fixed lot by side: long, short.
type Adjusted = [f64; 2];

/// Outcomes in R of a strategy on a symbol: longs, shorts.
type Outcomes = [Vec<f64>; 2];

/// The three layers.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    config: LayersConfig,
    /// Outcomes of all closed trades by (strategy, symbol).
    raw: BTreeMap<(u16, u16), Outcomes>,
    /// Factors of the last scan by (strategy, symbol); 1 for a pair without any.
    adjusted: BTreeMap<(u16, u16), Adjusted>,
    /// Moment of the last scan; `None` before the first.
    scanned_s: Option<f64>,
}

const fn side(direction: Direction) -> usize {
    match direction {
        Direction::Long => 0,
        Direction::Short => 1,
    }
}

impl Layers {
    /// No outcomes yet; nothing is adjusted before the first scan (empty state).
    pub(super) const fn new(config: LayersConfig) -> Self {
        Self { config, raw: BTreeMap::new(), adjusted: BTreeMap::new(), scanned_s: None }
    }

    /// Stores the outcome of a closed trade (trade history).
    pub(super) fn keep(&mut self, deal: &Deal) {
        let both = self.raw.entry((deal.domain.strategy, deal.domain.symbol)).or_default();
        both[side(deal.direction)].push(deal.r);
    }

    /// Computes the factor of the fixed lot for a trade (position size). Scans for patterns first, if the last scan is `scan_days` ago.
    pub(super) fn lots(&mut self, deal: &Deal) -> f64 {
        let days = f64::from(self.config.scan_days);
        if self.scanned_s.is_none_or(|last| deal.now_s - last >= days * DAY_S) {
            self.scan();
            self.scanned_s = Some(deal.now_s);
        }
        let adjusted = self.adjusted.get(&(deal.domain.strategy, deal.domain.symbol));
        adjusted.map_or(1.0, |adjusted| adjusted[side(deal.direction)])
    }

    fn scan(&mut self) {
        let mut strategies: BTreeMap<u16, Vec<f64>> = BTreeMap::new();
        for ((strategy, _), both) in &self.raw {
            strategies.entry(*strategy).or_default().extend(both.iter().flatten());
        }
        let enough = |trades: usize| trades >= self.config.trades as usize;
        let adjusted = |((strategy, symbol), both): (&(u16, u16), &Outcomes)| {
            let all = &strategies[strategy];
            let disabled = enough(all.len()) && mean(all) < self.config.disable_below;
            let lots = if disabled { [0.0; 2] } else { self.adjustment(both) };
            ((*strategy, *symbol), lots)
        };
        self.adjusted = self.raw.iter().map(adjusted).collect();
    }

    /// The adjustment of a pattern's lots, by the rules of TradeMemory's third layer: fewer lots if the worse side's win rate is low, more if the
    /// better side's is high, no shorts if longs alone make much more.
    fn adjustment(&self, both: &Outcomes) -> Adjusted {
        let config = &self.config;
        let trades = both[0].len() + both[1].len();
        if trades < config.trades as usize {
            return [1.0; 2];
        }
        let rates: Vec<f64> =
            both.iter().filter(|side| !side.is_empty()).map(|side| win_rate(side)).collect();
        let worst = rates.iter().copied().fold(f64::INFINITY, f64::min);
        let best = rates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut lots = 1.0;
        if worst < config.reduce_below {
            lots *= config.reduced;
        }
        if best > config.increase_above {
            lots *= config.increased;
        }
        let total: f64 = both.iter().flatten().sum();
        let gained = both[0].iter().sum::<f64>() - total;
        let longs_alone = !both[0].is_empty()
            && gained > 0.0
            && total != 0.0
            && gained / total.abs() > config.restrict_from;
        [lots, if longs_alone { 0.0 } else { lots }]
    }
}

fn win_rate(outcomes: &[f64]) -> f64 {
    outcomes.iter().filter(|r| **r > 0.0).count() as f64 / outcomes.len() as f64
}
