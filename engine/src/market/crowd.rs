//! The anonymous traders at a pool: outside liquidity providers who come and go, uninformed traders who pay
//! fees, and the arbitrageur.
//!
//! Each tick, with y the money side of the pool, n standard normal draws and D the long-run depth, in dollars:
//!
//! - noise volume = share · y · activity · e^(s n − s²/2), where activity is the volatility over its baseline times the volume of shocks
//!   (and of a recording);
//! - the pool's price moves by rate × (multiple of shocks) × (gap to the reference beyond the fee); within the fee it stays, because a
//!   trade would cost more than it brings;
//! - log depth ℓ ← (1 − κ) ℓ + σ n, and the money side becomes D · e^ℓ · (multiple of shocks) + the golems' part, the first of which is
//!   held within .02 and 5 times D.
//!
//! The specs describe no crowd (digest section 20 leaves the market open); the form is our choice. In market microstructure these are the
//! liquidity providers, noise traders and arbitrageurs. Without them a pool's price would be moved by golems alone and have nothing to do
//! with the reference. κ and σ are part of a market's digest (`market::former`), so that fitted policies of `constant` are refused after a
//! change of theirs.

use crate::market::pool::Pool;
use crate::market::reference_tick::ReferenceTick;
use crate::market::shock::ShockEffects;
use crate::market::{PoolConfig, Quantity};
use morta_base::math::exp;
use morta_base::{Purpose, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};

/// Least depth, as a multiple of its long-run level: pools never empty, or a close could find nothing to trade against.
const DEPTH_MULTIPLE_MIN: f64 = 0.02;
/// Largest depth, as a multiple of its long-run level. `DEPTH_UNITS_MAX` counts on it: with more, reserves in billionths would leave 64
/// bits.
const DEPTH_MULTIPLE_MAX: f64 = 5.0;
/// Bounds of log depth, shocks aside: 5 % to 4.5 times the long-run level. They lie inside the bounds above, so that a shock still changes depth at
/// either end. The walk's standard deviation is .02 / √(1 − .99²) = .14, so they are there for lives of millions of ticks only.
const LOG_DEPTH_RANGE: (f64, f64) = (-3.0, 1.5);
/// σ, the standard deviation of a tick's change of log depth. Our choice; no consequence was found of half and twice as much
/// (`scenarios/sensitivity/knobs-market.toml`).
pub(crate) const DEPTH_VOLATILITY: f64 = 0.02;
/// κ, the share by which log depth returns to its long-run level each tick. Our choice, with which a withdrawal is half made up for in 69 ticks; no
/// consequence was found of half and twice as much.
pub(crate) const DEPTH_REVERSION: f64 = 0.01;
/// Standard deviation of the log of noise volume around its mean; our choice: two ticks in three lie within a factor of 1.65.
const LOG_VOLUME_DEVIATION: f64 = 0.5;
/// Most noise volume of a tick, in depths of the pool: as much as `noise_volume_share` may be, so that chance multiplies no fee beyond the
/// keys' range.
const VOLUME_DEPTHS_MAX: f64 = 10.0;
/// Volume follows volatility within these multiples; relative volumes of recordings are held to the same range.
const VOLUME_MULTIPLE_RANGE: (f64, f64) = (0.1, 10.0);

/// The background agents around one pool: noise traders, liquidity providers and an arbitrageur.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Crowd {
    config: PoolConfig,
    /// Log of depth over its long-run level, shocks aside.
    log_depth: f64,
}

impl Crowd {
    /// Makes the crowd at the long-run (equilibrium) depth.
    pub(super) fn new(config: PoolConfig) -> Self {
        Self { config, log_depth: 0.0 }
    }

    /// A parameter change at runtime (hot reload), for a branch with other keys; the log depth reached so far stays.
    pub(super) fn rebind(&mut self, config: PoolConfig) {
        self.config = config;
    }

    /// Acts once in a tick, after the golems' orders of the tick: noise traders, then the arbitrageur, then outside providers.
    /// `golem_shares` are never withdrawn by others. Returns the money that came into the pool, for the ledger.
    ///
    /// Providers come last, because arbitrage changes the money side: this way a tick ends at the depth that was drawn for it.
    pub(super) fn act(
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
        // Less half the variance, so that the mean of the factor is 1 and `noise_volume_share` is the mean volume.
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
        self.log_depth = self.log_depth * (1.0 - DEPTH_REVERSION) + DEPTH_VOLATILITY * normal;
        let (least, most) = LOG_DEPTH_RANGE;
        self.log_depth = self.log_depth.clamp(least, most);
        let multiple = (exp(self.log_depth) * multiple).clamp(DEPTH_MULTIPLE_MIN, DEPTH_MULTIPLE_MAX);
        // Half of what shares are worth is money. Without it, golems who supply the pool would drive out as many others and could move no
        // depth.
        let golems = Pool::shares_worth(golem_shares, pool.price()) / 2.0;
        pool.scale_to(Usdc::from_dollars(self.config.depth_usdc * multiple + golems));
    }

    /// The depth ratio (relative liquidity) of the pool: the money side over its long-run level. The view's liquidity class and the feature
    /// `log_depth` are read from it.
    pub(super) fn depth_ratio(&self, pool: &Pool) -> f64 {
        pool.money().dollars() / self.config.depth_usdc
    }
}
