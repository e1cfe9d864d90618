//! What can be set about dreaming (digest section 3). The names of the keys are those of the document; keys of our own say so.

use super::execution::ExecutionConfig;
use super::schedule::{Cadence, Phase, check_cron};
use super::time::Zone;
use crate::base::TableChecker;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most days that anything looks back.
const MOST_DAYS: u64 = 100_000;
/// Most entries that a phase may name.
const MOST_ENTRIES: u64 = 1_000_000;

/// Dreaming as a whole, and its three phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct DreamingConfig {
    /// Whether anything dreams at all. (The document says yes; the released program says no.)
    pub enabled: bool,
    /// Where schedules are kept and days are counted: a name of the IANA database.
    pub timezone: String,
    /// Who has a schedule.
    pub cadence: Cadence,
    /// Schedule of the one job of the "single" cadence: a cron expression of five fields.
    pub frequency: String,
    /// Light sleep sorts what was found lately.
    pub light: LightConfig,
    /// Deep sleep promotes what is worth keeping.
    pub deep: DeepConfig,
    /// REM sleep looks for themes.
    pub rem: RemConfig,
}

impl Default for DreamingConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            timezone: "UTC".to_owned(),
            cadence: Cadence::Phases,
            frequency: "0 3 * * *".to_owned(),
            light: LightConfig::default(),
            deep: DeepConfig::default(),
            rem: RemConfig::default(),
        }
    }
}

/// In which order light sleep sorts, cuts and dedupes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LightOrder {
    /// Dedupe, sort by average score, cut to the limit: as the document says.
    #[default]
    Score,
    /// Sort by last recall, cut to the limit, dedupe: as the released program does.
    Recency,
}

/// Light sleep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct LightConfig {
    /// Whether it runs.
    pub enabled: bool,
    /// When: a cron expression of five fields.
    pub cron: String,
    /// Days of 24 hours it looks back, 0 to 100,000.
    pub lookback_days: u32,
    /// Most candidates it stages, 0 (it doesn't run) to 1,000,000.
    pub limit: u32,
    /// Jaccard similarity from which two snippets are one, 0 to 1.
    pub dedupe_similarity: f64,
    /// How candidates are sorted, cut and deduplicated.
    pub order: LightOrder,
    /// Jaccard similarity from which candidates are shown as one group, 0 to 1. (The document asks for clusters and gives no
    /// rule; this one is ours, and only for display.)
    pub cluster_similarity: f64,
    /// What a run costs.
    pub execution: ExecutionConfig,
}

impl Default for LightConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            cron: "0 */6 * * *".to_owned(),
            lookback_days: 2,
            limit: 100,
            dedupe_similarity: 0.9,
            order: LightOrder::Score,
            cluster_similarity: 0.5,
            execution: ExecutionConfig::default(),
        }
    }
}

/// What the age gate measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgeMeasure {
    /// Days since the day of the note: as the document says.
    #[default]
    Note,
    /// Days since the last recall: as the released program does.
    Recall,
}

/// Weights of the six signals, 0 or more; they are scaled to add up to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct RankingWeights {
    /// Of frequency.
    pub frequency: f64,
    /// Of relevance.
    pub relevance: f64,
    /// Of diversity.
    pub diversity: f64,
    /// Of recency.
    pub recency: f64,
    /// Of consolidation.
    pub consolidation: f64,
    /// Of conceptual richness.
    pub conceptual: f64,
}

impl RankingWeights {
    /// In the order of the fields.
    pub const fn of([frequency, relevance, diversity, recency, consolidation, conceptual]: [f64; 6]) -> Self {
        Self { frequency, relevance, diversity, recency, consolidation, conceptual }
    }

    /// The same, as a list.
    pub const fn in_order(&self) -> [f64; 6] {
        [self.frequency, self.relevance, self.diversity, self.recency, self.consolidation, self.conceptual]
    }
}

impl Default for RankingWeights {
    fn default() -> Self {
        Self::of([0.24, 0.30, 0.15, 0.15, 0.10, 0.06])
    }
}

/// Deep sleep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct DeepConfig {
    /// Whether it runs.
    pub enabled: bool,
    /// When: a cron expression of five fields.
    pub cron: String,
    /// Most entries promoted in a run, 0 (it doesn't run) to 1,000,000.
    pub limit: u32,
    /// Least score, 0 to 1.
    pub min_score: f64,
    /// Least number of recalls, 0 to 1,000,000.
    pub min_recall_count: u32,
    /// Least number of distinct queries, 0 to 32 (as many are remembered).
    pub min_unique_queries: u32,
    /// Days in which recency halves, above 0.
    pub recency_half_life_days: f64,
    /// Oldest that may be promoted, in days, 1 to 100,000; 0 stands for 30.
    pub max_age_days: u32,
    /// What that age is measured from.
    pub age_measure: AgeMeasure,
    /// Weights of the six signals.
    pub weights: RankingWeights,
    /// Whether signals from daily notes count as recalls, and recall days as queries: a later addition.
    pub daily_signals: bool,
    /// What light sleep adds to a score at most, 0 to 1: a later addition (.05).
    pub light_boost: f64,
    /// What REM sleep adds to a score at most, 0 to 1: a later addition (.08).
    pub rem_boost: f64,
    /// When long-term memory is thin.
    pub recovery: RecoveryConfig,
    /// What a run costs.
    pub execution: ExecutionConfig,
}

impl DeepConfig {
    /// The usual age limit, in days.
    pub const USUAL_AGE_DAYS: u32 = 30;

    /// The age limit in force, in days.
    pub const fn age_limit_days(&self) -> u32 {
        if self.max_age_days == 0 { Self::USUAL_AGE_DAYS } else { self.max_age_days }
    }
}

impl Default for DeepConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            cron: "0 3 * * *".to_owned(),
            limit: 10,
            min_score: 0.8,
            min_recall_count: 3,
            min_unique_queries: 3,
            recency_half_life_days: 14.0,
            max_age_days: Self::USUAL_AGE_DAYS,
            age_measure: AgeMeasure::Note,
            weights: RankingWeights::default(),
            daily_signals: false,
            light_boost: 0.0,
            rem_boost: 0.0,
            recovery: RecoveryConfig::default(),
            execution: ExecutionConfig::default(),
        }
    }
}

/// Recovery of a thin long-term memory. (The document names the keys; what health is and what recovery does is ours.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct RecoveryConfig {
    /// Whether it runs.
    pub enabled: bool,
    /// Health below which it does, 0 to 1.
    pub trigger_below_health: f64,
    /// Days of 24 hours it looks back, 0 to 100,000.
    pub lookback_days: u32,
    /// Most candidates, 0 to 1,000,000.
    pub max_recovered_candidates: u32,
    /// Least confidence of a candidate, 0 to 1.
    pub min_recovery_confidence: f64,
    /// Confidence from which a candidate is written without being looked at, 0 to 1.
    pub auto_write_min_confidence: f64,
}

impl Default for RecoveryConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            trigger_below_health: 0.35,
            lookback_days: 30,
            max_recovered_candidates: 20,
            min_recovery_confidence: 0.9,
            auto_write_min_confidence: 0.97,
        }
    }
}

/// What a theme of REM sleep is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Themes {
    /// One tag that many traces carry: as the released program does.
    #[default]
    Tags,
    /// Tags that occur together: an ablation of ours, for "clusters of tags by co-occurrence", which the document doesn't define.
    Clusters,
}

/// REM sleep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct RemConfig {
    /// Whether it runs.
    pub enabled: bool,
    /// When: a cron expression of five fields.
    pub cron: String,
    /// Days of 24 hours it looks back, 0 to 100,000.
    pub lookback_days: u32,
    /// Most themes, 0 (it doesn't run) to 1,000,000.
    pub limit: u32,
    /// Least strength of a theme, 0 to 1.
    pub min_pattern_strength: f64,
    /// What a theme is.
    pub themes: Themes,
    /// Whether the entries it is surest of are named too: a later addition.
    pub truths: bool,
    /// What a run costs.
    pub execution: ExecutionConfig,
}

impl Default for RemConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            cron: "0 5 * * 0".to_owned(),
            lookback_days: 7,
            limit: 10,
            min_pattern_strength: 0.75,
            themes: Themes::Tags,
            truths: false,
            execution: ExecutionConfig::default(),
        }
    }
}

impl DreamingConfig {
    /// Whether a phase runs at all: dreaming is on, the phase is on, and its limit is above 0.
    pub fn runs(&self, phase: Phase) -> bool {
        let (enabled, limit) = match phase {
            Phase::Light => (self.light.enabled, self.light.limit),
            Phase::Deep => (self.deep.enabled, self.deep.limit),
            Phase::Rem => (self.rem.enabled, self.rem.limit),
        };
        self.enabled && enabled && limit > 0
    }

    /// The schedule a phase follows.
    pub fn cron(&self, phase: Phase) -> &str {
        match (self.cadence, phase) {
            (Cadence::Single, _) => &self.frequency,
            (Cadence::Phases, Phase::Light) => &self.light.cron,
            (Cadence::Phases, Phase::Deep) => &self.deep.cron,
            (Cadence::Phases, Phase::Rem) => &self.rem.cron,
        }
    }

    /// What a run of a phase is done with.
    pub const fn execution(&self, phase: Phase) -> &ExecutionConfig {
        match phase {
            Phase::Light => &self.light.execution,
            Phase::Deep => &self.deep.execution,
            Phase::Rem => &self.rem.execution,
        }
    }

    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        if let Err(unknown) = Zone::named(&self.timezone) {
            table.demand(false, "timezone", &self.timezone, unknown.to_string());
        }
        cron(table, "frequency", &self.frequency);
        self.light.check(&mut table.table("light"));
        self.deep.check(&mut table.table("deep"));
        self.rem.check(&mut table.table("rem"));
    }
}

fn cron(table: &mut TableChecker<'_>, key: &str, expression: &str) {
    if let Err(problem) = check_cron(expression) {
        table.demand(false, key, expression, problem.remedy());
    }
}

impl LightConfig {
    fn check(&self, table: &mut TableChecker<'_>) {
        cron(table, "cron", &self.cron);
        table.whole("lookbackDays", self.lookback_days.into(), 0, MOST_DAYS);
        table.whole("limit", self.limit.into(), 0, MOST_ENTRIES);
        table.share("dedupeSimilarity", self.dedupe_similarity);
        table.share("clusterSimilarity", self.cluster_similarity);
        self.execution.check(&mut table.table("execution"));
    }
}

impl DeepConfig {
    fn check(&self, table: &mut TableChecker<'_>) {
        cron(table, "cron", &self.cron);
        table.whole("limit", self.limit.into(), 0, MOST_ENTRIES);
        table.share("minScore", self.min_score);
        table.whole("minRecallCount", self.min_recall_count.into(), 0, MOST_ENTRIES);
        table.whole("minUniqueQueries", self.min_unique_queries.into(), 0, super::entry::MAX_QUERIES as u64);
        table.above("recencyHalfLifeDays", self.recency_half_life_days, 0.0);
        table.whole("maxAgeDays", self.max_age_days.into(), 0, MOST_DAYS);
        table.share("lightBoost", self.light_boost);
        table.share("remBoost", self.rem_boost);
        let mut weights = table.table("weights");
        let names = ["frequency", "relevance", "diversity", "recency", "consolidation", "conceptual"];
        for (name, weight) in names.into_iter().zip(self.weights.in_order()) {
            weights.at_least(name, weight, 0.0);
        }
        self.execution.check(&mut table.table("execution"));
        let (mut table, recovery) = (table.table("recovery"), &self.recovery);
        table.share("triggerBelowHealth", recovery.trigger_below_health);
        table.whole("lookbackDays", recovery.lookback_days.into(), 0, MOST_DAYS);
        table.whole("maxRecoveredCandidates", recovery.max_recovered_candidates.into(), 0, MOST_ENTRIES);
        table.share("minRecoveryConfidence", recovery.min_recovery_confidence);
        table.share("autoWriteMinConfidence", recovery.auto_write_min_confidence);
    }
}

impl RemConfig {
    fn check(&self, table: &mut TableChecker<'_>) {
        cron(table, "cron", &self.cron);
        table.whole("lookbackDays", self.lookback_days.into(), 0, MOST_DAYS);
        table.whole("limit", self.limit.into(), 0, MOST_ENTRIES);
        table.share("minPatternStrength", self.min_pattern_strength);
        self.execution.check(&mut table.table("execution"));
    }
}
