//! The turn of old golems from tactical advantage to knowledge that a successor can use.
//!
//! turn(h) rises from 0 at a Hayflick ratio h (age over allotted age) of .70 to 1 at .85 (dream spec, "three-clock modulation": .70
//! begins the bias, .85 is full legacy consolidation; linear between is our choice, a linear ramp like an annealing schedule, because a
//! step would change a golem's dreams in one tick). Utility is multiplied by 1 + turn·(boost − 1)·transferability, where boost is 2. A
//! despairing mood prefers transferable episodes (.5 or more) at any age. The turn is also the urgency of the stochastic clock for dreams.
//! Once it is complete, creative sessions only combine (those of random memories go on), all begin with trades that gained, and a dream's
//! budget is divided as in decline.
//!
//! Results enter by the sign of their mean alone, over all episodes of the buffer: inherited scars, and abstentions with 0 R. Ages are
//! shares of the allotted lifespan. The field's terms are out-of-distribution generalisation and transferability, here by consistency
//! across environments. Near the end of life (senescence) replay turns to generativity.

use crate::episode::Grimoire;
use crate::market::{Regime, Strategy};
use morta_base::TableChecker;
use morta_base::keys;

keys! {
    /// When and how far replay turns to what can be passed on.
    pub struct LegacyConfig {
        /// Hayflick ratio (age over allotted age) from which the turn begins.
        from_hayflick: f64 = 0.70, in 0.0..=1.0, "Hayflick ratio";
        /// Hayflick ratio from which it is complete, at least `from_hayflick`.
        full_hayflick: f64 = 0.85, in 0.0..=1.0, "Hayflick ratio";
    }
    also turn_begins_before_it_is_complete;
}

/// Factor on the utility of a wholly transferable episode when the turn is complete. The spec names no factor; our choice, that of the
/// mood's bias, so that neither of the two outweighs the other.
pub(crate) const BOOST: f64 = 2.0;
/// Episodes of a strategy in a regime before their mean speaks for it. Our choice: the mean of a single trade is that trade.
const LEAST_EPISODES: u32 = 2;

impl LegacyConfig {
    fn turn_begins_before_it_is_complete(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[("from_hayflick", self.from_hayflick), ("full_hayflick", self.full_hayflick)]);
    }
}

impl LegacyConfig {
    /// The progress of the turn: 0 up to `from_hayflick`, 1 from `full_hayflick`, linear between. Where both are the same, it is a step
    /// just above them. A golem's ratio is the age in ticks of 40 seconds over `dream.clocks.hayflick_ticks`, that of `morta score` is in
    /// its state file. The turn weighs transferability in replay and is the urgency of the stochastic clock.
    pub fn turn(&self, hayflick_ratio: f64) -> f64 {
        let width = self.full_hayflick - self.from_hayflick;
        if hayflick_ratio <= self.from_hayflick {
            0.0
        } else if hayflick_ratio >= self.full_hayflick {
            1.0
        } else {
            (hayflick_ratio - self.from_hayflick) / width
        }
    }
}

/// The sign of each strategy's mean result in each regime, where there are enough episodes.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    /// By strategy and regime: whether the mean result is above 0; `None` with fewer than two episodes.
    gains: [[Option<bool>; Regime::COUNT]; Strategy::COUNT],
}

impl Transfer {
    /// From all episodes of a buffer, scars and abstentions among them.
    pub(crate) fn from_grimoire(grimoire: &Grimoire) -> Self {
        let sign = |(total, count): (f64, u32)| (count >= LEAST_EPISODES).then_some(total > 0.0);
        Self { gains: grimoire.results().map(|of_strategy| of_strategy.map(sign)) }
    }

    /// The transferability of an episode, given its strategy and regime (by their indices) and whether it gained: the share of other
    /// regimes in which the strategy was tried twice or more that have a mean result of the same sign, in [0, 1]; 0 when there is no such
    /// regime. A result that holds in every regime is knowledge of the strategy; one that holds in this regime alone would mislead an heir
    /// in another.
    pub(crate) fn of_kind(&self, strategy: usize, regime: usize, gained: bool) -> f64 {
        let of_strategy = &self.gains[strategy];
        let elsewhere = Regime::ALL.into_iter().filter(|other| other.index() != regime);
        let (mut tried, mut alike) = (0_u32, 0_u32);
        for gains in elsewhere.filter_map(|regime| of_strategy[regime.index()]) {
            tried += 1;
            alike += u32::from(gains == gained);
        }
        if tried == 0 { 0.0 } else { f64::from(alike) / f64::from(tried) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::{episode, holding};

    /// Momentum made money in two regimes and lost in a third: a gain in the first holds in one of two others.
    #[test]
    fn transferability_counts_the_other_regimes() {
        let made = [(Regime::TrendingUp, 1.0), (Regime::TrendingDown, 0.5), (Regime::RangeBound, -1.0)];
        let lived = (0..6).zip(made.iter().cycle()).map(|(number, &(regime, r))| {
            let mut lived = episode(number, 10);
            (lived.context.regime, lived.realised_r) = (regime, r);
            lived
        });
        let transfer = Transfer::from_grimoire(&holding(10, lived));
        let of = |strategy: Strategy, regime: Regime, gained| {
            transfer.of_kind(strategy.index(), regime.index(), gained)
        };
        let momentum = |regime, gained| of(Strategy::Momentum, regime, gained);
        assert_eq!(momentum(Regime::TrendingUp, true), 0.5);
        assert_eq!(momentum(Regime::TrendingDown, true), 0.5);
        assert_eq!(momentum(Regime::RangeBound, false), 0.0);
        assert_eq!(of(Strategy::Breakout, Regime::TrendingUp, true), 0.0);
    }
}
