//! One tick of an asset's reference price, synthetic or replayed: the output of a price process, from which pool, oracle and windows move
//! on.
//!
//! Prices are in dollars a unit, the half spread is a fraction, multiples are of long-run levels, 1 being usual. Both sources give the same
//! type, so that pool and windows needn't know which it is.

/// A sample of the price process at one tick (high, low, close, innovation).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReferenceTick {
    /// Dollars a unit.
    pub price: f64,
    /// Highest price since the last tick.
    pub high: f64,
    /// Lowest price since the last tick.
    pub low: f64,
    /// Half the bid-ask spread, as a fraction.
    pub half_spread: f64,
    /// The tick's noise in standard deviations; correlated assets share the first asset's.
    pub innovation: f64,
    /// Volatility now over its long-run level.
    pub volatility_multiple: f64,
    /// Volume now over its usual level.
    pub volume_multiple: f64,
}
