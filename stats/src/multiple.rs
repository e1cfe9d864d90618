//! p-values adjusted for there being many of them. They are multiple testing corrections: Holm (family-wise error rate) and
//! Benjamini-Hochberg (false discovery rate). Without one, twenty tests at .05 find something more often than not. Both are here because
//! a decision bounds any error, and a search bounds their share. Adjusted values are in the order handed in. A caller leaves out
//! comparisons that have no p-value, so that they don't count. Sweeps take Holm's by default; sensitivity analyses, `morta stats compare`
//! and `survival`, replications and the validation of trade recall always decide by it (`compare` shows Benjamini and Hochberg's beside);
//! comparisons across sweeps take Benjamini and Hochberg's.

use crate::error::StatsError;
use crate::summary::check;

/// Holm's step-down adjustment (1979): controls the family-wise error rate, the chance of any false positive, whatever the dependence.
///
/// # Errors
/// When a p-value is not a number in [0, 1].
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
    let order = ascending(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least = 0.0_f64;
    for (place, index) in order.iter().enumerate() {
        least = least.max(p_values[*index] * (p_values.len() - place) as f64).min(1.0);
        adjusted[*index] = least;
    }
    Ok(adjusted)
}

/// Benjamini and Hochberg's step-up adjustment (1995): controls the false discovery rate, the share of false positives among the positives,
/// for independent or positively dependent tests (the digest's rule, q = .05).
///
/// # Errors
/// When a p-value is not a number in [0, 1].
pub fn benjamini_hochberg(p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
    let order = ascending(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut most = 1.0_f64;
    for (place, index) in order.iter().enumerate().rev() {
        most = most.min(p_values[*index] * p_values.len() as f64 / (place + 1) as f64);
        adjusted[*index] = most;
    }
    Ok(adjusted)
}

fn ascending(p_values: &[f64]) -> Result<Vec<usize>, StatsError> {
    check("p-values", p_values, 0)?;
    if let Some(p) = p_values.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(StatsError::OutOfRange {
            subject: "p-value".to_owned(),
            value: p.to_string(),
            remedy: "from 0 to 1".to_owned(),
        });
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// statsmodels 0.15.0: multipletests(p, method="holm") and "fdr_bh".
    #[test]
    fn adjusted_p_values_match_statsmodels() {
        let p = [0.01, 0.04, 0.03, 0.005, 0.5, 0.04];
        for (found, expected) in [
            (holm(&p).unwrap(), [0.05, 0.12, 0.12, 0.03, 0.5, 0.12]),
            (benjamini_hochberg(&p).unwrap(), [0.03, 0.048, 0.048, 0.03, 0.5, 0.048]),
        ] {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        }
    }

    #[test]
    fn p_values_beyond_0_and_1_are_refused() {
        assert_eq!(holm(&[0.1, 1.5]).unwrap_err().to_string(), "p-value = 1.5: must be from 0 to 1");
        assert!(benjamini_hochberg(&[f64::NAN]).is_err());
        assert!(holm(&[]).unwrap().is_empty());
    }
}
