//! What a replay session did and how well its conclusions held: the journal's seventeen figures.

use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// Figures of one replay session (replay spec, "replay metrics and validation"). The two that follow from others are
/// kept up to date by [`ReplayMetrics::derive`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReplayMetrics {
    /// Episodes gone through again.
    pub episodes_replayed: u32,
    /// Batches read.
    pub batches_processed: u32,
    /// Outcomes traced back.
    pub reverse_replays: u32,
    /// Trajectories projected forward.
    pub forward_replays: u32,
    /// Episodes gone through with a perturbation.
    pub perturbed_replays: u32,
    /// Patterns found across episodes.
    pub patterns_identified: u32,
    /// Episodes that speak against each other or against what was known.
    pub contradictions_found: u32,
    /// Outcomes assigned to their decisions.
    pub credit_assignments_completed: u32,
    /// Insights that were not known before.
    pub novel_insights_generated: u32,
    /// Known insights borne out.
    pub existing_insights_confirmed: u32,
    /// Known insights spoken against.
    pub existing_insights_contradicted: u32,
    /// Claims proposed for the playbook (never written by replay).
    pub playbook_revisions_proposed: u32,
    /// Paid for inference.
    pub total_inference_cost: Usdc,
    /// That over the novel insights, dollars; zero without any.
    pub cost_per_insight: f64,
    /// Conclusions of replay that live trading has borne out since.
    pub insights_confirmed_by_live_trading: u32,
    /// Conclusions of replay that live trading has refuted since.
    pub insights_contradicted_by_live_trading: u32,
    /// Confirmed over decided, 0 to 1; zero before any is decided (see [`predictive_accuracy`]).
    pub replay_predictive_accuracy: f64,
}

impl ReplayMetrics {
    /// Works out the cost of an insight and the predictive accuracy from the other figures.
    pub fn derive(&mut self) {
        let insights = self.novel_insights_generated;
        let cost = self.total_inference_cost.dollars();
        self.cost_per_insight = if insights == 0 { 0.0 } else { cost / f64::from(insights) };
        let (confirmed, contradicted) =
            (self.insights_confirmed_by_live_trading, self.insights_contradicted_by_live_trading);
        self.replay_predictive_accuracy = predictive_accuracy(confirmed, contradicted).unwrap_or(0.0);
    }

    /// Adds another session's figures, and works out the derived ones anew.
    pub fn add(&mut self, other: &Self) {
        self.episodes_replayed += other.episodes_replayed;
        self.batches_processed += other.batches_processed;
        self.reverse_replays += other.reverse_replays;
        self.forward_replays += other.forward_replays;
        self.perturbed_replays += other.perturbed_replays;
        self.patterns_identified += other.patterns_identified;
        self.contradictions_found += other.contradictions_found;
        self.credit_assignments_completed += other.credit_assignments_completed;
        self.novel_insights_generated += other.novel_insights_generated;
        self.existing_insights_confirmed += other.existing_insights_confirmed;
        self.existing_insights_contradicted += other.existing_insights_contradicted;
        self.playbook_revisions_proposed += other.playbook_revisions_proposed;
        self.total_inference_cost += other.total_inference_cost;
        self.insights_confirmed_by_live_trading += other.insights_confirmed_by_live_trading;
        self.insights_contradicted_by_live_trading += other.insights_contradicted_by_live_trading;
        self.derive();
    }
}

/// Share of the decided conclusions that live trading bore out, 0 to 1; `None` before any is decided.
pub fn predictive_accuracy(confirmed: u32, contradicted: u32) -> Option<f64> {
    let decided = f64::from(confirmed) + f64::from(contradicted);
    (decided > 0.0).then(|| f64::from(confirmed) / decided)
}
