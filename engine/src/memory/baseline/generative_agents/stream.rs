//! The memory stream: the records, and their retrieval by recency, importance and relevance (Park et al. 2023, section 4.1).
//!
//! Importance runs from 1 to 10, recency decays by simulated hours since the last retrieval, relevance is a cosine similarity; each is
//! min-max scaled to 0..1 before they are added. The 2,000 latest records are kept and the 30 of the highest score retrieved by default,
//! for a decision or for a question of a reflection.

use super::GenerativeAgentsConfig;
use crate::episode::{Episode, Provenance};
use crate::market::{AssetIndex, Regime, Strategy};
use crate::memory::contract::{Voice, VoiceSource};
use morta_base::dot::cosine_similarity;
use morta_base::{EpisodeId, Tick, math};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A topic key, by which reflections group records (group by subject): the strategy, asset and regime that a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// The strategy.
    pub strategy: Strategy,
    /// The asset.
    pub asset: AssetIndex,
    /// The regime as the golem read it.
    pub regime: Regime,
}

impl Subject {
    /// Groups an episode by its topic: its strategy, asset, and regime as read.
    pub(crate) fn from_episode(episode: &Episode) -> Self {
        Self { strategy: episode.strategy, asset: episode.asset, regime: episode.context.regime }
    }
}

/// The data lineage of a record: an observation, or a reflection with the records it cites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Origin {
    /// An own trade.
    Observed(EpisodeId),
    /// A reflection.
    Reflected {
        /// Its number in this memory.
        number: u32,
        /// The records it was drawn from, in order: observations, and earlier reflections.
        drawn_from: Vec<VoiceSource>,
    },
}

/// A memory record of the stream with its importance, embedding and last access.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StreamRecord {
    /// Its origin.
    pub origin: Origin,
    /// Its subject.
    pub subject: Subject,
    /// The result of the trade, or the mean result of the sources, in R net of costs.
    pub said_r: f64,
    /// From 1, mundane, to 10, poignant.
    pub importance: f64,
    /// Tick of its last retrieval for a decision that was acted on; at first of its making.
    pub last_retrieved: Tick,
    /// The market's embedding; for a reflection the mean of its sources'.
    pub embedding: Box<[f32]>,
}

impl StreamRecord {
    /// The citation key of the record: the source of its voice, by which a decision points to its evidence.
    pub(super) fn source(&self) -> VoiceSource {
        match &self.origin {
            Origin::Observed(episode) => VoiceSource::Episode(*episode),
            Origin::Reflected { number, .. } => VoiceSource::Note(*number),
        }
    }

    /// Whether it is a synthesised memory (reflection) and no raw observation.
    pub(crate) fn is_reflection(&self) -> bool {
        matches!(self.origin, Origin::Reflected { .. })
    }

    /// A weighted vote of the record: 1 for a trade, the configured weight for a reflection.
    pub(super) fn voice(&self, reflection_weight: f64) -> Voice {
        let weight = if self.is_reflection() { reflection_weight } else { 1.0 };
        Voice::new(self.source(), Provenance::Own, weight, self.said_r)
    }
}

/// Importance of a trade, 1 to 10: by its surprise or its arousal, whichever is larger, in whole numbers, as the paper's ratings are: a
/// poignancy rating. (The paper asks a model to rate; both are measured here, so a model would only add noise.) It is an importance score
/// on a 1-10 scale.
pub(super) fn importance(surprise_r: f64, arousal: f64, surprise_of_ten_r: f64) -> f64 {
    let moved = (surprise_r.abs() / surprise_of_ten_r).max(arousal).clamp(0.0, 1.0);
    (1.0 + 9.0 * moved).round()
}

/// Min-max normalisation: scales values to [0, 1] by their least and greatest; all to ½ where they are equal, as the paper's code does.
pub(crate) fn min_max(values: &mut [f64]) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let range = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    values.iter_mut().for_each(|value| *value = if range > 0.0 { (*value - least) / range } else { 0.5 });
}

/// A retrieval query, with time and embedding: what records are scored against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query<'a> {
    /// Now.
    pub now: Tick,
    /// The query's embedding, for relevance.
    pub embedding: &'a [f32],
}

/// The memory stream: a bounded queue of records, first in, first out, with retrieval scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Stream {
    records: VecDeque<StreamRecord>,
    /// Simulated hours in a tick, above 0.
    tick_hours: f64,
}

impl Stream {
    /// An empty memory stream, as of generative agents.
    pub(super) fn new(tick_hours: f64) -> Self {
        Self { tick_hours, ..Self::default() }
    }

    /// Adds a record (first in, first out); beyond the capacity the oldest are evicted.
    pub(super) fn keep(&mut self, record: StreamRecord, capacity: u32) {
        self.records.push_back(record);
        self.shrink(capacity);
    }

    /// Eviction to capacity: drops the oldest until so many are left.
    pub(super) fn shrink(&mut self, capacity: u32) {
        let excess = self.records.len().saturating_sub(capacity as usize);
        self.records.drain(..excess);
    }

    /// The tail of the memory stream (recency window): that many records, oldest first.
    pub(super) fn latest(&self, count: u32) -> impl Iterator<Item = &StreamRecord> + Clone {
        self.records.iter().skip(self.records.len().saturating_sub(count as usize))
    }

    /// Iterates over the reflections (higher-level insights), oldest first.
    pub(super) fn reflections(&self) -> impl Iterator<Item = &StreamRecord> {
        self.records.iter().filter(|record| record.is_reflection())
    }

    /// Marks records as retrieved now, by decisions that were acted on.
    pub(super) fn retrieved(&mut self, sources: &[VoiceSource], now: Tick) {
        let called = |record: &&mut StreamRecord| sources.contains(&record.source());
        self.records.iter_mut().filter(called).for_each(|record| record.last_retrieved = now);
    }

    /// Computes the retrieval score of every record of the memory stream, oldest first, a weighted sum of normalised scores:
    ///
    /// `recency + importance + α_relevance·relevance`, each scaled by [`min_max`] over all records (the paper's other two α are 1; half
    /// and twice as much had no consequence that was found, `scenarios/sensitivity/knobs-baselines.toml`); recency is decay^hours since
    /// the record was last retrieved, relevance the cosine of the embeddings (Park et al. 2023, §4.1).
    pub(super) fn scores(&self, query: Query<'_>, config: &GenerativeAgentsConfig) -> Vec<f64> {
        let mut recency: Vec<f64> =
            self.records.iter().map(|record| self.recency(record, query, config)).collect();
        let mut importance: Vec<f64> = self.records.iter().map(|record| record.importance).collect();
        let relevance = |record: &StreamRecord| cosine_similarity(query.embedding, &record.embedding);
        let mut relevance: Vec<f64> = self.records.iter().map(relevance).collect();
        [&mut recency, &mut importance, &mut relevance].into_iter().for_each(|part| min_max(part));
        let weighed = |((recency, importance), relevance): ((&f64, &f64), &f64)| {
            recency + importance + config.relevance_weight * relevance
        };
        recency.iter().zip(&importance).zip(&relevance).map(weighed).collect()
    }

    fn recency(&self, record: &StreamRecord, query: Query<'_>, config: &GenerativeAgentsConfig) -> f64 {
        let hours = query.now.saturating_sub(record.last_retrieved) as f64 * self.tick_hours;
        math::pow(config.recency_decay, hours)
    }

    /// Retrieves the top k: the records of the highest score, the highest first; of equals the later.
    pub(super) fn retrieve(&self, query: Query<'_>, config: &GenerativeAgentsConfig) -> Vec<&StreamRecord> {
        let scores = self.scores(query, config);
        let mut ranked: Vec<(f64, &StreamRecord)> = scores.into_iter().zip(&self.records).rev().collect();
        ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        ranked.truncate(config.retrieved as usize);
        ranked.into_iter().map(|(_, record)| record).collect()
    }
}
