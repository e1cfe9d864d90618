//! Figures over all episodes, kept from one query to the next until the episodes change: a cache with invalidation (memoisation).
//!
//! Results are sums in R with counts, yardsticks are quantiles of the columns. A dream asks for the same figures again and again while
//! nothing changes; each computation is a pass over all episodes. Only episodes that come, go or get other outcomes clear the cache, all of
//! it; tags, replays and arousal change no figure in it. `replay` is the only reader.

use super::Grimoire;
use crate::market::{Regime, Strategy};
use std::sync::OnceLock;

/// Sum of the results in R and number of the episodes.
pub(crate) type Results = (f64, u32);

/// Figures that were computed already. They follow from the columns, so they aren't saved and don't count when stores are compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// The first quantile that was queried, and the yardsticks at it.
    yardsticks: OnceLock<(f64, [f64; 3])>,
    results: OnceLock<Box<[[Results; Regime::COUNT]; Strategy::COUNT]>>,
    shifts: OnceLock<Vec<bool>>,
}

impl Grimoire {
    /// The yardsticks at a quantile, computed by `measure`; for the quantile of the first query they are kept. A scenario has one quantile, so one is enough.
    pub(crate) fn yardsticks(&self, quantile: f64, measure: impl Fn() -> [f64; 3]) -> [f64; 3] {
        let (known, yardsticks) = self.columns.survey.yardsticks.get_or_init(|| (quantile, measure()));
        if known.to_bits() == quantile.to_bits() { *yardsticks } else { measure() }
    }

    /// Results of each strategy in each regime, added up in the order of slots: scars count too, and abstentions with 0 R.
    pub(crate) fn results(&self) -> &[[Results; Regime::COUNT]; Strategy::COUNT] {
        self.columns.survey.results.get_or_init(|| {
            let mut results = Box::new([[(0.0_f64, 0_u32); Regime::COUNT]; Strategy::COUNT]);
            for episode in &self.columns.records {
                let (total, count) = &mut results[episode.strategy.index()][episode.context.regime.index()];
                *total += episode.realised_r;
                *count += 1;
            }
            results
        })
    }

    /// Slots whose regime differs from that of the same golem's episode before it on the same asset.
    pub(crate) fn regime_shifts(&self) -> &[bool] {
        self.columns.survey.shifts.get_or_init(|| {
            let mut order: Vec<usize> = (0..self.len()).collect();
            let life =
                |slot: usize| (self.columns.records[slot].lived_by(), self.columns.records[slot].asset);
            let place =
                |slot: usize| (self.columns.records[slot].opened, self.columns.records[slot].id.number);
            order.sort_unstable_by_key(|&slot| (life(slot), place(slot)));
            let mut shifts = vec![false; self.len()];
            for pair in order.windows(2) {
                let (before, after) = (pair[0], pair[1]);
                shifts[after] =
                    life(before) == life(after) && self.regimes()[before] != self.regimes()[after];
            }
            shifts
        })
    }

    /// To be called whenever episodes come, go or get other outcomes.
    pub(super) fn survey_anew(&mut self) {
        self.columns.survey = Survey::default();
    }
}
