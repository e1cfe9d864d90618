//! Exposure of a position: the money in it, and the size on which its gains are computed.
//!
//! A position may be made smaller and larger while it is held. Gains are given as a share g of the price at entry, so money s added later, when
//! the gain is g₀, counts as the size s/(1 + σ·g₀) at the entry's price, of which the gain so far was missed (σ is +1 for a long and
//! −1 for a short). The stake's value is then
//!
//! ```text
//! value = stake + size·g − missed
//! ```
//!
//! Amounts are in whole micro-dollars, gains are shares of the price at entry. It is position accounting (cost basis, profit and loss) for
//! a position that is scaled in and out; the golem books each fill here, and the result in R divides by the largest size. Scaling and loans
//! are off by default, and then value is stake·(1 + g).

use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// The money that goes into a position, i.e. its size: margin and loan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizing {
    /// The golem's own money: the margin.
    pub stake: Usdc,
    /// The lender's.
    pub loan: Usdc,
}

impl Sizing {
    /// A position size without a loan: own capital alone, unleveraged.
    pub(super) fn own(stake: Usdc) -> Self {
        Self { stake, loan: Usdc::ZERO }
    }

    /// Both together: the size of the position, its notional value or gross exposure.
    pub(super) fn size(self) -> Usdc {
        self.stake + self.loan
    }
}

/// The money (cost basis) and size (notional) of a position, now and over its life. One record instead of a lot for each addition, which
/// would be closed one by one and cost gas each time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exposure {
    /// The golem's own money in it.
    pub stake: Usdc,
    /// The lender's money in it.
    pub loan: Usdc,
    /// Its size at the entry's price.
    pub size: Usdc,
    /// The gain that parts of it were added too late for; below zero for a loss they were spared.
    pub missed: Usdc,
    /// The largest it has been.
    pub largest: Usdc,
    /// Own money put in altogether.
    pub paid_in: Usdc,
    /// Money that came back before its end.
    pub paid_out: Usdc,
    /// Whether its size was ever changed.
    pub scaled: bool,
}

impl Exposure {
    /// As it is opened.
    pub(super) fn new(sizing: Sizing) -> Self {
        let (Sizing { stake, loan }, size) = (sizing, sizing.size());
        Self {
            stake,
            loan,
            size,
            missed: Usdc::ZERO,
            largest: size,
            paid_in: stake,
            paid_out: Usdc::ZERO,
            scaled: false,
        }
    }

    /// The pro-rata part of it for a proportion, 0 to 1. Parts are rounded; what remains is the rest, so that nothing is lost.
    pub fn part(&self, share: f64) -> Self {
        let of = |whole: Usdc| whole.scaled(share);
        Self {
            stake: of(self.stake),
            loan: of(self.loan),
            size: of(self.size),
            missed: of(self.missed),
            ..*self
        }
    }

    /// Takes out a part that was closed, and brought this much: a partial close (scale out).
    pub(crate) fn take_out(&mut self, part: &Self, cash_back: Usdc) {
        self.stake -= part.stake;
        self.loan -= part.loan;
        self.size -= part.size;
        self.missed -= part.missed;
        self.paid_out += cash_back;
        self.scaled = true;
    }

    /// Adds money put in when the gain stood at `gain`, of a side whose sign is `sign`: a scale-in (pyramiding), which adjusts the cost
    /// basis.
    pub fn add(&mut self, stake: Usdc, gain: f64, sign: f64) {
        let size = stake.scaled(1.0 / (1.0 + sign * gain));
        self.stake += stake;
        self.size += size;
        self.missed += size.scaled(gain);
        self.paid_in += stake;
        self.largest = self.largest.max(self.size);
        self.scaled = true;
    }

    /// Mark-to-market value of the stake at a gain, costs of closing and interest left out; never below zero, because the lender bears the
    /// rest.
    pub fn value(&self, gain: f64) -> Usdc {
        // Without a loan and without changes it is one product, rounded once: the sum of three may be off by a micro-dollar.
        if self.loan > Usdc::ZERO || self.scaled {
            return (self.stake + self.size.scaled(gain) - self.missed).max(Usdc::ZERO);
        }
        self.stake.scaled((1.0 + gain).max(0.0))
    }

    /// Profit of all of it, once the rest was closed: the realised profit and loss (P&L). Slippage, pool fees and interest are in the cash
    /// that came back; `gas` is taken off here.
    pub fn profit(&self, last_cash_back: Usdc, gas: Usdc) -> Usdc {
        self.paid_out + last_cash_back - self.paid_in - gas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hundred() -> Exposure {
        Exposure::new(Sizing::own(Usdc::from_dollars(100.0)))
    }

    /// Bought at 100, half sold at 110 for $55, the rest worth $60 at 120.
    #[test]
    fn a_half_is_worth_half() {
        let mut exposure = hundred();
        let half = exposure.part(0.5);
        assert_eq!(half.value(0.1), Usdc::from_dollars(55.0));
        exposure.take_out(&half, half.value(0.1));
        assert_eq!(exposure.value(0.2), Usdc::from_dollars(60.0));
        assert_eq!(
            (exposure.paid_in, exposure.paid_out),
            (Usdc::from_dollars(100.0), Usdc::from_dollars(55.0))
        );
        assert_eq!(exposure.largest, Usdc::from_dollars(100.0));
    }

    /// Long: $55 buy half a unit more at 110; at 120 one and a half units are worth $180. Short at 100: $45 more at 90 are half a unit; at 80
    /// the first made $20 and the second $5, on $145.
    #[test]
    fn what_is_added_gains_from_then_on() {
        let mut long = hundred();
        long.add(Usdc::from_dollars(55.0), 0.1, 1.0);
        assert_eq!((long.size, long.value(0.1)), (Usdc::from_dollars(150.0), Usdc::from_dollars(165.0)));
        assert_eq!(long.value(0.2), Usdc::from_dollars(180.0));
        let mut short = hundred();
        short.add(Usdc::from_dollars(45.0), 0.1, -1.0);
        assert_eq!((short.size, short.value(0.1)), (Usdc::from_dollars(150.0), Usdc::from_dollars(155.0)));
        assert_eq!(short.value(0.2), Usdc::from_dollars(170.0));
        assert_eq!(short.largest, short.size);
    }

    proptest::proptest! {
        /// However it is cut up, what was taken out and what is left are worth what the whole would be, but for a micro-dollar a cut: a
        /// larger gap would be money that the ledger misses.
        #[test]
        fn cuts_lose_nothing(shares in proptest::collection::vec(0.0_f64..1.0, 1..6), gain in -0.5_f64..0.5) {
            let mut exposure = hundred();
            let whole = exposure.value(gain);
            for share in &shares {
                let part = exposure.part(*share);
                exposure.take_out(&part, part.value(gain));
            }
            let together = exposure.paid_out + exposure.value(gain);
            proptest::prop_assert!((together - whole).0.abs() <= 4 * shares.len() as i64, "{together:?} {whole:?}");
        }
    }
}
