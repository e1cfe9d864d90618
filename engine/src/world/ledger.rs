//! The accounts of a world's money: double-entry bookkeeping in whole micro-dollars, whose sum is zero at every barrier. A leak of a
//! micro-dollar shows in the tick in which it happens.

use crate::golem::{Outbox, Sinks};
use crate::market::MarketLedger;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// The world's accounts. Endowments are taken from the treasury, so that the sum of all accounts is zero at every barrier: a sum of zero needs no
/// reference value, and any leak shows at once. Double-entry bookkeeping of a closed economy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Estates that came back less endowments: minus the money in the world.
    treasury: Usdc,
    purses: Usdc,
    sinks: Sinks,
    conserved: bool,
}

impl Default for Ledger {
    /// Empty accounts, which add up.
    fn default() -> Self {
        Self { treasury: Usdc::ZERO, purses: Usdc::ZERO, sinks: Sinks::default(), conserved: true }
    }
}

impl Ledger {
    /// Transfers an endowment from the treasury. Start-up capital from the treasury.
    pub fn endow(&mut self, endowment: Usdc) {
        self.treasury -= endowment;
    }

    /// Gives an estate back to the treasury: an estate transfer.
    pub fn inherit(&mut self, estate: Usdc) {
        self.treasury += estate;
    }

    /// Books a tick's outbox, and returns the sum of all accounts, which is zero unless money was made or lost. A trial balance
    /// (reconciliation) of the tick.
    pub fn close(&mut self, out: &Outbox, market: &MarketLedger, in_flight: Usdc) -> Usdc {
        self.purses += out.purse_change;
        self.sinks.absorb(out.sinks);
        let sum = self.treasury + self.purses + self.sinks.total() + market.total() + in_flight;
        self.conserved &= sum == Usdc::ZERO;
        sum
    }

    /// The sum of all purses. The total of agents' wallets. Money held by agents.
    pub fn purses(&self) -> Usdc {
        self.purses
    }

    /// Payments of golems so far, by purpose. The expense accounts. Money that left agents.
    pub fn sinks(&self) -> &Sinks {
        &self.sinks
    }

    /// Whether every tick's accounts added up. The conservation invariant so far. A zero-sum check.
    pub fn is_conserved(&self) -> bool {
        self.conserved
    }
}
