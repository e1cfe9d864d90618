//! Distribution functions, from `statrs` and `libm`. Tails are computed as tails, so that small p-values keep their digits. They
//! are the normal, Student's t, beta and chi-square distributions (CDF, survival function, quantile function). Callers check degrees of
//! freedom and probabilities; values out of range panic or are NaN.

use morta_base::math::{erfc, ln};
use statrs::distribution::{Beta, ChiSquared, ContinuousCDF, Normal, StudentsT};
use std::f64::consts::SQRT_2;

/// The CDF of the standard normal distribution, P(Z ≤ z).
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
}

/// The two-sided p-value of a z-score (z-test), P(|Z| ≥ |z|) of a standard normal distribution.
pub fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

/// The p-quantile of a standard normal distribution, p in (0, 1): its inverse CDF (probit).
pub fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// With more degrees of freedom, Student's t is taken for a normal by the first terms of an expansion in their inverse
/// (Wallace 1959 for tails, Abramowitz & Stegun 26.7.5 for quantiles): within 1e-9, in tails of 1e-12 within 1e-8 of p. The incomplete beta function
/// would take ever longer.
const DEGREES_MAX: f64 = 1e5;

/// The two-sided p-value of Student's t, P(|T| ≥ |t|); degrees of freedom above 0.
pub fn student_two_sided(t: f64, degrees_of_freedom: f64) -> f64 {
    if degrees_of_freedom > DEGREES_MAX {
        // The logarithm keeps the transformation monotone far out, where the expansion would turn back.
        return normal_two_sided(
            (degrees_of_freedom * ln(1.0 + t * t / degrees_of_freedom)).sqrt()
                * (1.0 - 0.25 / degrees_of_freedom),
        );
    }
    let student = StudentsT::new(0.0, 1.0, degrees_of_freedom).expect("degrees of freedom are above 0");
    (2.0 * student.sf(t.abs())).min(1.0)
}

/// The one-sided p-value of Student's t, P(T ≥ t); degrees of freedom above 0.
pub fn student_upper(t: f64, degrees_of_freedom: f64) -> f64 {
    let tail = student_two_sided(t, degrees_of_freedom) / 2.0;
    if t < 0.0 { 1.0 - tail } else { tail }
}

/// The p-quantile of Student's t; p in (0, 1), degrees of freedom above 0.
pub fn student_quantile(p: f64, degrees_of_freedom: f64) -> f64 {
    if degrees_of_freedom > DEGREES_MAX {
        let z = normal_quantile(p);
        return z + z * (z * z + 1.0) / (4.0 * degrees_of_freedom);
    }
    StudentsT::new(0.0, 1.0, degrees_of_freedom).expect("degrees of freedom are above 0").inverse_cdf(p)
}

/// Quantile of Beta(a, b), the inverse CDF of the beta distribution (inverse incomplete beta); a and b above 0, p in (0, 1).
pub fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    Beta::new(a, b).expect("both parameters are above 0").inverse_cdf(p)
}

/// The p-value of chi-square, P(X ≥ x): its upper tail (survival function); degrees of freedom above 0.
pub fn chi_square_upper(x: f64, degrees_of_freedom: u32) -> f64 {
    let degrees = f64::from(degrees_of_freedom);
    ChiSquared::new(degrees).expect("degrees of freedom are above 0").sf(x.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy 1.17.1: norm.cdf, norm.ppf, t.sf, t.ppf, chi2.sf.
    #[test]
    fn distributions_match_scipy() {
        for (found, expected) in [
            (normal_cdf(1.0), 0.8413447460685429),
            (normal_cdf(-8.0), 6.22096057427174e-16),
            (normal_two_sided(3.0), 0.002699796063260207),
            (normal_quantile(0.975), 1.959963984540054),
            (normal_quantile(0.0001), -3.7190164854556804),
            (student_two_sided(2.5, 7.0), 0.04099221858575289),
            (student_two_sided(-12.0, 33.5), 1.1200038452158597e-13),
            (student_upper(2.5, 7.0), 0.020496109292876444),
            (student_upper(-0.3, 4.6), 0.6113723145689987),
            (student_quantile(0.975, 1.0), 12.706204736174694),
            (student_quantile(0.975, 33.0), 2.0345152974493383),
            (student_quantile(0.995, 4.6), 4.218741186312978),
            (student_two_sided(2.5, 2e5), 0.01242012491236212),
            (student_quantile(0.975, 2e5), 1.959975845966768),
            (chi_square_upper(3.84, 1), 0.05004352124870519),
            (chi_square_upper(120.0, 3), 7.716790355634162e-26),
        ] {
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
        }
        let far = student_two_sided(7.0, 2e5);
        assert!((far / 2.567629163758191e-12 - 1.0).abs() < 1e-8, "{far}");
    }
}
