//! The causal knowledge that a golem keeps from dream to dream and hands on from life to life (incremental structure learning).
//!
//! A new store follows from each dream that replays and is finished; a dream that is broken off leaves the old one, and what a testament
//! works out is written down and not kept. The kept counts never fade; where `causal.memory` is "recent", the graph is read off a sliding
//! window of the latest episodes instead of them. Edges of `link_confidence` (default .3) and five occurrences in the kept counts become
//! links, which an heir takes over with a share of their counts from 0 to 1 (by default .5 where the link names the heir's regime and .3
//! elsewhere). The graph's predictions are scored by the Brier score (lower is better) against the usual rate, so that its worth is known
//! and not assumed; the score steers nothing.

use super::counts::{Counts, EdgeTally, Sequence};
use super::{CausalConfig, CausalEdge, CausalGraph, MAX_LAG_TICKS, MarketCondition, in_sequence};
use crate::episode::{EpisodeRecord, Grimoire};
use crate::market::Regime;
use morta_base::{GolemId, Stream, Tick};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// How far back the causal graph goes.
    #[derive(Default)]
    pub enum CausalMemory: Key {
        /// All that was counted in this life, and what was handed over.
        #[default]
        Kept = "kept",
        /// The latest episodes, counted anew in every dream.
        Recent = "recent",
    }
}

/// Times an effect must have followed before an edge is an entry of what is known, a causal link, and is handed on. Our choice: more than the two that
/// make an edge, because an heir can't tell it from what it saw itself.
const LINK_FIRED: f64 = 5.0;

/// A cause and its effect, firm enough to be handed on: a transferable causal edge (directed edge, if-then rule) with its provenance, and
/// its counts as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CausalLink {
    /// The condition before.
    pub cause: MarketCondition,
    /// The golem in whose life it was first known.
    pub origin: GolemId,
    /// The rest, in a struct of its own.
    said: Said,
}

/// The content of a link besides its cause.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Said {
    /// The condition that set in.
    effect: MarketCondition,
    /// That of the edge when the link was listed, in [0, 1).
    confidence: f64,
    /// Counts of this cause and effect.
    pair: EdgeTally,
    /// Counts of the effect, whatever the cause.
    usual: EdgeTally,
}

impl CausalLink {
    /// The condition that sets in, the consequent of the rule.
    pub const fn effect(&self) -> MarketCondition {
        self.said.effect
    }

    /// The confidence of the link, fired / (opportunities + prior), in [0, 1): a smoothed conditional probability of the effect, with a
    /// prior of two opportunities without effect.
    pub const fn confidence(&self) -> f64 {
        self.said.confidence
    }

    /// Times it fired and times it could have (successes and trials, support); whole numbers where nothing was taken over. Tests alone call
    /// it.
    pub const fn fired_and_opportunities(&self) -> (f64, f64) {
        (self.said.pair.fired, self.said.pair.opportunities)
    }

    /// Whether its cause is this regime, by which an heir's share of its counts is chosen. A link that names no regime is at home in none.
    pub fn is_at_home_in(&self, regime: Regime) -> bool {
        self.cause == MarketCondition::Regime(regime)
    }

    /// Replaces the effect by another, drawn at random among those that its cause could have: a fault of a study's control (a placebo,
    /// like a shuffled label). Only legacies that a study shuffles are changed.
    pub(crate) fn mistake_effect(&mut self, stream: &mut Stream) {
        let others =
            MarketCondition::ALL.into_iter().filter(|other| ![self.cause, self.said.effect].contains(other));
        let others: Vec<MarketCondition> = others.collect();
        self.said.effect = others[stream.below(others.len())];
    }
}

/// Forecast verification of edges: how well those of each dream predicted the conditions until the next. It holds sums of the Brier score,
/// and of that of the base rate (climatology), for the record of the life and the measures of sweeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Foresight {
    /// Conditions that could have set in.
    pub chances: u64,
    /// Of these, predicted by an edge.
    pub foretold: u64,
    /// Of these, conditions that set in.
    pub came: u64,
    /// Sum of (confidence − outcome)² over what was predicted (Brier 1950).
    pub brier: f64,
    /// The same for the effect's usual rate, whatever the cause: the score that an edge has to beat to be worth anything.
    pub brier_usual: f64,
}

crate::sums::sums!(Foresight { chances, foretold, came, brier, brier_usual });

/// The causal store of one golem: its counts, the graph of its last dream, and the links that it hands on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CausalStore {
    /// All that was observed and taken over.
    counts: Counts,
    /// Tick of the latest episode counted; none where nothing was.
    counted_to: Option<Tick>,
    /// The graph of the last dream.
    graph: CausalGraph,
    /// Firm edges of the last dream; after an inheritance, those received.
    links: Vec<CausalLink>,
    /// Brier scores so far.
    foresight: Foresight,
}

impl CausalStore {
    /// Returns the knowledge after the episodes since the last dream: predicts, scores, then learns (prequential). Edges are judged against
    /// them before they are counted: the other way round, an edge would be scored on its own evidence.
    pub fn after(&self, grimoire: &Grimoire, golem: GolemId, config: &CausalConfig) -> Self {
        let mut next = self.clone();
        let from = self.counted_to;
        if from.is_none() {
            // The first dream of a life: handed-over links are all that was known until now.
            next.graph = self.counts.graph();
        }
        // A sequence spans the longest lag at most, so its first moment can't lie farther back. Nearly all episodes were counted in earlier dreams:
        // putting them in order again was a fiftieth of a world's time.
        let may_matter = |opened: Tick| from.is_none_or(|counted| opened + MAX_LAG_TICKS > counted);
        let own = |episode: &&EpisodeRecord| !episode.is_inherited() && may_matter(episode.opened);
        let own = grimoire.records().iter().filter(own).collect();
        let fresh = |sequence: &Sequence| from.is_none_or(|counted| sequence.at > counted);
        let sequences: Vec<Sequence> = in_sequence(own).into_iter().filter(fresh).collect();
        for sequence in &sequences {
            next.judge(sequence);
        }
        let latest = sequences.iter().map(|sequence| sequence.at).max();
        sequences.iter().for_each(|sequence| next.counts.add(sequence));
        next.counted_to = latest.or(from);
        next.graph = match config.memory {
            CausalMemory::Kept => next.counts.graph(),
            CausalMemory::Recent => CausalGraph::learn(grimoire),
        };
        next.note_links(golem, config);
        next
    }

    /// Scores the edges against one sequence.
    fn judge(&mut self, sequence: &Sequence) {
        for (effect, came) in sequence.effects() {
            self.foresight.chances += 1;
            let speaks = |edge: &&CausalEdge| edge.effect == effect && sequence.from.holds(edge.cause);
            let Some(edge) = self.graph.edges.iter().find(speaks) else { continue };
            let squared_error = |predicted: f64| {
                let error = predicted - f64::from(u8::from(came));
                error * error
            };
            self.foresight.foretold += 1;
            self.foresight.came += u64::from(came);
            self.foresight.brier += squared_error(edge.confidence);
            self.foresight.brier_usual += squared_error(self.counts.usual(effect).rate());
        }
    }

    /// Lists the edges that are firm enough. A link that was known already keeps its origin.
    fn note_links(&mut self, golem: GolemId, config: &CausalConfig) {
        let firm = |edge: &&CausalEdge| {
            let fired = self.counts.pair(edge.cause, edge.effect).fired;
            edge.confidence >= config.link_confidence && fired >= LINK_FIRED
        };
        let known = |edge: &CausalEdge| {
            self.links.iter().find(|link| (link.cause, link.effect()) == (edge.cause, edge.effect))
        };
        self.links = self
            .graph
            .edges
            .iter()
            .filter(firm)
            .map(|edge| CausalLink {
                cause: edge.cause,
                origin: known(edge).map_or(golem, |link| link.origin),
                said: Said {
                    effect: edge.effect,
                    confidence: edge.confidence,
                    pair: *self.counts.pair(edge.cause, edge.effect),
                    usual: *self.counts.usual(edge.effect),
                },
            })
            .collect();
    }

    /// Takes over another golem's links; of each, a share of its counts is added as if it had been observed (transfer learning). The
    /// graph knows them from the next dream on.
    pub fn take_over(&mut self, links: impl IntoIterator<Item = (CausalLink, f64)>) {
        for (link, share) in links {
            let Said { effect, pair, usual, .. } = &link.said;
            self.counts.take_over((link.cause, *effect), pair, usual, share);
            self.links.push(link);
        }
    }

    /// The causal graph as of the last dream, by which forward replay plans.
    pub fn graph(&self) -> &CausalGraph {
        &self.graph
    }

    /// The links that are firm enough to be handed on, the most confident first; after an inheritance, those received until the first
    /// dream.
    pub fn links(&self) -> &[CausalLink] {
        &self.links
    }

    /// The accumulated Brier scores of its predictions.
    pub fn foresight(&self) -> &Foresight {
        &self.foresight
    }
}
