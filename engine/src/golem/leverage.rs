//! Positions larger than the money put into them: a lender puts in the rest, and takes the position when it no longer covers the loan.
//! Amounts are in dollars, interest is a share a tick, margin a share of the size, the fee in basis points. Terms of the field: margin
//! loan, maintenance margin, liquidation. Off by default (`max` 1: nothing is lent). With a near stop the size that a golem's risk allows
//! exceeds its money, so without a loan it would be cut short. The margin is looked at in every tick without an order out, asleep or awake,
//! before the golem's own stop; interest and fee are charged with the closing order. A loss beyond the stake is the lender's.

use crate::golem::exposure::Exposure;
use crate::golem::position::Position;
use crate::market::{PathPoint, PositionSide};
use morta_base::keys;
use morta_base::{TableChecker, Tick, Usdc};

keys! {
    /// The `[golem.leverage]` table. What a golem wants to hold follows from its risk: balance · risk / stop distance, times what its
    /// memory, its phase and its mood make of it. It puts in its own money first, as far as `max_position_share` goes, and borrows the
    /// rest; so who is told to risk less gives up the loan before anything else.
    pub struct LeverageConfig {
        /// Largest position as a multiple of the money put in; 1: nothing is lent.
        max: f64 = 1.0, in 1.0..=100.0, "factor";
        /// Interest a tick, as a share of the loan; paid when the position is closed.
        interest_per_tick: f64 = 0.0, in 0.0..=0.01, "share";
        /// Share of what a position is worth that must be left of the money put in, after gains, losses and interest; a position with
        /// less is liquidated at once, at the price of that tick. Below 1 / `max`, or it would be so from the start.
        maintenance_margin: f64 = 0.05, in 0.0..=0.9, "share";
        /// What a liquidation costs, in bps of the position as it was opened.
        liquidation_fee_bps: f64 = 50.0, in 0.0..=1_000.0, "bps";
    }
    also margin_is_met_at_first;
}

impl LeverageConfig {
    fn margin_is_met_at_first(&self, table: &mut TableChecker<'_>) {
        let met = self.maintenance_margin * self.max < 1.0;
        let remedy = || format!("must be below 1 / golem.leverage.max, {}", 1.0 / self.max);
        table.demand_else(met, "maintenance_margin", self.maintenance_margin, remedy);
    }

    /// The loan that gets from a golem's own stake to the wanted size, up to `max` times the stake.
    pub(super) fn loan(&self, wanted: Usdc, stake: Usdc) -> Usdc {
        if self.max <= 1.0 {
            return Usdc::ZERO;
        }
        (wanted.min(stake.scaled(self.max)) - stake).max(Usdc::ZERO)
    }

    /// Simple interest on a loan held for so many ticks; it is charged with the closing order.
    pub(super) fn interest(&self, loan: Usdc, ticks: Tick) -> Usdc {
        loan.scaled(self.interest_per_tick * ticks as f64)
    }

    /// The fee for the liquidation of a position. It is of the size and not of the money left, of which there may be none.
    pub(super) fn liquidation_fee(&self, size: Usdc) -> Usdc {
        size.scaled(self.liquidation_fee_bps * 1e-4)
    }

    /// Whether a position must be liquidated at a tick.
    pub(super) fn liquidates(&self, position: &Position, now: PathPoint, tick: Tick) -> bool {
        let decision = &position.decision;
        let held = tick - decision.tick;
        position.exposure.loan > Usdc::ZERO
            && self.falls_short(decision.candidate.side, &position.exposure, decision.gain(now), held)
    }

    /// Whether less is left of the money put in than the maintenance margin m demands, for a gain before costs as a share of the size.
    /// With stake s, loan l, gain g and interest i: s + (s + l)·g − i ≤ m·(s + l)·(1 + g) for a long or for liquidity; the worth of a short
    /// is the debt that must be bought back, (s + l)·(1 − g). For a size that was changed, see [`Exposure`].
    fn falls_short(&self, side: PositionSide, in_it: &Exposure, gain: f64, held: Tick) -> bool {
        let size = in_it.size.dollars();
        let kept = in_it.stake.dollars() + size * gain - in_it.missed.dollars();
        let left = kept - self.interest(in_it.loan, held).dollars();
        let worth = match side {
            PositionSide::Long | PositionSide::Liquidity => size * (1.0 + gain),
            PositionSide::Short => size * (1.0 - gain),
        };
        left <= self.maintenance_margin * worth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golem::exposure::Sizing;

    fn dollars(dollars: f64) -> Usdc {
        Usdc::from_dollars(dollars)
    }

    #[test]
    fn ones_own_money_goes_in_first() {
        let five = LeverageConfig { max: 5.0, ..LeverageConfig::default() };
        for (wanted, stake, loan) in [(20.0, 20.0, 0.0), (60.0, 25.0, 35.0), (500.0, 25.0, 100.0)] {
            assert_eq!(five.loan(dollars(wanted), dollars(stake)), dollars(loan), "{wanted}");
        }
        assert_eq!(LeverageConfig::default().loan(dollars(500.0), dollars(25.0)), Usdc::ZERO);
        let price = LeverageConfig { interest_per_tick: 0.001, ..five };
        assert_eq!(price.interest(dollars(80.0), 25), dollars(2.0));
        assert_eq!(price.liquidation_fee(dollars(100.0)), dollars(0.5));
    }

    /// Twenty dollars and eighty lent at a margin of 5 %: a long is liquidated at 20 + 100·g = 5·(1 + g), g = −15/95; a short at
    /// 20 + 100·g = 5·(1 − g), g = −15/105; after 25 ticks at .1 % of interest, which is $2, at −13/95 already.
    #[test]
    fn a_lender_takes_the_position_when_the_margin_is_used_up() {
        let config = LeverageConfig { max: 5.0, interest_per_tick: 0.001, ..LeverageConfig::default() };
        let in_it = Exposure::new(Sizing { stake: dollars(20.0), loan: dollars(80.0) });
        use PositionSide::{Liquidity, Long, Short};
        for (side, limit, held) in [
            (Long, -15.0 / 95.0, 0),
            (Liquidity, -15.0 / 95.0, 0),
            (Short, -15.0 / 105.0, 0),
            (Long, -13.0 / 95.0, 25),
        ] {
            assert!(!config.falls_short(side, &in_it, limit + 1e-6, held), "{side:?} {held}");
            assert!(config.falls_short(side, &in_it, limit - 1e-6, held), "{side:?} {held}");
        }
    }
}
