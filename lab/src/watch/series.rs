//! How a world has gone so far, in as many points as a page can show.

use morta_base::Tick;
use morta_engine::event::TickRecord;
use morta_engine::market::Regime;
use serde::Serialize;

/// Points that are kept; a plot is about this many pixels wide.
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
    #[serde(skip)]
    doublings: u32,
}

impl Series {
    /// Takes in a closed tick.
    pub(super) fn push(&mut self, tick: Tick, record: &TickRecord) {
        if !tick.is_multiple_of(1 << self.doublings) {
            return;
        }
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
    }
}

fn thin<T>(column: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    column.retain(|_| kept.next() == Some(&true));
}
