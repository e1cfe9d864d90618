//! The six signals of deep ranking and their weighted sum (digest section 4). The constants are the document's. It is a linear scoring
//! model (feature weights); ages are days. Logarithms bound counts, because the tenth recall says less than the second. Ranking asks for
//! them, for every entry of the store: in a deep sleep, and where a command previews one or shows its gates; default weights are .24
//! frequency, .30 relevance, .15 diversity, .15 recency, .10 consolidation and .06 conceptual.

use super::config::{DeepConfig, RankingWeights};
use super::entry::{RecallEntry, unit};
use super::time::{Day, Instant};
use morta_base::math;
use serde::{Deserialize, Serialize};

/// Recalls from which frequency is 1, because the document divides ln(1 + n) by ln 11.
const FULL_FREQUENCY: f64 = 10.0;
/// Distinct queries from which diversity is 1.
const FULL_DIVERSITY: f64 = 5.0;
/// Days between the first and the last recall from which the span's part of consolidation is full.
const FULL_SPAN_DAYS: f64 = 7.0;
/// Recall days from which their part of consolidation is full.
const FULL_DAYS: f64 = 5.0;
/// Tags from which conceptual richness is 1.
const FULL_TAGS: f64 = 6.0;
/// Half-life in days, used when the configured one isn't above 0.
const USUAL_HALF_LIFE_DAYS: f64 = 14.0;

/// The six signals of an entry, each 0 to 1: its feature vector (ranking features).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signals {
    /// Frequency: by the number of recalls.
    pub frequency: f64,
    /// Relevance: the average score of recalls.
    pub relevance: f64,
    /// Diversity: by the number of distinct queries.
    pub diversity: f64,
    /// Recency: by the time since the last recall.
    pub recency: f64,
    /// Consolidation: by the number and span of recall days.
    pub consolidation: f64,
    /// Conceptual richness: by the number of tags.
    pub conceptual: f64,
}

impl Signals {
    /// Computes the signals (features) of an entry at a moment.
    pub fn of(entry: &RecallEntry, now: Instant, config: &DeepConfig) -> Self {
        let n = signal_count(entry, config);
        Self {
            frequency: frequency(n),
            relevance: unit(entry.total_score / f64::from(n.max(1))),
            diversity: unit(f64::from(distinct_queries(entry, config)) / FULL_DIVERSITY),
            recency: recency(entry.age_days(now), config.recency_half_life_days),
            consolidation: consolidation(&entry.recall_days),
            conceptual: unit(entry.concept_tags.len() as f64 / FULL_TAGS),
        }
    }

    /// The signals as an array, in the order of the fields (a feature vector).
    pub const fn in_order(&self) -> [f64; 6] {
        [self.frequency, self.relevance, self.diversity, self.recency, self.consolidation, self.conceptual]
    }

    /// The weighted sum of the signals. Weights are scaled, so that they add up to 1: unscaled, a user's numbers could carry every score
    /// past the gate. Negative weights and NaN count as 0; if all are 0, the default weights are used.
    pub fn score(&self, weights: &RankingWeights) -> f64 {
        let mut w = weights.in_order().map(|weight| if weight.is_finite() { weight.max(0.0) } else { 0.0 });
        let mut sum: f64 = w.iter().sum();
        if sum <= 0.0 {
            w = RankingWeights::default().in_order();
            sum = w.iter().sum();
        }
        w.iter().zip(self.in_order()).map(|(weight, signal)| weight / sum * signal).sum()
    }
}

/// Recall count of an entry (search hits); with `daily_signals`, plus the signals from daily notes, as a sum.
pub fn signal_count(entry: &RecallEntry, config: &DeepConfig) -> u32 {
    let daily = if config.daily_signals { entry.daily_count } else { 0 };
    entry.recall_count.saturating_add(daily)
}

/// Diversity of queries: the number of distinct ones; with `daily_signals`, the number of recall days if that is larger.
pub fn distinct_queries(entry: &RecallEntry, config: &DeepConfig) -> u32 {
    let queries = entry.query_hashes.len();
    let most = if config.daily_signals { queries.max(entry.recall_days.len()) } else { queries };
    most as u32
}

fn frequency(n: u32) -> f64 {
    unit(math::ln_1p(f64::from(n)) / math::ln_1p(FULL_FREQUENCY))
}

/// Recency: 2^(−age/half-life).
fn recency(age_days: f64, half_life_days: f64) -> f64 {
    let half_life = if half_life_days > 0.0 { half_life_days } else { USUAL_HALF_LIFE_DAYS };
    unit(math::half_life_decay(age_days, half_life))
}

/// Consolidation: 0 without a day, 0.2 for one. From two days on, 0.55 times a part by their number and 0.45 times one by their span. The days must
/// be in order.
fn consolidation(days: &[Day]) -> f64 {
    match (days.first(), days.last()) {
        (Some(first), Some(last)) if days.len() > 1 => {
            let spacing = unit(math::ln(days.len() as f64) / math::ln(FULL_DAYS));
            let span = unit(f64::from(last.0 - first.0) / FULL_SPAN_DAYS);
            unit(0.55 * spacing + 0.45 * span)
        }
        (Some(_), _) => 0.2,
        _ => 0.0,
    }
}

/// Counts and last moments of light and REM sleep for an entry: a later addition (hit count). Golems count them where a boost is above 0,
/// its default being 0; the tools for users' files keep none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseSignal {
    /// Number of times that light sleep staged it.
    pub light_hits: u32,
    /// The moment of the last staging.
    pub last_light_at: Option<Instant>,
    /// Number of times that a theme of REM sleep had it.
    pub rem_hits: u32,
    /// The moment of the last such theme.
    pub last_rem_at: Option<Instant>,
}

impl PhaseSignal {
    /// The addition to a score: the sum over light and REM of weight·min(1, ln(1+hits)/ln 7)·2^(−age/14 d) (score boost).
    pub fn boost(&self, now: Instant, config: &DeepConfig) -> f64 {
        let part = |hits: u32, last: Option<Instant>| {
            let age = last.map_or(0.0, |last| now.days_since(last).max(0.0));
            unit(math::ln_1p(f64::from(hits)) / math::ln(7.0)) * recency(age, USUAL_HALF_LIFE_DAYS)
        };
        config.light_boost * part(self.light_hits, self.last_light_at)
            + config.rem_boost * part(self.rem_hits, self.last_rem_at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{entry, now};
    use super::*;

    fn close(id: &str, found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{id}: {found}, expected {expected}");
    }

    fn signals(entry: &RecallEntry) -> Signals {
        Signals::of(entry, now(), &DeepConfig::default())
    }

    #[test]
    fn c01_to_c04_frequency() {
        for (id, n, expected) in
            [("C01", 1, 0.289064826), ("C02", 3, 0.578129653), ("C03", 10, 1.0), ("C04", 25, 1.0)]
        {
            close(id, signals(&entry(n, 0.0, 0, &[], 0, 0.0)).frequency, expected);
        }
    }

    #[test]
    fn c05_to_c06_relevance() {
        close("C05", signals(&entry(4, 3.2, 0, &[], 0, 0.0)).relevance, 0.8);
        close("C06", signals(&entry(2, 2.6, 0, &[], 0, 0.0)).relevance, 1.0);
        close("no recall", signals(&entry(0, 0.0, 0, &[], 0, 0.0)).relevance, 0.0);
    }

    #[test]
    fn c07_to_c09_diversity() {
        for (id, queries, expected) in [("C07", 3, 0.6), ("C08", 5, 1.0), ("C09", 8, 1.0)] {
            close(id, signals(&entry(1, 1.0, queries, &[], 0, 0.0)).diversity, expected);
        }
    }

    /// C11 is .707106781, √½.
    #[test]
    fn c10_to_c13_recency() {
        use std::f64::consts::FRAC_1_SQRT_2;
        for (id, age, expected) in
            [("C10", 0.0, 1.0), ("C11", 7.0, FRAC_1_SQRT_2), ("C12", 14.0, 0.5), ("C13", 28.0, 0.25)]
        {
            close(id, signals(&entry(1, 1.0, 1, &[], 0, age)).recency, expected);
        }
        let config = DeepConfig { recency_half_life_days: 0.0, ..DeepConfig::default() };
        close("no half-life", Signals::of(&entry(1, 1.0, 1, &[], 0, 14.0), now(), &config).recency, 0.5);
        close("ahead", signals(&entry(1, 1.0, 1, &[], 0, -3.0)).recency, 1.0);
        let mut unreadable = entry(1, 1.0, 1, &[], 0, 14.0);
        unreadable.last_recalled_at = super::super::time::StoredInstant::read("some day");
        close("unreadable", signals(&unreadable).recency, 1.0);
    }

    #[test]
    fn c14_to_c18_consolidation() {
        let days: [(&str, &[&str], f64); 5] = [
            ("C14", &[], 0.0),
            ("C15", &["04-01"], 0.2),
            ("C16", &["04-01", "04-02"], 0.301157821),
            ("C17", &["04-01", "04-03", "04-05"], 0.632576264),
            ("C18", &["03-20", "03-24", "03-27", "03-30", "04-02"], 1.0),
        ];
        for (id, days, expected) in days {
            close(id, signals(&entry(1, 1.0, 1, days, 0, 0.0)).consolidation, expected);
        }
    }

    #[test]
    fn c19_to_c22_conceptual() {
        for (id, tags, expected) in [("C19", 0, 0.0), ("C20", 3, 0.5), ("C21", 6, 1.0), ("C22", 8, 1.0)] {
            close(id, signals(&entry(1, 1.0, 1, &[], tags, 0.0)).conceptual, expected);
        }
    }

    #[test]
    fn c23_to_c25_score() {
        let weights = RankingWeights::default();
        let five = ["03-26", "03-28", "03-30", "04-01", "04-05"];
        for (id, entry, expected) in [
            ("C23", entry(7, 6.3, 5, &["03-30", "04-01", "04-03"], 5, 2.0), 0.877242851),
            ("C24", entry(3, 2.1, 3, &["04-01"], 2, 10.0), 0.570177141),
            ("C25", entry(30, 30.0, 9, &five, 8, 0.0), 1.0),
            // The digest's example of an entry that misses the threshold of 0.8.
            ("section 4", entry(3, 3.0, 3, &["04-05"], 6, 0.0), 0.758751117),
        ] {
            close(id, signals(&entry).score(&weights), expected);
        }
    }

    #[test]
    fn weights_are_scaled_to_a_sum_of_one() {
        let s = signals(&entry(3, 2.1, 3, &["04-01"], 2, 10.0));
        let usual = RankingWeights::default();
        let twice = RankingWeights { frequency: 0.48, relevance: 0.6, ..doubled(&usual) };
        close("doubled", s.score(&twice), s.score(&usual));
        let nothing = RankingWeights::of([0.0, -1.0, 0.0, f64::NAN, 0.0, 0.0]);
        close("all zero", s.score(&nothing), s.score(&usual));
        close("one", s.score(&RankingWeights::of([0.0, 3.0, 0.0, 0.0, 0.0, 0.0])), s.relevance);
        let before = RankingWeights::of([0.35, 0.35, 0.15, 0.15, 0.0, 0.0]);
        close("before the seed", s.score(&before), 0.628771402);
    }

    fn doubled(weights: &RankingWeights) -> RankingWeights {
        RankingWeights::of(weights.in_order().map(|weight| 2.0 * weight))
    }

    #[test]
    fn later_additions_are_off_by_default() {
        let mut entry = entry(1, 1.0, 1, &["04-01", "04-02", "04-03"], 0, 0.0);
        entry.daily_count = 9;
        assert_eq!(signals(&entry).diversity, 0.2);
        let config = DeepConfig { daily_signals: true, ..DeepConfig::default() };
        let found = Signals::of(&entry, now(), &config);
        assert_eq!((found.frequency, found.diversity), (1.0, 0.6));
        close("relevance", found.relevance, 0.1);
        let touched = PhaseSignal { light_hits: 6, last_light_at: Some(now()), ..PhaseSignal::default() };
        assert_eq!(touched.boost(now(), &DeepConfig::default()), 0.0);
        let config = DeepConfig { light_boost: 0.05, rem_boost: 0.08, ..DeepConfig::default() };
        close("light", touched.boost(now(), &config), 0.05);
        let dreamt =
            PhaseSignal { rem_hits: 6, last_rem_at: Some(now().days_earlier(14)), ..PhaseSignal::default() };
        close("REM, two weeks ago", dreamt.boost(now(), &config), 0.04);
    }
}
