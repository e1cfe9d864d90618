//! The median with an interval from order statistics. It is a distribution-free confidence interval, in the unit of the values. It needs no
//! assumption about the distribution, because ranks of a median are binomial. A replication of a paper shows a figure by it, with the whole
//! range of values where they are too few for an interval (5 or fewer at 95 %).

use crate::error::StatsError;
use crate::summary::{Interval, check, check_share};
use morta_base::math;
use morta_base::quantile::quantile;

/// A median with its confidence interval (distribution-free).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Median {
    /// The median.
    pub value: f64,
    /// The order statistics between which it lies, whatever the distribution.
    pub interval: Interval,
}

/// The median, and the k-th smallest and k-th largest value as its confidence interval, k the largest for which P(Bin(n, ½) < k) is at most
/// half of what the level leaves (Conover 1999, section 3.2). It covers at least at the level, a little more because k is whole.
///
/// # Errors
/// When a value is not finite, the level isn't in (0, 1), or there are too few values for the level (5 or fewer at 95 %).
pub fn median(values: &[f64], level: f64) -> Result<Median, StatsError> {
    check("values", values, 1)?;
    check_share("level", level)?;
    let tail = (1.0 - level) / 2.0;
    let n = values.len() as f64;
    // Of (n choose j)/2ⁿ by logarithms: 2⁻ⁿ alone would be 0 from n = 1,075 on.
    let share = |j: f64| {
        let choices = math::ln_gamma(n + 1.0) - math::ln_gamma(j + 1.0) - math::ln_gamma(n - j + 1.0);
        math::exp(choices - n * std::f64::consts::LN_2)
    };
    let (mut below, mut k) = (share(0.0), 0);
    while below <= tail {
        k += 1;
        below += share(k as f64);
    }
    if k == 0 {
        let needed = (1.0 - math::ln(tail) / std::f64::consts::LN_2) as usize;
        return Err(StatsError::TooFew { subject: "values".to_owned(), found: values.len(), needed });
    }
    let mut sorted = values.to_vec();
    let value = quantile(&mut sorted, 0.5).expect("there is a value");
    let interval = Interval { low: sorted[k - 1], high: sorted[sorted.len() - k], level };
    Ok(Median { value, interval })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places of the 95 % interval as tables of order statistics have them (Conover 1999, table A3, as scipy 1.17.1's binom.ppf(.025, n, .5)
    /// has it): the 2nd and 9th of 10, the 6th and 15th of 20, the 40th and 61st of 100.
    #[test]
    fn places_are_those_of_the_tables() {
        for (n, low, high) in
            [(6, 1.0, 6.0), (10, 2.0, 9.0), (20, 6.0, 15.0), (100, 40.0, 61.0), (2_000, 956.0, 1_045.0)]
        {
            let values: Vec<f64> = (1..=n).rev().map(f64::from).collect();
            let found = median(&values, 0.95).unwrap();
            assert_eq!((found.interval.low, found.interval.high), (low, high), "{n}");
            assert_eq!(found.value, f64::from(n + 1) / 2.0);
        }
        assert_eq!(
            median(&[1.0; 5], 0.95).unwrap_err().to_string(),
            "values: 5 of them, and at least 6 are needed"
        );
    }
}
