//! A replayed reference price: one recorded bar a tick.
//!
//! Shocks that move prices act on a recording as a multiplicative overlay: the price is close · e^overlay, and
//! the overlay, once pushed, fades by 1/64 of itself each tick, so that the recording is followed again.
//!
//! overlay ← (63/64) overlay + (drift of shocks) σ + (log return of crises) + pull · (anchor − ln price) + √(m² − 1 + (1 − c)²) σ n, where
//! σ is the slow standard deviation of a bar's log return, m ≥ 1 the multiple of volatility, c that of correlation and n standard normal.
//! Without shocks the overlay stays 0, and the prices are the recording's to the bit. It is historical replay (backtest data) with
//! counterfactual shocks laid over it. A checkpoint holds a content hash and not the bars, so that it resumes on the same data alone. A run
//! that is longer than its recording is refused by the plan; beyond the last bar the price stands still.

use crate::market::hindsight::label_regimes;
use crate::market::reference_tick::ReferenceTick;
use crate::market::shock::ShockEffects;
use crate::market::{Bar, Regime};
use morta_base::math::{exp, ln};
use morta_base::{Digest, Purpose, WorldSeed};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Share of the overlay that fades each tick; our choice: about as long as a chance shock lasts by default (60 ticks).
const OVERLAY_FADE: f64 = 1.0 / 64.0;
/// Widest overlay: a factor of ten, up or down. `OVERLAY_ROOM`, by which a recording's depth is checked, is this factor.
const OVERLAY_MAX: f64 = std::f64::consts::LN_10;
/// Weights of the newest bar in running variances (fast and slow) and in the running volume.
const FAST: f64 = 1.0 / 64.0;
const SLOW: f64 = 1.0 / 512.0;
/// Share of the distance to the price that the anchor of mean reversion moves each tick, as in the synthetic process.
const ANCHOR_RATE: f64 = 1.0 / 256.0;
/// Largest noise of a bar, in standard deviations. Correlated synthetic assets take it as their normal noise, and a recording may gap by
/// any number of deviations, which no normal draw does.
const INNOVATION_MAX: f64 = 4.0;
/// Least standard deviation of a bar's log return, for prices that stand still.
const VOLATILITY_MIN: f64 = 1e-6;

/// A historical price series with a cursor. Bars are not part of a checkpoint: bind them again after loading one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReplayedPrice {
    #[serde(skip)]
    bars: Arc<[Bar]>,
    /// The true regime of each bar, by hindsight.
    #[serde(skip)]
    labels: Arc<[Regime]>,
    /// Number of bars, kept in checkpoints.
    bar_count: u64,
    /// So that a checkpoint can't be resumed on others.
    bars_hash: BarsHash,
    /// The current bar.
    position: u64,
    /// Log of the price over the bar's close: the work of shocks; 0 without any.
    overlay: f64,
    /// Log price to which mean reversion pulls.
    log_anchor: f64,
    /// Mean squares of a bar's log return, over about 64 and 512 bars: their ratio drives volume, the slow one is the σ of shocks.
    fast_variance: f64,
    slow_variance: f64,
    /// Running mean of the file's volume; 0 without volumes.
    mean_volume: f64,
}

/// Content hash of bars. Only checkpoints have it, so that it is worked out when one is written: a run lives through a recording three
/// times, and hashing it was as dear as living through it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
enum BarsHash {
    Of(Arc<[Bar]>),
    Known(String),
}

impl From<BarsHash> for String {
    fn from(hash: BarsHash) -> Self {
        match hash {
            BarsHash::Known(hash) => hash,
            BarsHash::Of(bars) => hash_of(&bars),
        }
    }
}

impl From<String> for BarsHash {
    fn from(hash: String) -> Self {
        Self::Known(hash)
    }
}

fn hash_of(bars: &[Bar]) -> String {
    let mut digest = Digest::default();
    bars.iter().for_each(|bar| digest.record(bar));
    digest.hex()
}

impl ReplayedPrice {
    /// Starts a price replay at the first bar, with Parkinson volatility. It labels regimes by hindsight and hashes nothing yet.
    ///
    /// # Panics
    /// When there are no bars; the market's factory has refused that before.
    pub(crate) fn new(bars: Vec<Bar>) -> Self {
        let first = bars.first().expect("the caller counts the bars");
        // Before there are returns, the first bar's own range is the estimate: (ln high/low)² / (4 ln 2) is the variance (Parkinson 1980).
        let range = ln(first.high / first.low).max(VOLATILITY_MIN);
        let variance = range * range / (4.0 * std::f64::consts::LN_2);
        let (log_anchor, mean_volume) = (ln(first.close), first.volume.unwrap_or(0.0));
        let bars: Arc<[Bar]> = bars.into();
        Self {
            bar_count: bars.len() as u64,
            bars_hash: BarsHash::Of(bars.clone()),
            position: 0,
            overlay: 0.0,
            log_anchor,
            fast_variance: variance,
            slow_variance: variance,
            mean_volume,
            labels: label_regimes(&bars).into(),
            bars,
        }
    }

    /// Reattaches the bars to a deserialised checkpoint, checked by content hash; false when they aren't the same, for on others the world
    /// would go on and be neither run.
    pub(crate) fn rebind(&mut self, bars: Vec<Bar>) -> bool {
        let same = hash_of(&bars) == String::from(self.bars_hash.clone());
        if same {
            self.labels = label_regimes(&bars).into();
            self.bars = bars.into();
        }
        same
    }

    /// The number of bars, i.e. the length of the price series.
    pub(crate) fn bar_count(&self) -> u64 {
        self.bar_count
    }

    /// The time at which the current bar opened, in seconds since 1970 (epoch seconds).
    pub(crate) fn time_s(&self) -> i64 {
        self.bar().open_time_s
    }

    /// The timestamp at which the next bar opens, seconds since 1970; on the last bar, that of the current one.
    pub(crate) fn next_time_s(&self) -> i64 {
        self.bars.get(self.position as usize + 1).unwrap_or(self.bar()).open_time_s
    }

    /// The minimum of the recorded closes, in dollars, by which the pool's depth is checked.
    pub(crate) fn lowest_close(&self) -> f64 {
        self.bars.iter().map(|bar| bar.close).fold(f64::INFINITY, f64::min)
    }

    /// The maximum of the recorded closes, in dollars, by which the pool's depth is checked.
    pub(crate) fn highest_close(&self) -> f64 {
        self.bars.iter().map(|bar| bar.close).fold(0.0, f64::max)
    }

    fn bar(&self) -> &Bar {
        assert!(!self.bars.is_empty(), "a loaded checkpoint needs rebind_bars before it can go on");
        &self.bars[self.position as usize]
    }

    /// The bar's close times the overlay of shocks, dollars a unit (replayed market data).
    pub(crate) fn price(&self) -> f64 {
        self.bar().close * exp(self.overlay)
    }

    /// Half the bid-ask spread of the bar, as a fraction of the mid price.
    pub(crate) fn half_spread(&self) -> f64 {
        self.bar().half_spread
    }

    /// The bar's regime, labelled in hindsight (ground truth label).
    pub(crate) fn regime(&self) -> Regime {
        self.labels[self.position as usize]
    }

    /// Moves the cursor to the next bar, and the overlay of shocks and the running volatility and volume with it; on the last bar the
    /// recording stands still.
    pub(crate) fn advance(
        &mut self,
        seed: WorldSeed,
        part: u32,
        step: u64,
        effects: &ShockEffects,
    ) -> ReferenceTick {
        let before = self.bar().close;
        self.position = (self.position + 1).min(self.bar_count - 1);
        let bar = *self.bar();
        let log_return = ln(bar.close / before);
        self.fast_variance += FAST * (log_return * log_return - self.fast_variance);
        self.slow_variance += SLOW * (log_return * log_return - self.slow_variance);
        let sigma = self.slow_variance.sqrt().max(VOLATILITY_MIN);
        self.advance_overlay(seed, part, step, effects, sigma);

        let factor = exp(self.overlay);
        self.log_anchor += ANCHOR_RATE * (ln(bar.close * factor) - self.log_anchor);
        ReferenceTick {
            price: bar.close * factor,
            high: bar.high * factor,
            low: bar.low * factor,
            half_spread: bar.half_spread * effects.spread_multiple,
            innovation: (log_return / sigma).clamp(-INNOVATION_MAX, INNOVATION_MAX),
            volatility_multiple: self.fast_variance.sqrt().max(VOLATILITY_MIN) / sigma,
            volume_multiple: self.relative_volume(&bar) * effects.volume_multiple,
        }
    }

    fn advance_overlay(&mut self, seed: WorldSeed, part: u32, step: u64, effects: &ShockEffects, sigma: f64) {
        let drift = (effects.drift + effects.structural_drift) * sigma;
        let distance = self.log_anchor - ln(self.bar().close) - self.overlay;
        // Noise of its own weakens the recording's correlation with others.
        let extra = (effects.volatility_multiple * effects.volatility_multiple - 1.0).max(0.0);
        let unrelated = (1.0 - effects.correlation_multiple) * (1.0 - effects.correlation_multiple);
        let noise = seed.world(Purpose::Price, part, step).normal() * (extra + unrelated).sqrt() * sigma;
        let drift = drift + effects.log_return;
        let pushed = self.overlay * (1.0 - OVERLAY_FADE) + drift + effects.mean_reversion.min(1.0) * distance;
        self.overlay = (pushed + noise).clamp(-OVERLAY_MAX, OVERLAY_MAX);
    }

    /// The bar's volume over its running mean, in 0.1..=10; 1 when the file has none.
    fn relative_volume(&mut self, bar: &Bar) -> f64 {
        let Some(volume) = bar.volume else { return 1.0 };
        self.mean_volume += FAST * (volume - self.mean_volume);
        if self.mean_volume > 0.0 { (volume / self.mean_volume).clamp(0.1, 10.0) } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::market::walk;
    use crate::market::shock::ShockEffects;

    #[test]
    fn without_shocks_the_recording_is_followed_exactly() {
        let bars = walk(50, 0);
        let mut replay = ReplayedPrice::new(bars.clone());
        for step in 1..60_u64 {
            let tick = replay.advance(WorldSeed(1), 0, step, &ShockEffects::NONE);
            let bar = bars[step.min(49) as usize];
            assert_eq!((tick.price, tick.high, tick.low), (bar.close, bar.high, bar.low));
        }
    }

    #[test]
    fn an_overlay_pushes_and_fades() {
        let bars = walk(900, 0);
        let mut replay = ReplayedPrice::new(bars);
        let push = ShockEffects { drift: 2.0, ..ShockEffects::NONE };
        for step in 0..20 {
            replay.advance(WorldSeed(1), 0, step, &push);
        }
        let pushed = replay.overlay;
        assert!(pushed > 0.02, "{pushed}");
        for step in 20..520 {
            replay.advance(WorldSeed(1), 0, step, &ShockEffects::NONE);
        }
        assert!(replay.overlay < pushed / 1_000.0);
    }

    #[test]
    fn other_bars_are_not_accepted() {
        let mut replay = ReplayedPrice::new(walk(50, 0));
        assert!(!replay.rebind(walk(50, 1)));
        assert!(replay.rebind(walk(50, 0)));
    }
}
