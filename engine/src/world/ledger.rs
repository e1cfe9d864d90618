//! Where all the money of a world is.

use crate::golem::{Outbox, Sinks};
use crate::market::MarketLedger;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// The world's accounts. What is endowed is taken from the treasury, so that everything together is zero at every barrier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// What the owners have put in and got back: minus what is in the world.
    treasury: Usdc,
    purses: Usdc,
    sinks: Sinks,
    conserved: bool,
}

impl Default for Ledger {
    /// Nobody has any money yet, and all of it adds up.
    fn default() -> Self {
        Self { treasury: Usdc::ZERO, purses: Usdc::ZERO, sinks: Sinks::default(), conserved: true }
    }
}

impl Ledger {
    /// Takes what a golem is born with from the treasury.
    pub fn endow(&mut self, endowment: Usdc) {
        self.treasury -= endowment;
    }

    /// Gives what the dead leave back to the treasury.
    pub fn inherit(&mut self, estate: Usdc) {
        self.treasury += estate;
    }

    /// Books what golems did in a tick, and adds everything up: the sum, which is zero unless money was made or lost.
    pub fn close(&mut self, out: &Outbox, market: &MarketLedger, in_flight: Usdc) -> Usdc {
        self.purses += out.purse_change;
        self.sinks.absorb(out.sinks);
        let sum = self.treasury + self.purses + self.sinks.total() + market.total() + in_flight;
        self.conserved &= sum == Usdc::ZERO;
        sum
    }

    /// What all golems have.
    pub fn purses(&self) -> Usdc {
        self.purses
    }

    /// What golems have paid so far.
    pub fn sinks(&self) -> &Sinks {
        &self.sinks
    }

    /// Whether every tick's accounts added up.
    pub fn is_conserved(&self) -> bool {
        self.conserved
    }
}
