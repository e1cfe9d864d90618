//! The worth of each strategy in a market state, from remembered episodes: kernel-weighted means of results in R with shrinkage to 0
//! (case-based value estimation). Shrinkage keeps a strategy with few similar episodes from looking sure. Forward replay asks at the end
//! of each trajectory, with the state reached; episodes of another regime than that state's don't count at all. Not trades alone count:
//! what was stayed out of is an episode of 0 R, and draws its strategy's worth towards 0 like the prior.

use crate::episode::{EpisodeRecord, Grimoire};
use crate::market::Strategy;
use crate::replay::causal::MarketConditions;

/// Weighted sums of results by strategy: a value function by similarity-weighted averages.
#[derive(Clone, Debug)]
pub(super) struct Worth {
    /// By strategy: the sum of weight times R, the sum of weights, and the number of episodes.
    sums: [(f64, f64, u32); Strategy::COUNT],
}

/// Episodes without gain or loss that are added to a strategy's mean: as many as the simulated reader adds, so that anticipation
/// and reading shrink alike.
const PRIOR: f64 = 2.0;

impl Worth {
    /// Computes the worth from the episodes of the state's regime, trades and abstentions; of scars only where the key `scars_as_evidence`
    /// of the Grimoire counts them (off by default: a scar is always a loss, so it is no fair sample). An episode that shares m of the four
    /// conditions (regime, volatility, liquidity, gas) weighs m/4; the regime is always shared, so no weight is below a quarter.
    pub(super) fn from_grimoire(grimoire: &Grimoire, state: &MarketConditions) -> Self {
        let mut sums = [(0.0, 0.0, 0); Strategy::COUNT];
        let there =
            |episode: &&EpisodeRecord| episode.context.regime == state.regime && grimoire.is_fair(episode);
        for episode in grimoire.records().iter().filter(there) {
            let there = MarketConditions::from_context(&episode.context).conditions();
            let shared = there.into_iter().filter(|condition| state.holds(*condition)).count();
            let weight = shared as f64 / 4.0;
            let (total, weights, episodes) = &mut sums[episode.strategy.index()];
            *total += weight * episode.realised_r;
            *weights += weight;
            *episodes += 1;
        }
        Self { sums }
    }

    /// Σ weight·R / (Σ weight + prior), and the number of episodes; `None` without any.
    pub(super) fn of_strategy(&self, strategy: Strategy) -> Option<(f64, u32)> {
        let (total, weights, episodes) = self.sums[strategy.index()];
        (episodes > 0).then(|| (total / (weights + PRIOR), episodes))
    }

    /// The strategy of the highest worth; the first of equals.
    pub(super) fn best(&self) -> Option<(Strategy, f64)> {
        let known = Strategy::ALL
            .into_iter()
            .filter_map(|s| self.of_strategy(s).map(|(expected_r, _)| (s, expected_r)));
        known.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}
