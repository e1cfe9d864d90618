//! The statistics against other people's: lifelines 0.30.3, scipy 1.17.1, statsmodels 0.15.0, rliable 1.2.0. The script that
//! made the figures is `reference/statistics.py`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

use morta_engine::base::WorldSeed;
use morta_engine::stats::survival::cox::{Covariate, CoxData, CoxFit, CoxOptions, Ties, fit};
use morta_engine::stats::survival::kaplan_meier::KaplanMeier;
use morta_engine::stats::survival::log_rank::log_rank;
use morta_engine::stats::survival::proportional::{TimeTransform, proportional_hazards};
use morta_engine::stats::survival::restricted_mean::{common_horizon, difference, restricted_mean};
use morta_engine::stats::survival::{Group, Lifetimes};

const WALTONS: &str = include_str!("data/waltons.csv");
const LEUKEMIA: &str = include_str!("data/leukemia.csv");

fn columns(text: &str) -> Vec<Vec<&str>> {
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

fn numbers(column: &[&str]) -> Vec<f64> {
    column.iter().map(|text| text.parse().unwrap()).collect()
}

fn flags(column: &[&str]) -> Vec<bool> {
    column.iter().map(|text| *text == "1").collect()
}

fn grouped(durations: &[f64], events: &[bool], names: &[&str]) -> Vec<Group> {
    let mut known = names.to_vec();
    known.sort_unstable();
    known.dedup();
    let of = |name: &&str| {
        let rows = (0..names.len()).filter(|row| names[*row] == *name);
        let (durations, events) = rows.map(|row| (durations[row], events[row])).unzip();
        Group { name: (*name).to_owned(), lifetimes: Lifetimes::new(durations, events).unwrap() }
    };
    known.iter().map(of).collect()
}

fn waltons() -> Vec<Group> {
    let columns = columns(WALTONS);
    grouped(&numbers(&columns[0]), &flags(&columns[1]), &columns[2])
}

/// Leukemia with each duration made longer by a row's share of this.
fn leukemia(apart: f64, clusters: bool) -> CoxData {
    let columns = columns(LEUKEMIA);
    let durations: Vec<f64> =
        numbers(&columns[0]).iter().enumerate().map(|(row, t)| t + apart * row as f64).collect();
    let covariate = |(name, column): (&str, usize)| Covariate {
        name: name.to_owned(),
        values: numbers(&columns[column]),
    };
    let lifetimes = Lifetimes::new(durations, flags(&columns[1])).unwrap();
    let covariates = [("sex", 2), ("logWBC", 3), ("Rx", 4)].map(covariate).into();
    let clusters = clusters.then(|| (0..lifetimes.count() as u32).map(|row| row % 14).collect());
    CoxData::new(lifetimes, covariates, clusters).unwrap()
}

fn close(found: impl IntoIterator<Item = f64>, expected: &[f64], tolerance: f64) {
    let found: Vec<f64> = found.into_iter().collect();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        let scale = expected.abs().max(1e-300);
        let near = (found - expected).abs() < tolerance || (found - expected).abs() / scale < tolerance;
        assert!(near, "found {found}, expected {expected}");
    }
}

/// Absolute 1e-6 is not enough for what is small itself.
fn relative(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-6, "found {found}, expected {expected}");
}

fn check_curve(
    group: &Group,
    at: [f64; 3],
    survival: &[f64],
    variance: &[f64],
    bands: &[f64],
    median: [f64; 3],
) {
    let curve = KaplanMeier::of(&group.lifetimes, 0.95).unwrap();
    let step = |time: f64| curve.steps.iter().rfind(|step| step.time <= time).unwrap();
    close(at.map(|time| curve.survival_at(time)), survival, 1e-9);
    let spread = |time: &f64| step(*time).spread;
    close(at.iter().filter_map(spread).map(|spread| spread.variance), variance, 1e-9);
    let ends = at.iter().filter_map(spread).flat_map(|spread| [spread.log_log.low, spread.log_log.high]);
    close(ends, bands, 1e-9);
    for (time, survival) in at.iter().zip(survival) {
        let Some(spread) = spread(time) else { continue };
        let half = 1.959963984540054 * spread.variance.sqrt();
        let expected = [(survival - half).max(0.0), (survival + half).min(1.0)];
        close([spread.plain.low, spread.plain.high], &expected, 1e-9);
    }
    let found = curve.median;
    assert_eq!([found.time, found.low, found.high], median.map(Some));
}

#[test]
fn survival_curves_match_lifelines() {
    let groups = waltons();
    check_curve(
        &groups[0],
        [20.0, 40.0, 60.0],
        &[0.98443508514924, 0.9531831776841849, 0.37859453614809785],
        &[0.00011925335948680598, 0.0003482208902334994, 0.0018533109643996824],
        &[
            0.9391992058810062,
            0.9960845048946165,
            0.8987614957831938,
            0.9786912394043681,
            0.2946992400743214,
            0.4620222923387471,
        ],
        [58.0, 56.0, 60.0],
    );
    check_curve(
        &groups[1],
        [20.0, 40.0, 60.0],
        &[0.6470588235294118, 0.11764705882352941, 0.0588235294117647],
        &[0.006716873600651334, 0.003053124363932424, 0.0016283329940972925],
        &[
            0.46302827101715777,
            0.7818309341328031,
            0.03724264898014479,
            0.24859392443507625,
            0.010526764426069285,
            0.17157892776798933,
        ],
        [26.0, 19.0, 29.0],
    );
    let columns = columns(LEUKEMIA);
    let treated = grouped(&numbers(&columns[0]), &flags(&columns[1]), &columns[4]);
    // At 23 nobody is left: lifelines says (0, 0) there, but a band around a curve that ended is not known.
    check_curve(
        &treated[1],
        [6.0, 13.0, 23.0],
        &[0.5714285714285714, 0.19047619047619047, 0.0],
        &[0.011661807580174925, 0.007342619587517546],
        &[0.33797695385949306, 0.7492407099432165, 0.059481701361175233, 0.37743489058515],
        [8.0, 4.0, 11.0],
    );
}

/// The means are lifelines'; the variances are those of the estimate, from the definition (see `restricted_mean`).
#[test]
fn restricted_means_match_lifelines() {
    let groups = waltons();
    let control = restricted_mean(&groups[0], 60.0, 0.95).unwrap();
    let mir = restricted_mean(&groups[1], 60.0, 0.95).unwrap();
    close([control.mean, control.variance], &[54.303556822839006, 0.5888397536094387], 1e-9);
    close([mir.mean, mir.variance], &[25.58823529411764, 4.849684510482392], 1e-9);
    let found = difference(&mir, &control).unwrap();
    let error = (0.5888397536094387_f64 + 4.849684510482392).sqrt();
    close([found.difference, found.standard_error], &[25.58823529411764 - 54.303556822839006, error], 1e-9);
    close([found.interval.low], &[found.difference - 1.959963984540054 * error], 1e-9);
    assert_eq!(
        common_horizon(&groups).unwrap(),
        75.0_f64.min(groups[1].lifetimes.durations().iter().copied().fold(0.0, f64::max))
    );
}

#[test]
fn log_rank_matches_lifelines() {
    let test = log_rank(&waltons()).unwrap();
    relative(test.chi_square, 122.24912557300615);
    relative(test.p, 2.0359832222855426e-28);
    let columns = columns(LEUKEMIA);
    let level = |x: f64| {
        if x < 2.3 {
            "low"
        } else if x < 3.1 {
            "middle"
        } else {
            "high"
        }
    };
    let levels: Vec<&str> = numbers(&columns[3]).into_iter().map(level).collect();
    let test = log_rank(&grouped(&numbers(&columns[0]), &flags(&columns[1]), &levels)).unwrap();
    relative(test.chi_square, 28.351922424499996);
    relative(test.p, 6.973619860792917e-07);
    assert_eq!(test.degrees_of_freedom, 2);
    let excess: f64 = test.groups.iter().map(|group| group.observed as f64 - group.expected).sum();
    assert!(excess.abs() < 1e-9, "all deaths are expected somewhere");
}

fn coefficients(fit: &CoxFit) -> impl Iterator<Item = f64> {
    fit.coefficients.iter().map(|coefficient| coefficient.coefficient)
}

#[test]
fn cox_with_efron_ties_matches_lifelines() {
    let data = leukemia(0.0, false);
    let found = fit(&data, &CoxOptions::default()).unwrap();
    close(coefficients(&found), &[0.3146780496052354, 1.6819423996746805, 1.5035912010043664], 1e-8);
    let errors = [0.45451154434482, 0.3365835509713954, 0.4615126720449877];
    close(found.coefficients.iter().map(|c| c.standard_error), &errors, 1e-8);
    let p = [0.48872172653491364, 5.819823176876357e-07, 0.0011221504367893815];
    found.coefficients.iter().zip(p).for_each(|(found, p)| relative(found.p, p));
    close([found.log_likelihood], &[-69.59048267084034], 1e-9);
    relative(found.likelihood_ratio_test.chi_square, 47.1875746520148);
    relative(found.likelihood_ratio_test.p, 3.1705137710865195e-10);
    let wald = found.wald_test.known().unwrap();
    relative(wald.chi_square, 33.54230066575064);
    relative(wald.p, 2.4747494594001887e-07);
    close(found.concordance.known().copied(), &[0.8513323983169705], 1e-12);
    let sex = &found.coefficients[0].hazard_ratio_interval;
    let half = 1.959963984540054 * errors[0];
    close([sex.low.ln(), sex.high.ln()], &[0.3146780496052354 - half, 0.3146780496052354 + half], 1e-7);
    assert!(found.iterations < 10, "{}", found.iterations);
}

/// statsmodels 0.15.0: PHReg with ties="breslow"; its robust errors are those of `fit(groups=...)`.
#[test]
fn cox_with_breslow_ties_matches_statsmodels() {
    let options = CoxOptions { ties: Ties::Breslow, level: 0.95 };
    let found = fit(&leukemia(0.0, true), &options).unwrap();
    close(coefficients(&found), &[0.26317061777442885, 1.593618797737934, 1.390876663865444], 1e-7);
    let errors = [0.4494352793165078, 0.32999580249866656, 0.4566457845605247];
    close(found.coefficients.iter().map(|c| c.standard_error), &errors, 1e-7);
    close([found.log_likelihood], &[-72.1090753433426], 1e-9);
    let robust = [0.4119341067968371, 0.27280665796616493, 0.31667297514828513];
    close(found.coefficients.iter().filter_map(|c| c.robust_standard_error), &robust, 1e-7);
}

/// lifelines where there are no ties (its fit stops 4e-8 short of the maximum); where there are, the definition written out in the script.
#[test]
fn robust_errors_match_lifelines_without_ties_and_the_definition_with_them() {
    let untied = fit(&leukemia(0.001, true), &CoxOptions::default()).unwrap();
    close(coefficients(&untied), &[0.29388943595566674, 1.719737351694017, 1.4388643426763392], 1e-6);
    let robust = [0.4617706454552099, 0.3014333806064499, 0.35760094760828603];
    close(untied.coefficients.iter().filter_map(|c| c.robust_standard_error), &robust, 1e-6);
    close(
        untied.coefficients.iter().map(|c| c.z),
        &[0.6364402736470025, 5.705198768079699, 4.023659199730261],
        1e-6,
    );
    close(untied.concordance.known().copied(), &[0.8423236514522822], 1e-12);
    assert_eq!(untied.clusters, Some(14));
    let tied = fit(&leukemia(0.0, true), &CoxOptions::default()).unwrap();
    let robust = [0.4161691252932978, 0.2895394729075921, 0.33645771655366136];
    close(tied.coefficients.iter().filter_map(|c| c.robust_standard_error), &robust, 1e-7);
}

#[test]
fn drift_matches_lifelines() {
    for (apart, transform, statistics, p) in [
        (
            0.001,
            TimeTransform::Rank,
            [4.459214911323402, 0.08837520435247112, 0.6254409918237129],
            [0.03471344856247425, 0.7662529986573046, 0.4290325361591021],
        ),
        (
            0.001,
            TimeTransform::KaplanMeier,
            [4.020419496109667, 0.10084842209495287, 0.4913532530084308],
            [0.04495253110862626, 0.7508138602195201, 0.4833242695404071],
        ),
        (
            0.0,
            TimeTransform::Rank,
            [4.36115652461237, 0.11159170803207115, 0.38366807125844565],
            [0.03676733602838253, 0.7383392250846503, 0.5356466548805219],
        ),
        (
            0.0,
            TimeTransform::KaplanMeier,
            [3.7826180838187535, 0.09597298980208206, 0.2337673276803021],
            [0.05178756982037387, 0.7567167954710803, 0.6287443732284974],
        ),
    ] {
        let data = leukemia(apart, false);
        let found =
            proportional_hazards(&data, &fit(&data, &CoxOptions::default()).unwrap(), transform).unwrap();
        close(found.columns.iter().map(|column| column.chi_square), &statistics, 1e-6);
        close(found.columns.iter().map(|column| column.p), &p, 1e-6);
        if apart == 0.0 && transform == TimeTransform::Rank {
            close([found.chi_square, found.p], &[4.47269467490104, 0.21473882970977975], 1e-6);
        }
    }
}

fn one_column(durations: &[f64], events: &[bool], columns: &[(&str, &[f64])]) -> Result<CoxFit, String> {
    let lifetimes = Lifetimes::new(durations.to_vec(), events.to_vec()).unwrap();
    let covariate =
        |(name, values): &(&str, &[f64])| Covariate { name: (*name).to_owned(), values: values.to_vec() };
    let data = CoxData::new(lifetimes, columns.iter().map(covariate).collect(), None);
    data.and_then(|data| fit(&data, &CoxOptions::default())).map_err(|error| error.to_string())
}

#[test]
fn what_cannot_be_fitted_says_why() {
    let (times, all) = ([1.0, 2.0, 3.0, 4.0], [true; 4]);
    let check = |events: &[bool], columns: &[(&str, &[f64])], expected: &str| {
        assert_eq!(one_column(&times, events, columns).unwrap_err(), expected);
    };
    check(&[false; 4], &[("a", &[1.0, 2.0, 0.0, 4.0])], "every life is censored: no event was observed");
    check(&all, &[("a", &[2.0; 4])], "column `a` is constant");
    check(&all, &[("a", &[0.1, f64::NAN, 3.0, 1.0])], "a, row 2: NaN is not a finite number");
    check(&all, &[("a", &[0.1, 3.0])], "a: 2 rows where 4 are expected");
    check(
        &all,
        &[("a", &[1.0, 1.0, 0.0, 0.0])],
        "column `a` separates the lives that end from those that don't: its coefficient has no finite estimate",
    );
    check(
        &all,
        &[("a", &[1.0, 3.0, 0.0, 4.0]), ("b", &[2.0, 6.0, 0.0, 8.0])],
        "column `b` is a linear combination of the columns before it: leave one of them out",
    );
    check(
        &[false, false, true, true],
        &[("a", &[1.0, 1.0, 0.0, 0.0])],
        "column `a` is the same for everybody at risk at every event: it tells nothing about the hazard",
    );
    let lives = Lifetimes::new(vec![1.0, 2.0], vec![true; 2]).unwrap();
    let column = Covariate { name: "a".to_owned(), values: vec![0.0, 1.0] };
    let error = CoxData::new(lives, vec![column], Some(vec![7, 7])).unwrap_err();
    assert_eq!(error.to_string(), "clusters: 1 of them, and at least 2 are needed");
}

#[test]
fn groups_that_cannot_be_compared_say_why() {
    let apart = grouped(&[1.0, 2.0, 9.0, 8.0], &[false, false, true, true], &["a", "a", "b", "b"]);
    let error = log_rank(&apart).unwrap_err().to_string();
    assert!(error.starts_with("the groups are never under observation together"), "{error}");
    let censored = grouped(&[1.0, 2.0], &[false, false], &["a", "b"]);
    assert_eq!(log_rank(&censored).unwrap_err().to_string(), "every life is censored: no event was observed");
    let error = log_rank(&censored[..1]).unwrap_err().to_string();
    assert_eq!(error, "groups: 1 of them, and at least 2 are needed");
    let error = restricted_mean(&censored[0], 3.0, 0.95).unwrap_err().to_string();
    assert_eq!(error, "horizon 3 is after the last observation of group `a` (1), which is censored");
    // Nobody is left at 9: the curve is 0 from there on, and the mean is known up to any horizon.
    let known = restricted_mean(&apart[1], 100.0, 0.95).unwrap();
    assert_eq!(known.mean, 8.5);
}

/// A strong but finite effect, with a column of thousands, must not be taken for separation.
#[test]
fn units_do_not_matter() {
    let times: Vec<f64> = (1..=40).map(f64::from).collect();
    let column =
        |unit: f64| -> Vec<f64> { (0..40).map(|row| unit * f64::from(40 - row + 17 * row % 11)).collect() };
    let small = one_column(&times, &[true; 40], &[("a", &column(1.0))]).unwrap();
    let large = one_column(&times, &[true; 40], &[("a", &column(1e6))]).unwrap();
    close([large.coefficients[0].coefficient * 1e6], &[small.coefficients[0].coefficient], 1e-9);
    close([large.log_likelihood], &[small.log_likelihood], 1e-9);
}

mod comparisons {
    use super::{WorldSeed, close, relative};
    use morta_engine::stats::aggregate::{
        Aggregate, estimate, estimate_improvement, interquartile_mean, optimality_gap, performance_profile,
        probability_of_improvement,
    };
    use morta_engine::stats::bootstrap::Bootstrap;
    use morta_engine::stats::permutation::sign_flip;
    use morta_engine::stats::rank_sum::rank_sum;
    use morta_engine::stats::signed_rank::{RankMethod, signed_rank};
    use morta_engine::stats::{CompareOptions, Figure, compare_pairs};

    const A: [f64; 12] = [0.52, 1.31, -0.24, 2.05, 0.97, 1.44, 0.11, 3.02, 1.76, 0.68, 2.49, 1.18];
    const B: [f64; 12] = [0.31, 0.85, -0.40, 1.95, 1.12, 0.93, -0.35, 1.88, 1.41, 0.72, 1.60, 1.33];
    const TIED: [f64; 16] =
        [3.0, -1.0, 2.0, 2.0, 0.0, 5.0, -4.0, 1.0, 1.0, 6.0, -2.0, 3.0, 7.0, 0.0, 2.0, 4.0];

    fn known<T: Clone>(figure: &Figure<T>) -> T {
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
        close([test.negative_ranks, test.p], &[8.0, 0.01171875], 1e-12);
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
        assert_eq!(
            found.paired_t.why_not().unwrap(),
            "paired differences: 1 of them, and at least 2 are needed"
        );
        assert!(found.bootstrap.known().is_none() && found.correlation.known().is_none());
        assert_eq!(known(&found.sign_flip).p, 1.0);
        let found = compare_pairs(&A, &A, &CompareOptions::default()).unwrap();
        assert_eq!(found.paired_t.why_not().unwrap(), "the difference of the pairs is constant");
        let why = "the difference of the pairs (0 everywhere) is constant";
        assert_eq!(found.sign_flip.why_not().unwrap(), why);
        close([known(&found.variance_reduction)], &[1.0], 1e-12);
        assert!(compare_pairs(&A, &B[..3], &CompareOptions::default()).is_err());
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<morta_engine::stats::PairedComparison>(&text).unwrap(), found);
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
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    fn lives() -> impl Strategy<Value = Vec<(f64, bool, f64)>> {
        let life = (1..30_u32, any::<bool>(), -20..20_i32);
        let values = life.prop_map(|(t, event, x)| (f64::from(t), event, f64::from(x) / 10.0));
        prop::collection::vec(values, 4..60)
    }

    /// Ordinary numbers, and some at the ends of what is allowed.
    fn number() -> impl Strategy<Value = f64> {
        let end = prop::sample::select(vec![0.0, -0.0, 1e90, -1e90, 1e-300, 1e9, 1e9 + 1e-6]);
        prop_oneof![9 => (-20..20_i32).prop_map(|x| f64::from(x) / 4.0), 1 => end]
    }

    /// JSON has no NaN: it would come back as an error.
    fn survives_json<T: serde::Serialize + serde::de::DeserializeOwned>(told: &T) {
        let text = serde_json::to_string(told).unwrap();
        assert!(serde_json::from_str::<T>(&text).is_ok(), "{text}");
    }

    proptest! {
        #[test]
        fn no_comparison_says_nan(pairs in prop::collection::vec((number(), number()), 1..24)) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let options = morta_engine::stats::CompareOptions { resamples: 100, ..Default::default() };
            // The difference of two numbers at the end is past it, and is refused as such.
            match morta_engine::stats::compare_pairs(&a, &b, &options) {
                Ok(found) => survives_json(&found),
                Err(error) => prop_assert!(error.to_string().contains("too large"), "{error}"),
            }
        }

        #[test]
        fn no_model_says_nan(lives in lives(), other in prop::collection::vec(number(), 60), clusters in 2..9_u32) {
            let (durations, events) = lives.iter().map(|life| (life.0, life.1)).unzip();
            let lifetimes = Lifetimes::new(durations, events).unwrap();
            survives_json(&KaplanMeier::of(&lifetimes, 0.95).unwrap());
            let count = lives.len();
            let columns = vec![
                Covariate { name: "x".to_owned(), values: lives.iter().map(|life| life.2).collect() },
                Covariate { name: "y".to_owned(), values: other[..count].to_vec() },
            ];
            let ids = (0..count as u32).map(|row| row % clusters).collect();
            let Ok(data) = CoxData::new(lifetimes, columns, Some(ids)) else { return Ok(()) };
            if let Ok(found) = fit(&data, &CoxOptions::default()) {
                survives_json(&found);
                if let Ok(drift) = proportional_hazards(&data, &found, TimeTransform::KaplanMeier) {
                    survives_json(&drift);
                }
            }
        }

        #[test]
        fn without_censoring_the_curve_is_the_share_that_survives(lives in lives()) {
            let durations: Vec<f64> = lives.iter().map(|life| life.0).collect();
            let lifetimes = Lifetimes::new(durations.clone(), vec![true; durations.len()]).unwrap();
            let curve = KaplanMeier::of(&lifetimes, 0.95).unwrap();
            for time in [0.5, 1.0, 7.0, 7.5, 29.0, 40.0] {
                let alive = durations.iter().filter(|t| **t > time).count() as f64 / durations.len() as f64;
                prop_assert!((curve.survival_at(time) - alive).abs() < 1e-12);
            }
            // Then the restricted mean is the mean of min(T, horizon).
            let group = Group { name: "x".to_owned(), lifetimes };
            let mean = durations.iter().map(|t| t.min(12.0)).sum::<f64>() / durations.len() as f64;
            prop_assert!((restricted_mean(&group, 12.0, 0.9).unwrap().mean - mean).abs() < 1e-9);
        }

        #[test]
        fn log_rank_does_not_know_names(lives in lives()) {
            let (durations, events): (Vec<f64>, Vec<bool>) = lives.iter().map(|life| (life.0, life.1)).unzip();
            let names = |of: [&'static str; 3]| -> Vec<&'static str> {
                lives.iter().map(|life| of[(life.2.abs() * 10.0) as usize % 3]).collect()
            };
            let one = log_rank(&grouped(&durations, &events, &names(["a", "b", "c"])));
            let other = log_rank(&grouped(&durations, &events, &names(["z", "x", "y"])));
            match (one, other) {
                (Ok(one), Ok(other)) => {
                    prop_assert!((one.chi_square - other.chi_square).abs() < 1e-6 * (1.0 + one.chi_square));
                }
                (one, other) => prop_assert_eq!(one.is_err(), other.is_err()),
            }
        }

        #[test]
        fn cox_does_not_know_the_order_of_rows(lives in lives(), turn in 1..50_usize) {
            let fitted = |lives: &[(f64, bool, f64)]| {
                let (durations, events) = lives.iter().map(|life| (life.0, life.1)).unzip();
                let column = Covariate { name: "x".to_owned(), values: lives.iter().map(|life| life.2).collect() };
                let data = CoxData::new(Lifetimes::new(durations, events).unwrap(), vec![column], None)?;
                let fit = fit(&data, &CoxOptions::default())?;
                let drift = proportional_hazards(&data, &fit, TimeTransform::Rank);
                Ok::<_, morta_engine::stats::StatsError>((fit, drift))
            };
            let mut turned = lives.clone();
            let by = turn % lives.len();
            turned.rotate_left(by);
            turned.swap(0, lives.len() / 2);
            let one = fitted(&lives);
            prop_assert_eq!(&one, &fitted(&turned));
            if let Ok((fit, _)) = one {
                prop_assert!(serde_json::to_value(&fit).unwrap()["coefficients"][0]["z"].is_number());
                prop_assert!(fit.log_likelihood >= fit.null_log_likelihood - 1e-9);
            }
        }
    }
}
