//! Learning curves: values of a cohort in each stretch of a run. Stretches are fixed beforehand (`series.bins`, by default 20), so that
//! worlds and arms of equal length have the same ticks and their curves can be averaged point by point. It is a binned time series: each
//! point is a mean or a sum over one stretch of ticks. A stretch without trades has no mean R, one without a living golem no balance and
//! no fitness; trades, profit and population have a point in every stretch. Balance and fitness are means over ticks of the mean of the
//! living: a tick with one golem weighs as much as one with fifty. The meter of a cell keeps one for everybody and one a cohort; a
//! cohort's has neither balance nor fitness. Curves are rows of `series.parquet`, lines of reports, and compared where a cell is lived
//! again; no verdict on arms is based on them, and `morta compare` (one stretch) shows none.

use morta_base::Tick;
use morta_engine::event::{Event, EventKind, TickRecord};
use serde::{Deserialize, Serialize};

/// One data point of a learning curve: the value of a time series over one stretch of ticks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoursePoint {
    /// Which curve; see [`CURVES`].
    pub curve: String,
    /// First tick of the stretch.
    pub from_tick: Tick,
    /// First tick after it.
    pub to_tick: Tick,
    /// The value.
    pub value: f64,
}

/// The definition of one kind of learning curve: its name, unit and meaning.
#[derive(Clone, Copy, Debug)]
pub struct CurveKind {
    /// Its name in `series.parquet`.
    pub name: &'static str,
    /// What figures call it, in words.
    pub label: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// The curves and what they are (learning curves).
pub const CURVES: [CurveKind; 6] = [
    kind("trades", "trades", "trades", "trades closed in the stretch"),
    kind("mean_r", "mean R per trade", "R", "their mean R-multiple; left out where there are none"),
    kind("pnl_usdc", "profit", "USDC", "their profit, costs taken off"),
    kind("alive", "population", "golems", "golems living when the stretch ended"),
    kind(
        "equity_per_golem_usdc",
        "mean balance",
        "USDC",
        "mean balance of the living over the stretch; everybody only",
    ),
    kind(
        "fitness_mean",
        "mean epistemic fitness",
        "0 to 1",
        "mean epistemic fitness of the living over the stretch; everybody only",
    ),
];

const fn kind(name: &'static str, label: &'static str, unit: &'static str, about: &'static str) -> CurveKind {
    CurveKind { name, label, unit, about }
}

#[derive(Clone, Debug, Default)]
struct Bin {
    trades: u64,
    total_r: f64,
    pnl: f64,
    /// Births less deaths.
    change: i64,
    /// Sum over ticks of the mean balance of the living, USDC.
    equity: f64,
    /// Sum over ticks of the mean fitness of the living.
    fitness: f64,
    /// Ticks with a living golem.
    lived_ticks: u64,
}

/// The curves of one cohort being drawn (learning curve accumulator).
#[derive(Clone, Debug)]
pub(crate) struct Series {
    ticks: Tick,
    bins: Vec<Bin>,
}

impl Series {
    /// Makes empty time bins for a run of this many ticks, in this many stretches (no more than ticks).
    pub(super) fn new(ticks: Tick, bins: u64) -> Self {
        Self { ticks, bins: vec![Bin::default(); bins.clamp(1, ticks.max(1)) as usize] }
    }

    fn first_tick(&self, bin: usize) -> Tick {
        (u128::from(self.ticks) * bin as u128).div_ceil(self.bins.len() as u128) as Tick
    }

    fn bin(&mut self, tick: Tick) -> &mut Bin {
        let last = self.bins.len() - 1;
        let bin = u128::from(tick) * self.bins.len() as u128 / u128::from(self.ticks.max(1));
        &mut self.bins[(bin as usize).min(last)]
    }

    /// Takes in one event of a golem of this cohort (event handler, streaming update: binning): a trade in the bin of its close, a birth or
    /// death as a change of the population.
    pub(super) fn take(&mut self, event: &Event) {
        match &event.kind {
            EventKind::TradeClosed { episode, .. } => {
                let bin = self.bin(event.tick);
                bin.trades += 1;
                bin.total_r += episode.realised_r;
                bin.pnl += episode.pnl.dollars();
            }
            EventKind::Born { .. } => self.bin(event.tick).change += 1,
            EventKind::LifeEnded(life) if life.cause.is_some() => self.bin(event.tick).change -= 1,
            _ => {}
        }
    }

    /// Takes in the close of a tick (per-tick update): mean balance and mean fitness of the living. Only everybody's series does, because
    /// balance and fitness aren't recorded by cohort.
    pub(crate) fn take_tick(&mut self, tick: Tick, closed: &TickRecord) {
        if closed.alive > 0 {
            let bin = self.bin(tick);
            bin.equity += closed.purses.dollars() / f64::from(closed.alive);
            bin.fitness += closed.fitness_mean;
            bin.lived_ticks += 1;
        }
    }

    /// The curves, stretch by stretch (binned curve): bin sums and means, and the population as a cumulative sum of births less deaths.
    pub(super) fn points(&self) -> Vec<CoursePoint> {
        let mut points = Vec::new();
        let mut alive = 0;
        for (index, bin) in self.bins.iter().enumerate() {
            let (from_tick, to_tick) = (self.first_tick(index), self.first_tick(index + 1));
            alive += bin.change;
            let mean = |sum: f64, number: u64| (number > 0).then(|| sum / number as f64);
            let values = [
                Some(bin.trades as f64),
                mean(bin.total_r, bin.trades),
                Some(bin.pnl),
                Some(alive as f64),
                mean(bin.equity, bin.lived_ticks),
                mean(bin.fitness, bin.lived_ticks),
            ];
            for (kind, value) in CURVES.iter().zip(values) {
                let point = |value| CoursePoint { curve: kind.name.to_owned(), from_tick, to_tick, value };
                points.extend(value.map(point));
            }
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two stretches of two ticks; in the last tick nobody lives.
    #[test]
    fn fitness_is_averaged_over_ticks_with_living_golems() {
        let mut series = Series::new(4, 2);
        for (tick, alive, fitness) in [(0, 3, 0.25), (1, 3, 0.75), (2, 1, 0.9), (3, 0, 0.0)] {
            series.take_tick(tick, &crate::run::fixtures::closed(alive, fitness, 1.0));
        }
        let points = series.points();
        let fitness: Vec<(Tick, f64)> = points
            .iter()
            .filter(|point| point.curve == "fitness_mean")
            .map(|point| (point.from_tick, point.value))
            .collect();
        assert_eq!(fitness, [(0, 0.5), (2, 0.9)]);
    }

    #[test]
    fn every_tick_is_in_one_stretch() {
        for (ticks, bins) in [(10, 3), (7, 7), (3, 20), (1_000, 20)] {
            let mut series = Series::new(ticks, bins);
            for tick in 0..ticks {
                series.bin(tick).trades += 1;
            }
            let counted = |(index, bin): (usize, &Bin)| {
                bin.trades == series.first_tick(index + 1) - series.first_tick(index)
            };
            assert!(series.bins.iter().enumerate().all(counted), "{ticks} ticks, {bins} stretches");
            assert_eq!(series.bins.iter().map(|bin| bin.trades).sum::<u64>(), ticks);
        }
    }
}
