//! How much to put into a trade, read from how replayed trades of its kind went.
//!
//! Money grows by ln(1 + f·r) in a trade of r R with the share f of it at risk. For each strategy and regime, the mean growth of the replayed
//! trades at half the usual stake and at twice as much is compared with that at the usual one ([`Stake::growth_r`]); what a trade would have made
//! in a worse world, where that was gone through, counts beside what it made, so that fragile gains are staked on less. The mean of n trades is
//! drawn towards no difference, n/(n + 3), because a few trades say little.

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
        /// Weight of what a trade would have made in a worse world, beside what it made.
        what_if_weight: f64 = 0.5, in 0.0..=1.0, "weight";
        /// Most such claims that one dream draws, the greatest gain first.
        max_claims: u32 = 3, in 0..=1_000, "claims";
    }
}

/// Trades that make no difference, by which a mean is drawn towards none.
const SHRINKAGE: f64 = 3.0;

/// What a replayed trade made, or would have made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// The trade.
    pub episode: EpisodeId,
    /// What was entered.
    pub strategy: Strategy,
    /// The regime it was entered in.
    pub regime: Regime,
    /// What it made, in R.
    pub r: f64,
    /// What it counts for in a mean, above 0.
    pub weight: f64,
}

impl Made {
    /// What a remembered trade made, or what it would have.
    pub fn of(episode: &EpisodeRecord, r: f64, weight: f64) -> Self {
        let (strategy, regime) = (episode.strategy, episode.context.regime);
        Self { episode: episode.id, strategy, regime, r, weight }
    }
}

/// The claims, the greatest gain first, and the trades that each was read from.
pub fn stakes(made: &[Made], usual_risk: f64, config: &StakesConfig) -> Vec<(Claim, Vec<EpisodeId>)> {
    let mut groups: BTreeMap<(Strategy, Regime), Vec<&Made>> = BTreeMap::new();
    for one in made {
        groups.entry((one.strategy, one.regime)).or_default().push(one);
    }
    let mut claims: Vec<(Claim, Vec<EpisodeId>)> = groups
        .into_iter()
        .filter_map(|((strategy, regime), group)| {
            let trades: BTreeSet<EpisodeId> = group.iter().map(|one| one.episode).collect();
            let (stake, gain_r) = best(&group, trades.len(), usual_risk)?;
            let is_worth_it = trades.len() >= config.least_trades as usize && gain_r >= config.least_gain_r;
            let pattern = ContextPattern::of_regime(regime);
            let claim = Claim { matter: Matter::Stake(stake), ..Claim::of_worth(strategy, pattern, gain_r) };
            is_worth_it.then(|| (claim, trades.into_iter().collect()))
        })
        .collect();
    claims.sort_by(|(a, _), (b, _)| b.expected_r.total_cmp(&a.expected_r));
    claims.truncate(config.max_claims as usize);
    claims
}

/// The stake that adds most, and what it adds; `None` of trades without weight.
fn best(group: &[&Made], trades: usize, usual_risk: f64) -> Option<(Stake, f64)> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::GolemId;

    fn made(number: u32, regime: Regime, r: f64) -> Made {
        let episode = EpisodeId { golem: GolemId::founder(0), number };
        Made { episode, strategy: Strategy::Momentum, regime, r, weight: 1.0 }
    }

    fn told(made: &[Made], usual_risk: f64) -> Vec<String> {
        stakes(made, usual_risk, &StakesConfig::default())
            .iter()
            .map(|(claim, _)| claim.to_string())
            .collect()
    }

    /// Six trades of 1 R where little is at risk: (2 − 1)·1·6/9 = .67 R; six losses are worth half the stake, (½ − 1)·(−1)·6/9 = .33 R.
    #[test]
    fn gains_are_staked_on_and_losses_are_not() {
        let trades: Vec<Made> = (0..6)
            .map(|n| made(n, Regime::Volatile, 1.0))
            .chain((6..12).map(|n| made(n, Regime::RangeBound, -1.0)))
            .collect();
        let told = told(&trades, 1e-4);
        assert_eq!(told.len(), 2);
        assert!(
            told[0].starts_with("put twice as much into momentum in") && told[0].ends_with("+0.67 R"),
            "{told:?}"
        );
        assert!(
            told[1].starts_with("put half as much into momentum in") && told[1].ends_with("+0.33 R"),
            "{told:?}"
        );
    }

    /// Half gain 2 R and half lose 1 R. Kelly's share is (.5·2 − .5)/2 = .25: at .1 twice as much grows faster, at .45 half of it does.
    #[test]
    fn where_much_is_at_risk_a_gain_may_be_staked_on_too_much() {
        let trades: Vec<Made> =
            (0..40).map(|n| made(n, Regime::Volatile, if n % 2 == 0 { 2.0 } else { -1.0 })).collect();
        assert!(told(&trades, 0.1)[0].starts_with("put twice"));
        assert!(told(&trades, 0.45)[0].starts_with("put half"));
    }

    #[test]
    fn two_trades_and_small_gains_say_nothing() {
        let two: Vec<Made> = (0..2).map(|n| made(n, Regime::Volatile, 3.0)).collect();
        assert_eq!(told(&two, 0.02), Vec::<String>::new());
        let small: Vec<Made> = (0..30).map(|n| made(n, Regime::Volatile, 0.04)).collect();
        assert_eq!(told(&small, 0.02), Vec::<String>::new());
        assert_eq!(stakes(&[], 0.02, &StakesConfig::default()), []);
    }

    /// What breaks in a worse world is staked on less, although it gained.
    #[test]
    fn fragile_gains_count_for_less() {
        let gains: Vec<Made> = (0..6).map(|n| made(n, Regime::Volatile, 0.4)).collect();
        let worse = gains.iter().map(|one| Made { r: -1.5, weight: 0.5, ..*one });
        let with: Vec<Made> = gains.iter().copied().chain(worse).collect();
        assert!(told(&gains, 0.02)[0].starts_with("put twice"));
        assert!(told(&with, 0.02)[0].starts_with("put half"));
        let (_, from) = &stakes(&with, 0.02, &StakesConfig::default())[0];
        assert_eq!(from.len(), 6, "a trade is one trade, however often it was gone through");
    }
}
