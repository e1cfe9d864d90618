//! Verification of an outcome: predicted against realised execution (digest section 2, OutcomeVerification), known in trading as
//! transaction cost analysis (TCA).
//!
//! Slippage is in basis points of the position's size, for the round trip. Gas is in dollars. A golem whose execution is worse than
//! predicted is being traded against or misreads its costs, and an episode's result in R alone can't show that. Each closed trade has one,
//! abstentions none. The signs of two threats (sandwich, fee change), replay (stress tests, primitives, the course of a trade) and the
//! table of trades read it, among others.

use morta_base::{Bps, Usdc};
use serde::{Deserialize, Serialize};

/// Execution as predicted before acting, and as realised: transaction cost analysis of one trade.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutcomeVerification {
    /// Slippage of the round trip predicted at the decision, bps of the size.
    pub predicted_slippage_bps: Bps,
    /// Slippage of the round trip as filled, bps of the size.
    pub realised_slippage_bps: Bps,
    /// Gas of the round trip predicted at the decision.
    pub predicted_gas: Usdc,
    /// Gas of the round trip as charged.
    pub realised_gas: Usdc,
}

impl OutcomeVerification {
    /// Realised minus predicted slippage (implementation shortfall beyond the estimate), bps of the size; above 0 when execution was worse.
    pub fn slippage_deviation_bps(&self) -> Bps {
        self.realised_slippage_bps - self.predicted_slippage_bps
    }

    /// Realised minus predicted gas over predicted gas (relative prediction error), bps; 0 when no gas was predicted and none was charged,
    /// 10,000 when gas was charged although none was predicted.
    pub fn gas_deviation_bps(&self) -> Bps {
        let difference = (self.realised_gas - self.predicted_gas).dollars();
        match self.predicted_gas {
            Usdc::ZERO if difference == 0.0 => 0.0,
            Usdc::ZERO => 10_000.0,
            predicted => 10_000.0 * difference / predicted.dollars(),
        }
    }
}
