//! The true regime of recorded prices, labelled by hindsight: from a window around each bar, its future included. It is offline regime
//! labelling (smoothing, in contrast to filtering), with look-ahead on purpose: a ground truth for recordings, which have none. Synthetic
//! assets have their Markov state instead.
//!
//! Prices enter as log returns a bar, 32 bars on each side, fewer at the ends; shocks laid over a recording don't change its labels.
//! Volatile is asked first, then a trend. The event log, the tables, a sweep's measures and memories of the
//! family `oracle` see the label; no other golem may.

use crate::market::{Bar, Regime};
use morta_base::math::ln;
use morta_base::moments::Moments;
use morta_base::quantile::quantile;

/// Bars on each side of the one that is labelled; our choice: both sides together are about as long as the slow window that golems read (48
/// ticks).
const HALF_WINDOW: usize = 32;
/// A window whose mean return is this many standard errors from 0 trends: the middle of golems' own thresholds (`RegimeThresholds`), so
/// that the label means what golems mean by the word.
const TREND_T: f64 = 1.5;
/// A window with this many times the median volatility is volatile; the middle of golems' own thresholds, too. The median of all bars
/// given (a recording from the world's first bar on), because a mean would be lifted by the wild windows that it must tell apart.
const VOLATILE_MULTIPLE: f64 = 1.6;

/// A regime label for every bar, from its window; bars without returns around them are range-bound.
pub(crate) fn label_regimes(bars: &[Bar]) -> Vec<Regime> {
    let returns: Vec<f64> = bars.windows(2).map(|pair| ln(pair[1].close / pair[0].close)).collect();
    let moments: Vec<(f64, f64)> = (0..bars.len()).map(|bar| window_moments(&returns, bar)).collect();
    let mut volatilities: Vec<f64> = moments.iter().map(|(_, volatility)| *volatility).collect();
    let median = quantile(&mut volatilities, 0.5).unwrap_or(0.0);
    moments.into_iter().map(|(t, volatility)| label(t, volatility, median)).collect()
}

fn label(t: f64, volatility: f64, median: f64) -> Regime {
    if volatility > VOLATILE_MULTIPLE * median {
        Regime::Volatile
    } else if t > TREND_T {
        Regime::TrendingUp
    } else if t < -TREND_T {
        Regime::TrendingDown
    } else {
        Regime::RangeBound
    }
}

/// t-statistic of the mean return and standard deviation of returns around a bar; zeros without returns.
fn window_moments(returns: &[f64], bar: usize) -> (f64, f64) {
    // Return i leads from bar i to bar i + 1.
    let window = &returns[bar.saturating_sub(HALF_WINDOW)..(bar + HALF_WINDOW).min(returns.len())];
    let moments = Moments::of(window);
    let spread = moments.and_then(|of| Some((of.mean, of.standard_error()?, of.deviation()?)));
    let Some((mean, error, deviation)) = spread else { return (0.0, 0.0) };
    (if error > 0.0 { mean / error } else { 0.0 }, deviation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::math::exp;
    use morta_base::{Purpose, WorldSeed};

    #[test]
    fn plain_stretches_get_their_names() {
        let mut log_price = 5.0;
        let bars: Vec<Bar> = (0..800_i64)
            .map(|i| {
                let noise = WorldSeed(2).world(Purpose::Bootstrap, 0, i as u64).normal();
                log_price += match i / 200 {
                    0 => 0.004 + 0.002 * noise,
                    1 => 0.008 * noise,
                    2 => -0.004 + 0.002 * noise,
                    _ => 0.002 * if i % 2 == 0 { 1.0 } else { -1.0 },
                };
                let price = exp(log_price);
                Bar {
                    open_time_s: i,
                    open: price,
                    high: price,
                    low: price,
                    close: price,
                    half_spread: 0.0,
                    volume: None,
                }
            })
            .collect();
        let labels = label_regimes(&bars);
        assert_eq!(
            [labels[100], labels[300], labels[500], labels[700]],
            [Regime::TrendingUp, Regime::Volatile, Regime::TrendingDown, Regime::RangeBound]
        );
        assert_eq!(label_regimes(&bars[..1]), [Regime::RangeBound]);
    }
}
