//! The `[dream.consolidation]` table.

use crate::base::TableChecker;
use crate::dream::nrem::TriageConfig;
use crate::episode::StagingConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The `[dream.consolidation]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct ConsolidationConfig {
    /// Confidence an imagined hypothesis starts from, 0 to 1 (default 0.2).
    pub hypothesis_confidence: f64,
    /// Confidence an insight from replay starts from, 0 to 1 (default 0.3).
    pub insight_confidence: f64,
    /// Confidence a hypothesis that turns an assumption around starts from, 0 to 1 (digest section 5; default 0.1).
    pub transformation_confidence: f64,
    /// Confidence a guard against a rehearsed threat starts from, 0 to 1 (digest section 6; default 0.3).
    pub guard_confidence: f64,
    /// Whether a conclusion must be borne out awake before it may enter the playbook (default true). Without, it only has to
    /// pass the admission gate.
    pub validation_required: bool,
    /// Most claims under test at once, 1 to 1,000 (default 10). A new one must displace a weaker.
    pub max_staged_revisions: u32,
    /// Standard errors by which remembered trades must speak against a finding for it to be dropped as implausible, 0 to 100 (our
    /// own key, default 0.5); 100 lets everything through to the test.
    pub plausible_t: f64,
    /// Likeness above which a finding has been said already, 0 to 1 (default 0.85).
    pub dedup_similarity: f64,
    /// Effective trust in a claim's being wrong from which no dream stages it again, 0 to 1 (our own key, default 0.5).
    pub denied_from: f64,
    /// Difference in R from which a finding on a rule's subject is a revision of it, 0 to 100 (our own key, default 0.25).
    pub revision_r: f64,
    /// How the staging buffer works (our own table).
    pub staging: StagingConfig,
    /// What becomes of replayed episodes (our own table).
    pub triage: TriageConfig,
    /// What may enter the playbook (our own table).
    pub admission: AdmissionConfig,
    /// Weight of one waking outcome in a rule's expected R (our own key), 0 to 1.
    pub rule_learning_rate: f64,
    /// Confidence below which a rule that is losing it leaves the playbook, 0 to 1.
    pub retire_below: f64,
    /// Confidence a rule in force gains by a confirming outcome, 0 to 1 (our own key).
    pub rule_confirm_step: f64,
    /// Confidence it loses by a contradicting one, 0 to 1 (our own key).
    pub rule_contradict_step: f64,
    /// Most rules in a playbook (our own key), 1 to 10,000; the least trusted leaves.
    pub max_rules: u32,
    /// Most dreams in the journal (our own key), 1 to 10,000 (default 32); the oldest leaves.
    pub max_journal_entries: u32,
}

/// The `[dream.consolidation.admission]` table: the five-factor gate of digest section 2 (A-MAC).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct AdmissionConfig {
    /// Score below which a claim is turned away, 0 to 1 (default 0.45).
    pub reject_below: f64,
    /// Score up to which it is admitted with little trust, 0 to 1 (default 0.55).
    pub cautious_below: f64,
    /// That little trust, 0 to 1 (default 0.3).
    pub cautious_confidence: f64,
    /// Effect in R that counts as fully useful, above 0 to 100 (our own key, default 0.25).
    pub useful_r: f64,
    /// Ticks since its last test after which a claim is half as fresh, above 0 (our own key, default 2,160).
    pub freshness_half_life_ticks: f64,
    /// Usefulness that must be exceeded, 0 to 1 (default 0.4).
    pub min_utility: f64,
    /// Factual support that must be exceeded, 0 to 1 (default 0.3).
    pub min_factual: f64,
    /// Freshness that must be exceeded, 0 to 1 (default 0.2).
    pub min_recency: f64,
}

impl Default for AdmissionConfig {
    fn default() -> Self {
        Self {
            reject_below: 0.45,
            cautious_below: 0.55,
            cautious_confidence: 0.3,
            useful_r: 0.25,
            freshness_half_life_ticks: 2_160.0,
            min_utility: 0.4,
            min_factual: 0.3,
            min_recency: 0.2,
        }
    }
}

impl AdmissionConfig {
    fn check(&self, table: &mut TableChecker<'_>) {
        table.share("rejectBelow", self.reject_below);
        table.within("cautiousBelow", self.cautious_below, self.reject_below, 1.0);
        table.share("cautiousConfidence", self.cautious_confidence);
        table.within("usefulR", self.useful_r, 1e-6, 100.0);
        table.within("freshnessHalfLifeTicks", self.freshness_half_life_ticks, 1e-6, 1e12);
        table.share("minUtility", self.min_utility);
        table.share("minFactual", self.min_factual);
        table.share("minRecency", self.min_recency);
    }
}

impl Default for ConsolidationConfig {
    fn default() -> Self {
        Self {
            hypothesis_confidence: 0.2,
            insight_confidence: 0.3,
            transformation_confidence: 0.1,
            guard_confidence: 0.3,
            validation_required: true,
            max_staged_revisions: 10,
            plausible_t: 0.5,
            dedup_similarity: 0.85,
            denied_from: 0.5,
            revision_r: 0.25,
            staging: StagingConfig::default(),
            triage: TriageConfig::default(),
            admission: AdmissionConfig::default(),
            rule_learning_rate: 0.05,
            retire_below: 0.4,
            rule_confirm_step: 0.05,
            rule_contradict_step: 0.05,
            max_rules: 50,
            max_journal_entries: 32,
        }
    }
}

impl ConsolidationConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        table.share("hypothesisConfidence", self.hypothesis_confidence);
        table.share("insightConfidence", self.insight_confidence);
        table.share("transformationConfidence", self.transformation_confidence);
        table.share("guardConfidence", self.guard_confidence);
        table.whole("maxStagedRevisions", self.max_staged_revisions.into(), 1, 1_000);
        table.within("plausibleT", self.plausible_t, 0.0, 100.0);
        table.share("dedupSimilarity", self.dedup_similarity);
        table.share("deniedFrom", self.denied_from);
        table.within("revisionR", self.revision_r, 0.0, 100.0);
        table.share("ruleLearningRate", self.rule_learning_rate);
        table.share("retireBelow", self.retire_below);
        table.share("ruleConfirmStep", self.rule_confirm_step);
        table.share("ruleContradictStep", self.rule_contradict_step);
        table.whole("maxRules", self.max_rules.into(), 1, 10_000);
        table.whole("maxJournalEntries", self.max_journal_entries.into(), 1, 10_000);
        self.staging.check(&mut table.table("staging"));
        self.triage.check(&mut table.table("triage"));
        self.admission.check(&mut table.table("admission"));
    }
}
