//! The anonymous others at a pool: outside liquidity providers who come and go, uninformed traders who pay
//! fees, and the arbitrageur.

use crate::market::pool::Pool;
use crate::market::reference_tick::ReferenceTick;
use crate::market::shock::ShockEffects;
use crate::market::{PoolConfig, Quantity};
use morta_base::math::exp;
use morta_base::{Purpose, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};

/// Depth stays between these multiples of its long-run level.
const DEPTH_MULTIPLE_MIN: f64 = 0.02;
const DEPTH_MULTIPLE_MAX: f64 = 5.0;
/// Standard deviation of the log of noise volume around its mean.
const LOG_VOLUME_DEVIATION: f64 = 0.5;
/// Most noise volume of a tick, in depths of the pool.
const VOLUME_DEPTHS_MAX: f64 = 10.0;
/// Volume follows volatility within these multiples.
const VOLUME_MULTIPLE_RANGE: (f64, f64) = (0.1, 10.0);

/// The crowd around one pool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Crowd {
    config: PoolConfig,
    /// Log of depth over its long-run level, shocks aside.
    log_depth: f64,
}

impl Crowd {
    pub fn new(config: PoolConfig) -> Self {
        Self { config, log_depth: 0.0 }
    }

    /// Goes on by other keys; who has come and gone so far stays as it is.
    pub fn rebind(&mut self, config: PoolConfig) {
        self.config = config;
    }

    /// Lets the crowd act for one tick: noise traders, then the arbitrageur, then outside providers.
    /// `golem_shares` are never withdrawn by others. Returns the money that came into the pool.
    pub fn act(
        &mut self,
        pool: &mut Pool,
        key: (WorldSeed, u32, u64),
        reference: &ReferenceTick,
        effects: &ShockEffects,
        golem_shares: Quantity,
    ) -> Usdc {
        let before = pool.money();
        pool.set_half_spread(reference.half_spread);
        self.trade_noise(pool, key, reference);
        self.arbitrage(pool, reference.price, effects.arbitrage_multiple);
        self.provide(pool, key, effects.depth_multiple, golem_shares);
        pool.money() - before
    }

    /// Buyers and sellers alike: the price stays, fees are earned.
    fn trade_noise(
        &self,
        pool: &mut Pool,
        (seed, part, step): (WorldSeed, u32, u64),
        reference: &ReferenceTick,
    ) {
        let normal = seed.world(Purpose::Volume, part, step).normal();
        let (s, (low, high)) = (LOG_VOLUME_DEVIATION, VOLUME_MULTIPLE_RANGE);
        let luck = exp(s * normal - s * s / 2.0);
        let activity = reference.volatility_multiple.clamp(low, high) * reference.volume_multiple.min(high);
        let volume = self.config.noise_volume_share * pool.money().dollars() * activity * luck;
        pool.earn_fees(volume.min(VOLUME_DEPTHS_MAX * pool.money().dollars()));
    }

    /// Trades the pool towards the reference while that pays more than the fee.
    fn arbitrage(&self, pool: &mut Pool, reference: f64, multiple: f64) {
        let price = pool.price();
        let (floor, ceiling) = (reference * (1.0 - pool.fee()), reference * (1.0 + pool.fee()));
        let gap = if price < floor {
            floor - price
        } else if price > ceiling {
            ceiling - price
        } else {
            return;
        };
        pool.move_to(price + gap * self.config.arbitrage_rate * multiple);
    }

    fn provide(
        &mut self,
        pool: &mut Pool,
        (seed, part, step): (WorldSeed, u32, u64),
        multiple: f64,
        golem_shares: Quantity,
    ) {
        let normal = seed.world(Purpose::PoolDepth, part, step).normal();
        self.log_depth =
            self.log_depth * (1.0 - self.config.depth_reversion) + self.config.depth_volatility * normal;
        self.log_depth = self.log_depth.clamp(-3.0, 1.5);
        let multiple = (exp(self.log_depth) * multiple).clamp(DEPTH_MULTIPLE_MIN, DEPTH_MULTIPLE_MAX);
        let golems = Pool::shares_worth(golem_shares, pool.price()) / 2.0;
        pool.scale_to(Usdc::from_dollars(self.config.depth_usdc * multiple + golems));
    }

    /// Depth over its long-run level.
    pub fn depth_ratio(&self, pool: &Pool) -> f64 {
        pool.money().dollars() / self.config.depth_usdc
    }
}
