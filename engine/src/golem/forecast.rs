//! What its memory expects is taken down at every decision, so that the epistemic clock can hold it against what comes.

use crate::event::EventKind;
use crate::golem::clocks::Vitals;
use crate::golem::decide::Weighed;
use crate::golem::{Golem, Moment, Outbox};
use crate::market::{PaperTrade, PathPoint};
use crate::mortality::Forecast;

/// What memory expects of a candidate, and what the signal does, costs left out.
fn of(option: &Weighed, moment: &Moment<'_>) -> Forecast {
    let candidate = &option.candidate;
    let trade = PaperTrade {
        side: candidate.side,
        entry: PathPoint::from(moment.view.asset(candidate.asset)),
        stop_distance: candidate.signal.stop_distance,
        cost_bps: 0.0,
    };
    Forecast {
        strategy: candidate.strategy,
        asset: candidate.asset,
        trade,
        horizon_ticks: candidate.signal.horizon_ticks,
        memory_r: option.memory_r + candidate.cost_r,
        prior_r: candidate.prior_r + candidate.cost_r,
    }
}

impl Golem {
    /// Takes down what memory expects of all candidates, whatever is chosen. A strategy is followed on one asset at a time: which is asked
    /// first goes round with the ticks, not by what is expected, for the most promising forecast is the likeliest to promise too much.
    pub(super) fn forecast(&mut self, options: &[Weighed], moment: &Moment<'_>) {
        let first = (moment.tick % options.len() as u64) as usize;
        let (before, from) = options.split_at(first);
        let forecasts = from.iter().chain(before).map(|option| of(option, moment));
        self.epistemics.forecast(forecasts, moment.tick);
    }

    /// Follows for one tick what was taken down, and scores what has come due; a sleeper scores it when it wakes. Tells of it where the scenario
    /// asks for that, for a golem forecasts far more often than it trades.
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
