//! What a golem keeps of what follows what, from dream to dream and from life to life.

use super::counts::{Counts, Sequence, Tally};
use super::{CausalConfig, CausalEdge, CausalGraph, Condition, in_sequence};
use crate::episode::Grimoire;
use crate::market::Regime;
use morta_base::{GolemId, Stream, Tick};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

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

/// A cause and its effect, known well enough to be handed on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CausalLink {
    /// What holds before.
    pub cause: Condition,
    /// Whose life it was first known in.
    pub origin: GolemId,
    said: Said,
}

/// What a link says of its cause.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Said {
    effect: Condition,
    confidence: f64,
    pair: Tally,
    usual: Tally,
}

impl CausalLink {
    /// What sets in.
    pub const fn effect(&self) -> Condition {
        self.said.effect
    }

    /// fired / (opportunities + prior), in [0, 1).
    pub const fn confidence(&self) -> f64 {
        self.said.confidence
    }

    /// Times it fired and times it could have; whole numbers where nothing faded and nothing was taken over.
    pub const fn seen(&self) -> (f64, f64) {
        (self.said.pair.fired, self.said.pair.opportunities)
    }

    /// Whether it speaks of what a regime leads to: it is at home there. One that names no regime is at home in none.
    pub fn is_at_home_in(&self, regime: Regime) -> bool {
        self.cause == Condition::Regime(regime)
    }

    /// Says the same of another effect than it was, drawn at random among those that its cause could have.
    pub fn mistake_effect(&mut self, stream: &mut Stream) {
        let others =
            Condition::ALL.into_iter().filter(|other| ![self.cause, self.said.effect].contains(other));
        let others: Vec<Condition> = others.collect();
        self.said.effect = others[stream.below(others.len())];
    }
}

/// How well the edges of each dream foretold what came until the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Foresight {
    /// Effects that could have set in.
    pub chances: u64,
    /// Of these, foretold by an edge.
    pub foretold: u64,
    /// Of these, came.
    pub came: u64,
    /// Sum of (confidence − came)² over what was foretold (Brier).
    pub brier: f64,
    /// The same of the usual rate of the effect, whatever was there before.
    pub brier_usual: f64,
}

impl AddAssign for Foresight {
    fn add_assign(&mut self, other: Self) {
        self.chances += other.chances;
        self.foretold += other.foretold;
        self.came += other.came;
        self.brier += other.brier;
        self.brier_usual += other.brier_usual;
    }
}

/// The causal store of one golem.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CausalStore {
    counts: Counts,
    /// When the latest episode began that was counted; none where nothing was.
    counted_to: Option<Tick>,
    /// As of the last dream.
    graph: CausalGraph,
    links: Vec<CausalLink>,
    foresight: Foresight,
}

impl CausalStore {
    /// What is known after the episodes since the last dream: first what was known is held against them, then they are counted.
    pub fn after(&self, grimoire: &Grimoire, golem: GolemId, config: &CausalConfig) -> Self {
        let mut next = self.clone();
        let from = self.counted_to;
        if from.is_none() {
            // The first dream of a life: what was handed over is all that was known until now.
            next.graph = self.counts.graph(config);
        }
        let own = grimoire.records().iter().filter(|episode| !episode.is_inherited()).collect();
        let fresh = |sequence: &Sequence| from.is_none_or(|counted| sequence.at > counted);
        let sequences: Vec<Sequence> = in_sequence(own, config).into_iter().filter(fresh).collect();
        for sequence in &sequences {
            next.judge(sequence);
        }
        let latest = sequences.iter().map(|sequence| sequence.at).max();
        if let (Some(before), Some(now), Some(half_life)) = (from, latest, config.half_life_ticks) {
            next.counts.fade(Counts::left(now - before, half_life));
        }
        sequences.iter().for_each(|sequence| next.counts.add(sequence));
        next.counted_to = latest.or(from);
        next.graph = match config.memory {
            CausalMemory::Kept => next.counts.graph(config),
            CausalMemory::Recent => CausalGraph::learn(grimoire, config),
        };
        next.note_links(golem, config);
        next
    }

    /// Holds what is known against what came.
    fn judge(&mut self, sequence: &Sequence) {
        for (effect, came) in sequence.effects() {
            self.foresight.chances += 1;
            let speaks = |edge: &&CausalEdge| edge.effect == effect && sequence.from.holds(edge.cause);
            let Some(edge) = self.graph.edges.iter().find(speaks) else { continue };
            let missed = |told: f64| {
                let error = told - f64::from(u8::from(came));
                error * error
            };
            self.foresight.foretold += 1;
            self.foresight.came += u64::from(came);
            self.foresight.brier += missed(edge.confidence);
            self.foresight.brier_usual += missed(self.counts.usual(effect).rate());
        }
    }

    /// Which edges are known well enough: an entry stays with whom it was first known by.
    fn note_links(&mut self, golem: GolemId, config: &CausalConfig) {
        let firm = |edge: &&CausalEdge| {
            let fired = self.counts.pair(edge.cause, edge.effect).fired;
            edge.confidence >= config.link_confidence && fired >= config.link_fired
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

    /// Takes over what somebody else knew; of each link, a share of what it rests on counts as if it had been seen.
    pub fn take_over(&mut self, links: impl IntoIterator<Item = (CausalLink, f64)>) {
        for (link, share) in links {
            let Said { effect, pair, usual, .. } = &link.said;
            self.counts.take_over((link.cause, *effect), pair, usual, share);
            self.links.push(link);
        }
    }

    /// What follows what, as far as it goes.
    pub fn graph(&self) -> &CausalGraph {
        &self.graph
    }

    /// What is known well enough to be handed on, the surest first.
    pub fn links(&self) -> &[CausalLink] {
        &self.links
    }

    /// How well it foretold what came.
    pub fn foresight(&self) -> &Foresight {
        &self.foresight
    }
}
