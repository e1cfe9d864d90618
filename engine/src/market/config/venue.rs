//! The places where golems trade and the price of trading there: pool, gas, oracle (transaction costs and market microstructure).
//!
//! Fees and deviations are in basis points, depth and gas in dollars, rates are shares or probabilities a tick. The pool is a
//! constant-product automated market maker (AMM, a liquidity pool with an arbitrageur); the formulas are in `market::crowd`, `market::gas`
//! and `market::oracle`. The gas price is the transaction fee, mean-reverting; the price oracle is a price feed with lag and error. Costs
//! decide which strategies pay, so all of them are keys. Half spreads are keys of each asset (`source`), and a law of `drift` may set
//! another pool fee for one asset.

use morta_base::keys;

keys! {
    /// A constant-product pool and the crowd around it.
    #[derive(Copy)]
    pub struct PoolConfig {
        /// Fee of a swap in bps, paid to liquidity providers.
        fee_bps: f64 = 5.0, in 0.0..=1_000.0, "bps";
        /// Long-run depth of the money side in dollars.
        depth_usdc: f64 = 2_000_000.0, in 100.0..=1e9, "dollars";
        /// Standard deviation of a tick's change of log depth, as outside providers come and go.
        depth_volatility: f64 = 0.02, in 0.0..=1.0, "standard deviation";
        /// Share by which log depth returns to its long-run level each tick.
        depth_reversion: f64 = 0.01, in 0.0..=1.0, "share";
        /// Share of the gap between pool and reference price, beyond the fee, that the arbitrageur closes each tick; 1
        /// with no fee makes the pool equal to the reference.
        arbitrage_rate: f64 = 0.6, in 0.0..=1.0, "share";
        /// Volume of uninformed traders a tick as a share of depth, at baseline volatility; it grows in proportion to
        /// volatility, earns fees for liquidity and leaves the price alone.
        noise_volume_share: f64 = 0.15, in 0.0..=10.0, "share";
    }
}

keys! {
    /// Gas: a log Ornstein–Uhlenbeck process around a base price, times spikes that fade.
    #[derive(Copy)]
    pub struct GasConfig {
        /// Median price of one transaction in dollars.
        base_usdc: f64 = 0.02, in 0.0..=1_000.0, "dollars";
        /// Share by which the log of gas returns to its base each tick.
        reversion: f64 = 0.05, in 0.0..=1.0, "share";
        /// Standard deviation of a tick's change of the log of gas.
        volatility: f64 = 0.1, in 0.0..=2.0, "standard deviation";
        /// Chance of a spike at a tick.
        spike_rate: f64 = 0.002, in 0.0..=1.0, "probability";
        /// Price at the start of a spike as a multiple of what it would be.
        spike_multiple: f64 = 8.0, in 1.0..=1_000.0, "factor";
        /// Share of a spike that fades each tick.
        spike_decay: f64 = 0.05, in 0.0..=1.0, "share";
    }
}

keys! {
    /// The oracle publishes the reference price late and with an error.
    #[derive(Copy)]
    pub struct OracleConfig {
        /// How many ticks the published price is old.
        lag_ticks: u32 = 0, in 0..=10_000, "ticks";
        /// Standard deviation of its error in bps, fresh each tick.
        deviation_bps: f64 = 2.0, in 0.0..=1_000.0, "bps";
    }
}
