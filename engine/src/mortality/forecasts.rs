//! Open forecasts: memory's expectations of candidates, followed on paper to their end and scored as forecast errors.
//!
//! A golem hands in the forecasts of all candidates whenever it weighs them, taken or not, so scoring all of them costs no further question
//! and no choice of its own can flatter it. It weighs none while it holds a position, sleeps, dies or may open nothing; with a gate it also
//! forecasts where it thinks no further. Each strategy has one place: while its forecast is open no other is made of it. So the work of a
//! tick and the memory it takes are bounded, and scored outcomes don't overlap: overlapping ones share their luck, and would count as many.
//! A forecast is followed in every tick, and scored only in a tick in which the golem doesn't sleep. The scores make up epistemic fitness
//! where `epistemic.fitness_form` is "skill", the default. Results are in R before costs, horizons in ticks. The benchmarks that a memory
//! has to beat are persistence (a running mean outcome of the strategy), the prior of the signal, and the forecast 0.

use crate::market::{AssetIndex, MarketView, PaperTrade, PathPoint, Strategy};
use crate::mortality::skill::{Expected, Skill, SkillConfig};
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// Memory's expectation of a candidate, a trade signal with its horizon, as the golem decides: an expected value (expected return) before
/// the fact. Its paper trade has no costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateForecast {
    /// The strategy that gave the signal.
    pub strategy: Strategy,
    /// The candidate's asset.
    pub asset: AssetIndex,
    /// The candidate on paper, without costs.
    pub trade: PaperTrade,
    /// Ticks until its end, unless its stop comes before.
    pub horizon_ticks: u32,
    /// Expected by memory, R before costs.
    pub memory_r: f64,
    /// Expected by the prior of the signal, R before costs.
    pub prior_r: f64,
}

/// A forecast with its realised outcome, predicted return and realised (realized) return side by side; the difference of the two is the
/// forecast error. It goes into an event only where `epistemic.tell_forecasts` is on; sweeps measure mutual information by these events.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettledForecast {
    /// The strategy that gave the signal.
    pub strategy: Strategy,
    /// Expected by memory, R before costs.
    pub expected_r: f64,
    /// Its outcome on paper, R before costs.
    pub came_r: f64,
}

/// A forecast that isn't scored yet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Open {
    /// The asset whose price is followed.
    asset: AssetIndex,
    /// The candidate on paper, without costs.
    trade: PaperTrade,
    /// The horizon: the tick at which it ends without a stop-out.
    ends: Tick,
    /// The competing forecasts of it, R before costs.
    expected: Expected,
    /// Its outcome, R before costs, from its end until it is scored: a sleeper scores nothing.
    came_r: Option<f64>,
}

impl Open {
    /// The outcome, R before costs, if it ends at this tick: at the first tick beyond its stop, at that tick's price, as paper trades do;
    /// without a stop-out, at its horizon.
    fn outcome_r(&self, now: PathPoint, tick: Tick) -> Option<f64> {
        let gain = self.trade.gain(now);
        (gain <= -self.trade.stop_distance || tick >= self.ends).then(|| gain / self.trade.stop_distance)
    }
}

/// Outcomes of a strategy over which persistence averages: the plain mean of fewer, a running mean beyond. Our choice: at 1 the forecast would be
/// "the same as last time", which is easily beaten.
const PERSISTENCE_WINDOW: u32 = 20;

/// The running mean outcome of a strategy: the forecast of persistence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Usual {
    /// Outcomes so far, all of the life.
    outcomes: u32,
    /// Their running mean, R before costs; 0 before the first.
    mean_r: f64,
}

impl Usual {
    fn note(&mut self, came_r: f64) {
        self.outcomes = self.outcomes.saturating_add(1);
        self.mean_r += (came_r - self.mean_r) / f64::from(self.outcomes.min(PERSISTENCE_WINDOW));
    }
}

/// One golem's open forecasts, and their skill: prediction tracking in a bounded table of pending predictions, one for each strategy
/// (forecast verification).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forecasts {
    /// By strategy. In a box of its own: it is larger than all else a golem's clocks hold.
    open: Box<[Option<Open>; Strategy::COUNT]>,
    /// The forecast of persistence, by strategy.
    usual: [Usual; Strategy::COUNT],
    /// Squared errors of what was scored.
    skill: Skill,
}

impl Forecasts {
    /// Opens a forecast, unless one of its strategy is open (insert if absent into the table of pending predictions).
    pub(super) fn open(&mut self, forecast: &CandidateForecast, now: Tick) {
        let usual = self.usual[forecast.strategy.index()];
        let place = &mut self.open[forecast.strategy.index()];
        if place.is_some() {
            return;
        }
        let expected =
            Expected { memory: forecast.memory_r, persistence: usual.mean_r, prior: forecast.prior_r };
        let CandidateForecast { asset, trade, horizon_ticks, .. } = *forecast;
        *place = Some(Open { asset, trade, ends: now + Tick::from(horizon_ticks), expected, came_r: None });
    }

    /// Follows open forecasts for one tick. Each outcome is that of its own end, whenever it is scored: left out, or compared with a later
    /// price, forecasts of stretches that were slept through would flatter or blame a memory for its sleep.
    pub(super) fn follow(&mut self, view: &MarketView) {
        for open in self.open.iter_mut().flatten().filter(|open| open.came_r.is_none()) {
            open.came_r = open.outcome_r(PathPoint::from(view.asset(open.asset)), view.tick);
        }
    }

    /// Scores forecasts that have ended, and hands each on to `settled` (a drain of the settled ones; an update of forecast errors).
    pub(super) fn score(&mut self, config: &SkillConfig, mut settled: impl FnMut(SettledForecast)) {
        for (strategy, (place, usual)) in
            Strategy::ALL.into_iter().zip(self.open.iter_mut().zip(&mut self.usual))
        {
            let Some(open) = place else { continue };
            let Some(came_r) = open.came_r else { continue };
            self.skill.note(&open.expected, came_r, config);
            usual.note(came_r);
            settled(SettledForecast { strategy, expected_r: open.expected.memory, came_r });
            *place = None;
        }
    }

    /// The forecast skill against the benchmarks (skill score), over the forecasts scored so far.
    pub fn skill(&self) -> &Skill {
        &self.skill
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::market::PositionSide;

    /// Bought at 100 with a stop 2 % below.
    fn forecast(memory_r: f64, horizon_ticks: u32) -> CandidateForecast {
        let entry = PathPoint::at_price(100.0);
        let trade = PaperTrade { side: PositionSide::Long, entry, stop_distance: 0.02, cost_bps: 0.0 };
        CandidateForecast {
            strategy: Strategy::Breakout,
            asset: 0,
            trade,
            horizon_ticks,
            memory_r,
            prior_r: 0.5,
        }
    }

    fn open(forecasts: &Forecasts) -> Option<Open> {
        forecasts.open[Strategy::Breakout.index()]
    }

    /// Horizon of 3 ticks: 101 after three is half an R. 97 after one is beyond the stop: −1.5 R at once.
    #[test]
    fn a_forecast_scores_the_r_of_its_paper_trade() {
        let mut forecasts = Forecasts::default();
        forecasts.open(&forecast(0.1, 3), 10);
        let opened = open(&forecasts).expect("there was room for it");
        let at = |price: f64, tick| opened.outcome_r(PathPoint::at_price(price), tick);
        assert_eq!([at(99.0, 12), at(110.0, 12)], [None, None]);
        assert!((at(101.0, 13).unwrap() - 0.5).abs() < 1e-12);
        assert!((at(97.0, 11).unwrap() + 1.5).abs() < 1e-12);
    }

    #[test]
    fn each_strategy_has_one_place() {
        let mut forecasts = Forecasts::default();
        forecasts.open(&forecast(0.1, 3), 10);
        forecasts.open(&forecast(0.9, 3), 11);
        assert_eq!(open(&forecasts).map(|open| (open.expected.memory, open.ends)), Some((0.1, 13)));
        let other = CandidateForecast { strategy: Strategy::Momentum, ..forecast(0.9, 3) };
        forecasts.open(&other, 11);
        assert_eq!(forecasts.open.iter().flatten().count(), 2);
    }

    /// 1, then (1 + 0) / 2; after twenty outcomes of 1 in the mean, a twentieth of the way from there to 3.
    #[test]
    fn persistence_is_the_running_mean_of_past_outcomes() {
        let mut usual = Usual::default();
        let means = [1.0, 0.0, 2.0].map(|came_r| {
            usual.note(came_r);
            usual.mean_r
        });
        assert_eq!(means, [1.0, 0.5, 1.0]);
        (3..20).for_each(|_| usual.note(1.0));
        assert_eq!(usual.mean_r, 1.0);
        usual.note(3.0);
        assert!((usual.mean_r - 1.1).abs() < 1e-12, "{}", usual.mean_r);
    }
}
