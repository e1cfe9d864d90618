//! How much of the way from a baseline to an upper bound an arm has come. It is a normalized score (share of the gap to an oracle): 0 at
//! the baseline, 1 at the upper bound; values below 0 and above 1 are possible. Figures of different measures become comparable by it,
//! because their units cancel. The sweep's analysis picks the ends: the ceiling is the arm that the registration names (without one no
//! share is asked for); the other end is the sweep's baseline, or the best of the lower bounds by mean where the baseline is one of them.
//! Where the ceiling is no better than that, it asks for no share. The share is reported and decides nothing.

use crate::aggregate::Estimate;
use crate::bootstrap::Bootstrap;
use crate::error::StatsError;
use crate::summary::{Interval, check, mean};

/// Share of the gap between baseline and ceiling that an arm closes: (mean arm − mean baseline) ⁄ (mean ceiling − mean baseline) over
/// worlds that all three have lived in; 0 is the baseline, 1 the ceiling, and beyond both is possible (a normalized score). Where less is
/// better the signs cancel. The interval is the percentile interval of resampled worlds.
///
/// # Errors
/// When there are fewer than two worlds, the series don't match, the ceiling's mean is the baseline's, or the resamples
/// can't tell the two apart either, so that the interval has no bounds.
pub fn share_of_gap(
    arm: &[f64],
    baseline: &[f64],
    ceiling: &[f64],
    bootstrap: &Bootstrap,
) -> Result<Estimate, StatsError> {
    check("arm", arm, 2)?;
    bootstrap.check()?;
    for (subject, other) in [("baseline", baseline), ("ceiling", ceiling)] {
        check(subject, other, 2)?;
        if other.len() != arm.len() {
            let (found, expected) = (other.len(), arm.len());
            return Err(StatsError::LengthsDiffer { subject: subject.to_owned(), found, expected });
        }
    }
    let gap = mean(ceiling) - mean(baseline);
    if gap == 0.0 {
        return Err(StatsError::Constant("the gap between baseline and ceiling is 0, which".to_owned()));
    }
    let n = arm.len();
    let resampled = bootstrap.distribution(|stream| {
        let (mut gained, mut gap) = (0.0, 0.0);
        for _ in 0..n {
            let world = stream.below(n);
            gained += arm[world] - baseline[world];
            gap += ceiling[world] - baseline[world];
        }
        gained / gap
    });
    if let Some(row) = resampled.iter().position(|share| !share.is_finite()) {
        let (subject, value) = ("resampled share of the gap".to_owned(), resampled[row].to_string());
        return Err(StatsError::NotFinite { subject, row: row + 1, value });
    }
    let interval: Interval = bootstrap.percentile(resampled);
    Ok(Estimate { value: (mean(arm) - mean(baseline)) / gap, interval })
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::WorldSeed;

    const USUAL: Bootstrap = Bootstrap { resamples: 2_000, level: 0.95, seed: WorldSeed(1), part: 0 };

    #[test]
    fn the_baseline_is_nothing_and_the_ceiling_all() {
        let (low, high) = ([1.0, 2.0, 3.0], [3.0, 5.0, 4.0]);
        let middle: Vec<f64> = low.iter().zip(&high).map(|(a, b)| (a + b) / 2.0).collect();
        let share = |arm: &[f64]| share_of_gap(arm, &low, &high, &USUAL).unwrap();
        assert_eq!((share(&low).value, share(&high).value), (0.0, 1.0));
        let half = share(&middle);
        assert!((half.value - 0.5).abs() < 1e-12);
        assert!((half.interval.low - 0.5).abs() < 1e-12 && (half.interval.high - 0.5).abs() < 1e-12);
    }

    /// Less is better: regrets of 4 on average, 1 for the ceiling, 3 for the arm.
    #[test]
    fn signs_cancel() {
        let share = share_of_gap(&[2.5, 3.5], &[3.0, 5.0], &[0.5, 1.5], &USUAL).unwrap();
        assert!((share.value - 1.0 / 3.0).abs() < 1e-12);
        assert!(share.interval.low < share.value && share.value < share.interval.high);
    }

    #[test]
    fn without_a_gap_there_is_no_share() {
        let error = share_of_gap(&[1.0, 2.0], &[1.0, 3.0], &[3.0, 1.0], &USUAL).unwrap_err();
        assert!(error.to_string().contains("gap"), "{error}");
        assert!(share_of_gap(&[1.0], &[1.0], &[3.0], &USUAL).is_err());
        assert!(share_of_gap(&[1.0, 2.0], &[1.0], &[3.0, 1.0], &USUAL).is_err());
    }
}
