//! The memory stream: the records, and their retrieval by recency, importance and relevance (Park et al. 2023, section 4.1).
//!
//! Importance runs from 1 to 10, recency decays by simulated hours since the last retrieval, relevance is a cosine similarity; each is
//! min-max scaled to 0..1 before they are added.

use super::GenerativeAgentsConfig;
use crate::episode::{Episode, Provenance};
use crate::market::{AssetIndex, Regime, Strategy};
use crate::memory::contract::{Voice, VoiceSource};
use morta_base::dot::cosine_similarity;
use morta_base::{EpisodeId, Tick, math};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The subject of a record. A topic key. Strategy, asset and regime as a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Subject {
    /// The strategy.
    pub strategy: Strategy,
    /// The asset.
    pub asset: AssetIndex,
    /// The regime as the golem read it.
    pub regime: Regime,
}

impl Subject {
    /// From an episode. A topic extraction. A topic label.
    pub fn from_episode(episode: &Episode) -> Self {
        Self { strategy: episode.strategy, asset: episode.asset, regime: episode.context.regime }
    }
}

/// The origin of a record. The data lineage of a record. Observation or reflection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Origin {
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

/// A record of the stream. A memory record with embedding and access time. A memory object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StreamRecord {
    /// Its origin.
    pub origin: Origin,
    /// Its subject.
    pub subject: Subject,
    /// The result of the trade, or the mean result of the sources, in R net of costs.
    pub said_r: f64,
    /// 1 (mundane) to 10 (poignant).
    pub importance: f64,
    /// Tick of its last retrieval for a decision that was acted on; at first of its making.
    pub last_retrieved: Tick,
    /// The market's embedding; for a reflection the mean of its sources'.
    pub embedding: Box<[f32]>,
}

impl StreamRecord {
    /// The source of its voice. The citation key. A pointer to evidence.
    pub fn source(&self) -> VoiceSource {
        match &self.origin {
            Origin::Observed(episode) => VoiceSource::Episode(*episode),
            Origin::Reflected { number, .. } => VoiceSource::Note(*number),
        }
    }

    /// Whether it is a reflection. True for a synthesised memory. Not a raw observation.
    pub fn is_reflection(&self) -> bool {
        matches!(self.origin, Origin::Reflected { .. })
    }

    /// Its voice. A vote with its weight. A weighted opinion of the record.
    pub fn voice(&self, reflection_weight: f64) -> Voice {
        let weight = if self.is_reflection() { reflection_weight } else { 1.0 };
        Voice::new(self.source(), Provenance::Own, weight, self.said_r)
    }
}

/// Importance of a trade, 1 to 10: by its surprise or its arousal, whichever is larger, in whole numbers, as the paper's ratings
/// are. (The paper asks a model to rate; both are measured here, so a model would only add noise.) A poignancy rating.
pub fn importance(surprise_r: f64, arousal: f64, surprise_of_ten_r: f64) -> f64 {
    let moved = (surprise_r.abs() / surprise_of_ten_r).max(arousal).clamp(0.0, 1.0);
    (1.0 + 9.0 * moved).round()
}

/// Scales values to [0, 1] by their least and greatest; all to ½ where they are equal, as the paper's code does. Min-max normalisation.
pub fn min_max(values: &mut [f64]) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let range = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    values.iter_mut().for_each(|value| *value = if range > 0.0 { (*value - least) / range } else { 0.5 });
}

/// A query for records. A retrieval query (time and embedding). What retrieval scores against.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Now.
    pub now: Tick,
    /// The query's embedding, for relevance.
    pub embedding: &'a [f32],
}

/// All records, oldest first. The memory stream, first in, first out. A bounded queue with retrieval scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    records: VecDeque<StreamRecord>,
    /// Simulated hours in a tick, above 0.
    tick_hours: f64,
}

impl Stream {
    /// An empty stream. An empty memory stream.
    pub fn new(tick_hours: f64) -> Self {
        Self { tick_hours, ..Self::default() }
    }

    /// Adds a record; beyond so many the oldest leave. An append with eviction of the oldest. A bounded append.
    pub fn keep(&mut self, record: StreamRecord, capacity: u32) {
        self.records.push_back(record);
        self.shrink(capacity);
    }

    /// Drops the oldest until so many are left. An eviction to capacity. A truncation of the oldest.
    pub fn shrink(&mut self, capacity: u32) {
        let excess = self.records.len().saturating_sub(capacity as usize);
        self.records.drain(..excess);
    }

    /// The latest records (that many), oldest first. The tail of the memory stream. A recency window.
    pub fn latest(&self, count: u32) -> impl Iterator<Item = &StreamRecord> + Clone {
        self.records.iter().skip(self.records.len().saturating_sub(count as usize))
    }

    /// The reflections, oldest first. A filter by lineage. Synthesised records.
    pub fn reflections(&self) -> impl Iterator<Item = &StreamRecord> {
        self.records.iter().filter(|record| record.is_reflection())
    }

    /// Marks records as retrieved now. An access time update (LRU-like touch).
    pub fn retrieved(&mut self, sources: &[VoiceSource], now: Tick) {
        let called = |record: &&mut StreamRecord| sources.contains(&record.source());
        self.records.iter_mut().filter(called).for_each(|record| record.last_retrieved = now);
    }

    /// The score of every record, oldest first:
    ///
    /// `recency + importance + α_relevance·relevance`, each scaled by [`min_max`] over all records (the paper's other two α are 1; half and twice as much
    /// had no consequence that was found, `scenarios/sensitivity/knobs-baselines.toml`);
    /// recency is decay^hours since the record was last retrieved, relevance the cosine of the embeddings (Park et al. 2023, §4.1). The
    /// retrieval score of the memory stream.
    pub fn scores(&self, query: Query<'_>, config: &GenerativeAgentsConfig) -> Vec<f64> {
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

    /// The records of the highest score, the highest first; of equals the later. Top-k retrieval.
    pub fn retrieve(&self, query: Query<'_>, config: &GenerativeAgentsConfig) -> Vec<&StreamRecord> {
        let scores = self.scores(query, config);
        let mut ranked: Vec<(f64, &StreamRecord)> = scores.into_iter().zip(&self.records).rev().collect();
        ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        ranked.truncate(config.retrieved as usize);
        ranked.into_iter().map(|(_, record)| record).collect()
    }
}
