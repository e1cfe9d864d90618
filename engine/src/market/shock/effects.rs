//! What shocks do to an asset, and how several of them compose.

use crate::market::ShockKind;
use morta_base::math::exp;

/// What the shocks of a tick do to one asset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShockEffects {
    /// Added drift, in standard deviations a tick.
    pub drift: f64,
    /// Added drift of a replayed price in place of a change of regime.
    pub structural_drift: f64,
    pub volatility_multiple: f64,
    /// Added share of the distance to the anchor closed each tick.
    pub mean_reversion: f64,
    pub depth_multiple: f64,
    pub spread_multiple: f64,
    pub arbitrage_multiple: f64,
    pub volume_multiple: f64,
    pub gas_multiple: f64,
    /// Relative error of the oracle.
    pub oracle_bias: f64,
    /// Factor on correlations: 1 as ever, 0 none, −1 inverted.
    pub correlation_multiple: f64,
    /// Added to this tick's log return.
    pub log_return: f64,
    /// Whether a new regime must begin at this tick.
    pub regime_change: bool,
}

/// However many shocks meet, noise grows no more than this many times, and gas and spreads no more than that.
const VOLATILITY_MULTIPLE_MAX: f64 = 20.0;
const COST_MULTIPLE_MAX: f64 = 10_000.0;
/// Standard deviations a tick.
const DRIFT_MAX: f64 = 50.0;
/// An oracle off by a factor of e.
const ORACLE_BIAS_MAX: f64 = 1.0;

impl ShockEffects {
    pub const NONE: Self = Self {
        drift: 0.0,
        structural_drift: 0.0,
        volatility_multiple: 1.0,
        mean_reversion: 0.0,
        depth_multiple: 1.0,
        spread_multiple: 1.0,
        arbitrage_multiple: 1.0,
        volume_multiple: 1.0,
        gas_multiple: 1.0,
        oracle_bias: 0.0,
        correlation_multiple: 1.0,
        log_return: 0.0,
        regime_change: false,
    };

    /// Adds one primitive at `force` ≥ 0 (its magnitude, faded).
    pub fn compose(&mut self, kind: ShockKind, force: f64, direction: f64, first_tick: bool) {
        match kind {
            ShockKind::LiquidityCrisis => {
                self.depth_multiple *= exp(-1.6 * force);
                self.spread_multiple *= 1.0 + 4.0 * force;
                self.arbitrage_multiple *= 1.0 - 0.5 * force.min(1.0);
            }
            ShockKind::MomentumBreakout => {
                self.drift += 0.5 * force * direction;
                self.volume_multiple *= 1.0 + 2.0 * force;
            }
            ShockKind::MeanReversion => {
                self.mean_reversion += 0.1 * force;
                self.volatility_multiple *= exp(-0.35 * force);
            }
            ShockKind::GasSpike => self.gas_multiple *= 1.0 + 9.0 * force,
            ShockKind::OracleDeviation => self.oracle_bias += 0.015 * force * direction,
            ShockKind::CascadingLiquidation => {
                self.drift -= 0.8 * force;
                self.volatility_multiple *= 1.0 + force;
                self.depth_multiple *= exp(-0.7 * force);
            }
            ShockKind::CorrelationShift => self.correlation_multiple *= (1.0 - force).max(-1.0),
            ShockKind::RegimeChange => {
                self.regime_change |= first_tick;
                self.structural_drift += 0.25 * force * direction;
            }
        }
    }

    /// The same within bounds, for reckless scenarios.
    pub fn bounded(self) -> Self {
        Self {
            drift: self.drift.clamp(-DRIFT_MAX, DRIFT_MAX),
            structural_drift: self.structural_drift.clamp(-DRIFT_MAX, DRIFT_MAX),
            volatility_multiple: self.volatility_multiple.min(VOLATILITY_MULTIPLE_MAX),
            spread_multiple: self.spread_multiple.min(COST_MULTIPLE_MAX),
            gas_multiple: self.gas_multiple.min(COST_MULTIPLE_MAX),
            oracle_bias: self.oracle_bias.clamp(-ORACLE_BIAS_MAX, ORACLE_BIAS_MAX),
            ..self
        }
    }
}
