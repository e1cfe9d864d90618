//! The `[dream.consolidation]` table: thresholds and steps of confidence, score and similarity from 0 to 1, results in R, numbers of claims
//! and rules.
//!
//! It configures memory consolidation: validation of hypotheses, deduplication, quotas by source, the quality gate before admission
//! (minimum scores), and the learning rate and retirement of rules. The memory holds a copy (so that tests awake go by it) which changes
//! only when its keys are rebound. Sources are beside the keys.

use super::beliefs::ClaimSource;
use crate::dream::nrem::TriageConfig;
use crate::episode::{ClaimKind, StagingConfig};
use morta_base::TableChecker;
use morta_base::keys;

keys! {
    /// The `[dream.consolidation]` table.
    pub struct ConsolidationConfig {
        // Defaults of the dream architecture's configuration block: 0.2, 0.3, ten revisions, validation required.
        /// Confidence an imagined hypothesis starts from.
        hypothesis_confidence: f64 = 0.2, in 0.0..=1.0, "confidence";
        /// Confidence an insight from replay starts from.
        insight_confidence: f64 = 0.3, in 0.0..=1.0, "confidence";
        /// Confidence a hypothesis that turns an assumption around starts from (digest section 5).
        transformation_confidence: f64 = 0.1, in 0.0..=1.0, "confidence";
        /// Confidence a guard against a rehearsed threat starts from (digest section 6).
        guard_confidence: f64 = 0.3, in 0.0..=1.0, "confidence";
        /// Whether a conclusion must be borne out awake before it may enter the playbook. Without, it only has to pass
        /// the admission gate.
        validation_required: bool = true;
        /// Most claims of a kind that dreams may have under test at once. A new one must displace a weaker.
        max_staged_revisions: u32 = 10, in 1..=1_000, "claims";
        /// The same for what doesn't come from dreams (our own table).
        room: RoomConfig = RoomConfig::default();
        /// Kinds of claims that are tested and may speak: "entry" (going in), "exit" (staying in or leaving),
        /// "sequence" (going in after another trade, by what came of that), "stake" (how much to put in), "guard" (what can cost
        /// dearly). Stakes move no result in R, only the growth of money, and are left out unless asked for.
        kinds: Vec<ClaimKind> = vec![ClaimKind::Entry, ClaimKind::Exit, ClaimKind::Sequence, ClaimKind::Guard], len 0..=ClaimKind::ALL.len();
        /// Standard errors by which remembered trades must speak against a finding for it to be dropped as implausible
        /// (our own key); 100 lets everything through to the test.
        // Our choice: half a standard error is far less than a test would demand, because memory only has to make the finding
        // unlikely; staging tests it.
        plausible_t: f64 = 0.5, in 0.0..=100.0, "standard errors";
        /// Likeness above which a finding has been said already.
        // Digest section 5: cosine > 0.85 to an existing hypothesis is discarded.
        dedup_similarity: f64 = 0.85, in 0.0..=1.0, "similarity";
        /// How the staging buffer works (our own table).
        staging: StagingConfig = StagingConfig::default();
        /// What becomes of replayed episodes (our own table).
        triage: TriageConfig = TriageConfig::default();
        /// What may enter the playbook (our own table).
        admission: AdmissionConfig = AdmissionConfig::default();
        /// Weight of one waking outcome in a rule's expected R (our own key).
        rule_learning_rate: f64 = 0.05, in 0.0..=1.0, "share";
        /// Confidence below which a rule that is losing it leaves the playbook.
        // Digest section 3: the Curator demotes below 0.4.
        retire_below: f64 = 0.4, in 0.0..=1.0, "confidence";
        /// Confidence a rule in force gains by a confirming outcome (our own key).
        rule_confirm_step: f64 = 0.05, in 0.0..=1.0, "confidence";
        /// Confidence it loses by a contradicting one (our own key).
        rule_contradict_step: f64 = 0.05, in 0.0..=1.0, "confidence";
    }
}

keys! {
    /// The `[dream.consolidation.room]` table: most claims of a kind under test at once, by who brought them. What others bring displaces no
    /// conclusion of a dream.
    pub struct RoomConfig {
        /// From the Curator.
        curator: u32 = 10, in 0..=1_000, "claims";
        /// From living siblings.
        siblings: u32 = 10, in 0..=1_000, "claims";
        /// From predecessors and bloodstains.
        dead: u32 = 10, in 0..=1_000, "claims";
    }
}

impl ConsolidationConfig {
    /// The quota of a source: the most claims of a kind from it that are tested at once.
    pub const fn room(&self, source: ClaimSource) -> u32 {
        match source {
            ClaimSource::Dreams => self.max_staged_revisions,
            ClaimSource::Curator => self.room.curator,
            ClaimSource::Siblings => self.room.siblings,
            ClaimSource::Dead => self.room.dead,
        }
    }
}

keys! {
    /// The `[dream.consolidation.admission]` table: the five-factor gate of digest section 2 (A-MAC).
    pub struct AdmissionConfig {
        // Digest section 2 (A-MAC): < .45 reject, .45–.55 at confidence .3; utility > .4, factual > .3, recency > .2.
        /// Score below which a claim is turned away.
        reject_below: f64 = 0.45, in 0.0..=1.0, "score";
        /// Score up to which it is admitted with little trust, at least `reject_below`.
        cautious_below: f64 = 0.55, in 0.0..=1.0, "score";
        /// That little trust.
        cautious_confidence: f64 = 0.3, in 0.0..=1.0, "confidence";
        /// Effect in R that counts as fully useful (our own key).
        useful_r: f64 = 0.25, in 1e-6..=100.0, "R";
        /// Usefulness that must be exceeded.
        min_utility: f64 = 0.4, in 0.0..=1.0, "score";
        /// Factual support that must be exceeded.
        min_factual: f64 = 0.3, in 0.0..=1.0, "score";
        /// Freshness that must be exceeded.
        min_recency: f64 = 0.2, in 0.0..=1.0, "score";
    }
    also rejection_is_below_caution;
}

impl AdmissionConfig {
    fn rejection_is_below_caution(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[("reject_below", self.reject_below), ("cautious_below", self.cautious_below)]);
    }
}
