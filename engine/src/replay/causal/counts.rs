//! Counts of which condition followed which: the sufficient statistics of a transition model, a contingency table.
//!
//! Counts are numbers of sequences, each two successive episodes of one life on one asset that are 1 to 540 ticks apart (`in_sequence` of
//! the parent makes them), which bounds lags and the ticks in regimes; they are not whole any more once some were inherited in part. Kept
//! counts never fade. With `memory = "recent"` the graph is read, by the same thresholds, off others that are made anew from the latest 200
//! episodes, inherited ones included (`CausalGraph::learn`). Lags are in ticks. An effect is only counted where it could set in, that is
//! where it didn't hold before, so that a lasting condition doesn't look like its own effect. Edges are read off by support (two
//! occurrences) and lift (1.2).

use super::{CausalEdge, CausalGraph, MarketCondition, MarketConditions};
use crate::market::Regime;
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// Two successive moments of one life: a transition between two states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sequence {
    /// The market at the first moment.
    pub from: MarketConditions,
    /// The market at the second.
    pub to: MarketConditions,
    /// When the second was.
    pub at: Tick,
    /// Ticks between them, 1 to 540.
    pub lag: Tick,
}

impl Sequence {
    /// The conditions that could set in, and whether each did: binary outcomes of the possible transitions.
    pub(super) fn effects(&self) -> impl Iterator<Item = (MarketCondition, bool)> {
        let open = MarketCondition::ALL.into_iter().filter(|condition| !self.from.holds(*condition));
        open.map(|effect| (effect, self.to.holds(effect)))
    }
}

/// Times an effect must have followed before there is an edge. Our choice: two are the least that isn't one coincidence.
const LEAST_FIRED: f64 = 2.0;
/// An edge must make its effect at least this many times as likely as it is anyway. Our choice: a lift of 1 would admit every pair of common conditions. No
/// consequence was found of 1 to 2.4 (`scenarios/sensitivity/knobs.toml`).
const LEAST_LIFT: f64 = 1.2;
/// Opportunities without effect added to those counted, so that few observations don't count for certain. Our choice: two occurrences out of two give
/// .5, not certainty.
const PRIOR: f64 = 2.0;

/// Counts of one possible edge, from which a conditional probability follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct EdgeTally {
    /// Sequences in which the effect didn't hold before and could set in.
    pub opportunities: f64,
    /// Of these, sequences in which it set in.
    pub fired: f64,
    /// Tick at which it last did.
    pub last_fired: Tick,
    /// Sum of the lags of those that fired, ticks.
    lag_ticks: f64,
}

impl EdgeTally {
    fn count(&mut self, fired: bool, sequence: &Sequence) {
        self.opportunities += 1.0;
        if fired {
            self.fired += 1.0;
            self.last_fired = self.last_fired.max(sequence.at);
            self.lag_ticks += sequence.lag as f64;
        }
    }

    /// Share of opportunities at which the effect set in (its relative frequency, an estimate of the conditional probability); 0 without
    /// any.
    pub(super) fn rate(&self) -> f64 {
        if self.opportunities > 0.0 { self.fired / self.opportunities } else { 0.0 }
    }

    fn take_over(&mut self, other: &Self, share: f64) {
        self.opportunities += share * other.opportunities;
        self.fired += share * other.fired;
        self.lag_ticks += share * other.lag_ticks;
        self.last_fired = self.last_fired.max(other.last_fired);
    }
}

/// Counts of all possible edges: a contingency table of causes and effects.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Counts {
    /// By cause, then by effect.
    pairs: [[EdgeTally; MarketCondition::COUNT]; MarketCondition::COUNT],
    /// By effect, whatever the cause. An edge must beat this rate ([`LEAST_LIFT`]), or every edge to a common
    /// condition would look causal.
    anyway: [EdgeTally; MarketCondition::COUNT],
    /// Ticks spent in each regime.
    dwelt_ticks: [f64; Regime::COUNT],
    /// Changes of regime, by the one before and the one after.
    gave_way: [[f64; Regime::COUNT]; Regime::COUNT],
}

impl Counts {
    /// Counts one transition: an increment for each of the four causes and each effect that could set in.
    pub(super) fn add(&mut self, sequence: &Sequence) {
        let Sequence { from, to, lag, .. } = *sequence;
        self.dwelt_ticks[from.regime.index()] += lag as f64;
        if from.regime != to.regime {
            self.gave_way[from.regime.index()][to.regime.index()] += 1.0;
        }
        for (effect, fired) in sequence.effects() {
            self.anyway[effect.index()].count(fired, sequence);
            for cause in from.conditions() {
                self.pairs[cause.index()][effect.index()].count(fired, sequence);
            }
        }
    }

    /// The counts of one possible edge (a cell of the contingency table).
    pub(super) fn pair(&self, cause: MarketCondition, effect: MarketCondition) -> &EdgeTally {
        &self.pairs[cause.index()][effect.index()]
    }

    /// Counts of an effect, whatever the cause: its marginal (base rate).
    pub(super) fn usual(&self, effect: MarketCondition) -> &EdgeTally {
        &self.anyway[effect.index()]
    }

    /// Adds a share of another golem's counts of one edge, a weighted merge (transfer learning). Of the effect's usual counts the larger
    /// stays.
    pub(super) fn take_over(
        &mut self,
        (cause, effect): (MarketCondition, MarketCondition),
        pair: &EdgeTally,
        usual: &EdgeTally,
        share: f64,
    ) {
        self.pairs[cause.index()][effect.index()].take_over(pair, share);
        // An effect may be handed over by several links, each with the effect's usual counts. Added up, they would count one life
        // several times; the largest alone counts.
        let known = &mut self.anyway[effect.index()];
        if share * usual.opportunities > known.opportunities {
            *known = EdgeTally::default();
            known.take_over(usual, share);
        }
    }

    /// The causal graph that the counts support, by thresholds on support and lift (association rules), its edges sorted by confidence.
    pub(super) fn graph(&self) -> CausalGraph {
        CausalGraph { edges: self.edges(), dwelt_ticks: self.dwelt_ticks, gave_way: self.gave_way }
    }

    fn edges(&self) -> Vec<CausalEdge> {
        let mut edges = Vec::new();
        for cause in MarketCondition::ALL {
            for effect in MarketCondition::ALL {
                let tally = self.pair(cause, effect);
                let lifts = tally.rate() >= LEAST_LIFT * self.usual(effect).rate();
                if tally.fired >= LEAST_FIRED && lifts {
                    edges.push(CausalEdge {
                        cause,
                        effect,
                        confidence: tally.fired / (tally.opportunities + PRIOR),
                        fired: tally.fired.round() as u32,
                        opportunities: tally.opportunities.round() as u32,
                        last_fired: tally.last_fired,
                        mean_lag_ticks: tally.lag_ticks / tally.fired,
                    });
                }
            }
        }
        // The sort is stable, so ties stay in the conditions' order and the bytes don't depend on the algorithm.
        edges.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        edges
    }
}
