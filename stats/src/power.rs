//! How many worlds it takes: the power of t tests, and the seeds needed for an interval of a stated width. Terms of the field are
//! power analysis, sample size and noncentral t. Effects are in standard deviations, power and alpha from 0 to 1. Power is reckoned for an
//! effect that is stated beforehand, because power at the effect that was found is a function of p. Registered sweeps state their effect of
//! interest in the measure's unit; the caller divides it by the standard deviation of the differences. Every comparison by `paired` has the
//! power for d_z = .5 besides; `seeds_needed` says how many worlds an interval of a wanted width takes, and so how many would settle an
//! open verdict. Figures for unpaired arms (`unpaired_power`, `runs_needed`) serve library users and tests; no command shows them.

use crate::distribution::{normal_cdf, student_quantile};
use crate::error::StatsError;
use crate::summary::{check, check_share, is_constant, variance};
use morta_base::math::{erfc, exp, ln, ln_gamma};
use serde::{Deserialize, Serialize};
use std::f64::consts::{LN_2, SQRT_2};

/// More pairs than this are not looked for.
const PAIRS_MAX: u64 = 10_000_000;
/// Steps of Simpson's rule; the integrand is smooth, and 2,000 steps leave an error below 1e-12.
const STEPS: u32 = 2_000;
/// The scale of a t variable is within so many standard deviations of its mode but for 1e-30 of the time.
const REACH: f64 = 12.0;

/// P(|T| > critical) of a noncentral t: T = (Z + δ) / s with s² = χ²/ν, integrated over the density of s by Simpson's rule.
fn beyond(critical: f64, noncentrality: f64, degrees: f64) -> f64 {
    let ln_constant = LN_2 + degrees / 2.0 * ln(degrees / 2.0) - ln_gamma(degrees / 2.0);
    let integrand = |scale: f64| {
        if scale <= 0.0 {
            return 0.0;
        }
        let density = exp(ln_constant + (degrees - 1.0) * ln(scale) - degrees * scale * scale / 2.0);
        let above = 0.5 * erfc((critical * scale - noncentrality) / SQRT_2);
        density * (above + normal_cdf(-critical * scale - noncentrality))
    };
    let (mode, spread) = (((degrees - 1.0) / degrees).sqrt(), 1.0 / (2.0 * degrees).sqrt());
    let (low, high) = ((mode - REACH * spread).max(1e-9), mode + REACH * spread);
    let step = (high - low) / f64::from(STEPS);
    let weight = |i: u32| if i == 0 || i == STEPS { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    let sum: f64 = (0..=STEPS).map(|i| weight(i) * integrand(low + f64::from(i) * step)).sum();
    (sum * step / 3.0).clamp(0.0, 1.0)
}

fn power(noncentrality: f64, degrees: f64, alpha: f64) -> f64 {
    beyond(student_quantile(1.0 - alpha / 2.0, degrees), noncentrality, degrees)
}

fn check_effect(effect: f64, alpha: f64) -> Result<(), StatsError> {
    check("effect", &[effect], 1)?;
    check_share("alpha", alpha)
}

/// Statistical power of a two-sided paired t test with so many pairs, for an effect d_z (digest section 16: 34 pairs reach .81 at .5).
///
/// # Errors
/// When there are fewer than two pairs, the effect is not finite or alpha not within (0, 1).
pub fn paired_power(effect: f64, pairs: u64, alpha: f64) -> Result<f64, StatsError> {
    check_effect(effect, alpha)?;
    if pairs < 2 {
        return Err(StatsError::TooFew { subject: "pairs".to_owned(), found: pairs as usize, needed: 2 });
    }
    let n = pairs as f64;
    Ok(power(effect * n.sqrt(), n - 1.0, alpha))
}

/// Statistical power of a two-sided t test of two independent arms with so many runs each, for an effect d (digest section 16: 17 a side
/// reach .29 at .5).
///
/// # Errors
/// When there are fewer than two runs in each arm, the effect is not finite or alpha not within (0, 1).
pub fn unpaired_power(effect: f64, runs_each: u64, alpha: f64) -> Result<f64, StatsError> {
    check_effect(effect, alpha)?;
    if runs_each < 2 {
        let subject = "runs of each arm".to_owned();
        return Err(StatsError::TooFew { subject, found: runs_each as usize, needed: 2 });
    }
    let n = runs_each as f64;
    Ok(power(effect * (n / 2.0).sqrt(), 2.0 * n - 2.0, alpha))
}

/// The required sample size: the fewest pairs with which a paired t test reaches the power.
///
/// # Errors
/// As [`paired_power`], and when no number up to 10⁷ is enough.
pub fn pairs_needed(effect: f64, alpha: f64, power: f64) -> Result<u64, StatsError> {
    check_share("power", power)?;
    fewest(|n| Ok(paired_power(effect, n, alpha)? >= power))
}

/// The required sample size: the fewest runs of each of two independent arms with which a t test reaches the power.
///
/// # Errors
/// As [`unpaired_power`], and when no number up to 10⁷ is enough.
pub fn runs_needed(effect: f64, alpha: f64, power: f64) -> Result<u64, StatsError> {
    check_share("power", power)?;
    fewest(|n| Ok(unpaired_power(effect, n, alpha)? >= power))
}

/// Whether the seeds are enough for an interval as narrow as wanted (sample size).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedsNeeded {
    /// Half the width of the t interval of the mean difference now.
    pub half_width: f64,
    /// Half the width that is wanted.
    pub wanted: f64,
    /// Pairs there are.
    pub pairs: u64,
    /// Pairs it takes, should their spread stay as it is; no more than there are when they are enough.
    pub pairs_needed: u64,
}

/// The number of pairs, one a seed, that it takes until the t interval of their mean difference has the wanted half-width (its precision).
///
/// # Errors
/// When there are fewer than two pairs, they are not finite or all the same, the width is not above 0, the level not within
/// (0, 1), or no number up to 10⁷ is enough.
pub fn seeds_needed(differences: &[f64], wanted: f64, level: f64) -> Result<SeedsNeeded, StatsError> {
    check("paired differences", differences, 2)?;
    check_share("level", level)?;
    if !(wanted.is_finite() && wanted > 0.0) {
        return Err(StatsError::OutOfRange {
            subject: "half-width".to_owned(),
            value: wanted.to_string(),
            remedy: "above 0".to_owned(),
        });
    }
    if is_constant(differences) {
        return Err(StatsError::Constant("the difference of the pairs".to_owned()));
    }
    let spread = variance(differences).sqrt();
    let half_width =
        |n: u64| spread / (n as f64).sqrt() * student_quantile(0.5 + level / 2.0, (n - 1) as f64);
    Ok(SeedsNeeded {
        half_width: half_width(differences.len() as u64),
        wanted,
        pairs: differences.len() as u64,
        pairs_needed: fewest(|n| Ok(half_width(n) <= wanted))?,
    })
}

/// The least number from 2 that is enough. It is found by halving (binary search), because more is never worse.
fn fewest(enough: impl Fn(u64) -> Result<bool, StatsError>) -> Result<u64, StatsError> {
    let mut high = 2;
    while !enough(high)? {
        if high >= PAIRS_MAX {
            return Err(StatsError::OutOfRange {
                subject: "number needed".to_owned(),
                value: format!("more than {PAIRS_MAX}"),
                remedy: "reached with a larger effect or a wider interval".to_owned(),
            });
        }
        high *= 2;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if enough(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(if low >= 2 && enough(low)? { low } else { high })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }

    /// statsmodels 0.15.0: TTestPower().power and TTestIndPower().power; the digest's figures, section 16.
    #[test]
    fn power_matches_statsmodels() {
        close(paired_power(0.5, 34, 0.05).unwrap(), 0.8077775012792737);
        close(unpaired_power(0.5, 17, 0.05).unwrap(), 0.29295713944466534);
        close(unpaired_power(0.5, 64, 0.05).unwrap(), 0.8014595579222542);
        close(paired_power(0.2, 2, 0.05).unwrap(), 0.05197844977094976);
        close(paired_power(-1.3, 9, 0.01).unwrap(), 0.694282526983197);
        assert_eq!(pairs_needed(0.5, 0.05, 0.8).unwrap(), 34);
        assert_eq!(runs_needed(0.5, 0.05, 0.8).unwrap(), 64);
    }

    #[test]
    fn wide_intervals_ask_for_more_seeds() {
        let differences = [1.0, 3.0, 2.0, 5.0, 4.0];
        let now = seeds_needed(&differences, 1e6, 0.95).unwrap();
        // scipy 1.17.1: t.interval(.95, 4, scale=sem).
        close(now.half_width, 1.9632431614775572);
        assert_eq!(now.pairs_needed, 2);
        let needed = seeds_needed(&differences, 0.5, 0.95).unwrap().pairs_needed;
        let half = |n: f64| 1.5811388300841898 / n.sqrt() * student_quantile(0.975, n - 1.0);
        assert!(half(needed as f64) <= 0.5 && half(needed as f64 - 1.0) > 0.5, "{needed}");
    }

    #[test]
    fn no_effect_is_never_found() {
        let error = pairs_needed(0.0, 0.05, 0.8).unwrap_err().to_string();
        assert!(error.starts_with("number needed = more than 10000000"), "{error}");
    }
}
