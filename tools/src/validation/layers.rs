//! The layers that came before outcome-weighted memory: raw trades (L1), patterns over all of them found by a scan from time to time (L2), and
//! adjustments of lots and sides that hold until the next scan (L3). No circumstance counts, and no trade counts less for being old.

use super::deals::Deal;
use super::plan::LayersConfig;
use morta_memories::owm::episodic::Direction;
use morta_stats::summary::mean;
use std::collections::BTreeMap;

const DAY_S: f64 = 86_400.0;

/// What an adjustment makes of the usual lot, by side: long, short.
type Adjusted = [f64; 2];

/// Trades of a strategy on a symbol: its longs and its shorts, in R.
type Outcomes = [Vec<f64>; 2];

/// The three layers.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    config: LayersConfig,
    raw: BTreeMap<(u16, u16), Outcomes>,
    adjusted: BTreeMap<(u16, u16), Adjusted>,
    scanned_s: Option<f64>,
}

const fn side(direction: Direction) -> usize {
    match direction {
        Direction::Long => 0,
        Direction::Short => 1,
    }
}

impl Layers {
    pub const fn new(config: LayersConfig) -> Self {
        Self { config, raw: BTreeMap::new(), adjusted: BTreeMap::new(), scanned_s: None }
    }

    /// Keeps a trade that has ended.
    pub fn keep(&mut self, deal: &Deal) {
        let both = self.raw.entry((deal.domain.strategy, deal.domain.symbol)).or_default();
        both[side(deal.direction)].push(deal.r);
    }

    /// How many usual lots are put on a trade; patterns are looked for anew when the last scan is so many days ago.
    pub fn lots(&mut self, deal: &Deal) -> f64 {
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
            let lots = if disabled { [0.0; 2] } else { self.of_pair(both) };
            ((*strategy, *symbol), lots)
        };
        self.adjusted = self.raw.iter().map(adjusted).collect();
    }

    /// Lots less where the worse side hardly ever gains, more where the better one nearly always does; longs alone where they make so much more.
    fn of_pair(&self, both: &Outcomes) -> Adjusted {
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
