//! A scoring case: the Grimoire of a client of a load test, and the context in which it is scored. It is the request payload: a top-k
//! selection by replay utility, prepared beforehand, so that the load has scoring alone in it. A request scores every episode of its
//! client's Grimoire and changes nothing in it, so all requests of a client are the same work; no time is taken here.

use morta_base::{EpisodeId, Tick};
use morta_engine::episode::Grimoire;
use morta_engine::market::Regime;
use morta_engine::replay::{PadBias, ReplayConfig, ReplayContext, ReplayMode, Scorer};

/// A [`ReplayContext`] that owns its embedding without a lifetime, so that it can be sent to a scorer's thread.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedReplayContext {
    /// The tick of the dream's beginning, from which ages are counted.
    pub tick: Tick,
    /// The market's embedding at that tick.
    pub embedding: Box<[f32]>,
    /// The regime at that tick, as the golem perceives it.
    pub regime: Regime,
    /// The bias of the golem's mood on the selection; `None` without one.
    pub pad_bias: Option<PadBias>,
    /// Whether the golem has affect.
    pub affect: bool,
    /// The mode of replay.
    pub mode: ReplayMode,
    /// Weight of what the golem can pass on to others, 0 to 1.
    pub legacy: f64,
}

impl From<ReplayContext<'_>> for OwnedReplayContext {
    fn from(context: ReplayContext<'_>) -> Self {
        let ReplayContext { tick, embedding, regime, pad_bias, affect, mode, legacy } = context;
        Self { tick, embedding: embedding.into(), regime, pad_bias, affect, mode, legacy }
    }
}

impl OwnedReplayContext {
    fn borrow(&self) -> ReplayContext<'_> {
        let Self { tick, ref embedding, regime, pad_bias, affect, mode, legacy } = *self;
        ReplayContext { tick, embedding, regime, pad_bias, affect, mode, legacy }
    }
}

/// A client's Grimoire and the inputs of its scoring (scoring request payload). One request scores it once.
#[derive(Clone, Debug)]
pub struct ScoringCase {
    /// The episodes that are scored.
    pub grimoire: Grimoire,
    /// The situation of the dreaming golem.
    pub context: OwnedReplayContext,
    /// The replay keys, with the weights of the utility.
    pub replay: ReplayConfig,
    /// Number of best episodes to select, at least 1.
    pub places: usize,
}

impl ScoringCase {
    /// The work of one request: selects the episodes of the highest replay utility, best first (top-k selection).
    pub fn best(&self) -> Vec<EpisodeId> {
        let scorer = Scorer::new(&self.grimoire, &self.context.borrow(), &self.replay);
        let id = |slot: u32| self.grimoire.record(slot as usize).id;
        scorer.best(self.places).into_iter().map(|ranked| id(ranked.slot)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::{EpisodeId, GolemId, Usdc};
    use morta_engine::episode::{Episode, GrimoireConfig};

    fn episode(number: u32, surprise: f64) -> Episode {
        Episode {
            opened: 5,
            stake: Usdc::from_dollars(10.0),
            pnl: Usdc::from_dollars(0.1),
            surprise,
            embedding: vec![1.0, 0.0].into(),
            ..Episode::neutral(EpisodeId { golem: GolemId::founder(0), number }, 10)
        }
    }

    /// The episodes differ only in surprise: the most surprising is first, and of two equal ones the one with the smaller id.
    #[test]
    fn the_best_episodes_are_in_the_order_of_utility() {
        let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
        for (number, surprise) in [0.1, 0.5, 0.2, 0.5, 0.4].into_iter().enumerate() {
            grimoire.insert(episode(number as u32, surprise), 10);
        }
        let context = OwnedReplayContext {
            tick: 10,
            embedding: vec![1.0, 0.0].into(),
            regime: Regime::TrendingUp,
            pad_bias: None,
            affect: false,
            mode: ReplayMode::Normal,
            legacy: 0.0,
        };
        let case = |places| ScoringCase {
            grimoire: grimoire.clone(),
            context: context.clone(),
            replay: ReplayConfig::default(),
            places,
        };
        let numbers = |case: ScoringCase| case.best().into_iter().map(|id| id.number).collect::<Vec<u32>>();
        assert_eq!(numbers(case(3)), [1, 3, 4]);
        assert_eq!(numbers(case(64)), [1, 3, 4, 2], "the first is not worth the least that is asked for");
    }
}
