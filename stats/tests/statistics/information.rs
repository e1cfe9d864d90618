//! Mutual information against scikit-learn 1.9.1, and against what is known of two normals.

use super::{columns, numbers};
use morta_base::math::ln;
use morta_base::{Purpose, WorldSeed};
use morta_stats::mutual_information::{mutual_information, standardised};
use proptest::prelude::*;

const PAIRS: &str = include_str!("../data/information.csv");

fn variables(name: &str) -> [Vec<f64>; 2] {
    let head: Vec<&str> = PAIRS.lines().next().unwrap().split(',').collect();
    let columns = columns(PAIRS);
    ["x", "y"].map(|side| {
        let column = head.iter().position(|known| *known == format!("{name}_{side}")).unwrap();
        numbers(&columns[column])
    })
}

fn check(x: &[f64], y: &[f64], expected: [f64; 5]) {
    for (neighbours, expected) in (3..).zip(expected) {
        let found = mutual_information(x, y, neighbours).unwrap().max(0.0);
        assert!((found - expected).abs() < 1e-9, "{neighbours} neighbours: {found} {expected}");
    }
}

/// `_compute_mi_cc` of the variables as they are, for 3 to 7 neighbours.
#[test]
fn information_matches_scikit_learn() {
    for (name, expected) in [
        (
            "normal",
            [
                0.39620291837610466, 0.38569871489216556, 0.37287520091206083, 0.35606019264346944,
                0.3356853487537661,
            ],
        ),
        (
            "independent",
            [
                0.07132418703983578, 0.05886417783115583, 0.05927359196479243, 0.02443921049289033,
                0.012284943125359327,
            ],
        ),
        (
            "wave",
            [
                1.3329634199811675, 1.2422602440767307, 1.1863230687192594, 1.1292013668015177,
                1.0539290223485178,
            ],
        ),
        (
            "steps",
            [
                0.4527898961121637, 0.7258280594931028, 0.857806544873736, 1.0253708924943794,
                1.1466478880189896,
            ],
        ),
    ] {
        let [x, y] = variables(name);
        check(&x, &y, expected);
    }
}

/// The same of variables that were brought to one scale, as `mutual_info_regression` brings them.
#[test]
fn standardised_information_matches_scikit_learn() {
    let expected = [
        [
            0.39726584436459333, 0.38279802169989985, 0.36597591245069516, 0.3510659707337238,
            0.34193585697397033,
        ],
        [1.2048647033406379, 1.103995047832326, 1.0617883363189153, 0.9454326074742903, 0.8239454657114371],
    ];
    for (name, expected) in ["normal", "wave"].into_iter().zip(expected) {
        let [x, y] = variables(name).map(|values| standardised(&values).unwrap());
        check(&x, &y, expected);
    }
}

/// Two normals of correlation ρ have −½ ln(1 − ρ²) nats. Twenty samples of 1,000: their mean is within .015 of it; within .03 at .9, where seven
/// neighbours reach across the ridge (scikit-learn's estimate is as much above it).
#[test]
fn of_two_normals_the_exact_value_is_found() {
    for (correlation, within) in [(0.0_f64, 0.015), (0.3, 0.015), (0.6, 0.015), (0.9, 0.03)] {
        let exact = -0.5 * ln(1.0 - correlation * correlation);
        let found: Vec<f64> = (1..=20).map(|seed| of_normals(seed, 1_000, correlation)).collect();
        let mean = found.iter().sum::<f64>() / 20.0;
        assert!((mean - exact).abs() < within, "{correlation}: {mean} {exact}");
    }
}

/// What one window may say of variables that have nothing to do with each other.
#[test]
fn chance_scatters_as_documented() {
    for (count, documented) in [(200, 0.028), (1_000, 0.015)] {
        let found: Vec<f64> = (1..=60).map(|seed| of_normals(seed, count, 0.0)).collect();
        let squares: f64 = found.iter().map(|one| one * one).sum();
        let deviation = (squares / 60.0).sqrt();
        assert!((deviation / documented - 1.0).abs() < 0.3, "{count}: {deviation}");
    }
}

fn of_normals(seed: u64, count: usize, correlation: f64) -> f64 {
    let mut stream = WorldSeed(seed).world(Purpose::Bootstrap, 0, 0);
    let own = (1.0 - correlation * correlation).sqrt();
    let pair = |_| {
        let x = stream.normal();
        (x, correlation * x + own * stream.normal())
    };
    let (x, y): (Vec<f64>, Vec<f64>) = (0..count).map(pair).unzip();
    mutual_information(&x, &y, 7).unwrap()
}

/// What the definition says, pair by pair and without a sort.
fn by_definition(x: &[f64], y: &[f64], neighbours: usize) -> f64 {
    let count = x.len();
    let psi = |m: usize| (1..m).map(|j| 1.0 / j as f64).sum::<f64>();
    let others = |row: usize| (0..count).filter(move |other| *other != row);
    let around = |row: usize| {
        let apart = |values: &[f64], other: usize| (values[other] - values[row]).abs();
        let mut distances: Vec<f64> = others(row).map(|other| apart(x, other).max(apart(y, other))).collect();
        distances.sort_by(f64::total_cmp);
        let reach = distances[neighbours - 1];
        let near = |distance: f64| if reach > 0.0 { distance < reach } else { distance == 0.0 };
        let within = |values: &[f64]| others(row).filter(|other| near(apart(values, *other))).count();
        psi(within(x) + 1) + psi(within(y) + 1)
    };
    psi(neighbours) + psi(count) - (0..count).map(around).sum::<f64>() / count as f64
}

proptest! {
    /// Whatever the ties: it is what the definition says, the same either way round and in any order.
    #[test]
    fn information_is_symmetric_and_as_defined(
        pairs in prop::collection::vec((-6..6_i32, -40..40_i32), 9..60),
        neighbours in 1..8_usize,
    ) {
        let (x, y): (Vec<f64>, Vec<f64>) =
            pairs.iter().map(|(x, y)| (f64::from(*x) / 4.0, f64::from(*y) / 8.0)).unzip();
        let found = mutual_information(&x, &y, neighbours).unwrap();
        prop_assert!((found - by_definition(&x, &y, neighbours)).abs() < 1e-9);
        prop_assert!((found - mutual_information(&y, &x, neighbours).unwrap()).abs() < 1e-9);
        let turned = |values: &[f64]| values.iter().rev().copied().collect::<Vec<f64>>();
        let backwards = mutual_information(&turned(&x), &turned(&y), neighbours).unwrap();
        prop_assert!((found - backwards).abs() < 1e-9);
    }
}
