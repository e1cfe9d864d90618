//! Equivalence against statsmodels, and how often it is declared where the truth is exactly the margin.

use super::close;
use super::comparisons::{A, B};
use morta_base::{Purpose, WorldSeed};
use morta_stats::equivalence::equivalence;

/// statsmodels 0.15.0: ttost_paired(a, b, −δ, δ) and DescrStatsW(a − b).tconfint_mean(2α).
#[test]
fn equivalence_matches_statsmodels() {
    let differences: Vec<f64> = A.iter().zip(B).map(|(a, b)| a - b).collect();
    for (margin, alpha, p, interval, is_within) in [
        (
            0.6,
            0.05,
            [0.0184810149527592, 2.8723746417693084e-06, 0.0184810149527592],
            [0.12272747543896892, 0.5339391912276977],
            true,
        ),
        (
            0.3,
            0.05,
            [0.5954524614631687, 9.478314228908785e-05, 0.5954524614631687],
            [0.12272747543896892, 0.5339391912276977],
            false,
        ),
        (
            0.5,
            0.1,
            [0.08095058915207243, 8.377703207271747e-06, 0.08095058915207243],
            [0.1722379884113287, 0.4844286782553379],
            true,
        ),
    ] {
        let found = equivalence(&differences, margin, alpha).unwrap();
        close([found.p, found.p_above_low, found.p_below_high], &p, 1e-9);
        close([found.interval.low, found.interval.high], &interval, 1e-9);
        assert_eq!(found.is_within, is_within);
        let inside = found.interval.low >= -margin && found.interval.high <= margin;
        assert_eq!(inside, is_within, "the interval says what the tests say");
    }
}

/// Where the true difference is exactly the margin, 5 ± 1.5 % of 2,000 samples of 20 normal differences are declared equivalent (seed 36);
/// where it is 0, with margins of four and a half standard errors, nearly all are.
#[test]
fn at_the_margin_equivalence_is_declared_at_its_level() {
    let declared = |part: u32, truth: f64| {
        let of_sample = |n: u64| {
            let mut stream = WorldSeed(36).world(Purpose::Bootstrap, part, n);
            let sample: Vec<f64> = (0..20).map(|_| truth + stream.normal()).collect();
            equivalence(&sample, 1.0, 0.05).unwrap().is_within
        };
        (0..2_000).filter(|n| of_sample(*n)).count() as f64 / 2_000.0
    };
    for (part, truth) in [(0, 1.0), (1, -1.0)] {
        let share = declared(part, truth);
        assert!((share - 0.05).abs() <= 0.015, "{share} declared equivalent at {truth}");
    }
    assert!(declared(2, 0.0) > 0.95);
}

#[test]
fn a_missing_margin_is_refused() {
    let error =
        |differences: &[f64], margin, alpha| equivalence(differences, margin, alpha).unwrap_err().to_string();
    assert_eq!(error(&[1.0, 2.0], 0.0, 0.05), "margin = 0: must be a finite number above 0");
    assert_eq!(error(&[1.0, 2.0], f64::NAN, 0.05), "margin = NaN: must be a finite number above 0");
    assert_eq!(error(&[1.0, 2.0], 1.0, 0.5), "alpha = 0.5: must be above 0 and below 0.5");
    assert_eq!(error(&[1.0, 1.0], 2.0, 0.05), "the difference of the pairs is constant");
    assert_eq!(error(&[1.0], 2.0, 0.05), "paired differences: 1 of them, and at least 2 are needed");
}
