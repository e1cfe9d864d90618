//! Baselines that elaborate memories have to beat: the last trades, retrieval of the most similar ones, and the memory stream of generative
//! agents, from which most of the field starts.
//!
//! None sleeps or hands anything on; only the last one draws conclusions. Results are in R; a prior counts as 3 trades (a key only of
//! `rag`), as in all memories with a prior. They are the control architectures of the arena: recency window, similarity retrieval (RAG),
//! memory stream. All forget their oldest items first; in a decision only items of the candidate's strategy and asset count.

mod generative_agents;
mod rag;
mod window;

pub use generative_agents::{GenerativeAgents, GenerativeAgentsConfig};
pub use rag::{Rag, RagConfig};
pub use window::{WindowMemory, WindowMemoryConfig};

use crate::episode::{Episode, EpisodeKind, Provenance};
use crate::market::{AssetIndex, Strategy};
use crate::memory::contract::{Advice, Candidate, Voice, VoiceSource};
use morta_base::{EpisodeId, Tick};
use serde::{Deserialize, Serialize};

/// A stored trade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    episode: EpisodeId,
    strategy: Strategy,
    asset: AssetIndex,
    /// Tick of the close, from which ages count.
    closed: Tick,
    /// Result, in R net of costs.
    realised_r: f64,
    /// The market's embedding; empty where it isn't used.
    embedding: Box<[f32]>,
}

impl Kept {
    /// From a trade; abstentions aren't stored by these memories.
    fn from_episode(episode: &Episode, with_embedding: bool) -> Option<Self> {
        (episode.kind == EpisodeKind::Trade).then(|| Self {
            episode: episode.id,
            strategy: episode.strategy,
            asset: episode.asset,
            closed: episode.closed,
            realised_r: episode.realised_r,
            embedding: if with_embedding { episode.embedding.clone() } else { Box::default() },
        })
    }

    fn voice(&self, weight: f64) -> Voice {
        Voice::new(VoiceSource::Episode(self.episode), Provenance::Own, weight, self.realised_r)
    }
}

/// Imagined trades the prior of a decision counts as, where it is no key. Our choice, the same as in all memories with a prior: they differ
/// in what they remember alone. No consequence was found of half and twice as many for `window` and `generative-agents`
/// (`scenarios/sensitivity/knobs-baselines.toml`).
const PRIOR_WEIGHT: f64 = 3.0;

/// The mean of the prior and of those trades that were of the candidate's strategy and asset, by their weights in episodes.
fn advice<'a>(
    candidate: &Candidate,
    prior_weight: f64,
    kept: impl Iterator<Item = (f64, &'a Kept)>,
) -> Advice {
    let is_about = |kept: &Kept| (kept.strategy, kept.asset) == (candidate.strategy, candidate.asset);
    let about = kept.filter(|(_, kept)| is_about(kept));
    let voices: Vec<Voice> = about.map(|(weight, kept)| kept.voice(weight)).collect();
    let why = Advice::loudest(voices.iter().copied());
    Advice { why, ..Advice::balanced(candidate, prior_weight, voices.iter()) }.with_voices(voices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::common::memory::{advice_on, candidate, moment, observe};
    use crate::memory::contract::MemoryArchitecture;

    /// A memory that has lived through these trades of (strategy, R, embedding), one a tick.
    pub(crate) fn lived<M: MemoryArchitecture>(mut memory: M, trades: &[(Strategy, f64, [f32; 2])]) -> M {
        for (tick, (strategy, realised_r, embedding)) in trades.iter().enumerate() {
            let mut trade = episode(tick as u32, tick as u64);
            (trade.strategy, trade.realised_r, trade.asset) = (*strategy, *realised_r, 0);
            trade.embedding = embedding.to_vec().into();
            observe(&mut memory, &trade, &[], tick as u64);
        }
        memory
    }

    /// What it expects of a strategy whose prior is 0, in a market of this embedding.
    pub(crate) fn expected_r(memory: &impl MemoryArchitecture, strategy: Strategy, embedding: &[f32]) -> f64 {
        let moment = moment(99, episode(0, 0).context, embedding);
        advice_on(memory, &moment, candidate(strategy, 0.0)).expected_r
    }
}
