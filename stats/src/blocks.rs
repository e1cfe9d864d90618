//! The circular block bootstrap (Politis & Romano 1992): series whose neighbours depend on each other are drawn in blocks. Drawn one by
//! one, neighbours would lose their dependence (autocorrelation) and the interval would be too narrow. The p-value is one-sided, in [0, 1].
//! The test serves the validation of trade recall, on equities by day, whose statistics (Sharpe ratio, drawdown) aren't means. Worlds that
//! share data have `overlap`, which draws its blocks by the same routine.

use crate::bootstrap::Bootstrap;
use crate::error::StatsError;
use crate::summary::Interval;
use morta_base::rng::Stream;
use serde::{Deserialize, Serialize};

/// A one-sided block bootstrap test that a statistic of a series is above 0, with a two-sided interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockTest {
    /// The statistic of the series itself.
    pub estimate: f64,
    /// Quantiles of the resampled statistic.
    pub interval: Interval,
    /// Share of resamples at or below 0, the series itself counted as one: below (1 − level)/2 exactly where the interval lies above 0, but
    /// for rounding.
    pub p_value: f64,
}

/// Tests that a statistic is above 0 (circular block bootstrap). The statistic gets places of the series, `0..length`: once all of them in their
/// order, then those of every resample, in blocks of neighbours that run from the end into the beginning.
///
/// # Errors
/// When the series is shorter than two blocks, a parameter is out of range, or the statistic of the series itself is not finite. Resampled
/// statistics that aren't count as the least there is.
pub fn block_test(
    length: usize,
    block: usize,
    bootstrap: &Bootstrap,
    mut statistic: impl FnMut(&[usize]) -> f64,
) -> Result<BlockTest, StatsError> {
    bootstrap.check()?;
    let needed = 2 * block.max(1);
    if length < needed {
        return Err(StatsError::TooFew { subject: "resampled series".to_owned(), found: length, needed });
    }
    let estimate = statistic(&(0..length).collect::<Vec<usize>>());
    if !estimate.is_finite() {
        let (subject, value) = ("statistic of the series".to_owned(), estimate.to_string());
        return Err(StatsError::NotFinite { subject, row: 1, value });
    }
    let mut places = Vec::with_capacity(length + block);
    let resampled = bootstrap.distribution(|stream| {
        draw(stream, length, block.max(1), &mut places);
        let value = statistic(&places);
        if value.is_finite() { value } else { f64::MIN }
    });
    let not_above = resampled.iter().filter(|value| **value <= 0.0).count();
    let p_value = (not_above + 1) as f64 / (resampled.len() + 1) as f64;
    Ok(BlockTest { estimate, interval: bootstrap.percentile(resampled), p_value })
}

/// Draws places of a series in blocks of neighbours, in a circle: one resample of the block bootstrap.
pub(crate) fn draw(stream: &mut Stream, length: usize, block: usize, places: &mut Vec<usize>) {
    places.clear();
    while places.len() < length {
        let first = stream.below(length);
        places.extend((first..first + block).map(|place| place % length));
    }
    places.truncate(length);
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::{Purpose, WorldSeed};

    fn bootstrap() -> Bootstrap {
        Bootstrap { resamples: 2_000, level: 0.95, seed: WorldSeed(3), part: 0 }
    }

    fn mean_test(values: &[f64], block: usize) -> BlockTest {
        let mean =
            |places: &[usize]| places.iter().map(|place| values[*place]).sum::<f64>() / places.len() as f64;
        block_test(values.len(), block, &bootstrap(), mean).unwrap()
    }

    #[test]
    fn resamples_are_blocks_of_neighbours() {
        let mut count = 0;
        let check = |places: &[usize]| {
            assert_eq!(places.len(), 23);
            for block in places.chunks(5) {
                assert!(block.windows(2).all(|pair| pair[1] == (pair[0] + 1) % 23), "{places:?}");
            }
            count += 1;
            1.0
        };
        block_test(23, 5, &bootstrap(), check).unwrap();
        assert_eq!(count, 2_001);
    }

    /// The standard error of the mean of a moving average of k independent values is nearly √k times that of k-fold fewer; drawing single
    /// values doesn't see that.
    #[test]
    fn blocks_see_dependence() {
        let noise: Vec<f64> =
            (0..1_010).map(|n| WorldSeed(5).world(Purpose::Bootstrap, 9, n).normal()).collect();
        let smooth: Vec<f64> = noise.windows(10).map(|ten| ten.iter().sum::<f64>() / 10.0).collect();
        let width = |test: BlockTest| test.interval.high - test.interval.low;
        let ratio = width(mean_test(&smooth, 50)) / width(mean_test(&smooth, 1));
        assert!((2.3..4.0).contains(&ratio), "{ratio}");
    }

    #[test]
    fn an_effect_is_found_and_noise_is_not() {
        let noise: Vec<f64> =
            (0..400).map(|n| WorldSeed(8).world(Purpose::Bootstrap, 9, n).normal()).collect();
        let shifted: Vec<f64> = noise.iter().map(|value| value + 0.3).collect();
        assert!(mean_test(&shifted, 5).p_value < 0.001);
        assert!(mean_test(&noise, 5).p_value > 0.05);
        assert!(block_test(9, 5, &bootstrap(), |_| 1.0).is_err());
        assert!(block_test(100, 5, &bootstrap(), |_| f64::NAN).is_err());
    }
}
