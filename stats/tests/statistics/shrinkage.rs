//! Shrinkage by a mixture of normals against the same likelihood maximised by scipy.

use morta_stats::shrinkage::shrink_towards_zero;

const EFFECTS: [f64; 12] = [0.05, -0.31, 0.12, 0.02, 1.9, 0.44, -0.08, 0.27, 3.1, -0.15, 0.6, 0.01];
const ERRORS: [f64; 12] = [0.16, 0.16, 0.22, 0.16, 0.31, 0.18, 0.16, 0.22, 0.4, 0.13, 0.2, 0.1];

fn within(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }
}

/// scipy 1.17.1, SLSQP over the shares (`stats/tests/reference/shrinkage.py`). Large effects stay nearly what they are, and small ones are drawn in.
#[test]
fn shrunken_effects_match_the_greatest_likelihood() {
    let expected = [
        0.01049860, -0.14675544, 0.02590516, 0.00410400, 1.85336333, 0.26493568, -0.01752229, 0.07596534,
        2.98331870, -0.04350971, 0.43536241, 0.00178449,
    ];
    // Shares of neighbouring spreads can be exchanged at next to no cost in likelihood: both methods stop a little apart.
    within(&shrink_towards_zero(&EFFECTS, &ERRORS).unwrap(), &expected, 2e-3);
}

/// Effects that luck alone explains are drawn to next to nothing, and no effect is no estimate.
#[test]
fn luck_is_shrunken_away() {
    let luck = [0.1, -0.12, 0.05, 0.14, -0.03, -0.09, 0.11, -0.06];
    let found = shrink_towards_zero(&luck, &[0.16; 8]).unwrap();
    within(&found, &[0.0; 8], 5e-3);
    assert!(shrink_towards_zero(&[], &[]).unwrap().is_empty());
}

#[test]
fn what_has_no_error_or_no_effect_is_refused() {
    for (effects, errors) in
        [(&[1.0][..], &[0.0][..]), (&[1.0], &[]), (&[f64::NAN], &[1.0]), (&[1.0], &[-1.0])]
    {
        assert!(shrink_towards_zero(effects, errors).is_err(), "{effects:?} {errors:?}");
    }
}
