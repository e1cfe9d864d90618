//! The paired permutation test: were it not for the arms, every difference could as well have had the other sign (Fisher 1935). It is the
//! sign-flip test (randomization test) of a mean difference. It needs no normal distribution, because the assignment of signs alone makes
//! its null distribution. The p-value of n pairs is at least 2/2ⁿ, and at least 1/(draws + 1) where assignments are drawn. It is the test
//! that sweeps register by default and that `morta stats compare` decides by; the caller corrects its p-values for several comparisons.
//! Draws are the resamples of the comparison: 10,000 by default, in large sweeps down to 1,000. `morta stats calibration`, which checks its
//! p-values, always takes 10,000.

use crate::error::StatsError;
use crate::summary::{check, mean};
use morta_base::{Purpose, WorldSeed};
use serde::{Deserialize, Serialize};

/// Most pairs for which all 2ⁿ assignments of signs are gone through.
const EXACT_PAIRS_MAX: usize = 16;
/// Sums that differ by less than this share of their size are the same but for rounding.
const ROUNDING: f64 = 1e-12;

/// The result of a sign-flip test of the mean difference (permutation test, randomization test).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignFlip {
    /// The mean difference that was observed.
    pub mean_difference: f64,
    /// Whether all assignments were gone through. False for a random sample of them, whose p-value has an error of its own.
    pub exact: bool,
    /// How many assignments were looked at, without the observed one when they are a sample.
    pub assignments: u64,
    /// Two-sided p-value: b / 2ⁿ, or (b + 1) / (m + 1) of a sample (Phipson & Smyth 2010).
    pub p: f64,
}

/// Tests whether the differences could as well have had other signs (randomization test). Up to 16 pairs are gone through exactly; beyond
/// that, `draws` assignments are drawn from the seed.
///
/// # Errors
/// When there are no differences, they are not finite, all of them are zero, or no draws are asked for.
pub fn sign_flip(differences: &[f64], draws: u32, seed: WorldSeed) -> Result<SignFlip, StatsError> {
    check("paired differences", differences, 1)?;
    if differences.iter().all(|d| *d == 0.0) {
        return Err(StatsError::Constant("the difference of the pairs (0 everywhere)".to_owned()));
    }
    if draws == 0 {
        let (subject, remedy) = ("draws".to_owned(), "at least 1".to_owned());
        return Err(StatsError::OutOfRange { subject, value: "0".to_owned(), remedy });
    }
    let scale: f64 = differences.iter().map(|d| d.abs()).sum();
    let least = differences.iter().sum::<f64>().abs() - ROUNDING * scale;
    let mean_difference = mean(differences);
    if differences.len() <= EXACT_PAIRS_MAX {
        let assignments = 1_u64 << differences.len();
        let extreme = (0..assignments).filter(|signs| flipped(differences, *signs).abs() >= least).count();
        let p = extreme as f64 / assignments as f64;
        return Ok(SignFlip { mean_difference, exact: true, assignments, p });
    }
    let mut stream = seed.world(Purpose::Permutation, 0, 0);
    let mut draw = || {
        let chunks = differences.chunks(64);
        chunks.map(|chunk| flipped(chunk, stream.word())).sum::<f64>().abs() >= least
    };
    let extreme = (0..draws).filter(|_| draw()).count();
    let p = (extreme + 1) as f64 / (f64::from(draws) + 1.0);
    Ok(SignFlip { mean_difference, exact: false, assignments: draws.into(), p })
}

/// The least p-value that so many pairs can have: 2/2ⁿ where all assignments are gone through, 1/(draws + 1) where they are drawn (minimum
/// p-value).
pub fn least_p(pairs: u32, draws: u32) -> f64 {
    if pairs as usize <= EXACT_PAIRS_MAX {
        return (0..pairs).fold(2.0, |p: f64, _| p / 2.0).min(1.0);
    }
    1.0 / (f64::from(draws) + 1.0)
}

/// The sum, the differences negated whose bit is set.
fn flipped(differences: &[f64], signs: u64) -> f64 {
    let signed = |(bit, d): (usize, &f64)| if signs >> bit & 1 == 1 { -d } else { *d };
    differences.iter().enumerate().map(signed).sum()
}
