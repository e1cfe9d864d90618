//! Accounts of the market: every dollar that golems paid in by orders and didn't get back is in one of five places (double-entry
//! bookkeeping, a closed economy).
//!
//! Sums are whole micro-dollars and not floats, so that "conserved" means equal, and a single lost one shows at its tick. The world's
//! ledger adds these accounts to the golems' purses at every barrier; a sum other than 0 fails a debug build and is marked in the run's
//! manifest.

use crate::market::{Fill, OrderKind, PositionSide};
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// The market's money, by double-entry bookkeeping. Invariant (conservation of money): the total changes by exactly what golems pay in
/// (stakes, gas) less what they get back, at every order; no tick changes it. Its accounts are pools, escrow, lending and fees among
/// others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarketLedger {
    /// Money sides of all pools.
    pub pools: Usdc,
    /// Stakes and sale proceeds of open shorts.
    pub escrow: Usdc,
    /// The lender of leveraged positions: what it got back and earned less what it lent. What is out on loan, and what was never
    /// repaid, is missing here. The asset of leveraged shorts is lent by the rest of the world, as that of all shorts is.
    pub lender: Usdc,
    /// The rest of the world: arbitrageur, outside liquidity providers, market makers, asset lender, and in a
    /// price-taker market the counterparty of every trade. Often negative: it brought the pools' money.
    pub outside: Usdc,
    /// Gas paid by golems.
    pub gas_collected: Usdc,
}

impl MarketLedger {
    /// The sum of the five accounts, in micro-dollars: the accounting identity that is checked.
    pub fn total(&self) -> Usdc {
        self.pools + self.escrow + self.lender + self.outside + self.gas_collected
    }

    /// Settles a trade in a price-taker market: books a fill that left the pool as it was.
    pub fn settle(&mut self, fill: &Fill) {
        self.settle_with_pool(fill, Usdc::ZERO);
    }

    /// Posts a fill (a journal entry) that changed a pool's money by `pool_change`.
    pub(crate) fn settle_with_pool(&mut self, fill: &Fill, pool_change: Usdc) {
        let short = fill.order.side == PositionSide::Short;
        let (paid_in, escrow_change) = match fill.order.kind {
            OrderKind::Open { stake, .. } if short => (stake, stake + fill.proceeds),
            OrderKind::Open { stake, .. } => (stake, Usdc::ZERO),
            OrderKind::Close { stake, proceeds, .. } if short => (-fill.cash_back, -(stake + proceeds)),
            OrderKind::Close { .. } => (-fill.cash_back, Usdc::ZERO),
        };
        let to_lender = match fill.order.kind {
            OrderKind::Open { loan, .. } if !short => -loan,
            OrderKind::Open { .. } | OrderKind::Close { .. } => fill.repaid,
        };
        self.escrow += escrow_change;
        self.lender += to_lender;
        // The outside takes the remainder, so that every kind of order keeps the invariant by construction.
        self.outside += paid_in - escrow_change - to_lender;
        self.move_to_pools(pool_change);
        self.gas_collected += fill.gas;
    }

    /// A transfer between accounts: moves money from outside into the pools, or back when negative.
    pub(crate) fn move_to_pools(&mut self, change: Usdc) {
        self.pools += change;
        self.outside -= change;
    }
}
