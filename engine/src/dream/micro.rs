//! Micro-consolidation: at most every minute of simulated time (by default; with 40-second ticks every second tick), a check of new
//! episodes against insights (dream architecture, "micro-consolidation fiber"). It changes strengths, counts of use (by which the Curator
//! spares insights from pruning), tags and urgency.
//!
//! Invariant: it never touches the playbook, which has one writer, the Integration phase; it is given no way to.
//!
//! ```compile_fail
//! fn rewrite(mind: &mut morta_engine::dream::micro::WakingMind<'_>) {
//!     mind.playbook.clear();
//! }
//! ```
//!
//! Likeness and confidence run from 0 to 1, intervals are in simulated seconds. Waking golems that dream do it outside sleep windows,
//! without a model and without cost; an anomaly raises the urgency of a dream by `dream.urgency.micro_step` (.02). In neuroscience it is
//! awake replay (waking sharp-wave ripples); as engineering, a periodic job of online learning, a light step of memory consolidation.
//! Micro-consolidation is online consolidation: a background pass at a polling interval.

use crate::dream::integration::beliefs::Belief;
use crate::episode::{ContextPattern, DreamPriority, EpisodeKind, EpisodeRecord, Grimoire};
use morta_base::EpisodeId;
use morta_base::dot::cosine_similarity;
use morta_base::keys;
use serde::{Deserialize, Serialize};

keys! {
    /// The `[dream.micro]` table (our own: the spec gives the numbers, but no keys).
    // Dream architecture, "micro-consolidation fiber".
    pub struct MicroConfig {
        /// Whether there is any, for golems that dream.
        enabled: bool = true;
        /// Simulated seconds between two passes of a waking golem; with longer ticks, every tick.
        interval_seconds: u32 = 60, in 1..=86_400, "seconds";
        /// Newest episodes looked at in a pass, each once.
        episodes: u32 = 5, in 1..=100, "episodes";
    }
}

// The spec's numbers, but for the last, which it calls "high-confidence": our choice, because a claim held at less than even odds
// is not contradicted by one outcome.

/// Insights that an episode is compared with, those used most often first.
const INSIGHTS: usize = 10;
/// Likeness above which an episode that agrees strengthens an insight.
const MATCH_ABOVE: f64 = 0.8;
/// Strength that a matching insight gains.
const MATCH_STEP: f64 = 0.1;
/// Likeness above which an episode that disagrees is an anomaly.
const ANOMALY_ABOVE: f64 = 0.7;
/// Confidence from which an insight can be contradicted so.
const CONFIDENT_FROM: f64 = 0.5;

/// The parts of a memory that a pass may change: mutable references to episodes and insights, none to rules (least privilege).
#[derive(Debug)]
pub struct WakingMind<'a> {
    /// Episodes: anomalies are tagged.
    pub grimoire: &'a mut Grimoire,
    /// Insights: matches strengthen them.
    pub insights: Vec<&'a mut Belief>,
}

/// The result of one pass of awake replay: counters of matches and anomalies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MicroOutcome {
    /// Insights strengthened, counted once for each episode.
    pub matches: u32,
    /// Episodes that contradict a confident insight; tagged for the next dream.
    pub anomalies: u32,
}

impl MicroOutcome {
    /// Whether it leaves a pattern unresolved: an anomaly flag that adds to sleep pressure.
    pub fn unresolved(&self) -> bool {
        self.anomalies > 0
    }
}

/// Consolidates online: a match strengthens an entry, an anomaly is flagged. Checks the episodes that are new since the last pass, oldest
/// first; if there are more than configured, the newest.
pub fn consolidate(mind: &mut WakingMind<'_>, fresh: &[EpisodeId], config: &MicroConfig) -> MicroOutcome {
    let mut outcome = MicroOutcome::default();
    let newest = &fresh[fresh.len().saturating_sub(config.episodes as usize)..];
    for id in newest {
        glance(*id, mind, &mut outcome);
    }
    outcome
}

fn glance(id: EpisodeId, mind: &mut WakingMind<'_>, outcome: &mut MicroOutcome) {
    let Some(episode) = mind.grimoire.get(id).filter(|episode| episode.kind == EpisodeKind::Trade) else {
        return;
    };
    let mut insights: Vec<&mut Belief> = mind.insights.iter_mut().map(|insight| &mut **insight).collect();
    for insight in &mut insights {
        insight.standing.accesses += u32::from(insight.claim.applies(episode.strategy, &episode.context));
    }
    insights.sort_by_key(|insight| std::cmp::Reverse(insight.standing.accesses));
    let mut anomalous = false;
    for insight in insights.into_iter().take(INSIGHTS) {
        let likeness = likeness(episode, insight, mind.grimoire);
        let agrees = (insight.claim.expected_r > 0.0) == (episode.realised_r > 0.0);
        if agrees && likeness > MATCH_ABOVE {
            insight.standing.strength += MATCH_STEP;
            outcome.matches += 1;
        }
        anomalous |= !agrees && likeness > ANOMALY_ABOVE && insight.confidence >= CONFIDENT_FROM;
    }
    if anomalous {
        mind.grimoire.tag(id, DreamPriority::High);
        outcome.anomalies += 1;
    }
}

/// Likeness of an episode to an insight, in [0, 1]. It is 0 for another strategy; else the mean of two halves: the share of the
/// circumstances named by the insight that hold for the episode (1 when it names none), and the cosine, at least 0, between the
/// episode's embedding and the centroid of those the insight was learned from. When none of these is in the Grimoire any more, or
/// the episode isn't, the circumstances alone decide. (The spec has a single cosine of texts' embeddings; claims here are
/// structured, so half of the likeness is exact.) A hybrid similarity: exact features and embedding cosine.
pub fn likeness(episode: &EpisodeRecord, insight: &Belief, grimoire: &Grimoire) -> f64 {
    if episode.strategy != insight.claim.strategy {
        return 0.0;
    }
    let circumstances = circumstances(&insight.claim.pattern, episode);
    let known = insight.learned_from.iter().copied();
    match grimoire.embedding_of(episode.id).zip(grimoire.centroid(known)) {
        None => circumstances,
        Some((embedding, centroid)) => {
            0.5 * (circumstances + cosine_similarity(embedding, &centroid).max(0.0))
        }
    }
}

fn circumstances(pattern: &ContextPattern, episode: &EpisodeRecord) -> f64 {
    let named: Vec<bool> = pattern.named(&episode.context).collect();
    if named.is_empty() {
        return 1.0;
    }
    named.iter().filter(|holds| **holds).count() as f64 / named.len() as f64
}
