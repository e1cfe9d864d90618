//! Time series of a world, in as many points as a page can show.

use morta_base::Tick;
use morta_base::quantile::quantile;
use morta_engine::event::TickRecord;
use morta_engine::market::Regime;
use serde::Serialize;

/// Points that are kept (our choice: a plot is about this many pixels wide, so more would not be seen and would be sent with every state).
const POINTS_MAX: usize = 400;

/// Figures by tick, column by column. When there are too many, every other is dropped and fewer are kept from there on.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Series {
    tick: Vec<Tick>,
    alive: Vec<u32>,
    dreaming: Vec<u32>,
    bloodstains: Vec<u32>,
    balance_usd_mean: Vec<f64>,
    price: Vec<f64>,
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
    /// R that the living have made since their births: lower quartile, median, upper quartile; `None` while no golem lives.
    total_r: Vec<Option<[f64; 3]>>,
}

/// A cohort at a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct CohortNow {
    pub(super) alive: u32,
    pub(super) dreaming: u32,
    /// R that each of the living has made.
    pub(super) total_r: Vec<f64>,
}

impl CohortNow {
    fn quartiles(&mut self) -> Option<[f64; 3]> {
        // Hundredths of R are finer than a plot's pixels, and half as long to send.
        let mut at = |share| quantile(&mut self.total_r, share).map(|r| (r * 100.0).round() / 100.0);
        Some([at(0.25)?, at(0.5)?, at(0.75)?])
    }
}

impl Series {
    /// Whether figures of a tick are kept: those of a tick that isn't needn't be made.
    pub(super) fn keeps(&self, tick: Tick) -> bool {
        tick.is_multiple_of(1 << self.doublings)
    }

    /// Takes in a closed tick, with the cohorts at its end.
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
            thin(&mut self.alive, &kept);
            thin(&mut self.dreaming, &kept);
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
        self.alive.push(record.alive);
        self.dreaming.push(record.dreaming);
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
