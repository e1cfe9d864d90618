//! Equivalence: whether a mean difference lies within ±δ, by two one-sided t tests (Schuirmann 1987). It is the TOST procedure. It exists
//! because a test that doesn't reject is no evidence of equality. The margin is in the unit of the differences. The verdict "alike" of a
//! sweep or a compared table rests on the p-value at the error rate that the correction for several comparisons leaves; δ is the effect
//! of interest, registered or given, without which nothing is tested. Where worlds share data, the verdict takes the interval of
//! `overlap` instead.

use crate::distribution::student_upper;
use crate::error::StatsError;
use crate::summary::Interval;
use crate::t_test::paired_t;
use serde::{Deserialize, Serialize};

/// The result of an equivalence test: two one-sided tests of differences against a margin (TOST).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Equivalence {
    /// The mean difference d̄, in the units of the score.
    pub difference: f64,
    /// The margin δ, in the same units.
    pub margin: f64,
    /// The standard error s/√n of the mean difference.
    pub standard_error: f64,
    /// Degrees of freedom, n − 1.
    pub degrees_of_freedom: f64,
    /// P-value of the test that the difference is −δ or less: P(T ≥ (d̄ + δ)/(s/√n)).
    pub p_above_low: f64,
    /// P-value of the test that the difference is δ or more: P(T ≤ (d̄ − δ)/(s/√n)).
    pub p_below_high: f64,
    /// The larger of both: p-value of the test that the difference is not within ±δ.
    pub p: f64,
    /// The interval of level 1 − 2α that lies within ±δ exactly where p is at most α, but for rounding.
    pub interval: Interval,
    /// Whether p is at most α: the difference is shown to be within ±δ.
    pub is_within: bool,
}

/// Tests at level `alpha` (α, above 0 and below .5) whether the mean of the differences lies within ±`margin` (δ, above 0) (TOST).
///
/// Each one-sided test takes all of α: the hypotheses exclude each other, so that only one of them can be rejected falsely
/// (Berger & Hsu 1996). Not being within is no difference shown: the data may only be too few.
///
/// # Errors
/// When there are fewer than two differences, they are not finite or all the same, or a parameter is out of range.
pub fn equivalence(differences: &[f64], margin: f64, alpha: f64) -> Result<Equivalence, StatsError> {
    let out_of_range = |subject: &str, value: f64, remedy: &str| StatsError::OutOfRange {
        subject: subject.to_owned(),
        value: value.to_string(),
        remedy: remedy.to_owned(),
    };
    if !(margin.is_finite() && margin > 0.0) {
        return Err(out_of_range("margin", margin, "a finite number above 0"));
    }
    // From .5 on the interval of level 1 − 2α is empty.
    if !(alpha > 0.0 && alpha < 0.5) {
        return Err(out_of_range("alpha", alpha, "above 0 and below 0.5"));
    }
    let test = paired_t(differences, 1.0 - 2.0 * alpha)?;
    let beyond = |distance: f64| student_upper(distance / test.standard_error, test.degrees_of_freedom);
    let (p_above_low, p_below_high) = (beyond(margin + test.difference), beyond(margin - test.difference));
    let p = p_above_low.max(p_below_high);
    Ok(Equivalence {
        difference: test.difference,
        margin,
        standard_error: test.standard_error,
        degrees_of_freedom: test.degrees_of_freedom,
        p_above_low,
        p_below_high,
        p,
        interval: test.interval,
        is_within: p <= alpha,
    })
}
