//! The `[curator]` table: intervals in ticks, and thresholds of confidence, quality and similarity from 0 to 1 (digest sections 2 and 3).
//!
//! Keys set the cluster size, the thresholds of promotion, demotion and pruning, and the similarity threshold of merging. Two formulas
//! stand here as well: the change of confidence by a vote (upvote, downvote; an additive or a relative step size), and the age discount at
//! promotion. The Curator is the golem's waking memory maintenance, or consolidation job; only memories that dream (`Dreams`) are visited.
//! The phase of life stretches `interval_ticks` or ends the visits (`mortality.phases.curator`).

use morta_base::TableChecker;
use morta_base::keys;

morta_base::words! {
    /// By how much a vote moves confidence.
    #[derive(Default)]
    pub enum ConfidenceUpdate: Key {
        /// Up by .1, down by .15 (digest section 2, storage).
        #[default]
        Absolute = "absolute",
        /// Up by 5 % of itself, down by 10 % (digest section 2, rewrite).
        Relative = "relative",
    }
}

impl ConfidenceUpdate {
    /// Change of a confidence by one vote, an upvote or a downvote. Both of the digest's rules (section 2) take away more than they give:
    /// an insight that is right half of the time fades. The memory that applies it clamps the sum to 0 and `CONFIDENCE_CAP`.
    pub fn change(self, confidence: f64, up: bool) -> f64 {
        match (self, up) {
            (Self::Absolute, true) => 0.10,
            (Self::Absolute, false) => -0.15,
            (Self::Relative, true) => 0.05 * confidence,
            (Self::Relative, false) => -0.10 * confidence,
        }
    }
}

/// Highest confidence that votes and corroborations give an insight (digest section 2); below 1, because no insight is certain.
pub(crate) const CONFIDENCE_CAP: f64 = 0.99;

keys! {
    /// When and how the Curator works.
    pub struct CuratorConfig {
        /// Whether golems have their memories curated.
        enabled: bool = true;
        /// Waking ticks between two cycles.
        interval_ticks: u64 = 50, in 1..=1_000_000_000, "ticks";
        /// Ticks between two deep cycles, in which everything is held against everything.
        deep_ticks: u64 = 250, in 1..=1_000_000_000, "ticks";
        /// Episodes a cluster needs for an insight.
        cluster_size: u32 = 3, in 2..=1_000_000, "episodes";
        /// Share of a cluster that must agree in the sign of its result for an insight.
        coherence: f64 = 0.7, in 0.5..=1.0, "share";
        /// What an insight's confidence is of the mean it was drawn from.
        compression: f64 = 0.9, in 0.0..=1.0, "factor";
        /// Confidence an insight of full coherence would start from.
        // Digest section 2: an insight begins at .5.
        insight_confidence: f64 = 0.5, in 0.0..=1.0, "confidence";
        /// Trades of a strategy after which its gains and losses are contrasted.
        contrast_every: u32 = 10, in 4..=1_000, "trades";
        /// How a vote moves confidence: "absolute" (+.1/−.15) or "relative" (+5 %/−10 %); never above .99.
        confidence_update: ConfidenceUpdate = ConfidenceUpdate::default();
        /// Confidence from which a candidate speaks.
        promote_at: f64 = 0.6, in 0.0..=1.0, "confidence";
        /// Confidence from which an active insight is proposed as a rule.
        propose_at: f64 = 0.7, in 0.0..=1.0, "confidence";
        /// Confidence below which an active insight is a candidate again, at most `promote_at`.
        demote_below: f64 = 0.4, in 0.0..=1.0, "confidence";
        /// Confidence below which an insight is too low.
        low_below: f64 = 0.1, in 0.0..=1.0, "confidence";
        /// Cycles in a row that an insight may be too low before it is archived.
        low_cycles: u32 = 3, in 1..=1_000, "cycles";
        /// Quality below which an insight that is hardly ever looked at is archived.
        prune_quality: f64 = 0.05, in 0.0..=1.0, "quality";
        /// Looks that save it.
        prune_accesses: u32 = 2, in 0..=1_000, "looks";
        /// Likeness above which two insights are merged in a deep cycle.
        merge_above: f64 = 0.9, in 0.0..=1.0, "similarity";
        /// Most episodes tagged for the next dream in a cycle (our own key); those of the highest priority are.
        max_tags: u32 = 50, in 0..=10_000, "episodes";
    }
    also demotion_is_below_promotion;
}

impl CuratorConfig {
    fn demotion_is_below_promotion(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[("demote_below", self.demote_below), ("promote_at", self.promote_at)]);
    }
}

/// Factor of epistemic age (model staleness) on a confidence at promotion: 1 while fitness f is above twice the senescence threshold θ,
/// else .2 + .8·f/(2θ) (digest section 3, G03); .2 at fitness 0, and 1 for a threshold of 0. The golem computes it at each visit with θ =
/// `mortality.senescence_threshold` (.35 by default); `promote` multiplies confidence by it before both thresholds, `promote_at` and
/// `propose_at`, but not of structural insights.
pub fn age_discount(fitness: f64, threshold: f64) -> f64 {
    let twice = 2.0 * threshold;
    if fitness > twice || twice <= 0.0 { 1.0 } else { 0.2 + 0.8 * fitness / twice }
}
