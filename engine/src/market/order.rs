//! Orders of golems to the market, and their fills (executions).
//!
//! Money is in whole micro-dollars, quantities are in billionths of a unit, prices in dollars a unit, slippage in basis points. An order
//! names all that the market needs to settle it, because the market keeps no accounts by golem: positions are the golems' own. An order
//! that is sent at a tick is executed at that tick's barrier, and its fill or refusal reaches the golem at the next tick. Each executed
//! order pays gas once; a refused one pays nothing. The market checks sizes (`execute`) and that a close takes no more out of escrow or
//! pool than golems put in (`MarketState`); whether the money is there is the golem's to check.

use morta_base::{Bps, Usdc};
use serde::{Deserialize, Serialize};

/// An asset's index (place) in the scenario's list.
pub type AssetIndex = u8;

/// An amount of an asset in billionths of its unit, such as an ounce or a coin: fixed-point arithmetic in integers, because floats would
/// lose billionths in long sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Quantity(pub i64);

impl Quantity {
    /// Billionths in one unit.
    pub const NANOS: f64 = 1e9;

    /// Converts from fixed point to floating point: the amount in units.
    pub fn units(self) -> f64 {
        self.0 as f64 / Self::NANOS
    }

    /// Rounds floating point to fixed point: the amount nearest to `units`, saturating.
    pub(crate) fn from_units(units: f64) -> Self {
        Self((units * Self::NANOS).round() as i64)
    }
}

morta_base::words! {
    /// The direction of a position, by the source of its gain: long, short, or liquidity provision.
    pub enum PositionSide {
        /// A rising price: the asset is bought and held.
        Long = "long",
        /// A falling price: the asset is borrowed and sold, against collateral.
        Short = "short",
        /// Fees: both sides of the pool are supplied.
        Liquidity = "liquidity",
    }
}

impl PositionSide {
    /// The sign (direction) of the exposure: +1, −1 or 0 for long, short and liquidity.
    pub fn sign(self) -> f64 {
        match self {
            Self::Long => 1.0,
            Self::Short => -1.0,
            Self::Liquidity => 0.0,
        }
    }
}

/// An opening or a closing market order, with leverage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderKind {
    /// Put this much money into a new position, or add it to the held one (`golem.holding.scaling`). All of it leaves the golem's trading
    /// cash: for a long it buys the asset, for a short it is the collateral, for liquidity it is split over both sides of the pool.
    Open {
        /// The whole stake.
        stake: Usdc,
        /// The lender's addition to it; zero when nothing is borrowed. For a short it is a further part of the asset, not money.
        loan: Usdc,
    },
    /// End a position, or a part of it (`golem.holding.scaling`), and take back what that is worth. All amounts are those of what ends.
    Close {
        /// The stake put into it.
        stake: Usdc,
        /// The loan it was opened with, to be repaid first.
        loan: Usdc,
        /// The quantity that its opening fills reported.
        quantity: Quantity,
        /// For shorts: the proceeds of the opening sales, 0 otherwise. They lie in escrow with the stake, and both must leave it with the
        /// close, or the ledger would not balance.
        proceeds: Usdc,
        /// For liquidity: the pool's `fee_growth` the opening fill reported. Zero for other positions.
        fee_growth: f64,
        /// Further dues to the lender: interest, and the fee of a liquidation.
        charges: Usdc,
    },
}

/// A market order (trade instruction), executed at the next barrier; there are no limit orders here. Stops are the golem's own: it sends a
/// close.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// The asset to trade.
    pub asset: AssetIndex,
    /// The kind of position.
    pub side: PositionSide,
    /// Open or close.
    pub kind: OrderKind,
}

/// An execution report (trade confirmation): the executed quantity and price, slippage, gas and what the lender got.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fill {
    /// The order this answers.
    pub order: Order,
    /// Money that comes back to the golem's trading cash (zero when opening, never negative).
    pub cash_back: Usdc,
    /// The lender's part of the proceeds: loan, interest and fees together; zero when opening.
    pub repaid: Usdc,
    /// The lender's loss: the debt that the position didn't cover; zero when opening.
    pub uncovered: Usdc,
    /// Gas the golem owes for the transaction.
    pub gas: Usdc,
    /// Quantity acquired (opening; for a short, borrowed and sold) or ended (closing); for liquidity, pool shares.
    pub quantity: Quantity,
    /// Proceeds of a short's opening sale, now in escrow.
    pub proceeds: Usdc,
    /// The pool's cumulative `fee_growth` at the fill.
    pub fee_growth: f64,
    /// Average execution price, dollars a unit; for liquidity, the pool's price.
    pub price: f64,
    /// The part of the traded value (a loan included) lost to fee, spread and price impact against the pool's mid price, in bps.
    pub slippage_bps: Bps,
}
