//! Arms in the same worlds, against scipy and rliable.

use super::{close, relative};
use morta_base::WorldSeed;
use morta_stats::aggregate::{
    Aggregate, estimate, estimate_improvement, interquartile_mean, optimality_gap, performance_profile,
    probability_of_improvement,
};
use morta_stats::bootstrap::Bootstrap;
use morta_stats::permutation::sign_flip;
use morta_stats::rank_sum::rank_sum;
use morta_stats::signed_rank::{RankMethod, signed_rank};
use morta_stats::{CompareOptions, Computed, compare_pairs};

pub const A: [f64; 12] = [0.52, 1.31, -0.24, 2.05, 0.97, 1.44, 0.11, 3.02, 1.76, 0.68, 2.49, 1.18];
pub const B: [f64; 12] = [0.31, 0.85, -0.40, 1.95, 1.12, 0.93, -0.35, 1.88, 1.41, 0.72, 1.60, 1.33];
const TIED: [f64; 16] = [3.0, -1.0, 2.0, 2.0, 0.0, 5.0, -4.0, 1.0, 1.0, 6.0, -2.0, 3.0, 7.0, 0.0, 2.0, 4.0];

fn known<T: Clone>(figure: &Computed<T>) -> T {
    figure.known().unwrap().clone()
}

#[test]
fn paired_comparisons_match_scipy() {
    let options = CompareOptions { resamples: 40_000, ..CompareOptions::default() };
    let found = compare_pairs(&A, &B, &options).unwrap();
    let t = known(&found.paired_t);
    close([t.t, t.p], &[2.8678601614102632, 0.015299980915681254], 1e-9);
    close([t.interval.low, t.interval.high], &[0.07634866408268082, 0.5803180025839858], 1e-9);
    let t = known(&found.welch_t);
    close(
        [t.t, t.degrees_of_freedom, t.p],
        &[0.9224933467797262, 21.123303392617952, 0.36668886572786574],
        1e-9,
    );
    close([t.interval.low, t.interval.high], &[-0.4115787076825008, 1.0682453743491676], 1e-9);
    close([known(&found.correlation)], &[0.9157355442904316], 1e-12);
    close([known(&found.variance_reduction)], &[0.8965309305837266], 1e-12);
    close(
        [known(&found.cohens_d), known(&found.cohens_d_paired)],
        &[0.3766063317871107, 0.8278799180942095],
        1e-12,
    );
    let delta = known(&found.cliffs_delta);
    let interval = delta.interval.unwrap();
    let expected = [0.18055555555555555, -0.27559008191684115, 0.5703336342323878];
    close([delta.delta, interval.low, interval.high], &expected, 1e-9);
    let test = known(&found.sign_flip);
    assert!(test.exact);
    close([test.mean_difference, test.p], &[0.3283333333333333, 0.01123046875], 1e-12);
    let test = known(&found.signed_rank);
    // Of the decimals' differences, among which .46 and −.15 come twice: wilcoxon(np.round(d, 9), method=PermutationMethod(n_resamples=inf)).
    close([test.negative_ranks, test.p], &[8.0, 0.01123046875], 1e-12);
    let test = known(&found.rank_sum);
    close([test.u, test.p], &[85.0, 0.47048642205878966], 1e-9);
    // scipy's intervals are of 500,000 resamples; ends of 40,000 have a standard error of about 0.0015.
    let intervals = known(&found.bootstrap);
    close([intervals.percentile.low, intervals.percentile.high], &[0.1241667, 0.5525], 0.008);
    close([intervals.bca.low, intervals.bca.high], &[0.1408333, 0.5758333], 0.008);
    let again = compare_pairs(&A, &B, &options).unwrap();
    assert_eq!(found, again, "the same seed gives the same intervals");
    let other = compare_pairs(&A, &B, &CompareOptions { seed: WorldSeed(1), ..options }).unwrap();
    assert_ne!(found.bootstrap, other.bootstrap);
}

#[test]
fn rank_tests_with_ties_match_scipy() {
    for (differences, continuity, smaller, p, method) in [
        (&TIED[..], false, 18.0, 0.0296770180769288, RankMethod::Normal),
        (&TIED[..], true, 18.0, 0.032124191382313545, RankMethod::NormalWithContinuity),
        (&TIED[..12], true, 16.0, 0.1357421875, RankMethod::Exact),
    ] {
        let test = signed_rank(differences, continuity).unwrap();
        assert_eq!((test.positive_ranks.min(test.negative_ranks), test.method), (smaller, method));
        close([test.p], &[p], 1e-12);
    }
    let exact = rank_sum(&A[..7], &B).unwrap();
    assert_eq!((exact.u, exact.method), (41.0, RankMethod::Exact));
    close([exact.p], &[0.967135032150512], 1e-12);
    let later: Vec<f64> = TIED[..9].iter().map(|x| x + 1.0).collect();
    let tied = rank_sum(&TIED, &later).unwrap();
    close([tied.u, tied.p], &[67.0, 0.7973756701413335], 1e-9);
}

/// 20 pairs are more than are gone through; a sample can't say less than 1 / (m + 1).
#[test]
fn a_sampled_permutation_test_never_says_zero() {
    let test = sign_flip(&[1.0; 20], 9_999, WorldSeed(3)).unwrap();
    assert!(!test.exact);
    assert!(test.p >= 1e-4 && test.p < 5e-4, "{}", test.p);
    // The mean of differences without an effect: p of the sample within five standard errors of the exact one's.
    let mixed: Vec<f64> = A.iter().chain(&B[..5]).map(|x| x - 0.8).collect();
    let sampled = sign_flip(&mixed, 100_000, WorldSeed(3)).unwrap().p;
    let all: f64 = mixed.iter().sum();
    let extreme = (0..1_u32 << 17).filter(|signs| {
        let signed = mixed.iter().enumerate().map(|(bit, x)| if signs >> bit & 1 == 1 { -x } else { *x });
        signed.sum::<f64>().abs() >= all.abs() - 1e-9
    });
    let exact = extreme.count() as f64 / f64::from(1_u32 << 17);
    assert!((sampled - exact).abs() < 5.0 * (exact * (1.0 - exact) / 1e5).sqrt(), "{sampled} {exact}");
}

#[test]
fn one_pair_or_equal_arms_leave_figures_unknown() {
    let found = compare_pairs(&[1.0], &[2.0], &CompareOptions::default()).unwrap();
    assert_eq!(found.paired_t.why_not().unwrap(), "paired differences: 1 of them, and at least 2 are needed");
    assert!(found.bootstrap.known().is_none() && found.correlation.known().is_none());
    assert_eq!(known(&found.sign_flip).p, 1.0);
    let found = compare_pairs(&A, &A, &CompareOptions::default()).unwrap();
    assert_eq!(found.paired_t.why_not().unwrap(), "the difference of the pairs is constant");
    let why = "the difference of the pairs (0 everywhere) is constant";
    assert_eq!(found.sign_flip.why_not().unwrap(), why);
    close([known(&found.variance_reduction)], &[1.0], 1e-12);
    assert!(compare_pairs(&A, &B[..3], &CompareOptions::default()).is_err());
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<morta_stats::PairedComparison>(&text).unwrap(), found);
}

fn tasks(rows: [[f64; 4]; 3]) -> Vec<Vec<f64>> {
    rows.iter().map(|row| row.to_vec()).collect()
}

#[test]
fn aggregates_match_rliable() {
    let x = tasks([[0.1, 0.5, 0.9, 1.3], [2.0, 1.0, 0.5, 0.2], [0.7, 0.7, 0.9, 1.1]]);
    let y = tasks([[0.2, 0.4, 0.6, 0.9], [1.0, 1.0, 0.7, 0.4], [0.3, 0.7, 0.8, 1.0]]);
    close([interquartile_mean(&x).unwrap()], &[0.7833333333333332], 1e-12);
    close([interquartile_mean(&y).unwrap()], &[0.6833333333333335], 1e-12);
    close([optimality_gap(&x, 1.0).unwrap()], &[0.29166666666666663], 1e-12);
    relative(probability_of_improvement(&x, &y).unwrap(), 0.5729166666666666);
    let profile = performance_profile(&x, &[0.5, 0.7, 2.0]).unwrap();
    close(profile.iter().map(|point| point.share_above), &[0.6666666666666666, 0.5, 0.0], 1e-12);
    // rliable's intervals are of 50,000 resamples. The figures are coarse, so their quantiles may be a step apart.
    let bootstrap = Bootstrap { resamples: 40_000, level: 0.95, seed: WorldSeed(0), part: 0 };
    let iqm = estimate(&x, Aggregate::InterquartileMean, &bootstrap).unwrap().interval;
    close([iqm.low, iqm.high], &[0.5333333333333333, 1.05], 0.02);
    let gap = estimate(&x, Aggregate::OptimalityGap(1.0), &bootstrap).unwrap().interval;
    close([gap.low, gap.high], &[0.1333333333333333, 0.45854166666667884], 0.02);
    let improvement = estimate_improvement(&x, &y, &bootstrap).unwrap().interval;
    close([improvement.low, improvement.high], &[0.3333333333333333, 0.8020833333333334], 0.011);
    assert!(probability_of_improvement(&x, &y[..2]).is_err());
    assert!(interquartile_mean(&[vec![]]).is_err());
}
