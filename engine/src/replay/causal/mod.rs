//! What tends to follow what: edges between market conditions, learned from episodes in sequence.

use crate::base::{Tick, math};
use crate::episode::{Episode, Grimoire};
use crate::keys;
use crate::market::Regime;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;

keys! {
    /// How the causal graph is learned.
    pub struct CausalConfig {
        /// Latest episodes it is learned from.
        recent_episodes: u32 = 200, in 2..=100_000, "episodes";
        /// Most ticks from cause to effect (the default: six hours of 40-second ticks).
        max_lag_ticks: u64 = 540, in 1.., "ticks";
        /// Times an effect must have followed before there is an edge.
        min_fired: u32 = 2, in 1..=1_000, "times";
        /// An edge must make its effect at least this many times as likely as it is anyway.
        min_lift: f64 = 1.2, in 0.0..=100.0, "factor";
        /// Opportunities without effect added to those counted, so that few observations don't count for certain.
        prior: f64 = 2.0, in 0.0..=1_000.0, "opportunities";
    }
}

mod condition;

pub use condition::{Condition, MarketState};

/// "Where this held, that soon set in." Known by its two ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CausalEdge {
    /// What held before.
    pub cause: Condition,
    /// What set in, having not held before.
    pub effect: Condition,
    /// fired / (opportunities + prior), in [0, 1).
    pub confidence: f64,
    /// Times the effect set in.
    pub fired: u32,
    /// Times it could have.
    pub opportunities: u32,
    /// When it last did.
    pub last_fired: Tick,
    /// How long it took on average, ticks.
    pub mean_lag_ticks: f64,
}

impl fmt::Display for CausalEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → {}", self.cause, self.effect)
    }
}

/// A followed edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hop {
    /// The edge.
    pub edge: CausalEdge,
    /// How many edges from the start, from 1.
    pub depth: u32,
    /// Product of the confidences from the start to here.
    pub path_confidence: f64,
}

/// The causal graph of a golem's recent experience.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CausalGraph {
    /// The most confident first; ties by the conditions' order.
    edges: Vec<CausalEdge>,
    /// Ticks seen to pass in each regime, and how often it gave way to each other.
    dwelt_ticks: [f64; Regime::COUNT],
    gave_way: [[u32; Regime::COUNT]; Regime::COUNT],
}

/// Counts of one possible edge.
#[derive(Clone, Copy, Default)]
struct Tally {
    opportunities: u32,
    fired: u32,
    last_fired: Tick,
    lag_ticks: u64,
}

impl Tally {
    fn count(&mut self, fired: bool, at: Tick, lag: Tick) {
        self.opportunities += 1;
        if fired {
            self.fired += 1;
            self.last_fired = self.last_fired.max(at);
            self.lag_ticks += lag;
        }
    }

    fn rate(&self) -> f64 {
        f64::from(self.fired) / f64::from(self.opportunities.max(1))
    }
}

impl CausalGraph {
    /// Learns from the latest episodes: each is compared with the one before it in the same life and on the same
    /// asset, if that is later than the longest lag allows.
    pub fn learn(grimoire: &Grimoire, config: &CausalConfig) -> Self {
        let mut pairs = vec![[Tally::default(); Condition::COUNT]; Condition::COUNT];
        let mut anyway = [Tally::default(); Condition::COUNT];
        let mut graph = Self::default();
        for (before, after) in sequences(grimoire, config) {
            let lag = after.opened - before.opened;
            let (from, to) = (MarketState::of(&before.context), MarketState::of(&after.context));
            graph.dwelt_ticks[from.regime.index()] += lag as f64;
            if from.regime != to.regime {
                graph.gave_way[from.regime.index()][to.regime.index()] += 1;
            }
            for effect in Condition::ALL.into_iter().filter(|condition| !from.holds(*condition)) {
                let fired = to.holds(effect);
                anyway[effect.index()].count(fired, after.opened, lag);
                for cause in from.conditions() {
                    pairs[cause.index()][effect.index()].count(fired, after.opened, lag);
                }
            }
        }
        graph.edges = edges(&pairs, &anyway, config);
        graph
    }

    /// Its edges, the most confident first.
    pub fn edges(&self) -> &[CausalEdge] {
        &self.edges
    }

    /// Probability that a regime lasts `ticks` more: e^(−λ·ticks), λ the times it was seen to give way over the ticks
    /// seen in it. 0.5 for a regime never seen.
    pub fn persistence(&self, regime: Regime, ticks: u64) -> f64 {
        let dwelt = self.dwelt_ticks[regime.index()];
        let gave_way: u32 = self.gave_way[regime.index()].iter().sum();
        if dwelt > 0.0 { math::exp(-f64::from(gave_way) / dwelt * ticks as f64) } else { UNSEEN_PERSISTENCE }
    }

    /// Probability that, when it gives way, a regime gives way to this other: (times seen + 1) / (all seen + 3).
    pub fn succession(&self, from: Regime, to: Regime) -> f64 {
        assert_ne!(from, to, "a regime gives way to another");
        let seen = &self.gave_way[from.index()];
        let all: u32 = seen.iter().sum();
        f64::from(seen[to.index()] + 1) / f64::from(all + Regime::COUNT as u32 - 1)
    }

    /// The most confident edge that hasn't fired for more than `ticks` and whose effect doesn't hold.
    pub fn lagged(&self, now: Tick, ticks: Tick, state: &MarketState) -> Option<&CausalEdge> {
        self.edges
            .iter()
            .find(|edge| now.saturating_sub(edge.last_fired) > ticks && !state.holds(edge.effect))
    }

    /// Walks breadth-first from some conditions, at most `hops` edges deep: from each condition reached, along the
    /// most confident edge that is allowed and leads to a condition not yet reached.
    pub fn walk(&self, start: &[Condition], hops: u32, allowed: impl Fn(&CausalEdge) -> bool) -> Vec<Hop> {
        let mut reached = [false; Condition::COUNT];
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

/// Nothing is known of a regime never seen.
const UNSEEN_PERSISTENCE: f64 = 0.5;

/// Consecutive recent episodes of one life on one asset, at most the longest lag apart.
fn sequences<'a>(grimoire: &'a Grimoire, config: &CausalConfig) -> Vec<(&'a Episode, &'a Episode)> {
    let mut recent: Vec<&Episode> = grimoire.records().iter().collect();
    recent.sort_unstable_by_key(|episode| std::cmp::Reverse((episode.opened, episode.id)));
    recent.truncate(config.recent_episodes as usize);
    recent.sort_unstable_by_key(|episode| (episode.lived_by(), episode.asset, episode.opened, episode.id));
    let follows = |before: &Episode, after: &Episode| {
        let same = before.lived_by() == after.lived_by() && before.asset == after.asset;
        let lag = after.opened.saturating_sub(before.opened);
        same && lag > 0 && lag <= config.max_lag_ticks
    };
    let pairs = recent.windows(2).map(|pair| (pair[0], pair[1]));
    pairs.filter(|(before, after)| follows(before, after)).collect()
}

/// The edges the counts bear out.
fn edges(
    pairs: &[[Tally; Condition::COUNT]],
    anyway: &[Tally; Condition::COUNT],
    config: &CausalConfig,
) -> Vec<CausalEdge> {
    let mut edges = Vec::new();
    for cause in Condition::ALL {
        for effect in Condition::ALL {
            let tally = &pairs[cause.index()][effect.index()];
            let lifts = tally.rate() >= config.min_lift * anyway[effect.index()].rate();
            if tally.fired >= config.min_fired && lifts {
                edges.push(CausalEdge {
                    cause,
                    effect,
                    confidence: f64::from(tally.fired) / (f64::from(tally.opportunities) + config.prior),
                    fired: tally.fired,
                    opportunities: tally.opportunities,
                    last_fired: tally.last_fired,
                    mean_lag_ticks: tally.lag_ticks as f64 / f64::from(tally.fired),
                });
            }
        }
    }
    // Stable: ties stay in the conditions' order.
    edges.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    edges
}

#[cfg(test)]
pub(crate) mod tests;
