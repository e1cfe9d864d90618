//! The statistics against other people's: lifelines 0.30.3, scipy 1.17.1, statsmodels 0.15.0, rliable 1.2.0, SALib 1.6.0,
//! scikit-learn 1.9.1; R's ldbounds 2.0.2 and survival 3.5.3. The scripts that made the figures are `stats/tests/reference/statistics.py`, and
//! `sensitivity.py`, `shrinkage.py`, `information.py`, `looks.py`, `looks.R` and `survival.R` beside it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod comparisons;
mod equivalence;
mod information;
mod late;
mod looks;
mod properties;
mod rates;
mod sensitivity;
mod shrinkage;

use morta_base::math::ln;
use morta_stats::survival::cox::{Covariate, CoxData, CoxFit, CoxOptions, Ties, fit};
use morta_stats::survival::kaplan_meier::KaplanMeier;
use morta_stats::survival::log_rank::log_rank;
use morta_stats::survival::proportional::{TimeTransform, proportional_hazards};
use morta_stats::survival::restricted_mean::{common_horizon, difference, restricted_mean};
use morta_stats::survival::{Group, Lifetimes};
use morta_stats::t_test::paired_t;

const WALTONS: &str = include_str!("../data/waltons.csv");
const LEUKEMIA: &str = include_str!("../data/leukemia.csv");

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
    leukemia_of(late::lives(LEUKEMIA, late::NEITHER, apart), clusters)
}

/// Leukemia with these lives.
fn leukemia_of(lifetimes: Lifetimes, clusters: bool) -> CoxData {
    let columns = columns(LEUKEMIA);
    let covariate = |(name, column): (&str, usize)| Covariate {
        name: name.to_owned(),
        values: numbers(&columns[column]),
    };
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
    let curve = KaplanMeier::from_lifetimes(&group.lifetimes, 0.95).unwrap();
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
            0.9391992058810062, 0.9960845048946165, 0.8987614957831938, 0.9786912394043681,
            0.2946992400743214, 0.4620222923387471,
        ],
        [58.0, 56.0, 60.0],
    );
    check_curve(
        &groups[1],
        [20.0, 40.0, 60.0],
        &[0.6470588235294118, 0.11764705882352941, 0.0588235294117647],
        &[0.006716873600651334, 0.003053124363932424, 0.0016283329940972925],
        &[
            0.46302827101715777, 0.7818309341328031, 0.03724264898014479, 0.24859392443507625,
            0.010526764426069285, 0.17157892776798933,
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
    close([found.interval.unwrap().low], &[found.difference - 1.959963984540054 * error], 1e-9);
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
    close([ln(sex.low), ln(sex.high)], &[0.3146780496052354 - half, 0.3146780496052354 + half], 1e-7);
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
fn a_model_that_cannot_be_fitted_has_a_reason() {
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
        "column `a` tells at every death without fail who dies of those at risk: its coefficient has no finite estimate, so leave the column out",
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

/// One life tells nothing about how sure its mean is, and neither does a group in which nobody died; a difference from one has no p.
#[test]
fn a_mean_of_one_life_has_no_interval() {
    let groups = grouped(
        &[5.0, 4.0, 7.0, 6.0, 9.0, 9.0],
        &[true, true, true, true, false, false],
        &["a", "b", "b", "b", "c", "c"],
    );
    let [one, several, alive] =
        [0, 1, 2].map(|group: usize| restricted_mean(&groups[group], 6.5, 0.95).unwrap());
    assert_eq!((one.interval, one.lives, alive.interval, alive.mean), (None, 1, None, 6.5));
    let interval = several.interval.unwrap();
    assert!(interval.low < several.mean && several.mean < interval.high, "{interval:?}");
    let unknown = difference(&one, &several).unwrap();
    assert_eq!((unknown.interval, unknown.p), (None, None));
    assert!(difference(&alive, &several).unwrap().p.is_some(), "the error of the others is known");
}

#[test]
fn values_too_small_to_be_squared_are_refused() {
    let message = paired_t(&[1e-200, 2e-200, 3e-200], 0.95).unwrap_err().to_string();
    assert!(
        message.ends_with(
            "row 3: 3e-200 is the largest in size, and must be 1e-90 or more: measure it in a smaller unit"
        ),
        "{message}"
    );
    assert!(paired_t(&[0.0, 1e-200, 1.0], 0.95).is_ok(), "beside others it counts as nothing");
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
