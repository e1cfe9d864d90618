//! The price of a transaction.
//!
//! price = base · e^x · (1 + s) · m, in dollars: x ← (1 − κ) x + σ n is an Ornstein–Uhlenbeck process in discrete time (n standard normal), s a spike
//! that loses a share each tick and starts anew at (multiple − 1) with a small chance, m the multiple of shocks. The base is the median without
//! spikes and shocks. With σ = 0 and no spikes gas costs the base. The specs price a transaction at $.001 to $.50 (digest section 1) and give
//! no process; this one is our choice. Gas is the fixed transaction fee of a blockchain: dollars a transaction, whatever the size of the
//! trade. Every executed order, opening or closing, pays it once; all assets share one price of gas. κ is part of a market's
//! digest (`market::former`), so that fitted policies of `constant` are refused after a change of it.

use crate::market::{GasClass, GasConfig};
use morta_base::math::exp;
use morta_base::{Purpose, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};

/// κ, the share by which the log of gas returns to its base each tick. Our choice, with which it is half back in 14 ticks; no consequence was found of
/// half and twice as much (`scenarios/sensitivity/knobs-market.toml`).
pub(crate) const REVERSION: f64 = 0.05;
/// The widest excursion of the log of gas: a factor of 148. The default keys' standard deviation is .1 / √(1 − .95²) = .32, so it binds in wilder
/// scenarios only.
const LOG_GAS_MAX: f64 = 5.0;
/// Highest price of a transaction, in dollars, whatever spikes and shocks come together: nine million of them still
/// add up within 64 bits of micro-dollars.
const GAS_MAX_DOLLARS: f64 = 1e6;

/// The gas fee: a mean-reverting log Ornstein–Uhlenbeck process times spikes that fade (jumps).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Gas {
    config: GasConfig,
    /// Log of gas over its base, spikes aside.
    log: f64,
    /// The spike's addition, as a multiple of the price without it; 0 without one.
    spike: f64,
    shock_multiple: f64,
}

impl Gas {
    /// The gas fee process (gas price) at its base, without spike or shock.
    pub(super) fn new(config: GasConfig) -> Self {
        Self { config, log: 0.0, spike: 0.0, shock_multiple: 1.0 }
    }

    /// A parameter change at runtime, for a branch with other keys; the walk stays where it is.
    pub(super) fn rebind(&mut self, config: GasConfig) {
        self.config = config;
    }

    /// Takes one Ornstein-Uhlenbeck step, a mean-reverting random walk with a chance of a jump (spike), and the shocks' multiple of this
    /// tick.
    pub(super) fn advance(&mut self, seed: WorldSeed, step: u64, shock_multiple: f64) {
        let mut stream = seed.world(Purpose::Gas, 0, step);
        let moved = self.log * (1.0 - REVERSION) + self.config.volatility * stream.normal();
        self.log = moved.clamp(-LOG_GAS_MAX, LOG_GAS_MAX);
        self.spike *= 1.0 - self.config.spike_decay;
        if stream.chance(self.config.spike_rate) {
            // The larger of the two, not the sum: spikes that came close together would otherwise pile up without end.
            self.spike = self.spike.max(self.config.spike_multiple - 1.0);
        }
        self.shock_multiple = shock_multiple;
    }

    /// The relative fee level (gas ratio), for features and classes: price now over the base price, shocks and spikes included; 1 is the
    /// base.
    pub(super) fn ratio(&self) -> f64 {
        exp(self.log) * (1.0 + self.spike) * self.shock_multiple
    }

    /// The transaction fee (gas price) in dollars, at most a million.
    pub(super) fn price(&self) -> Usdc {
        Usdc::from_dollars((self.config.base_usdc * self.ratio()).min(GAS_MAX_DOLLARS))
    }

    /// Low below 0.7 of the base, normal to 1.5, elevated to 3, then a spike. The digest names the four classes (section 1) and leaves the
    /// limits open. Ours: by the default walk gas is low an eighth and elevated a tenth of the time, and hardly ever at 3 without a spike.
    /// It is a discretisation (binning) of the fee level, for circumstances that rules may name.
    pub(super) fn class(&self) -> GasClass {
        match self.ratio() {
            ratio if ratio < 0.7 => GasClass::Low,
            ratio if ratio < 1.5 => GasClass::Normal,
            ratio if ratio < 3.0 => GasClass::Elevated,
            _ => GasClass::Spike,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gas_keeps_to_its_base_and_spikes() {
        let config = GasConfig { spike_rate: 0.0, ..GasConfig::default() };
        let mut gas = Gas::new(config);
        let mut below = 0;
        for step in 0..4_000 {
            gas.advance(WorldSeed(4), step, 1.0);
            below += u32::from(gas.ratio() < 1.0);
        }
        assert!((1_500..2_500).contains(&below), "{below}");
        let mut spiky = Gas::new(GasConfig { spike_rate: 1.0, volatility: 0.0, ..config });
        spiky.advance(WorldSeed(4), 0, 1.0);
        assert_eq!((spiky.ratio(), spiky.class()), (8.0, GasClass::Spike));
        assert_eq!(spiky.price(), Usdc::from_dollars(0.16));
    }
}
