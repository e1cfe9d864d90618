//! Lives that enter late, and weighted ones, against lifelines 0.30.3 and, where it has no such thing, R's survival 3.5.3.

use super::*;

/// As `reference/statistics.py` and `survival.R` have them: no entry is at a time of death.
fn entry(row: usize, duration: f64) -> f64 {
    duration * [0.0, 0.13, 0.37, 0.0][row % 4]
}

fn weight(row: usize) -> f64 {
    [1.0, 2.0, 0.5, 1.5, 3.0][row % 5]
}

/// Which of both the lives have.
#[derive(Clone, Copy)]
pub(super) struct Which {
    entries: bool,
    weights: bool,
}

pub(super) const NEITHER: Which = Which { entries: false, weights: false };
const ENTRIES: Which = Which { entries: true, weights: false };
const WEIGHTS: Which = Which { entries: false, weights: true };
const BOTH: Which = Which { entries: true, weights: true };

/// Lives of a table, each duration made longer by a row's share of `apart` after the entry was drawn.
pub(super) fn lives(text: &str, which: Which, apart: f64) -> Lifetimes {
    let columns = columns(text);
    let durations = numbers(&columns[0]);
    let rows = 0..durations.len();
    let longer = durations.iter().enumerate().map(|(row, t)| t + apart * row as f64).collect();
    let mut lives = Lifetimes::new(longer, flags(&columns[1])).unwrap();
    if which.entries {
        lives = lives.entered_at(rows.clone().map(|row| entry(row, durations[row])).collect()).unwrap();
    }
    if which.weights {
        lives = lives.weighted(rows.map(weight).collect()).unwrap();
    }
    lives
}

/// The lives whose label in this column is each of these.
fn by_label(lives: &Lifetimes, text: &str, column: usize, labels: [&str; 2]) -> Vec<Group> {
    let column = columns(text)[column].clone();
    let group = |label: &str| {
        let rows: Vec<usize> = (0..column.len()).filter(|row| column[*row] == label).collect();
        Group { name: label.to_owned(), lifetimes: lives.of_rows(&rows).unwrap() }
    };
    labels.map(group).into()
}

fn model(which: Which, apart: f64, clusters: bool, ties: Ties) -> (CoxData, CoxFit) {
    let data = leukemia_of(lives(LEUKEMIA, which, apart), clusters);
    let fit = fit(&data, &CoxOptions { ties, level: 0.95 }).unwrap();
    (data, fit)
}

/// Survival at 20, 40 and 60, its log-log bands there, and the restricted mean up to 60. The bands of weighted lives are R's: lifelines cuts
/// their numbers at risk down to whole ones.
#[test]
fn curves_match_lifelines_and_r() {
    for (which, group, survival, bands, mean) in [
        (
            ENTRIES,
            0,
            [0.9768976897689778, 0.945885064696947, 0.37569580087260473],
            [
                [0.9094726336427725, 0.9942592287810164],
                [0.8815344972359017, 0.9757517779120979],
                [0.29201865716760744, 0.45905381084085817],
            ],
            53.961532071574545,
        ),
        (
            WEIGHTS,
            0,
            [0.9853642749262816, 0.9362189245558936, 0.35783676441705053],
            [
                [0.9553115964045715, 0.9952564092692145],
                [0.8926887876001796, 0.9624590900510894],
                [0.2919964461820415, 0.4240391841162456],
            ],
            53.932163910795396,
        ),
        (
            BOTH,
            1,
            [0.6207477069546039, 0.1369296412399861, 0.05477185649599447],
            [
                [0.4731011435960283, 0.7380188531352234],
                [0.06195417921476008, 0.24138765904876433],
                [0.01434547305120324, 0.13700562376837383],
            ],
            25.440308254963433,
        ),
    ] {
        let group = &by_label(&lives(WALTONS, which, 0.0), WALTONS, 2, ["control", "miR-137"])[group];
        let curve = KaplanMeier::from_lifetimes(&group.lifetimes, 0.95).unwrap();
        for ((time, survival), band) in [20.0, 40.0, 60.0].into_iter().zip(survival).zip(bands) {
            let step = curve.steps.iter().rfind(|step| step.time <= time).unwrap();
            let found = step.spread.unwrap().log_log;
            close([step.survival, found.low, found.high], &[survival, band[0], band[1]], 1e-9);
        }
        close([restricted_mean(group, 60.0, 0.95).unwrap().mean], &[mean], 1e-9);
    }
}

/// Weights by lifelines; entries, which its test doesn't know, by the score test of R's coxph, the same where nobody dies with another.
#[test]
fn log_rank_matches_lifelines_and_r() {
    let weighted = lives(WALTONS, WEIGHTS, 0.0);
    let test = log_rank(&by_label(&weighted, WALTONS, 2, ["control", "miR-137"])).unwrap();
    relative(test.chi_square, 186.49814523038708);
    relative(test.p, 1.8481910552018533e-42);
    let excess: f64 = test.groups.iter().map(|group| group.observed_weight.unwrap() - group.expected).sum();
    assert!(excess.abs() < 1e-9, "all deaths are expected somewhere");
    let entered = lives(LEUKEMIA, ENTRIES, 0.001);
    let test = log_rank(&by_label(&entered, LEUKEMIA, 4, ["0", "1"])).unwrap();
    relative(test.chi_square, 14.69908878685124);
}

/// lifelines: CoxPHFitter(...).fit(..., entry_col, weights_col); with entries it stops 2e-7 short of the maximum.
#[test]
fn cox_matches_lifelines() {
    for (which, coefficients, errors, log_likelihood) in [
        (
            ENTRIES,
            [0.26256251362756894, 1.5818228783608643, 1.4477462061034292],
            [0.4546732221912998, 0.337345280480914, 0.45610782812588163],
            -68.3646433725124,
        ),
        (
            WEIGHTS,
            [0.35914672891456945, 1.8375305749422446, 1.4527872912010869],
            [0.3659322938066591, 0.26144238700572686, 0.34861921471772916],
            -138.6139861787287,
        ),
        (
            BOTH,
            [0.3173240531555985, 1.7629800000336973, 1.402278567641236],
            [0.3705567087816255, 0.26391003218456416, 0.34648698948179657],
            -137.36395075568615,
        ),
    ] {
        let (_, found) = model(which, 0.0, false, Ties::Efron);
        close(super::coefficients(&found), &coefficients, 1e-6);
        close(found.coefficients.iter().map(|c| c.standard_error), &errors, 1e-7);
        close([found.log_likelihood], &[log_likelihood], 1e-9);
    }
    let (data, untied) = model(WEIGHTS, 0.001, false, Ties::Efron);
    close(super::coefficients(&untied), &[0.3683714582940055, 1.8871442068023825, 1.4344687084364764], 1e-6);
    let robust = [0.4637120809631797, 0.33767425907082127, 0.409684698519814];
    close(untied.coefficients.iter().filter_map(|c| c.robust_standard_error), &robust, 1e-6);
    for (transform, statistics) in [
        (TimeTransform::Rank, [4.613129246211755, 0.6489543077034221, 0.7015054882673407]),
        (TimeTransform::KaplanMeier, [4.742541754323714, 0.7260611040577654, 0.7576920601770172]),
    ] {
        let found = proportional_hazards(&data, &untied, transform).unwrap();
        close(found.columns.iter().map(|column| column.chi_square), &statistics, 1e-6);
    }
}

/// R's survival 3.5.3, `reference/survival.R`: entries and weights with ties, clusters or each life its own.
#[test]
fn robust_errors_and_concordance_match_r() {
    for (ties, coefficients, naive, robust, alone, log_likelihood, concordance) in [
        (
            Ties::Efron,
            [0.3173240891845099, 1.7629801921085866, 1.402278719800376],
            [0.3705567165874559, 0.2639100467189473, 0.3464870014029797],
            [0.488099422119019, 0.2866317846093644, 0.3100850393814311],
            [0.4337279790686406, 0.3328035810820495, 0.372413506446408],
            -137.3639507556858,
            0.8651634382566586,
        ),
        (
            Ties::Breslow,
            [0.2382024144391573, 1.6580037354061745, 1.2829111723290159],
            [0.3679979180921416, 0.2590357344306848, 0.3438467535731304],
            [0.469307428149446, 0.2650487030710961, 0.2926622788309316],
            [0.410726344779452, 0.3120521834951724, 0.354060116293558],
            -142.0314077499201,
            0.8642554479418887,
        ),
    ] {
        let (_, found) = model(BOTH, 0.0, true, ties);
        close(super::coefficients(&found), &coefficients, 1e-9);
        close(found.coefficients.iter().map(|c| c.standard_error), &naive, 1e-9);
        close(found.coefficients.iter().filter_map(|c| c.robust_standard_error), &robust, 1e-9);
        close(
            [found.log_likelihood, *found.concordance.known().unwrap()],
            &[log_likelihood, concordance],
            1e-9,
        );
        let (_, found) = model(BOTH, 0.0, false, ties);
        close(found.coefficients.iter().filter_map(|c| c.robust_standard_error), &alone, 1e-9);
        assert_eq!(found.clusters, None);
    }
    let (data, found) = model(ENTRIES, 0.0, false, Ties::Efron);
    close(found.concordance.known().copied(), &[0.8424543946932006], 1e-12);
    assert!(found.coefficients[0].robust_standard_error.is_none());
    // Schoenfeld residuals times the mean ranks of their deaths, summed by column.
    let residuals = found.schoenfeld_residuals(&data).unwrap();
    let times: Vec<f64> = residuals.iter().map(|residual| residual.time).collect();
    let rank = |time: f64| {
        let before = times.iter().filter(|other| **other < time).count() as f64;
        let tied = times.iter().filter(|other| **other == time).count() as f64;
        before + (tied + 1.0) / 2.0
    };
    let sum = |column: usize| residuals.iter().map(|one| rank(one.time) * one.values[column]).sum::<f64>();
    close((0..3).map(sum), &[-39.8170718517156, 11.234727033249063, 4.391010520067145], 1e-8);
}

/// Found by `no_late_or_weighted_life_says_nan`: weights twelve orders of magnitude apart, of which the sums round.
#[test]
fn a_concordance_is_a_share_whatever_the_weights() {
    let durations = vec![27.0, 1.0, 10.0, 8.0, 8.0, 8.0, 1.0, 27.0];
    let events = vec![true, false, false, true, false, true, false, true];
    let mut entries = vec![0.0; 8];
    entries[7] = 27.0 * (0.8825752712973377 - 0.33);
    let weights = vec![0.3, 1.0, 0.3, 1e6, 1e6, 1e-6, 1.0, 1.0];
    let lifetimes = Lifetimes::new(durations, events).unwrap();
    let lifetimes = lifetimes.entered_at(entries).unwrap().weighted(weights).unwrap();
    let values = vec![0.1, 0.0, 0.2, 0.3, 0.0, 0.1, -0.1, -0.2];
    let data = CoxData::new(lifetimes, vec![Covariate { name: "x".to_owned(), values }], None).unwrap();
    let share = *fit(&data, &CoxOptions::default()).unwrap().concordance.known().unwrap();
    assert!((0.0..=1.0).contains(&share), "{share:e}");
}

/// Entries at 0 and weights of 1 are what there is without them, to the last bit but for what is said of robust errors.
#[test]
fn entries_at_zero_and_weights_of_one_change_nothing() {
    let plain = lives(LEUKEMIA, NEITHER, 0.0);
    let count = plain.count();
    let same = plain.clone().entered_at(vec![0.0; count]).unwrap().weighted(vec![1.0; count]).unwrap();
    assert_eq!(KaplanMeier::from_lifetimes(&plain, 0.9), KaplanMeier::from_lifetimes(&same, 0.9));
    let fitted = |lives: &Lifetimes| {
        let x = Covariate { name: "x".to_owned(), values: numbers(&columns(LEUKEMIA)[3]) };
        fit(&CoxData::new(lives.clone(), vec![x], None).unwrap(), &CoxOptions::default()).unwrap()
    };
    let (one, other) = (fitted(&plain), fitted(&same));
    assert_eq!(one.covariance, other.covariance);
    assert_eq!((one.log_likelihood, one.concordance), (other.log_likelihood, other.concordance));
}

/// A weight of 2 is a life twice over in curves and in the log-rank test, and entering twice changes no risk set.
#[test]
fn a_weight_counts_as_lives() {
    let plain = lives(LEUKEMIA, ENTRIES, 0.0);
    let count = plain.count();
    let doubled = plain.of_rows(&(0..2 * count).map(|row| row % count).collect::<Vec<_>>()).unwrap();
    let weighted = plain.weighted(vec![2.0; count]).unwrap();
    let survival = |lives: &Lifetimes| {
        let curve = KaplanMeier::from_lifetimes(lives, 0.95).unwrap();
        curve.steps.into_iter().map(|step| (step.time, step.survival, step.spread)).collect::<Vec<_>>()
    };
    assert_eq!(survival(&doubled), survival(&weighted));
}

#[test]
fn impossible_observations_are_refused() {
    let lives = || Lifetimes::new(vec![2.0, 0.0, 4.0], vec![true; 3]).unwrap();
    let entered = |entries: &[f64]| lives().entered_at(entries.to_vec()).map_err(|error| error.to_string());
    assert!(entered(&[0.0, 0.0, 3.0]).is_ok(), "0 is from the start");
    let late = "entry, row 1: 2 is not before the duration, 2: this life was never under observation";
    assert_eq!(entered(&[2.0, 0.0, 1.0]).unwrap_err(), late);
    assert_eq!(entered(&[0.0, 0.0, -1.0]).unwrap_err(), "entry, row 3: -1 is negative");
    assert_eq!(entered(&[0.0, 0.0]).unwrap_err(), "entries: 2 rows where 3 are expected");
    assert_eq!(entered(&[0.0, 0.0, f64::NAN]).unwrap_err(), "entry, row 3: NaN is not a finite number");
    let weighted = |weights: &[f64]| lives().weighted(weights.to_vec()).map_err(|error| error.to_string());
    assert_eq!(weighted(&[1.0, 0.0, 1.0]).unwrap_err(), "weight, row 2 = 0: must be from 1e-6 to 1e6");
    assert_eq!(weighted(&[1.0]).unwrap_err(), "weights: 1 rows where 3 are expected");
    // Both who are there at 1 die before anybody else enters.
    let gap = Lifetimes::new(vec![1.0, 1.0, 5.0, 6.0], vec![true; 4]).unwrap();
    let gap = gap.entered_at(vec![0.0, 0.0, 2.0, 2.0]).unwrap();
    let error = KaplanMeier::from_lifetimes(&gap, 0.95).unwrap_err().to_string();
    assert!(error.starts_with("at 1 everybody under observation dies while others enter later"), "{error}");
    assert_eq!(gap.at_risk(&[1.0, 2.0, 2.5, 6.0, 7.0]), [2, 0, 2, 1, 0]);
}
