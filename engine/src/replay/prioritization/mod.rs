//! Orders of replay: the rule by which episodes are ranked or drawn. Utility is the default (Mattar & Daw 2018); the replay spec names
//! recency, surprise and uniform as well, and the two stochastic orders of Schaul et al. (2016) are ours, as comparisons. It is the
//! prioritisation of experience replay (strategy pattern), one of the two passes of `selection`; places kept for diversity don't go by
//! it. Utilities have no unit, surprise is in R; importance weights are in (0, 1]. Each order has a file of its own; the draws of the
//! random ones are in `draw`, by `sum_tree` where few of many are drawn.

use crate::episode::Grimoire;
use crate::replay::{ReplayConfig, ReplayMode, Scorer};
use morta_base::Stream;
use std::cmp;

pub(crate) mod draw;
mod power;
mod proportional;
mod rank;
mod recency;
pub mod sum_tree;
mod surprise;
mod uniform;
mod utility;

pub use proportional::proportional_weights;
pub use rank::rank_weights;
pub use sum_tree::SumTree;

/// α of the two orders of Schaul et al. (2016), who use it for proportional sampling and .7 for ranks. No consequence was found of half and twice as
/// much (`scenarios/sensitivity/knobs.toml`).
const EXPONENT: f64 = 0.6;

morta_base::words! {
    /// A way of putting episodes in order.
    #[derive(Default)]
    pub enum Prioritization: Key {
        /// Highest utility first.
        #[default]
        Utility = "utility",
        /// Latest first.
        Recency = "recency",
        /// Largest prediction error first.
        Surprise = "surprise",
        /// At random, all alike.
        Uniform = "uniform",
        /// At random, with probability growing with the utility (Schaul et al. 2016, proportional).
        Proportional = "proportional",
        /// At random, with probability falling with the rank by utility (Schaul et al. 2016, rank-based).
        Rank = "rank",
    }
}

/// Candidates in the order of one rule (a ranking or a sample), with their importance sampling weights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ordered {
    /// Slots, first choice first; at most as many as were requested.
    pub(crate) slots: Vec<u32>,
    /// Importance weight of each, in (0, 1]; 1 where nothing is drawn with unequal probability.
    pub(crate) importance: Vec<f64>,
}

impl Prioritization {
    /// The order that a dream follows, which a mode may override: a confused dream goes by surprise, whatever is configured (dream spec,
    /// "three-clock modulation": below .5 accuracy, the largest |predicted − actual| first).
    pub(crate) fn in_mode(self, mode: ReplayMode) -> Self {
        match mode {
            ReplayMode::Normal => self,
            ReplayMode::Confused => Self::Surprise,
        }
    }

    /// Whether the order depends on utility (prioritized replay), so that `min_utility` applies; the other orders have no threshold.
    pub fn goes_by_utility(self) -> bool {
        matches!(self, Self::Utility | Self::Proportional | Self::Rank)
    }

    /// Whether the order is random (stochastic prioritisation, a non-deterministic order). An episode that it left out is put down to the
    /// draw.
    pub(crate) fn is_random(self) -> bool {
        matches!(self, Self::Uniform | Self::Proportional | Self::Rank)
    }

    /// The first `count` episodes of a Grimoire; where the order goes by utility, of those whose utility exceeds the least.
    /// Only random orders take numbers from the stream: the uniform one takes one for each candidate in the order of slots; the
    /// others take one for each draw, or one for each candidate where they draw a large share.
    pub(crate) fn first(
        self,
        count: usize,
        grimoire: &Grimoire,
        scorer: &Scorer<'_>,
        config: &ReplayConfig,
        stream: &mut Stream,
    ) -> Ordered {
        let all = || (0..grimoire.len() as u32).collect();
        let worth_it = || {
            let utilities = scorer.utilities();
            let exceeds = |&slot: &u32| utilities[slot as usize] > config.min_utility;
            let candidates = (0..grimoire.len() as u32).filter(exceeds).collect();
            (candidates, utilities)
        };
        match self {
            Self::Utility => utility::first(count, scorer),
            Self::Recency => recency::first(count, all(), grimoire),
            Self::Surprise => surprise::first(count, all(), grimoire, scorer),
            Self::Uniform => uniform::first(count, all(), stream),
            Self::Proportional => {
                let (candidates, utilities) = worth_it();
                proportional::first(count, candidates, &utilities, stream)
            }
            Self::Rank => {
                let (candidates, utilities) = worth_it();
                rank::first(count, candidates, grimoire, &utilities, stream)
            }
        }
    }
}

/// Highest by `key` first; ties go to the later episode, then to the smaller identity. Slots are no tie-breaker, because they
/// depend on what was forgotten before.
fn by_key(grimoire: &Grimoire, key: impl Fn(usize) -> f64) -> impl Fn(&u32, &u32) -> cmp::Ordering {
    move |&a, &b| {
        let (a, b) = (a as usize, b as usize);
        let closed = grimoire.closed();
        key(b)
            .total_cmp(&key(a))
            .then_with(|| closed[b].cmp(&closed[a]))
            .then_with(|| grimoire.record(a).id.cmp(&grimoire.record(b).id))
    }
}

/// The `count` highest by `key`, in the order of [`by_key`]: a partial sort. Diversity takes the strongest feeling by it, by arousal.
pub(crate) fn highest(
    count: usize,
    mut candidates: Vec<u32>,
    grimoire: &Grimoire,
    key: impl Fn(usize) -> f64,
) -> Vec<u32> {
    let order = by_key(grimoire, key);
    if count == 0 {
        candidates.clear();
    } else if count < candidates.len() {
        candidates.select_nth_unstable_by(count - 1, &order);
        candidates.truncate(count);
    }
    candidates.sort_unstable_by(&order);
    candidates
}

/// An order without draws: every importance weight is 1.
fn certain(slots: Vec<u32>) -> Ordered {
    Ordered { importance: vec![1.0; slots.len()], slots }
}
