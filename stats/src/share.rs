//! Shares: how often something happens. They are binomial proportions from 0 to 1 (Clopper-Pearson exact interval). It was taken because
//! Wald's interval is too narrow near 0 and 1. The calibration of tests shows it around the share of comparisons that reject without an
//! effect.

use crate::distribution::beta_quantile;
use crate::error::StatsError;
use crate::summary::{Interval, check_share};

/// Exact interval of a share, i.e. a binomial proportion (Clopper & Pearson 1934), from quantiles of Beta distributions.
///
/// # Errors
/// When there are no trials, more hits than trials, or the level isn't in (0, 1).
pub fn share_interval(hits: u64, trials: u64, level: f64) -> Result<Interval, StatsError> {
    check_share("level", level)?;
    if trials == 0 {
        return Err(StatsError::TooFew { subject: "trials".to_owned(), found: 0, needed: 1 });
    }
    if hits > trials {
        let (subject, value) = ("hits".to_owned(), hits.to_string());
        return Err(StatsError::OutOfRange { subject, value, remedy: format!("at most {trials}") });
    }
    let tail = (1.0 - level) / 2.0;
    let (k, n) = (hits as f64, trials as f64);
    let low = if hits == 0 { 0.0 } else { beta_quantile(k, n - k + 1.0, tail) };
    let high = if hits == trials { 1.0 } else { beta_quantile(k + 1.0, n - k, 1.0 - tail) };
    Ok(Interval { low, high, level })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy 1.17.1: beta.ppf(.025, 7, 194) and beta.ppf(.975, 8, 193).
    #[test]
    fn the_interval_is_exact() {
        let found = share_interval(7, 200, 0.95).unwrap();
        assert!((found.low - 0.014_185_525_898).abs() < 1e-6, "{found:?}");
        assert!((found.high - 0.070_780_998_351).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn the_ends_are_the_ends() {
        assert_eq!(share_interval(0, 10, 0.95).unwrap().low, 0.0);
        assert_eq!(share_interval(10, 10, 0.95).unwrap().high, 1.0);
        assert!(share_interval(1, 0, 0.95).is_err() && share_interval(3, 2, 0.95).is_err());
    }
}
