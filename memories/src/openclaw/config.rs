//! The keys of dreaming (digest section 3). Their names are those of the document; a key that is ours says so. They are hyperparameters,
//! the settings of sleep: scores and weights 0 to 1, ages in days, limits in entries. Weights are scaled to add up to 1, because users
//! write any numbers. Among them are the order of deduplication (Jaccard), lookback windows in days, ranking weights of a weighted sum, a
//! minimum score, a confidence threshold, the age limit (by the last recall or the note) and a half-life in days, topics by tag or by
//! co-occurrence (clustering), a cron expression and a time zone. Scenarios hold these keys for golems, and the tools read the document's
//! among them from an `openclaw.json`, where an invalid value is replaced by its default and listed; flags of a command win over the file.
//! Keys that aren't the document's keep their defaults there unless a flag sets them, except that REM sleep of the tools clusters tags
//! (`themes`).

use super::execution::ExecutionConfig;
use super::schedule::{Cadence, Phase, check_cron};
use super::time::Zone;
use morta_base::TableChecker;
use morta_base::keys;

/// Upper limit of keys in days. Our choice: 273 years are beyond any store, and far from where an instant would overflow.
const MOST_DAYS: u32 = 100_000;
/// Upper limit of keys that count entries. Our choice: more than any store holds.
const MOST_ENTRIES: u32 = 1_000_000;

keys! {
    /// Dreaming as a whole, and its three phases.
    pub struct DreamingConfig {
        /// Whether anything dreams at all. (The document says yes; the released program says no.)
        enabled: bool = true;
        /// Where schedules are kept and days are counted: a name of the IANA database.
        timezone: String = "UTC".to_owned();
        /// Who has a schedule.
        cadence: Cadence = Cadence::Phases;
        /// Schedule of the one job of the "single" cadence: a cron expression of five fields.
        frequency: String = "0 3 * * *".to_owned();
        /// Light sleep sorts what was found lately.
        light: LightConfig = LightConfig::default();
        /// Deep sleep promotes what is worth keeping.
        deep: DeepConfig = DeepConfig::default();
        /// REM sleep looks for themes.
        rem: RemConfig = RemConfig::default();
    }
    also schedule_is_readable;
}

morta_base::words! {
    /// In which order light sleep sorts, cuts and dedupes.
    #[derive(Default)]
    pub enum LightOrder: Key {
        /// Dedupe, sort by average score, cut to the limit: as the document says.
        #[default]
        Score = "score",
        /// Sort by last recall, cut to the limit, dedupe: as the released program does.
        Recency = "recency",
    }
}

keys! {
    /// Light sleep.
    pub struct LightConfig {
        /// Whether it runs.
        enabled: bool = true;
        /// When: a cron expression of five fields.
        cron: String = "0 */6 * * *".to_owned();
        /// Days of 24 hours it looks back.
        lookback_days: u32 = 2, in 0..=MOST_DAYS, "days";
        /// Most candidates it stages.
        limit: u32 = 100, in 0..=MOST_ENTRIES, "candidates";
        /// Jaccard similarity from which two snippets are one.
        dedupe_similarity: f64 = 0.9, in 0.0..=1.0, "similarity";
        /// How candidates are sorted, cut and deduplicated.
        order: LightOrder = LightOrder::Score;
        /// Jaccard similarity from which candidates are shown as one group. (The document asks for clusters and gives
        /// no rule; this one is ours, and only for display.)
        cluster_similarity: f64 = 0.5, in 0.0..=1.0, "similarity";
        /// What a run costs.
        execution: ExecutionConfig = ExecutionConfig::default();
    }
    also schedule_is_readable;
}

morta_base::words! {
    /// What the age gate measures.
    #[derive(Default)]
    pub enum AgeMeasure: Key {
        /// Days since the day of the note: as the document says.
        #[default]
        Note = "note",
        /// Days since the last recall: as the released program does.
        Recall = "recall",
    }
}

keys! {
    /// Weights of the six signals; they are scaled to add up to 1.
    pub struct RankingWeights {
        /// Of frequency.
        frequency: f64 = 0.24, in 0.0..=1e12, "weight";
        /// Of relevance.
        relevance: f64 = 0.30, in 0.0..=1e12, "weight";
        /// Of diversity.
        diversity: f64 = 0.15, in 0.0..=1e12, "weight";
        /// Of recency.
        recency: f64 = 0.15, in 0.0..=1e12, "weight";
        /// Of consolidation.
        consolidation: f64 = 0.10, in 0.0..=1e12, "weight";
        /// Of conceptual richness.
        conceptual: f64 = 0.06, in 0.0..=1e12, "weight";
    }
}

impl RankingWeights {
    /// Makes weights from an array (a weight vector), in the order of the fields.
    pub const fn of([frequency, relevance, diversity, recency, consolidation, conceptual]: [f64; 6]) -> Self {
        Self { frequency, relevance, diversity, recency, consolidation, conceptual }
    }

    /// The weights as an array, in the order of the fields (a weight vector).
    pub const fn in_order(&self) -> [f64; 6] {
        [self.frequency, self.relevance, self.diversity, self.recency, self.consolidation, self.conceptual]
    }
}

keys! {
    /// Deep sleep.
    pub struct DeepConfig {
        /// Whether it runs.
        enabled: bool = true;
        /// When: a cron expression of five fields.
        cron: String = "0 3 * * *".to_owned();
        /// Most entries promoted in a run.
        limit: u32 = 10, in 0..=MOST_ENTRIES, "entries";
        /// Least score.
        min_score: f64 = 0.8, in 0.0..=1.0, "score";
        /// Least number of recalls.
        min_recall_count: u32 = 3, in 0..=MOST_ENTRIES, "recalls";
        /// Least number of distinct queries (32 are remembered).
        min_unique_queries: u32 = 3, in 0..=super::entry::MAX_QUERIES as u32, "queries";
        /// Days in which recency halves.
        recency_half_life_days: f64 = 14.0, in above(0.0).to(1e12), "days";
        /// Oldest that may be promoted, in days; 0 stands for 30.
        max_age_days: u32 = Self::USUAL_AGE_DAYS, in 0..=MOST_DAYS, "days";
        /// What that age is measured from.
        // The document has the day of the note, the released program the last recall.
        age_measure: AgeMeasure = AgeMeasure::Note;
        /// Weights of the six signals.
        weights: RankingWeights = RankingWeights::default();
        /// Whether signals from daily notes count as recalls, and recall days as queries: a later addition.
        daily_signals: bool = false;
        /// What light sleep adds to a score at most: a later addition (.05).
        light_boost: f64 = 0.0, in 0.0..=1.0, "score";
        /// What REM sleep adds to a score at most: a later addition (.08).
        rem_boost: f64 = 0.0, in 0.0..=1.0, "score";
        /// When long-term memory is thin.
        recovery: RecoveryConfig = RecoveryConfig::default();
        /// What a run costs.
        execution: ExecutionConfig = ExecutionConfig::default();
    }
    also schedule_is_readable;
}

impl DeepConfig {
    /// The default age limit, in days (the document's).
    pub const USUAL_AGE_DAYS: u32 = 30;

    /// The maximum age in force, in days. 0 stands for the default, as in the original; a limit of 0 days would reject everything.
    pub const fn age_limit_days(&self) -> u32 {
        if self.max_age_days == 0 { Self::USUAL_AGE_DAYS } else { self.max_age_days }
    }
}

keys! {
    /// Recovery of a thin long-term memory. (The document names the keys; what health is and what recovery does is
    /// ours.)
    pub struct RecoveryConfig {
        /// Whether it runs.
        enabled: bool = true;
        /// Health below which it does.
        trigger_below_health: f64 = 0.35, in 0.0..=1.0, "health";
        /// Days of 24 hours it looks back.
        lookback_days: u32 = 30, in 0..=MOST_DAYS, "days";
        /// Most candidates.
        max_recovered_candidates: u32 = 20, in 0..=MOST_ENTRIES, "candidates";
        /// Least confidence of a candidate.
        min_recovery_confidence: f64 = 0.9, in 0.0..=1.0, "confidence";
        /// Confidence from which a candidate is written without being looked at.
        auto_write_min_confidence: f64 = 0.97, in 0.0..=1.0, "confidence";
    }
}

morta_base::words! {
    /// What a theme of REM sleep is.
    #[derive(Default)]
    pub enum Themes: Key {
        /// One tag that many traces carry: as the released program does.
        #[default]
        Tags = "tags",
        /// Tags that occur together: an ablation of ours, for "clusters of tags by co-occurrence", which the document doesn't define.
        Clusters = "clusters",
    }
}

keys! {
    /// REM sleep.
    pub struct RemConfig {
        /// Whether it runs.
        enabled: bool = true;
        /// When: a cron expression of five fields.
        cron: String = "0 5 * * 0".to_owned();
        /// Days of 24 hours it looks back.
        lookback_days: u32 = 7, in 0..=MOST_DAYS, "days";
        /// Most themes.
        limit: u32 = 10, in 0..=MOST_ENTRIES, "themes";
        /// Least strength of a theme.
        min_pattern_strength: f64 = 0.75, in 0.0..=1.0, "strength";
        /// What a theme is.
        themes: Themes = Themes::Tags;
        /// Whether the entries it is surest of are named too: a later addition.
        truths: bool = false;
        /// What a run costs.
        execution: ExecutionConfig = ExecutionConfig::default();
    }
    also schedule_is_readable;
}

impl DreamingConfig {
    /// Whether a phase runs: dreaming and the phase are enabled, and its limit is above 0 (a feature flag).
    pub fn runs(&self, phase: Phase) -> bool {
        let (enabled, limit) = match phase {
            Phase::Light => (self.light.enabled, self.light.limit),
            Phase::Deep => (self.deep.enabled, self.deep.limit),
            Phase::Rem => (self.rem.enabled, self.rem.limit),
        };
        self.enabled && enabled && limit > 0
    }

    /// The schedule of a phase, as a cron expression.
    pub fn cron(&self, phase: Phase) -> &str {
        match (self.cadence, phase) {
            (Cadence::Single, _) => &self.frequency,
            (Cadence::Phases, Phase::Light) => &self.light.cron,
            (Cadence::Phases, Phase::Deep) => &self.deep.cron,
            (Cadence::Phases, Phase::Rem) => &self.rem.cron,
        }
    }

    /// The execution keys (settings) of a phase.
    pub const fn execution(&self, phase: Phase) -> &ExecutionConfig {
        match phase {
            Phase::Light => &self.light.execution,
            Phase::Deep => &self.deep.execution,
            Phase::Rem => &self.rem.execution,
        }
    }

    fn schedule_is_readable(&self, table: &mut TableChecker<'_>) {
        if let Err(unknown) = Zone::named(&self.timezone) {
            table.demand(false, "timezone", &self.timezone, unknown.to_string());
        }
        cron(table, "frequency", &self.frequency);
    }
}

fn cron(table: &mut TableChecker<'_>, key: &str, expression: &str) {
    if let Err(problem) = check_cron(expression) {
        table.demand(false, key, expression, problem.remedy());
    }
}

macro_rules! schedule_is_readable {
    ($($phase:ty)*) => {$(
        impl $phase {
            fn schedule_is_readable(&self, table: &mut TableChecker<'_>) {
                cron(table, "cron", &self.cron);
            }
        }
    )*};
}

schedule_is_readable!(LightConfig DeepConfig RemConfig);
