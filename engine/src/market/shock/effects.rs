//! Effects of shocks on an asset, and how several of them compose.
//!
//! With f the force of a shock (its magnitude, faded; at least 0, 1 is typical) and d = ±1 its direction:
//!
//! | kind | effect |
//! |---|---|
//! | liquidity crisis | depth × e^(−1.6 f), spread × (1 + 4 f), arbitrage × (1 − min(f, 1)/2) |
//! | momentum breakout | drift + .5 f d, volume × (1 + 2 f) |
//! | mean reversion | pull + .1 f, volatility × e^(−.35 f) |
//! | gas spike | gas × (1 + 9 f) |
//! | oracle deviation | bias + .015 f d |
//! | cascading liquidation | drift − .8 f, volatility × (1 + f), depth × e^(−.7 f) |
//! | correlation shift | correlation × max(1 − f, −1) |
//! | regime change | another regime at the first tick; a replayed price drifts by .25 f d instead |
//!
//! Drift is in standard deviations of a tick's log return, pull is the share of the distance to the anchor closed each tick, bias is a
//! fraction of the price. Without shocks ([`ShockEffects::NONE`]) multiples are 1 and sums 0. The replay spec ("Compositional Primitives")
//! names and describes the eight kinds and gives no figure; the coefficients are our choice, and each constant below says by what it was
//! chosen. The result is a vector of multiplicative and additive stress factors on the market simulator, made anew at each tick.

use crate::market::ShockKind;
use morta_base::math::exp;

/// The stress factors of one asset at one tick: the effects of all active shocks and of a crisis.
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

/// Fall of log depth in a liquidity crisis: e^−1.6 is a fifth, so a typical crisis shows as `LiquidityClass::Crisis` (below .3) for the
/// first quarter of its duration. Exponential, because depth must stay above 0 at every magnitude.
const CRISIS_DEPTH_FALL: f64 = 1.6;
/// Rise of the spread in a liquidity crisis: fivefold at force 1, about the reciprocal of the fall of depth.
const CRISIS_SPREAD_RISE: f64 = 4.0;
/// Share of arbitrage that a liquidity crisis takes away. It is capped at this, because a negative rate would push the pool away from the
/// reference.
const CRISIS_ARBITRAGE_LOSS: f64 = 0.5;
/// Drift of a breakout: nearly three times the .18 of a trending regime by default, so that a breakout can be distinguished from a trend.
const BREAKOUT_DRIFT: f64 = 0.5;
/// Rise of volume in a breakout: three times as much at force 1, because the replay spec has it run "with volume".
const BREAKOUT_VOLUME_RISE: f64 = 2.0;
/// Pull of a reversion: as strong as that of a range-bound regime by default (`RegimeEffect::default_of`).
const REVERSION_PULL: f64 = 0.1;
/// Fall of log volatility in a reversion: e^−.35 is .7.
const REVERSION_VOLATILITY_FALL: f64 = 0.35;
/// Rise of gas in a spike: tenfold at force 1, so it shows as `GasClass::Spike` (from 3 times the base) for over three quarters of its
/// duration.
const GAS_SPIKE_RISE: f64 = 9.0;
/// Error of a deviating oracle: 150 bps against the 12 bps of a round trip at default fee and spread, so that oracle arbitrage is led
/// astray.
const ORACLE_SHOCK_BIAS: f64 = 0.015;
/// Drift of a cascade: forced sales, so it goes down whatever the shock's direction. Larger than a breakout's, as a cascade also dries up
/// the pool.
const CASCADE_DRIFT: f64 = -0.8;
/// Rise of volatility in a cascade: twice at force 1.
const CASCADE_VOLATILITY_RISE: f64 = 1.0;
/// Fall of log depth in a cascade: e^−.7 is a half, which shows as `LiquidityClass::Thin` and not as a crisis.
const CASCADE_DEPTH_FALL: f64 = 0.7;
/// Drift of a replayed price whose regime should change: a recording has no hidden regime to switch, so it drifts, somewhat more than the
/// .18 of a trending regime by default.
const REGIME_CHANGE_DRIFT: f64 = 0.25;

/// Largest multiple of volatility, however many shocks meet: the largest that a scenario may give a regime, too.
const VOLATILITY_MULTIPLE_MAX: f64 = 20.0;
/// Largest multiple of gas and of spreads. Unbounded, some 160 planned gas spikes of magnitude 10 at once would multiply to infinity, and
/// infinity times a base price of 0 is no number.
const COST_MULTIPLE_MAX: f64 = 10_000.0;
/// Largest drift, in standard deviations a tick: ten times what a scenario may give a regime.
const DRIFT_MAX: f64 = 50.0;
/// Largest relative error of the oracle, as a log: a factor of e.
const ORACLE_BIAS_MAX: f64 = 1.0;

impl ShockEffects {
    /// No shock, the neutral value that composition starts from: multiples are 1, sums 0.
    pub(crate) const NONE: Self = Self {
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

    /// Adds one primitive at `force` ≥ 0, its faded magnitude. Multiples multiply and sums add, so the order of shocks matters to the last
    /// bits alone (superposition of stress factors).
    pub(crate) fn compose(&mut self, kind: ShockKind, force: f64, direction: f64, first_tick: bool) {
        match kind {
            ShockKind::LiquidityCrisis => {
                self.depth_multiple *= exp(-CRISIS_DEPTH_FALL * force);
                self.spread_multiple *= 1.0 + CRISIS_SPREAD_RISE * force;
                self.arbitrage_multiple *= 1.0 - CRISIS_ARBITRAGE_LOSS * force.min(1.0);
            }
            ShockKind::MomentumBreakout => {
                self.drift += BREAKOUT_DRIFT * force * direction;
                self.volume_multiple *= 1.0 + BREAKOUT_VOLUME_RISE * force;
            }
            ShockKind::MeanReversion => {
                self.mean_reversion += REVERSION_PULL * force;
                self.volatility_multiple *= exp(-REVERSION_VOLATILITY_FALL * force);
            }
            ShockKind::GasSpike => self.gas_multiple *= 1.0 + GAS_SPIKE_RISE * force,
            ShockKind::OracleDeviation => self.oracle_bias += ORACLE_SHOCK_BIAS * force * direction,
            ShockKind::CascadingLiquidation => {
                self.drift += CASCADE_DRIFT * force;
                self.volatility_multiple *= 1.0 + CASCADE_VOLATILITY_RISE * force;
                self.depth_multiple *= exp(-CASCADE_DEPTH_FALL * force);
            }
            // A correlation times less than −1 would be none.
            ShockKind::CorrelationShift => self.correlation_multiple *= (1.0 - force).max(-1.0),
            ShockKind::RegimeChange => {
                // At the first tick alone: forced at each, regimes would change every tick for as long as the shock lasts.
                self.regime_change |= first_tick;
                self.structural_drift += REGIME_CHANGE_DRIFT * force * direction;
            }
        }
    }

    /// Clamps the effects within bounds against overflow, for reckless scenarios. Depth and mean reversion have theirs where they act: the
    /// crowd keeps depth above 2 % of its level, and prices are pulled no further than to the anchor.
    pub(crate) fn bounded(self) -> Self {
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
