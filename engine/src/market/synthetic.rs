//! A synthetic reference price: hidden Markov regimes drive drift, autocorrelation, mean reversion and noise;
//! volatility wanders, and the price jumps now and then.
//!
//! With v the baseline volatility (standard deviation of a tick's log return), p the log price, a the anchor, and n₁, n₂, n₃ standard
//! normal draws of the tick:
//!
//! - h ← (1 − κ) h + ξ n₂, and σ = v · e^(h − s²) · m, where s² = ξ² / (1 − (1 − κ)²) is the stationary variance of h and m the product of
//!   the regime's and the shocks' multiples. As E e^(2h) = e^(2s²), the mean of σ² is (v m)²;
//! - z = c · (the first asset's z) + √(1 − c²) · n₁, and u ← φ u + σ z: noise with autocorrelation φ and correlation c;
//! - return = (μ + drift of shocks) v + pull · (a − p) + u − σ²/2 + jump + log return of crises, where a jump (rarely) is j n₃ − j²/2.
//!
//! Half variances are taken off because E e^(σz) = e^(σ²/2). With all regime effects off (μ = φ = pull = 0, multiples 1) the price, not its
//! log, is a martingale. The specs describe no price process (digest section 20); this one is our choice. In the field: a Markov-switching
//! (regime-switching) jump-diffusion with stochastic volatility, in discrete time. The anchor a is the price at which the regime began, and
//! follows the price by 1/256 of the distance a tick. The half spread widens with volatility above the baseline, and never falls below its
//! calm value. The price is held within a factor of 100 of its start. The constants of jumps and of volatility's walk are part of a
//! market's digest (`market::former`), so that fitted policies of `constant` are refused after a change of theirs.

use crate::market::reference_tick::ReferenceTick;
use crate::market::shock::ShockEffects;
use crate::market::{Regime, RegimeEffect, SyntheticConfig};
use morta_base::math::{exp, ln};
use morta_base::{Purpose, WorldSeed};
use serde::{Deserialize, Serialize};

/// The price stays within this factor of its start, up and down, so that reserves stay within 64 bits. At the
/// default volatility a walk takes millions of ticks to get there.
const PRICE_FACTOR_MAX: f64 = 100.0;
/// Share of the distance from price to anchor that the anchor moves each tick: about as slow as a regime lasts by default (240 ticks). An
/// anchor that kept up with the price would pull to nowhere, one that stood still would pull prices of a long regime back to where they
/// began.
const ANCHOR_RATE: f64 = 1.0 / 256.0;
/// Chance of a jump at a tick. Our choice: about two in a day of 2,160 ticks. No consequence was found of half and twice as much, nor of half and twice
/// of the three below (`scenarios/sensitivity/knobs-market.toml`).
pub(crate) const JUMP_RATE: f64 = 0.001;
/// j, the standard deviation of a jump's log size. Our choice: five ticks' worth of the default volatility.
pub(crate) const JUMP_VOLATILITY: f64 = 0.01;
/// ξ, the standard deviation of a tick's change of the log of volatility. Our choice, with κ: volatility lies within a fifth of its mean in two ticks of
/// three.
pub(crate) const VOLATILITY_OF_VOLATILITY: f64 = 0.04;
/// κ, the share by which log volatility returns to its mean each tick: half in 34 ticks.
pub(crate) const VOLATILITY_REVERSION: f64 = 0.02;
/// s², the stationary variance of log volatility: .04.
const STATIONARY_VARIANCE: f64 = VOLATILITY_OF_VOLATILITY * VOLATILITY_OF_VOLATILITY
    / (1.0 - (1.0 - VOLATILITY_REVERSION) * (1.0 - VOLATILITY_REVERSION));
/// The widest excursion of log volatility: a factor of 12. Its standard deviation is .2, so it binds never; it is there so that constants above may be others.
const LOG_VOLATILITY_MAX: f64 = 2.5;
/// Keys the draw of the first regime; no tick has this number, so the draw meets no other.
const BEFORE_TIME: u64 = u64::MAX;

/// The parameters of the regime-switching process, with every default filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Law {
    start_log_price: f64,
    volatility: f64,
    effects: [RegimeEffect; Regime::COUNT],
    transitions: [[f64; Regime::COUNT]; Regime::COUNT],
    correlation: f64,
    half_spread: f64,
}

impl Law {
    /// Tests for concept drift in one regime: whether other trades pay there than under another law of the same asset (a distribution
    /// shift).
    pub(crate) fn pays_otherwise_in(&self, other: &Self, regime: Regime) -> bool {
        self.effects[regime.index()] != other.effects[regime.index()] || self.volatility != other.volatility
    }

    /// Makes the law of an asset's keys, filled in with defaults (overrides, transitions); a martingale has no effects of regimes.
    pub(crate) fn new(config: &SyntheticConfig) -> Self {
        let effect_of = |regime: Regime| {
            if config.martingale {
                RegimeEffect::NONE
            } else {
                config.regimes.for_regime(regime).apply(regime)
            }
        };
        Self {
            start_log_price: ln(config.start_price),
            volatility: config.volatility,
            effects: Regime::ALL.map(effect_of),
            transitions: config.transitions.unwrap_or_else(|| even_transitions(config.mean_regime_ticks)),
            correlation: config.correlation,
            half_spread: config.half_spread_bps * 1e-4,
        }
    }

    /// A linear interpolation of parameters (gradual concept drift): the mean of two laws, key by key, the second weighted by `weight`. What no
    /// law changes is the same in both.
    pub(crate) fn mean(from: &Self, to: &Self, weight: f64) -> Self {
        let mut mixed = Self { volatility: blend(from.volatility, to.volatility, weight), ..to.clone() };
        for ((own, a), b) in mixed.effects.iter_mut().zip(&from.effects).zip(&to.effects) {
            *own = RegimeEffect {
                drift: blend(a.drift, b.drift, weight),
                autocorrelation: blend(a.autocorrelation, b.autocorrelation, weight),
                mean_reversion: blend(a.mean_reversion, b.mean_reversion, weight),
                ..*b
            };
        }
        mixed
    }
}

/// A linear interpolation (lerp): the mean of two values, the second weighted by `weight`.
pub(crate) fn blend(from: f64, to: f64, weight: f64) -> f64 {
    from + weight * (to - from)
}

/// Regimes of a geometric duration with the given mean, followed by any other with equal chance.
fn even_transitions(mean_ticks: f64) -> [[f64; Regime::COUNT]; Regime::COUNT] {
    let leave = 1.0 / mean_ticks;
    let mut rows = [[leave / (Regime::COUNT - 1) as f64; Regime::COUNT]; Regime::COUNT];
    for (index, row) in rows.iter_mut().enumerate() {
        row[index] = 1.0 - leave;
    }
    rows
}

/// A regime-switching jump-diffusion process and its state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SyntheticPrice {
    law: Law,
    regime: Regime,
    log_price: f64,
    /// The log price to which mean reversion pulls.
    log_anchor: f64,
    /// Log of volatility over its mean.
    log_volatility: f64,
    /// The last tick's autocorrelated noise.
    noise: f64,
}

impl SyntheticPrice {
    /// Makes the initial state of the process: its start price, and a hidden state (regime) that is drawn uniformly.
    pub(crate) fn new(config: &SyntheticConfig, seed: WorldSeed, part: u32) -> Self {
        let law = Law::new(config);
        let log_price = law.start_log_price;
        let first = seed.world(Purpose::Regime, part, BEFORE_TIME).below(Regime::COUNT);
        Self {
            law,
            regime: Regime::ALL[first],
            log_price,
            log_anchor: log_price,
            log_volatility: 0.0,
            noise: 0.0,
        }
    }

    /// Goes on by another law, from where it stands: a regime change (structural break) without a jump in the price.
    pub(crate) fn set_law(&mut self, law: Law) {
        self.law = law;
    }

    /// The latent state (regime) of the Markov chain.
    pub(crate) fn regime(&self) -> Regime {
        self.regime
    }

    /// The simulated fundamental price, dollars a unit.
    pub(crate) fn price(&self) -> f64 {
        exp(self.log_price)
    }

    /// Half the bid-ask spread in calm times, as a fraction.
    pub(crate) fn half_spread(&self) -> f64 {
        self.law.half_spread
    }

    /// Steps the jump-diffusion with regime switching by one tick. `common` is the first asset's standardised noise; the first asset gets
    /// `None`.
    pub(crate) fn advance(
        &mut self,
        seed: WorldSeed,
        part: u32,
        step: u64,
        effects: &ShockEffects,
        common: Option<f64>,
    ) -> ReferenceTick {
        self.advance_regime(seed, part, step, effects.regime_change);
        let mut stream = seed.world(Purpose::Price, part, step);
        let (own, wander, jump_size) = (stream.normal(), stream.normal(), stream.normal());
        // All are drawn at every tick, in this order, used or not: a law without jumps leaves the others' draws as they are.
        let jumps = stream.chance(JUMP_RATE);

        let effect = self.law.effects[self.regime.index()];
        let sigma =
            self.wandering_volatility(wander) * effect.volatility_multiple * effects.volatility_multiple;
        let innovation = correlated(own, common, self.law.correlation * effects.correlation_multiple);
        self.noise = effect.autocorrelation * self.noise + sigma * innovation;
        // More than the whole distance would throw the price beyond its anchor, farther at each tick.
        let pull = (effect.mean_reversion + effects.mean_reversion).min(1.0);
        // E[exp(s·z)] = exp(s²/2): taking the half variance off keeps the price itself without drift.
        let mut log_return = (effect.drift + effects.drift) * self.law.volatility
            + pull * (self.log_anchor - self.log_price)
            + self.noise
            - sigma * sigma / 2.0
            + effects.log_return;
        if jumps {
            log_return += JUMP_VOLATILITY * jump_size - JUMP_VOLATILITY * JUMP_VOLATILITY / 2.0;
        }
        self.move_by(log_return, sigma, innovation, effects)
    }

    fn advance_regime(&mut self, seed: WorldSeed, part: u32, step: u64, forced: bool) {
        let mut stream = seed.world(Purpose::Regime, part, step);
        let mut chances = self.law.transitions[self.regime.index()];
        if forced {
            // A change to the same regime would be none.
            chances = [1.0; Regime::COUNT];
            chances[self.regime.index()] = 0.0;
        }
        let next = stream.weighted(&chances).map_or(self.regime, |index| Regime::ALL[index]);
        if next != self.regime {
            self.regime = next;
            self.log_anchor = self.log_price;
        }
    }

    /// Baseline volatility times e^h, h an Ornstein–Uhlenbeck process; less its stationary variance, so that
    /// the mean of the variance stays the baseline's.
    fn wandering_volatility(&mut self, normal: f64) -> f64 {
        let h = self.log_volatility * (1.0 - VOLATILITY_REVERSION) + VOLATILITY_OF_VOLATILITY * normal;
        self.log_volatility = h.clamp(-LOG_VOLATILITY_MAX, LOG_VOLATILITY_MAX);
        self.law.volatility * exp(self.log_volatility - STATIONARY_VARIANCE)
    }

    fn move_by(
        &mut self,
        log_return: f64,
        sigma: f64,
        innovation: f64,
        effects: &ShockEffects,
    ) -> ReferenceTick {
        let (before, reach) = (self.price(), ln(PRICE_FACTOR_MAX));
        let (lowest, highest) = (self.law.start_log_price - reach, self.law.start_log_price + reach);
        self.log_price = (self.log_price + log_return).clamp(lowest, highest);
        self.log_anchor += ANCHOR_RATE * (self.log_price - self.log_anchor);
        let price = self.price();
        let volatility_multiple = sigma / self.law.volatility;
        ReferenceTick {
            price,
            high: price.max(before),
            low: price.min(before),
            half_spread: self.law.half_spread * volatility_multiple.max(1.0) * effects.spread_multiple,
            innovation,
            volatility_multiple,
            volume_multiple: effects.volume_multiple,
        }
    }
}

/// Noise with the given correlation to the common noise.
fn correlated(own: f64, common: Option<f64>, correlation: f64) -> f64 {
    common
        .map_or(own, |common| correlation * common + (1.0 - correlation * correlation).max(0.0).sqrt() * own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn returns(config: &SyntheticConfig, ticks: u64) -> Vec<(Regime, f64)> {
        let seed = WorldSeed(11);
        let mut process = SyntheticPrice::new(config, seed, 0);
        (0..ticks)
            .map(|step| {
                let before = process.log_price;
                process.advance(seed, 0, step, &ShockEffects::NONE, None);
                (process.regime, process.log_price - before)
            })
            .collect()
    }

    fn mean_and_error(values: &[f64]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0);
        (mean, (variance / n).sqrt())
    }

    #[test]
    fn a_martingale_has_no_drift_and_no_memory() {
        let config = SyntheticConfig { martingale: true, ..SyntheticConfig::default() };
        let simple: Vec<f64> = returns(&config, 40_000).iter().map(|(_, r)| exp(*r) - 1.0).collect();
        let (mean, error) = mean_and_error(&simple);
        assert!(mean.abs() < 4.0 * error, "{mean} ± {error}");
        let products: Vec<f64> = simple.windows(2).map(|w| (w[0] - mean) * (w[1] - mean)).collect();
        let (covariance, error) = mean_and_error(&products);
        assert!(covariance.abs() < 4.0 * error, "{covariance} ± {error}");
    }

    #[test]
    fn regimes_do_what_their_names_say() {
        let config = SyntheticConfig::default();
        let all = returns(&config, 60_000);
        let of = |regime| all.iter().filter(|(r, _)| *r == regime).map(|(_, x)| *x).collect::<Vec<_>>();
        let [up, down, range, wild] = Regime::ALL.map(|regime| mean_and_error(&of(regime)));
        let expected = 0.18 * config.volatility;
        assert!((up.0 - expected).abs() < 5.0 * up.1, "{up:?}");
        assert!((down.0 + expected).abs() < 5.0 * down.1, "{down:?}");
        assert!(range.0.abs() < 5.0 * range.1, "{range:?}");
        let deviation = |(_, error): (f64, f64), regime| error * (of(regime).len() as f64).sqrt();
        let ratio = deviation(wild, Regime::Volatile) / deviation(up, Regime::TrendingUp);
        assert!((2.0..3.0).contains(&ratio), "{ratio}");
        for regime in Regime::ALL {
            let share = of(regime).len() as f64 / all.len() as f64;
            assert!((0.12..0.40).contains(&share), "{} {share}", regime.name());
        }
    }

    #[test]
    fn correlation_is_as_asked() {
        let seed = WorldSeed(5);
        let config = SyntheticConfig { correlation: 0.7, ..SyntheticConfig::default() };
        let mut first = SyntheticPrice::new(&config, seed, 0);
        let mut second = SyntheticPrice::new(&config, seed, 1);
        let n = 10_000;
        let mean_product = (0..n)
            .map(|step| {
                let a = first.advance(seed, 0, step, &ShockEffects::NONE, None).innovation;
                a * second.advance(seed, 1, step, &ShockEffects::NONE, Some(a)).innovation
            })
            .sum::<f64>()
            / n as f64;
        assert!((mean_product - 0.7).abs() < 0.06, "{mean_product}");
    }

    #[test]
    fn the_wildest_settings_stay_finite() {
        let config = SyntheticConfig { volatility: 0.2, ..SyntheticConfig::default() };
        let seed = WorldSeed(3);
        let mut process = SyntheticPrice::new(&config, seed, 0);
        for step in 0..2_000 {
            let price = process.advance(seed, 0, step, &ShockEffects::NONE, None).price;
            assert!((19.9..200_100.0).contains(&price), "{price}");
        }
    }
}
