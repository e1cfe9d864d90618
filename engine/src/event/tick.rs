//! The world at the close of a tick: population counts, means from 0 to 1, and accounts in whole micro-dollars (a time series sample). It
//! is the last event of each tick, so a reader of the log knows that the tick is complete. Counts and payments are cumulative; price and
//! regime are those of the first asset. The census fills it in at the barrier; `ledger_sum` is the world's check that no money is made or
//! lost.

use crate::market::Regime;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// The world at the close of a tick: one sample of the time series of the population and its accounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TickRecord {
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: i64,
    /// Golems living, dying ones included.
    pub alive: u32,
    /// Of these, dreaming.
    pub dreaming: u32,
    /// Mean epistemic fitness of those who lived through the tick, 0 to 1.
    pub fitness_mean: f64,
    /// Mean vitality of them, 0 to 1.
    pub vitality_mean: f64,
    /// Births so far.
    pub born: u64,
    /// Deaths so far.
    pub died: u64,
    /// Trades closed so far.
    pub trades: u64,
    /// Bloodstains in the Lethe.
    pub bloodstains: u32,
    /// Money in all purses.
    pub purses: Usdc,
    /// Payments of golems for compute so far.
    pub compute_paid: Usdc,
    /// Payments of golems for inference so far.
    pub inference_paid: Usdc,
    /// Payments of golems for gas so far.
    pub gas_paid: Usdc,
    /// Payments of golems to the Lethe so far.
    pub lethe_paid: Usdc,
    /// Sum of every account of the world; zero, or money was made or lost.
    pub ledger_sum: Usdc,
    /// Gas for one transaction.
    pub gas: Usdc,
    /// The first asset's pool price, as golems saw it in the tick: before its orders were filled.
    pub price: f64,
    /// The first asset's true regime.
    pub true_regime: Regime,
}
