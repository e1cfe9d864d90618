//! Figures of a replay session and of how well its conclusions held: the journal's seventeen (replay spec, "replay metrics and
//! validation"). Figures are counts, dollars or shares from 0 to 1. They are the telemetry of a dream. They are recorded, and some are
//! measures of sweeps. The last three, on live trading, stay 0 and `None` in a dream's own record: its conclusions are decided later, in
//! [`LiveVerdicts`], which fill the tables' columns of these names. One can steer: the accuracy of replay calls a dreamer confused where
//! `confused_by` is "replays" (not by default).

use crate::episode::{Evidence, FindingKind};
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// The metrics of one replay session. The two figures that follow from others are kept up to date by [`ReplayMetrics::derive`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReplayMetrics {
    /// Episodes gone through again.
    pub episodes_replayed: u32,
    /// Batches that a model was asked to read, answered or not.
    pub batches_processed: u32,
    /// Trades whose outcome was to be traced back.
    pub reverse_replays: u32,
    /// Trajectories projected forward of which a rich dream asked its question of planning; 0 in all other dreams.
    pub forward_replays: u32,
    /// Episodes of asked batches with a perturbation, or with measured deviations of which a multiple broke the trade.
    pub perturbed_replays: u32,
    /// Patterns found across episodes.
    pub patterns_identified: u32,
    /// Pairs of episodes that speak against each other, as models answered or else as gains and losses under one strategy and regime, plus
    /// `existing_insights_contradicted`.
    pub contradictions_found: u32,
    /// Of the trades traced back, those whose outcome was divided among the decisions that made it
    /// ([`CreditAssignment::is_complete`](super::CreditAssignment::is_complete)).
    pub credit_assignments_completed: u32,
    /// Insights that were neither in force, nor under test, nor known to be wrong before. What was imagined doesn't count.
    pub novel_insights_generated: u32,
    /// Findings that were known as an insight or rule: the dream found them again.
    pub existing_insights_confirmed: u32,
    /// Findings that say the opposite of a known insight or rule.
    pub existing_insights_contradicted: u32,
    /// Insights put to the test for the playbook, which replay never writes; guards and what was imagined don't count.
    pub playbook_revisions_proposed: u32,
    /// Paid for the inference of replay: of the NREM phase, not of the whole cycle.
    pub total_inference_cost: Usdc,
    /// That over the novel insights, dollars; `None` without any.
    pub cost_per_insight: Option<f64>,
    /// Insights of replay that live trading has borne out since. The cycle leaves it 0; the count is kept in [`LiveVerdicts::insights`].
    pub insights_confirmed_by_live_trading: u32,
    /// Insights of replay that live trading has refuted since. The cycle leaves it 0, too.
    pub insights_contradicted_by_live_trading: u32,
    /// Confirmed over decided, 0 to 1; `None` before any is decided (see [`predictive_accuracy`]), and thus at the cycle's end.
    pub replay_predictive_accuracy: Option<f64>,
}

impl ReplayMetrics {
    /// Works out the derived metrics (ratios), the cost of an insight and the predictive accuracy, from the other figures.
    pub fn derive(&mut self) {
        let insights = self.novel_insights_generated;
        let cost = self.total_inference_cost.dollars();
        self.cost_per_insight = (insights > 0).then(|| cost / f64::from(insights));
        let (confirmed, contradicted) =
            (self.insights_confirmed_by_live_trading, self.insights_contradicted_by_live_trading);
        self.replay_predictive_accuracy = predictive_accuracy(confirmed, contradicted);
    }
}

/// Precision of predictions: the share of the decided conclusions that live trading bore out, 0 to 1; `None` before any is decided.
pub fn predictive_accuracy(confirmed: u32, contradicted: u32) -> Option<f64> {
    let decided = f64::from(confirmed) + f64::from(contradicted);
    (decided > 0.0).then(|| f64::from(confirmed) / decided)
}

/// What live trading has said of a dream's conclusions, by what they were made from. Kinds are kept apart because their tests are: a guard
/// is borne out by a ruin, which is rare, so that one accuracy of all kinds is mostly about how many guards there were. An out-of-sample
/// validation record: a hit rate by kind of finding follows from its counts confirmed and contradicted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveVerdicts {
    /// Insights, which replay read from episodes: [`Self::replay_accuracy`] is theirs alone.
    pub insights: Evidence,
    /// Guards against threats.
    pub guards: Evidence,
    /// Fragments from the edge of sleep.
    pub fragments: Evidence,
    /// Hypotheses and transformations of imagination.
    pub imagined: Evidence,
}

impl LiveVerdicts {
    /// Takes in that life has decided a conclusion of this kind: an increment of hits or misses. A lesson counts as an insight, a
    /// transformation as imagined.
    pub const fn decide(&mut self, kind: FindingKind, confirmed: bool) {
        let of_kind = match kind {
            FindingKind::Insight | FindingKind::Lesson => &mut self.insights,
            FindingKind::Guard => &mut self.guards,
            FindingKind::Fragment => &mut self.fragments,
            FindingKind::Hypothesis | FindingKind::Transformation => &mut self.imagined,
        };
        if confirmed {
            of_kind.confirmed += 1;
        } else {
            of_kind.contradicted += 1;
        }
    }

    /// Conclusions of any kind that were borne out: the hit count over all kinds.
    pub const fn confirmed(&self) -> u32 {
        self.insights.confirmed + self.guards.confirmed + self.fragments.confirmed + self.imagined.confirmed
    }

    /// Out-of-sample precision: the share of replay's decided insights that were borne out, 0 to 1; `None` before any is decided.
    pub fn replay_accuracy(&self) -> Option<f64> {
        predictive_accuracy(self.insights.confirmed, self.insights.contradicted)
    }
}
