//! The vocabulary of the staging buffer, in which conclusions wait until waking experience has confirmed them; the buffer itself is in
//! `dream::integration::beliefs`, and the admission gate behind it in `dream::integration::admission`. Confidence runs from 0 to 1, margins
//! and outcomes are in R. A staging buffer is a quarantine (probation) for hypotheses: a dream's conclusion would otherwise change
//! decisions without having been validated out of sample. Keys set the step size of confidence, the promotion threshold and the expiry.
//! Under test a claim has a faint voice already. The margins also hold for rules in force, disproofs and the archive; the steps hold for
//! disproofs besides, while rules have steps of their own and the archive counts.

use crate::episode::{Claim, ClaimKind, Matter, Promotion, SequentialConfig, Stake};
use morta_base::keys;

keys! {
    /// The staging constants (spec rulings 7 and 10).
    pub struct StagingConfig {
        /// Confidence gained by a confirming episode.
        confirm_step: f64 = 0.10, in 1e-6..=1.0, "confidence";
        /// Confidence lost by a contradicting episode.
        contradict_step: f64 = 0.05, in 0.0..=1.0, "share";
        /// Confidence at which a claim is promoted.
        promote_at: f64 = 0.70, in 1e-6..=1.0, "confidence";
        /// Confidence below which a claim is refuted.
        refute_below: f64 = 0.10, in 0.0..=1.0, "share";
        /// Ticks after which a claim that is neither promoted nor refuted expires.
        expiry_ticks: u64 = 5_000, in 1..=1_000_000_000_000, "ticks";
        /// Result in R a trade must reach to confirm a claim of gain (and stay under to confirm a claim of loss).
        confirm_margin_r: f64 = 0.25, in -100.0..=100.0, "R";
        /// Share of all it has that a golem risks as a rule, by which growth is reckoned for claims about the size of positions
        /// (`golem.risk_per_trade`).
        usual_risk: f64 = 0.02, in 1e-6..=1.0, "share";
        /// How outcomes move confidence, and when a claim is decided: "steps" (the keys above) or "sequential" (a test of the claimed
        /// size). Rules, what proved wrong and what was archived move by the same.
        promotion: Promotion = Promotion::default();
        /// The sequential test.
        sequential: SequentialConfig = SequentialConfig::default();
    }
}

impl StagingConfig {
    /// The decision threshold, i.e. the margin that an outcome must reach to confirm a claim of gain of a kind, in R.
    pub(crate) const fn margin_r(&self, kind: ClaimKind) -> f64 {
        match kind {
            ClaimKind::Entry | ClaimKind::Sequence => self.confirm_margin_r,
            // Staying in must have added something, its time taken off, and another size more growth than the usual stake: our choice,
            // because both are differences already.
            ClaimKind::Exit | ClaimKind::Stake | ClaimKind::Guard => 0.0,
        }
    }

    /// The verdict on a claim by a trade of `realised_r` R (out-of-sample validation): the outcome of the claim's matter, in R, and whether
    /// that confirms it. A claim about size is judged by the log utility that it adds.
    pub(crate) fn hearing(&self, claim: &Claim, realised_r: f64) -> Hearing {
        let stake = match claim.matter {
            Matter::Stake(stake) => Some(stake),
            Matter::Guard => Some(Stake::Half),
            Matter::Worth => None,
        };
        let came_to_r = stake.map_or(realised_r, |stake| stake.growth_r(realised_r, self.usual_risk));
        Hearing { came_to_r, confirms: claim.is_confirmed_by(came_to_r, self.margin_r(claim.kind())) }
    }

    /// Updates a confidence after an outcome, by steps: a whole one up or down by whether it confirmed a claim about worth. A claim about
    /// the size of positions is right or wrong by how much growth it adds, not by how often, so there a confirming step is made for every R
    /// added, and one back for every R lost: one ruin confirms a guard against a rare one. By the specs' steps, such a guard would be
    /// refuted by the calm between ruins. The result is clamped to 0 and 1.
    pub fn stepped(&self, claim: &Claim, confidence: f64, hearing: Hearing) -> f64 {
        let step = match (claim.kind().is_about_worth(), hearing.confirms) {
            (true, true) => self.confirm_step,
            (true, false) => -self.contradict_step,
            (false, _) => self.confirm_step * hearing.came_to_r,
        };
        (confidence + step).clamp(0.0, 1.0)
    }
}

/// The verdict on a claim by one outcome: the result of a trial, with its size and whether it was a hit or a miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hearing {
    /// Outcome of the claim's matter, in R.
    pub came_to_r: f64,
    /// Whether that confirms it.
    pub confirms: bool,
}

morta_base::words! {
    /// The kind of conclusion that a claim is. Its first confidence, its prior at the admission gate and the counts of waking verdicts in
    /// the journal go by it. The hypothesis type, by what it was drawn from.
    pub enum FindingKind {
        /// Read from replayed experience or, without a dream, from waking experience.
        Insight = "insight",
        /// A counterfactual or imagined strategy.
        Hypothesis = "hypothesis",
        /// A hypothesis that turns a basic assumption around.
        Transformation = "transformation",
        /// A fragment from the edge of sleep.
        Fragment = "fragment",
        /// A guard: against a rehearsed threat, against a perturbation that trades don't bear, or drawn from scars.
        Guard = "guard",
        /// A lesson of another golem: a bloodstain's, a predecessor's or a sibling's.
        Lesson = "lesson",
    }

    /// The verdict with which a claim left the buffer. The outcome of a hypothesis test: validated, refuted, expired (timeout) or displaced
    /// (evicted).
    pub enum StagingVerdict {
        /// Confirmed often enough; ready for the playbook.
        Promoted = "promoted",
        /// Contradicted too often.
        Refuted = "refuted",
        /// Neither within its time.
        Expired = "expired",
        /// A stronger claim needed the room.
        Displaced = "displaced",
    }
}
