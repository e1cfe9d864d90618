//! One asset of the world (a tradable instrument): its reference price, its pool with the crowd around it, its oracle, and the measures of
//! them (a market data feed with its simulator).
//!
//! Prices are in dollars a unit, returns are logarithmic and a tick's, spreads and fees are fractions, the depth ratio is depth over its
//! long-run level. Indicators and strategies read the pool's price; only the true range is the reference's, which alone has highs and lows
//! between ticks. Golems see the view, and the reference only as the oracle publishes it; its true regime is for memories of the family
//! `oracle`, the event log and the tables. A tick goes on in this order: reference, oracle, crowd, indicators, features.

use crate::market::crowd::Crowd;
use crate::market::features::{Features, raw_features};
use crate::market::oracle::Oracle;
use crate::market::pool::Pool;
use crate::market::reading::{AssetObservation, AssetWindows};
use crate::market::reference::Reference;
use crate::market::reference_tick::ReferenceTick;
use crate::market::shock::ShockEffects;
use crate::market::strategy::signals;
use crate::market::{AssetView, LiquidityClass, MarketConfig, Quantity};
use morta_base::math::ln;
use morta_base::{Usdc, WorldSeed};
use serde::{Deserialize, Serialize};

/// The exogenous inputs of a simulation step: facts of one tick that all assets share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    pub seed: WorldSeed,
    pub step: u64,
    pub time_s: i64,
    pub gas_ratio: f64,
}

/// One asset of the world, a simulated instrument: reference, automated market maker, oracle, indicators.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Asset {
    pub reference: Reference,
    pub pool: Pool,
    /// Shares of the pool that belong to golems.
    pub golem_shares: Quantity,
    crowd: Crowd,
    oracle: Oracle,
    measure: AssetWindows,
    features: Features,
    /// Reference price at the last tick.
    last_reference: f64,
}

impl Asset {
    /// Makes the initial state of an asset: pool (AMM) and price oracle stand at the reference price, indicators have seen one price.
    pub(crate) fn new(config: &MarketConfig, reference: Reference) -> Self {
        let price = reference.price();
        let depth = Usdc::from_dollars(config.pool.depth_usdc);
        let pool = Pool::new(depth, price, config.pool.fee_bps * 1e-4, reference.half_spread(), 0.0);
        Self {
            measure: AssetWindows::new(pool.price(), 0.0),
            pool,
            golem_shares: Quantity(0),
            crowd: Crowd::new(config.pool),
            oracle: Oracle::new(config.oracle, price),
            features: Features::new(config.embedding_dimensions),
            last_reference: price,
            reference,
        }
    }

    /// A parameter change at runtime (hot reload), when a branch goes on by other keys: fee, crowd and oracle. The reserves stay what they
    /// are; a new depth is reached as providers come and go, without a jump in the state.
    pub(crate) fn rebind(&mut self, config: &MarketConfig) {
        self.pool.set_fee(config.pool.fee_bps * 1e-4);
        self.crowd.rebind(config.pool);
        self.oracle.rebind(config.oracle);
    }

    /// One simulation step: reference, oracle, arbitrage, indicators. `common` is the first asset's noise, `None` for the first asset
    /// itself. Returns the money that came into the pool (negative when it left), and this asset's own noise.
    ///
    /// The oracle gets the reference, never the pool: trades of golems can't move an oracle.
    pub(crate) fn advance(
        &mut self,
        at: &Surroundings,
        part: u32,
        effects: &ShockEffects,
        common: Option<f64>,
    ) -> (Usdc, f64) {
        let reference = self.reference.advance(at.seed, part, at.step, effects, common);
        self.oracle.advance(at.seed, part, at.step, reference.price, effects.oracle_bias);
        let key = (at.seed, part, at.step);
        let into_pool = self.crowd.act(&mut self.pool, key, &reference, effects, self.golem_shares);
        let seen = self.observe(self.true_range(&reference));
        self.last_reference = reference.price;
        self.measure.update(&seen);
        let reading = self.measure.read(&seen);
        self.features.update(&raw_features(&reading, at.gas_ratio, at.time_s));
        (into_pool, reference.innovation)
    }

    /// The log of highest over lowest since the last tick, that tick's price included (Wilder's true range).
    fn true_range(&self, reference: &ReferenceTick) -> f64 {
        ln(reference.high.max(self.last_reference) / reference.low.min(self.last_reference))
    }

    fn observe(&self, true_range: f64) -> AssetObservation {
        AssetObservation {
            pool_price: self.pool.price(),
            oracle_price: self.oracle.price(),
            true_range,
            half_spread: self.pool.half_spread(),
            pool_fee: self.pool.fee(),
            fee_growth: self.pool.fee_growth(),
            depth_ratio: self.crowd.depth_ratio(&self.pool),
        }
    }

    /// The market data snapshot (observation) for golems: quotes, indicators, signals. The true range is a matter of ticks passed and no
    /// part of a view, so none is given here.
    pub(crate) fn view(&self) -> AssetView {
        let reading = self.measure.read(&self.observe(0.0));
        AssetView {
            pool_price: self.pool.price(),
            oracle_price: self.oracle.price(),
            half_spread: reading.half_spread,
            pool_fee: reading.pool_fee,
            depth_usdc: self.pool.money().dollars(),
            fee_growth: self.pool.fee_growth(),
            log_return: reading.log_return,
            volatility: reading.volatility,
            atr: reading.atr,
            volatility_quintile: reading.volatility_quintile,
            trend_strength: reading.trend_strength,
            volatility_ratio: reading.volatility_ratio,
            shock_lately: reading.shock_lately,
            liquidity: liquidity_of(reading.depth_ratio),
            embedding: self.features.embedding(),
            signals: signals(&reading),
        }
    }
}

/// Crisis below 0.3 of the long-run depth, thin below 0.7, normal to 1.5, deep beyond. The digest names the four classes (section 1) and
/// leaves the limits open. Ours: a typical liquidity crisis (a fifth) shows as one, a cascade of liquidations or a crisis's sign (a half)
/// as thin.
fn liquidity_of(depth_ratio: f64) -> LiquidityClass {
    match depth_ratio {
        ratio if ratio < 0.3 => LiquidityClass::Crisis,
        ratio if ratio < 0.7 => LiquidityClass::Thin,
        ratio if ratio < 1.5 => LiquidityClass::Normal,
        _ => LiquidityClass::Deep,
    }
}
