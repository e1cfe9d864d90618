//! R per tick of the first trades of lives, by generation: whether later generations begin better.
//!
//! slope = Σ w (g − ḡ)(y − ȳ) / Σ w (g − ḡ)², with g the generation (founders are 0), y its R per tick and w its ticks (weighted least
//! squares): signed, R per tick and generation, none of fewer than five generations. R per tick and not per trade, because a successor that
//! trades sooner has begun better as well.
//!
//! It is a learning curve over generations (cumulative culture, intergenerational transfer): the measures `first_r_per_tick`,
//! `successor_first_r`, `successor_first_sharpe_r` and `ratchet_slope`. A life's time goes from birth to its 20th trade, or to its death
//! before that; of a life that the run cut off before, to its last trade.
use morta_base::moments::Running;
use morta_base::{GolemId, Tick};
use std::collections::BTreeMap;

/// Trades that count as a life's first. Our choice: what was inherited is soon mixed with what was lived, and fewer are mostly luck.
const FIRST_TRADES: u32 = 20;
/// Fewest generations for a slope. Our choice: a line through two or three points fits whatever happened.
const GENERATIONS_MIN: usize = 5;

/// A life whose first trades are not over.
#[derive(Clone, Copy, Debug)]
struct Young {
    born: Tick,
    trades: u32,
    total_r: f64,
    last_closed: Option<Tick>,
}

/// First trades of one generation, or of several (early performance): an accumulator of trades, R and ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Beginnings {
    /// Trades.
    pub trades: u64,
    /// Their gain, R.
    pub total_r: f64,
    /// Ticks from birth to the last of them.
    pub ticks: u64,
}

impl Beginnings {
    /// The average reward, R a tick; none without ticks.
    pub(crate) fn r_per_tick(&self) -> Option<f64> {
        (self.ticks > 0).then(|| self.total_r / self.ticks as f64)
    }
}

/// Measures early performance by generation, from the first trades of all lives of a cohort.
#[derive(Clone, Debug, Default)]
pub struct FirstTrades {
    young: BTreeMap<GolemId, Young>,
    by_generation: BTreeMap<u32, Beginnings>,
    /// How the R of those of successors spread.
    pub spread_of_successors: Running,
}

impl FirstTrades {
    /// Takes in the birth of a golem.
    pub fn born(&mut self, golem: GolemId, tick: Tick) {
        self.young.insert(golem, Young { born: tick, trades: 0, total_r: 0.0, last_closed: None });
    }

    /// Takes in a trade that a golem closed; its first ones count.
    pub fn traded(&mut self, golem: GolemId, tick: Tick, realised_r: f64) {
        let Some(young) = self.young.get_mut(&golem) else { return };
        young.trades += 1;
        young.total_r += realised_r;
        if golem.generation > 0 {
            self.spread_of_successors.take(realised_r);
        }
        young.last_closed = Some(tick);
        if young.trades == FIRST_TRADES {
            self.grown(golem, tick);
        }
    }

    /// Takes in the end of a golem's life. A golem that died had all of that time for its first trades. A golem that outlived the run was
    /// cut off in the midst of one, so its time counts to its last trade only: otherwise the last generation, which is always cut off,
    /// would look slow.
    pub fn ended(&mut self, golem: GolemId, tick: Tick, died: bool) {
        let Some(young) = self.young.get(&golem) else { return };
        match young.last_closed.filter(|_| !died) {
            Some(last) => self.grown(golem, last),
            None if died => self.grown(golem, tick),
            None => drop(self.young.remove(&golem)),
        }
    }

    fn grown(&mut self, golem: GolemId, until: Tick) {
        let Some(young) = self.young.remove(&golem) else { return };
        let own = self.by_generation.entry(golem.generation).or_default();
        own.trades += u64::from(young.trades);
        own.total_r += young.total_r;
        own.ticks += until.saturating_sub(young.born);
    }

    /// First trades of all successors (successors' early performance). Those of golems that still live count up to the last that closed.
    pub(crate) fn of_successors(&self) -> Beginnings {
        let mut all = Beginnings::default();
        for own in self.by_generation.iter().filter(|(generation, _)| **generation > 0).map(|(_, own)| own) {
            all.trades += own.trades;
            all.total_r += own.total_r;
            all.ticks += own.ticks;
        }
        all
    }

    /// Fits the slope over generations by weighted least squares, founders included, R per tick and generation. Each generation is weighted
    /// by its ticks, because the later ones have few lives. `None` for fewer than five generations.
    pub fn slope(&self) -> Option<f64> {
        let points: Vec<(f64, f64, f64)> = self
            .by_generation
            .iter()
            .filter_map(|(generation, own)| {
                Some((f64::from(*generation), own.r_per_tick()?, own.ticks as f64))
            })
            .collect();
        if points.len() < GENERATIONS_MIN {
            return None;
        }
        let weight: f64 = points.iter().map(|(.., w)| w).sum();
        let mean = |of: fn(&(f64, f64, f64)) -> f64| points.iter().map(|p| p.2 * of(p)).sum::<f64>() / weight;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let (mut both, mut spread) = (0.0, 0.0);
        for (generation, rate, ticks) in points {
            both += ticks * (generation - x) * (rate - y);
            spread += ticks * (generation - x) * (generation - x);
        }
        Some(both / spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::fixtures::golem;

    #[test]
    fn only_the_first_twenty_trades_count_and_their_time() {
        let mut first = FirstTrades::default();
        first.born(golem(0), 0);
        first.traded(golem(0), 5, 9.0);
        first.born(golem(1), 100);
        (0..25).for_each(|trade| first.traded(golem(1), 110 + trade, if trade < 20 { 0.5 } else { -7.0 }));
        first.ended(golem(1), 400, true);
        let successors = first.of_successors();
        assert_eq!((successors.trades, successors.total_r, successors.ticks), (20, 10.0, 29));
    }

    /// Dead golems count to their death, living ones to their last trade; a living golem that never traded isn't counted.
    #[test]
    fn a_life_cut_off_counts_to_its_last_trade() {
        for (died, traded, ticks) in
            [(true, true, 60), (false, true, 20), (true, false, 60), (false, false, 0)]
        {
            let mut first = FirstTrades::default();
            first.born(golem(1), 100);
            if traded {
                first.traded(golem(1), 120, 1.0);
            }
            first.ended(golem(1), 160, died);
            assert_eq!(first.of_successors().ticks, ticks, "{died} {traded}");
        }
    }

    /// Rates of .01, .02, ... .05 a tick: a slope of .01, whatever the weights. Four generations have none.
    #[test]
    fn the_slope_is_that_of_the_generations() {
        let mut first = FirstTrades::default();
        for generation in 0..5 {
            assert_eq!(first.slope(), None);
            let lasts = 100 * (5 - u64::from(generation));
            first.born(golem(generation), 0);
            first.traded(golem(generation), 1, 0.01 * f64::from(generation + 1) * lasts as f64);
            first.ended(golem(generation), lasts, true);
        }
        assert!((first.slope().unwrap() - 0.01).abs() < 1e-12);
    }
}
