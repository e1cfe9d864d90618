//! Causal edges between market conditions, learned from successive episodes (dream spec, "anticipatory trajectories": the causal
//! graph that forward replay walks).
//!
//! confidence = fired / (opportunities + prior), fired the times the effect set in after its cause, opportunities the times it could
//! have, prior (2) the opportunities without effect that are added. An edge needs two occurrences and a rate of 1.2 times the
//! effect's usual one. This is Granger's notion of cause (what comes before and raises the odds), not Pearl's: no golem intervenes in its
//! market. Confidence, rates and probabilities run from 0 to 1, lags and durations are in ticks. In association rule mining the terms are
//! support (fired), confidence and lift. Each dream that replays updates the graph once, from the episodes since the last one
//! (`CausalStore::after`); a testament lists the edges after the episodes since then. Forward replay walks it, and heirs take over its firm
//! links in part. The nodes are in `condition`, what was counted is in `counts`, what a golem keeps and hands on in `store`.

use crate::episode::{EpisodeRecord, Grimoire};
use crate::market::Regime;
use morta_base::keys;
use morta_base::{Tick, math};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;

keys! {
    /// How the causal graph is learned.
    pub struct CausalConfig {
        /// Whether what was counted is kept from dream to dream, or counted anew each time (our own key).
        memory: CausalMemory = CausalMemory::default();
        /// Confidence from which an edge is an entry of what is known, a causal link, and is handed on; below, it no longer is one (dream
        /// architecture, integration: a new causal link is entered at .3).
        link_confidence: f64 = 0.3, in 0.0..=1.0, "confidence";
    }
}

mod condition;
mod counts;
mod store;

pub use condition::{MarketCondition, MarketConditions};
pub use store::{CausalLink, CausalMemory, CausalStore, Foresight};

use counts::{Counts, Sequence};

/// One directed edge of the causal graph (Granger causality), or an association rule: "where this held, that soon set in". Its identity is
/// its two ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CausalEdge {
    /// The condition before.
    pub cause: MarketCondition,
    /// The condition that set in, having not held before.
    pub effect: MarketCondition,
    /// fired / (opportunities + prior), in [0, 1).
    pub confidence: f64,
    /// Times the effect set in.
    pub fired: u32,
    /// Times it could have set in.
    pub opportunities: u32,
    /// The tick at which it last did.
    pub last_fired: Tick,
    /// Mean ticks from cause to effect.
    pub mean_lag_ticks: f64,
}

impl fmt::Display for CausalEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → {}", self.cause, self.effect)
    }
}

/// One step of a walk (graph traversal): the edge followed, its search depth and the confidence of the path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hop {
    /// The edge.
    pub edge: CausalEdge,
    /// How many edges from the start, from 1.
    pub depth: u32,
    /// Product of the confidences from the start to here.
    pub path_confidence: f64,
}

/// The causal graph: its edges, and how long regimes last and which follow them. It is a directed graph of transitions
/// (Markov chain over regimes besides), and no Bayesian network: edges are judged one by one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CausalGraph {
    /// The most confident first; ties by the conditions' order.
    edges: Vec<CausalEdge>,
    /// Ticks spent in each regime.
    dwelt_ticks: [f64; Regime::COUNT],
    /// Changes of regime, by the one before and the one after.
    gave_way: [[f64; Regime::COUNT]; Regime::COUNT],
}

impl CausalGraph {
    /// Learns from the latest 200 episodes alone, inherited ones included. Each is compared with the one before it in the same life and
    /// on the same asset, unless they are more than 540 ticks apart. Structure learning from scratch, which only `memory = "recent"`
    /// does; by default counts are kept.
    pub fn learn(grimoire: &Grimoire) -> Self {
        let mut counts = Counts::default();
        sequences(grimoire).into_iter().for_each(|sequence| counts.add(&sequence));
        counts.graph()
    }

    /// The directed edges of the graph, sorted by confidence, the most confident first.
    pub fn edges(&self) -> &[CausalEdge] {
        &self.edges
    }

    /// Probability that a regime lasts `ticks` more, the survival function of an exponential dwell time: e^(−λ·ticks), λ = times it gave
    /// way over ticks spent in it, the exponential's maximum-likelihood rate. 0.5 for a regime never met.
    pub fn persistence(&self, regime: Regime, ticks: u64) -> f64 {
        let dwelt = self.dwelt_ticks[regime.index()];
        let gave_way: f64 = self.gave_way[regime.index()].iter().sum();
        if dwelt > 0.0 { math::exp(-gave_way / dwelt * ticks as f64) } else { UNSEEN_PERSISTENCE }
    }

    /// Probability that a regime, when it gives way, gives way to this other, i.e. of this transition in the Markov chain: (times met + 1)
    /// / (all + 3), Laplace's rule of succession over the three others, so that no regime is impossible for not having come yet.
    pub fn succession(&self, from: Regime, to: Regime) -> f64 {
        assert_ne!(from, to, "a regime gives way to another");
        let seen = &self.gave_way[from.index()];
        let all: f64 = seen.iter().sum();
        (seen[to.index()] + 1.0) / (all + (Regime::COUNT - 1) as f64)
    }

    /// Finds the most confident edge that hasn't fired for more than `ticks` and whose effect doesn't hold: the overdue edge, which forward
    /// replay supposes to fire next.
    pub fn lagged(&self, now: Tick, ticks: Tick, state: &MarketConditions) -> Option<&CausalEdge> {
        self.edges
            .iter()
            .find(|edge| now.saturating_sub(edge.last_fired) > ticks && !state.holds(edge.effect))
    }

    /// Walks breadth-first from some conditions, at most `hops` edges deep: from each condition reached, along the most confident edge that
    /// is allowed and leads to a condition not yet reached. One edge a condition, by the spec ("each hop follows the highest-confidence
    /// causal edge"): all of them would reach every condition within five hops.
    pub fn walk(
        &self,
        start: &[MarketCondition],
        hops: u32,
        allowed: impl Fn(&CausalEdge) -> bool,
    ) -> Vec<Hop> {
        let mut reached = [false; MarketCondition::COUNT];
        let mut queue = VecDeque::new();
        for &condition in start {
            reached[condition.index()] = true;
            queue.push_back((condition, 0_u32, 1.0_f64));
        }
        let mut walked = Vec::new();
        while let Some((condition, depth, confidence)) = queue.pop_front() {
            let is_open = |edge: &&CausalEdge| {
                edge.cause == condition && !reached[edge.effect.index()] && allowed(edge)
            };
            let Some(edge) = (depth < hops).then(|| self.edges.iter().find(is_open)).flatten() else {
                continue;
            };
            let path_confidence = confidence * edge.confidence;
            reached[edge.effect.index()] = true;
            walked.push(Hop { edge: *edge, depth: depth + 1, path_confidence });
            queue.push_back((edge.effect, depth + 1, path_confidence));
        }
        walked
    }
}

/// Latest episodes that the graph is learned from, where it is counted anew. Our choice: as many as the onset looks for memories among
/// (`dream.hypnagogia.recent_pool`), so that "recent" is one number in a dream.
const RECENT_EPISODES: usize = 200;
/// Most ticks from cause to effect. Our choice: six hours of 40-second ticks, the period after which a dream is due (digest section 20).
const MAX_LAG_TICKS: Tick = 540;

/// Of a regime never met nothing is known: even odds.
const UNSEEN_PERSISTENCE: f64 = 0.5;

/// Consecutive recent episodes of one life on one asset, at most the longest lag apart.
fn sequences(grimoire: &Grimoire) -> Vec<Sequence> {
    let mut recent: Vec<&EpisodeRecord> = grimoire.records().iter().collect();
    recent.sort_unstable_by_key(|episode| std::cmp::Reverse((episode.opened, episode.id)));
    recent.truncate(RECENT_EPISODES);
    in_sequence(recent)
}

/// The pairs of these that follow each other in one life on one asset, at most the longest lag apart.
fn in_sequence(mut episodes: Vec<&EpisodeRecord>) -> Vec<Sequence> {
    episodes.sort_unstable_by_key(|episode| (episode.lived_by(), episode.asset, episode.opened, episode.id));
    let follow = |pair: &[&EpisodeRecord]| {
        let (before, after) = (pair[0], pair[1]);
        let same = before.lived_by() == after.lived_by() && before.asset == after.asset;
        let lag = after.opened.saturating_sub(before.opened);
        (same && lag > 0 && lag <= MAX_LAG_TICKS).then(|| Sequence {
            from: MarketConditions::from_context(&before.context),
            to: MarketConditions::from_context(&after.context),
            at: after.opened,
            lag,
        })
    };
    episodes.windows(2).filter_map(follow).collect()
}

#[cfg(test)]
mod tests;
