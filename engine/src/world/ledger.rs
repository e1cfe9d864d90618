//! The accounts of a world's money: double-entry bookkeeping in whole micro-dollars, whose sum is zero at every barrier. A leak of a
//! micro-dollar shows in the tick in which it happens. The census owns it and books into it at births, deaths and the close of a tick.

use crate::golem::{Outbox, Sinks};
use crate::market::MarketLedger;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// The world's accounts: double-entry bookkeeping of a closed economy. Endowments are taken from the treasury, so that the sum of all
/// accounts is zero at every barrier: a sum of zero needs no reference value, and any leak shows at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Estates that came back less endowments: minus the money in the world.
    treasury: Usdc,
    /// Money of all purses.
    purses: Usdc,
    /// What golems have paid for, by purpose.
    sinks: Sinks,
    /// Whether all ticks so far added up.
    conserved: bool,
}

impl Default for Ledger {
    /// Empty accounts, which add up.
    fn default() -> Self {
        Self { treasury: Usdc::ZERO, purses: Usdc::ZERO, sinks: Sinks::default(), conserved: true }
    }
}

impl Ledger {
    /// Transfers an endowment, a newborn's start-up capital, from the treasury; the treasury may be negative without limit.
    pub fn endow(&mut self, endowment: Usdc) {
        self.treasury -= endowment;
    }

    /// Gives the estate of the dead back to the treasury. Successors are endowed anew and inherit no money.
    pub fn inherit(&mut self, estate: Usdc) {
        self.treasury += estate;
    }

    /// Books a tick's outbox, and returns the sum of all accounts, which is zero unless money was made or lost: a trial balance
    /// (reconciliation). Money in positions is the market's, money in answers is `in_flight`.
    pub fn close(&mut self, out: &Outbox, market: &MarketLedger, in_flight: Usdc) -> Usdc {
        self.purses += out.totals.purse_change;
        self.sinks += out.totals.sinks;
        let sum = self.treasury + self.purses + self.sinks.total() + market.total() + in_flight;
        self.conserved &= sum == Usdc::ZERO;
        sum
    }

    /// The total cash that golems hold: the sum of all purses.
    pub fn purses(&self) -> Usdc {
        self.purses
    }

    /// The golems' payments (expenses) so far, by purpose.
    pub fn sinks(&self) -> &Sinks {
        &self.sinks
    }

    /// Whether every tick's accounts added up so far: the conservation invariant. One leak makes it false for good.
    pub(crate) fn is_conserved(&self) -> bool {
        self.conserved
    }
}
