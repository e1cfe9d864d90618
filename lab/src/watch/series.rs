//! Time series of a world, in as many points as a page can show. It is downsampling: when the points are full, every other is dropped and
//! the interval doubles. A point is the value at one tick and no mean over the ticks between. Times are ticks. The number of points is
//! bounded (400), because every state that is sent has all of them.

use morta_base::Tick;
use morta_base::quantile::quantile;
use morta_engine::event::TickRecord;
use morta_engine::market::Regime;
use serde::Serialize;
use serde_json::{Value, json};

/// Points that are kept (our choice: a plot is about this many pixels wide, so more would not be seen and would be sent with every state).
const POINTS_MAX: usize = 400;

/// Figures by tick, column by column (time series). When there are too many, every other is dropped and fewer are kept from there on.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Series {
    tick: Vec<Tick>,
    /// In the Lethe.
    bloodstains: Vec<u32>,
    /// Money in all purses over the number of golems living, dollars.
    balance_usd_mean: Vec<f64>,
    /// The first asset's pool price.
    price: Vec<f64>,
    /// The first asset's true regime.
    #[serde(skip)]
    regime: Vec<Regime>,
    /// In the scenario's order.
    cohorts: Vec<CohortSeries>,
    #[serde(skip)]
    doublings: u32,
}

/// The same of one cohort.
#[derive(Clone, Debug, Default, Serialize)]
struct CohortSeries {
    alive: Vec<u32>,
    dreaming: Vec<u32>,
    /// R that the living have made since their births: the median, and the quartiles beside it; `None` while nobody lives.
    total_r: Vec<Option<(f64, [f64; 2])>>,
}

/// A cohort at a tick (snapshot of a cohort).
#[derive(Clone, Debug, Default)]
pub(super) struct CohortNow {
    pub(super) alive: u32,
    pub(super) dreaming: u32,
    /// R that each of the living has made.
    pub(super) total_r: Vec<f64>,
}

impl CohortNow {
    fn quartiles(&mut self) -> Option<(f64, [f64; 2])> {
        // Hundredths of R are finer than a plot's pixels, and half as long to send.
        let mut at = |share| quantile(&mut self.total_r, share).map(|r| (r * 100.0).round() / 100.0);
        Some((at(0.5)?, [at(0.25)?, at(0.75)?]))
    }
}

impl Series {
    /// Stretches of one regime, as the page's script shades them (run-length intervals): each until the tick at which the next was seen.
    pub(super) fn regimes(&self) -> Vec<Value> {
        let mut stretches: Vec<(Regime, Tick, Tick)> = Vec::new();
        for (regime, tick) in self.regime.iter().zip(&self.tick) {
            if let Some((_, _, to)) = stretches.last_mut() {
                *to = *tick;
            }
            if stretches.last().is_none_or(|(last, ..)| last != regime) {
                stretches.push((*regime, *tick, *tick));
            }
        }
        let stretches = stretches.into_iter().map(|(regime, from, to)| {
            json!({ "name": regime.name().replace('_', " "), "colour": colour(regime), "from": from, "to": to })
        });
        stretches.collect()
    }

    /// Whether figures of a tick are kept: those of a tick that isn't needn't be made.
    pub(super) fn keeps(&self, tick: Tick) -> bool {
        tick.is_multiple_of(1 << self.doublings)
    }

    /// Takes in a closed tick, with the cohorts at its end (append a sample).
    pub(super) fn push(&mut self, tick: Tick, record: &TickRecord, cohorts: Vec<CohortNow>) {
        if !self.keeps(tick) {
            return;
        }
        self.cohorts.resize_with(cohorts.len(), CohortSeries::default);
        if self.tick.len() >= POINTS_MAX {
            self.doublings += 1;
            let stride = 1 << self.doublings;
            let kept: Vec<bool> = self.tick.iter().map(|tick| tick.is_multiple_of(stride)).collect();
            thin(&mut self.tick, &kept);
            thin(&mut self.bloodstains, &kept);
            thin(&mut self.balance_usd_mean, &kept);
            thin(&mut self.price, &kept);
            thin(&mut self.regime, &kept);
            for cohort in &mut self.cohorts {
                thin(&mut cohort.alive, &kept);
                thin(&mut cohort.dreaming, &kept);
                thin(&mut cohort.total_r, &kept);
            }
            if !tick.is_multiple_of(stride) {
                return;
            }
        }
        self.tick.push(tick);
        self.bloodstains.push(record.bloodstains);
        self.balance_usd_mean.push(record.purses.dollars() / f64::from(record.alive.max(1)));
        self.price.push(record.price);
        self.regime.push(record.true_regime);
        for (series, mut now) in self.cohorts.iter_mut().zip(cohorts) {
            series.alive.push(now.alive);
            series.dreaming.push(now.dreaming);
            series.total_r.push(now.quartiles());
        }
    }
}

fn thin<T>(column: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    column.retain(|_| kept.next() == Some(&true));
}

/// Number of a colour that no cohort has.
fn colour(regime: Regime) -> u32 {
    match regime {
        Regime::TrendingUp => 11,
        Regime::TrendingDown => 7,
        Regime::RangeBound => 12,
        Regime::Volatile => 9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regime_lasts_until_the_next_is_seen() {
        let (up, down) = (Regime::TrendingUp, Regime::TrendingDown);
        let series = Series { tick: vec![0, 2, 4, 6], regime: vec![up, up, down, up], ..Series::default() };
        let stretches: Vec<_> =
            series.regimes().iter().map(|one| (one["from"].clone(), one["to"].clone())).collect();
        assert_eq!(stretches, [(0, 4), (4, 6), (6, 6)].map(|(from, to)| (json!(from), json!(to))));
        assert_eq!(series.regimes()[1]["name"], "trending down");
    }
}
