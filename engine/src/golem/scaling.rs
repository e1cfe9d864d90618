//! Positions are made smaller and larger while they are held, as the expectation of their rest changes.
//!
//! The size that makes money grow fastest is in proportion to the expected gain over its variance (Kelly 1956), and the variance of the rest
//! of a position shrinks with the time left. A position that was entered for p R, and whose rest promises b R, with the share τ of its horizon
//! left, is therefore worth (b/p)/τ times the size it was entered with: 1 where all goes as planned. Without a promise (p ≤ 0) or a rest (τ = 0) the
//! quotient has no meaning, and nothing changes.
//!
//! At 0 it is hedged: nothing is at risk, while its stop and its horizon run on, and it can be taken up again. In one pool an
//! opposite position of equal size has the same effect, and costs twice. Promises are in R, sizes are multiples of the size at entry. It is
//! dynamic position sizing (scale in, scale out, rebalancing). Off by default; it needs reviews (`golem.holding.review_ticks`), at which
//! `holding` calls it when memory advises to stay. Sizes change in whole steps, up to `most` (which may end the last step early); additions
//! are own money, never a loan.

use crate::event::EventKind;
use crate::golem::config::MIN_STAKE;
use crate::golem::exposure::Exposure;
use crate::golem::position::Position;
use crate::golem::state::OrderOut;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::market::{Fill, Held, Order, OrderKind, PathPoint, PositionSide, Quantity};
use crate::memory::{Holding, HoldingAdvice};
use morta_base::keys;
use morta_base::{TableChecker, Usdc};

keys! {
    /// The `[golem.holding.scaling]` table: the size of a position follows what is expected of the rest of it.
    pub struct ScalingConfig {
        /// Whether positions that are thought over (`review_ticks`) are made smaller and larger.
        enabled: bool = false;
        /// Largest size, as a multiple of the size at entry. Liquidity is never added to, and a position may be hedged in full.
        most: f64 = 1.0, in 1.0..=100.0, "times";
        /// Sizes are multiples of this; smaller changes aren't made.
        step: f64 = 0.5, in above(0.0).to(100.0), "times";
    }
    also a_step_fits_in;
}

impl ScalingConfig {
    fn a_step_fits_in(&self, table: &mut TableChecker<'_>) {
        table.demand(
            !self.enabled || self.step <= self.most,
            "step",
            self.step,
            "must be at most `most`, or no size could ever change",
        );
    }

    /// The size a position should have, as a multiple of the size at entry: the rest promises `rest_r` before its time's worth, all of it was
    /// expected to make `planned_r`, and the share `left` of its horizon is left. `None` where the plan promised nothing to compare with, or
    /// where nothing is left.
    fn wanted(&self, rest_r: f64, planned_r: f64, left: f64) -> Option<f64> {
        if planned_r <= 0.0 || left <= 0.0 {
            return None;
        }
        let multiple = rest_r / planned_r / left;
        let stepped = (multiple / self.step).round() * self.step;
        Some(stepped.clamp(0.0, self.most))
    }
}

impl Golem {
    /// Orders the change that memory's advice asks for, if it is large enough.
    pub(super) fn scale_position(
        &mut self,
        held: Held,
        holding: &Holding<'_>,
        advice: HoldingAdvice,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let scaling = &moment.rules.golem.holding.scaling;
        let candidate = holding.candidate;
        let rest_r = advice.stay_r + holding.rho * holding.ticks_left();
        let Some(to) = scaling.wanted(rest_r, holding.planned_r, holding.share_left()) else { return };
        let position = self.position.as_ref().expect("it is held");
        let from = position.multiple();
        // A step less rounding: sizes are whole micro-dollars, so a multiple that was meant to be a step away may be a little less.
        if (to - from).abs() < scaling.step * (1.0 - 1e-9) {
            return;
        }
        let gain = position.decision.gain(PathPoint::from(moment.view.asset(candidate.asset)));
        let ordered = if to < from {
            self.order_reduction(1.0 - to / from, moment, out)
        } else {
            // An addition pays for going in and out, like any other position.
            rest_r > candidate.cost_r && self.order_addition(to - from, gain, moment, out)
        };
        if !ordered {
            return;
        }
        let kind = EventKind::PositionScaled {
            strategy: candidate.strategy,
            asset: candidate.asset,
            held,
            open_r: holding.open_r,
            from,
            to,
            rest_r,
            why: advice.why,
        };
        self.tell(moment.tick, kind, out);
    }

    /// Closes a share of the position.
    fn order_reduction(&mut self, share: f64, moment: &Moment<'_>, out: &mut Outbox) -> bool {
        let position = self.position.as_ref().expect("it is held");
        let candidate = position.decision.candidate;
        let part = position.exposure.part(share);
        let quantity = Quantity((position.quantity.0 as f64 * share).round() as i64).min(position.quantity);
        if quantity.0 <= 0 || !part.stake.is_positive() {
            return false;
        }
        let proceeds = position.proceeds.scaled(share);
        let held = moment.tick - position.decision.tick;
        let kind = OrderKind::Close {
            stake: part.stake,
            loan: part.loan,
            charges: moment.rules.golem.leverage.interest(part.loan, held),
            quantity,
            proceeds,
            fee_growth: position.fee_growth,
        };
        self.order_out = Some(OrderOut::Reduce(Box::new(part)));
        self.write(Letter::Order(Order { asset: candidate.asset, side: candidate.side, kind }), out);
        true
    }

    /// Adds own money to the position, as much as there is. Nothing is added to liquidity, whose fees are counted from one entry.
    fn order_addition(&mut self, multiple: f64, gain: f64, moment: &Moment<'_>, out: &mut Outbox) -> bool {
        let position = self.position.as_ref().expect("it is held");
        let candidate = position.decision.candidate;
        if candidate.side == PositionSide::Liquidity || self.stake_factor(&moment.rules.mortality) <= 0.0 {
            return false;
        }
        let at_entry = position.decision.size().scaled(multiple);
        // The same quantity costs more or less than at entry by the gain since then; a long that has doubled costs twice as much to add to.
        let wanted = at_entry.scaled((1.0 + candidate.side.sign() * gain).max(0.0));
        let stake = wanted.min(self.stakeable(moment.rules.mortal));
        if stake < MIN_STAKE {
            return false;
        }
        self.purse.stake(stake);
        self.order_out = Some(OrderOut::Add { stake, gain });
        let kind = OrderKind::Open { stake, loan: Usdc::ZERO };
        self.write(Letter::Order(Order { asset: candidate.asset, side: candidate.side, kind }), out);
        true
    }
}

impl Position {
    /// Its size, as a multiple of the size at entry (relative position size); 0 when hedged in full.
    pub fn multiple(&self) -> f64 {
        self.exposure.size.dollars() / self.decision.size().dollars()
    }

    /// Books the fill that closed a part of it.
    pub(super) fn reduced(&mut self, part: &Exposure, fill: &Fill) {
        let OrderKind::Close { quantity, proceeds, .. } = fill.order.kind else {
            unreachable!("what reduces a position closes a part of it")
        };
        self.exposure.take_out(part, fill.cash_back);
        self.quantity = Quantity(self.quantity.0 - quantity.0);
        self.proceeds -= proceeds;
        self.gas += fill.gas;
    }

    /// Books the fill that added to it when the gain was `gain`. The entry price becomes the mean by quantity.
    pub(super) fn enlarged(&mut self, fill: &Fill, gain: f64) {
        let OrderKind::Open { stake, .. } = fill.order.kind else {
            unreachable!("what enlarges a position opens more of it")
        };
        self.exposure.add(stake, gain, self.decision.candidate.side.sign());
        let (before, added) = (self.quantity.units(), fill.quantity.units());
        self.entry_price = (self.entry_price * before + fill.price * added) / (before + added);
        self.quantity = Quantity(self.quantity.0 + fill.quantity.0);
        self.proceeds += fill.proceeds;
        self.gas += fill.gas;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> ScalingConfig {
        ScalingConfig { enabled: true, most: 2.0, step: 0.5 }
    }

    /// Entered for .4 R: with half of the horizon left, .2 R is as planned, .1 R half of it, and .3 R half as much again.
    #[test]
    fn the_size_follows_what_is_left_of_the_promise() {
        for (rest_r, multiple) in [(0.2, 1.0), (0.1, 0.5), (0.3, 1.5), (0.9, 2.0), (-0.3, 0.0), (0.24, 1.0)] {
            assert_eq!(config().wanted(rest_r, 0.4, 0.5), Some(multiple), "{rest_r}");
        }
        assert_eq!(config().wanted(0.2, 0.0, 0.5), None, "what promised nothing has no measure");
        assert_eq!(config().wanted(0.2, 0.4, 0.0), None, "nothing is left");
        let whole = ScalingConfig { most: 1.0, ..config() };
        assert_eq!((whole.wanted(-1.0, 0.4, 0.5), whole.wanted(1.0, 0.4, 0.5)), (Some(0.0), Some(1.0)));
    }
}
