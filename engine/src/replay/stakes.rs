//! Claims about size: how much to put into a trade, from the results of replayed trades of its kind.
//!
//! A trade of r R (r its result over the dollars lost at the stop) with the share f of money at risk grows money by ln(1 + f·r). For each
//! strategy and regime, the mean growth of the replayed trades at half the usual stake and at twice the usual is compared with that at the
//! usual one ([`Stake::growth_r`]). The result that a trade would have had in a worse world counts beside its own where that was replayed,
//! so that fragile gains are staked on less. The mean of n trades is shrunk towards no difference by n/(n + 3), because a few trades say
//! little. Growth and not mean R decides, because doubling a stake doubles R whatever the risk, and only growth counts the ruin (Kelly
//! 1956). In finance this is position sizing by the Kelly criterion (expected log growth). Results are in R, the share of money at risk
//! runs from 0 to 1. Without "stake" among the kinds of claims a dream draws none of these. The caller weighs each trade by the correction
//! of its draw, a what-if by half of that, and leaves out abstentions and episodes that are no fair sample.

use crate::episode::{Claim, ContextPattern, EpisodeRecord, Matter, Stake};
use crate::market::{Regime, Strategy};
use morta_base::EpisodeId;
use morta_base::keys;
use std::collections::{BTreeMap, BTreeSet};

keys! {
    /// The `[dream.replay.stakes]` table: conclusions about how much to put in, where `dream.consolidation.kinds` has "stake".
    pub struct StakesConfig {
        /// Fewest replayed trades of a strategy in a regime from which its stake is concluded.
        least_trades: u32 = 3, in 1..=10_000, "trades";
        /// Growth that another stake must add to a trade, in R at the usual stake.
        least_gain_r: f64 = 0.05, in 0.0..=100.0, "R";
    }
}

/// Weight of what a trade would have made in a worse world (a counterfactual result), beside what it made. Our choice: it didn't happen, so
/// it counts half.
pub(crate) const WHAT_IF_WEIGHT: f64 = 0.5;
/// Most claims about stakes that one dream draws, the greatest gain first. Our choice, so that they leave room for what else is under test.
const MOST_CLAIMS: usize = 3;

/// Trades without a difference that are added to the mean. Our choice: with `least_trades` at 3, half of the difference of
/// the first three trades counts.
const SHRINKAGE: f64 = 3.0;

/// The result of one replayed trade, realised or supposed: a weighted observation, one return sample for the Kelly criterion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TradeResult {
    /// The trade.
    pub episode: EpisodeId,
    /// The strategy that entered.
    pub strategy: Strategy,
    /// The regime it was entered in.
    pub regime: Regime,
    /// Its result, in R.
    pub r: f64,
    /// Its weight in a mean, above 0: for a realised result the correction of the trade's draw (1 without one), for a supposed one that
    /// times `WHAT_IF_WEIGHT`.
    pub weight: f64,
}

impl TradeResult {
    /// Makes an observation of the return from a remembered trade, with a result of `r` R, which may be supposed.
    pub(crate) fn from_episode(episode: &EpisodeRecord, r: f64, weight: f64) -> Self {
        let (strategy, regime) = (episode.strategy, episode.context.regime);
        Self { episode: episode.id, strategy, regime, r, weight }
    }
}

/// Draws the claims about size, at most three, the greatest gain first, each with the trades that it was read from. Sizes go by expected
/// log growth with shrinkage; `usual_risk` is the share of money that a usual stake has at risk.
pub fn stakes(made: &[TradeResult], usual_risk: f64, config: &StakesConfig) -> Vec<(Claim, Vec<EpisodeId>)> {
    let mut groups: BTreeMap<(Strategy, Regime), Vec<&TradeResult>> = BTreeMap::new();
    for one in made {
        groups.entry((one.strategy, one.regime)).or_default().push(one);
    }
    let mut claims: Vec<(Claim, Vec<EpisodeId>)> = groups
        .into_iter()
        .filter_map(|((strategy, regime), group)| {
            let trades: BTreeSet<EpisodeId> = group.iter().map(|one| one.episode).collect();
            let (stake, gain_r) = best(&group, trades.len(), usual_risk)?;
            let is_worth_it = trades.len() >= config.least_trades as usize && gain_r >= config.least_gain_r;
            let pattern = ContextPattern::from_regime(regime);
            let claim = Claim { matter: Matter::Stake(stake), ..Claim::of_worth(strategy, pattern, gain_r) };
            is_worth_it.then(|| (claim, trades.into_iter().collect()))
        })
        .collect();
    claims.sort_by(|(a, _), (b, _)| b.expected_r.total_cmp(&a.expected_r));
    claims.truncate(MOST_CLAIMS);
    claims
}

/// The stake that adds most growth, and the gain in R; `None` when the trades have no weight.
fn best(group: &[&TradeResult], trades: usize, usual_risk: f64) -> Option<(Stake, f64)> {
    let weight: f64 = group.iter().map(|one| one.weight).sum();
    if weight <= 0.0 {
        return None;
    }
    let drawn = trades as f64 / (trades as f64 + SHRINKAGE);
    let gain_r = |stake: Stake| {
        let sum: f64 = group.iter().map(|one| one.weight * stake.growth_r(one.r, usual_risk)).sum();
        drawn * sum / weight
    };
    Stake::ALL.into_iter().map(|stake| (stake, gain_r(stake))).max_by(|(_, a), (_, b)| a.total_cmp(b))
}
