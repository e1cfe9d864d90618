//! The price of a transaction.

use crate::market::{GasClass, GasConfig};
use morta_base::math::exp;
use morta_base::{Purpose, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};

/// The widest excursion of the log of gas.
const LOG_GAS_MAX: f64 = 5.0;
/// Highest price of a transaction, in dollars, whatever spikes and shocks come together.
const GAS_MAX_DOLLARS: f64 = 1e6;

/// Gas as a log Ornstein–Uhlenbeck process times spikes that fade.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Gas {
    config: GasConfig,
    /// Log of gas over its base, spikes aside.
    log: f64,
    /// What a spike adds, as a multiple of the base.
    spike: f64,
    shock_multiple: f64,
}

impl Gas {
    pub fn new(config: GasConfig) -> Self {
        Self { config, log: 0.0, spike: 0.0, shock_multiple: 1.0 }
    }

    /// Goes on by other keys; the walk stays where it is.
    pub fn rebind(&mut self, config: GasConfig) {
        self.config = config;
    }

    /// Moves on one tick.
    pub fn advance(&mut self, seed: WorldSeed, step: u64, shock_multiple: f64) {
        let mut stream = seed.world(Purpose::Gas, 0, step);
        let moved = self.log * (1.0 - self.config.reversion) + self.config.volatility * stream.normal();
        self.log = moved.clamp(-LOG_GAS_MAX, LOG_GAS_MAX);
        self.spike *= 1.0 - self.config.spike_decay;
        if stream.chance(self.config.spike_rate) {
            self.spike = self.spike.max(self.config.spike_multiple - 1.0);
        }
        self.shock_multiple = shock_multiple;
    }

    /// Price now over the base price.
    pub fn ratio(&self) -> f64 {
        exp(self.log) * (1.0 + self.spike) * self.shock_multiple
    }

    /// Price of one transaction.
    pub fn price(&self) -> Usdc {
        Usdc::from_dollars((self.config.base_usdc * self.ratio()).min(GAS_MAX_DOLLARS))
    }

    /// Low below 0.7 of the base, normal to 1.5, elevated to 3, then a spike.
    pub fn class(&self) -> GasClass {
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
