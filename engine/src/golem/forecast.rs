//! Forecasts of a golem's memory, noted at every decision, so that the epistemic clock can score them against the outcomes (forecast
//! logging without selection bias). Expectations and outcomes are in R before costs, times are in ticks. A strategy's forecast is followed
//! on one asset at a time, as a paper trade to its stop or horizon, and compared with the prior's; the skill makes up fitness (by
//! `mortality.epistemic.fitness_form`, whose default it is) and moves no decision by itself.

use crate::event::EventKind;
use crate::golem::clocks::Vitals;
use crate::golem::decide::Weighed;
use crate::golem::{Golem, Moment, Outbox};
use crate::market::{PaperTrade, PathPoint};
use crate::mortality::CandidateForecast;

/// The forecast of a candidate: memory's expectation and the prior, both before costs, which golems of different wealth would pay differently.
fn forecast_of(option: &Weighed, moment: &Moment<'_>) -> CandidateForecast {
    let candidate = &option.candidate;
    let trade = PaperTrade {
        side: candidate.side,
        entry: PathPoint::from(moment.view.asset(candidate.asset)),
        stop_distance: candidate.signal.stop_distance,
        cost_bps: 0.0,
    };
    CandidateForecast {
        strategy: candidate.strategy,
        asset: candidate.asset,
        trade,
        horizon_ticks: candidate.signal.horizon_ticks,
        memory_r: option.memory_r + candidate.cost_r,
        prior_r: candidate.prior_r + candidate.cost_r,
    }
}

impl Golem {
    /// Notes forecasts of all candidates, whatever is chosen. A strategy is followed on one asset at a time. The first one goes round with the
    /// ticks, not by expectation, for the most promising forecast is the likeliest to promise too much (the winner's curse).
    pub(super) fn forecast(&mut self, options: &[Weighed], moment: &Moment<'_>) {
        let first = (moment.tick % options.len() as u64) as usize;
        let (before, from) = options.split_at(first);
        let forecasts = from.iter().chain(before).map(|option| forecast_of(option, moment));
        self.epistemics.forecast(forecasts, moment.tick);
    }

    /// Follows the noted forecasts for one tick, and scores those that are due; a sleeper scores them when it wakes. Events of them are written only where
    /// the scenario asks for that, for a golem forecasts far more often than it trades.
    pub(super) fn follow_forecasts(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let mortality = &moment.rules.mortality;
        self.epistemics.follow_forecasts(moment.view);
        if self.is_dreaming() {
            return;
        }
        let mut settled = Vec::new();
        self.epistemics.score_forecasts(mortality, |one| {
            if mortality.epistemic.tell_forecasts {
                settled.push(one);
            }
        });
        if settled.is_empty() {
            return;
        }
        let Vitals { balance, vitality, .. } = self.vitals(moment);
        self.tell(moment.tick, EventKind::ForecastsSettled { settled, balance, vitality }, out);
    }
}
