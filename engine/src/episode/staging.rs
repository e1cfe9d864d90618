//! The words of the staging buffer, in which conclusions wait until waking experience has confirmed them; the buffer itself is in
//! `dream::integration::beliefs`, and the admission gate behind it in `dream::integration::admission`.

use crate::base::TableChecker;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The staging constants (spec rulings 7 and 10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct StagingConfig {
    /// Confidence gained by a confirming episode, above 0 to 1.
    pub confirm_step: f64,
    /// Confidence lost by a contradicting episode, 0 to 1.
    pub contradict_step: f64,
    /// Confidence at which a claim is promoted, above 0 to 1.
    pub promote_at: f64,
    /// Confidence below which a claim is refuted, 0 to 1.
    pub refute_below: f64,
    /// Ticks after which a claim that is neither promoted nor refuted expires, at least 1.
    pub expiry_ticks: u64,
    /// Result in R a trade must reach to confirm a claim of gain (and stay under to confirm a claim of loss).
    pub confirm_margin_r: f64,
}

impl Default for StagingConfig {
    fn default() -> Self {
        Self {
            confirm_step: 0.10,
            contradict_step: 0.05,
            promote_at: 0.70,
            refute_below: 0.10,
            expiry_ticks: 5_000,
            confirm_margin_r: 0.25,
        }
    }
}

impl StagingConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        table.within("confirmStep", self.confirm_step, 1e-6, 1.0);
        table.share("contradictStep", self.contradict_step);
        table.within("promoteAt", self.promote_at, 1e-6, 1.0);
        table.share("refuteBelow", self.refute_below);
        table.whole("expiryTicks", self.expiry_ticks, 1, 1_000_000_000_000);
        table.within("confirmMarginR", self.confirm_margin_r, -100.0, 100.0);
    }
}

/// What kind of conclusion a claim is; by it the admission gate knows how far such conclusions are to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Read from replayed experience.
    Insight,
    /// A counterfactual or imagined strategy.
    Hypothesis,
    /// A hypothesis that turns a basic assumption around.
    Transformation,
    /// A fragment from the edge of sleep.
    Fragment,
    /// A guard against a rehearsed threat.
    Guard,
    /// A lesson drawn from a bloodstain.
    Lesson,
}

/// How a claim left the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StagingVerdict {
    /// Confirmed often enough; ready for the playbook.
    Promoted,
    /// Contradicted too often.
    Refuted,
    /// Neither within its time.
    Expired,
    /// A stronger claim needed the room.
    Displaced,
}
