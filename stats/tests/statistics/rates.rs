//! Rates per exposure against statsmodels, and how often a ratio is found where there is none.

use super::{close, relative};
use morta_base::math::{exp, ln};
use morta_base::rng::Stream;
use morta_base::{Purpose, WorldSeed};
use morta_stats::rates::{Exposure, rate, rate_ratio};

const EVENTS: [u64; 26] = [3, 0, 1, 2, 0, 4, 1, 0, 2, 5, 0, 1, 1, 0, 0, 2, 0, 1, 0, 0, 1, 2, 0, 1, 3, 0];
const EXPOSURE: [f64; 26] = [
    120.0, 80.5, 60.0, 140.0, 33.0, 150.0, 90.0, 75.0, 110.0, 160.0, 20.0, 88.0, 95.0, 40.0, 70.0, 130.0,
    66.0, 101.0, 58.0, 47.0, 93.0, 149.0, 81.0, 77.0, 137.0, 29.0,
];

/// Thirteen rows of an arm, thirteen of a baseline; seven worlds each, of which five are the same.
fn arms() -> (Vec<Exposure>, Vec<Exposure>) {
    let row = |n: usize| {
        let world = if n < 13 { n % 7 } else { n % 7 + 2 };
        Exposure { world: world as u32, events: EVENTS[n], exposure: EXPOSURE[n] }
    };
    ((0..13).map(row).collect(), (13..26).map(row).collect())
}

/// statsmodels 0.15.0: GLM Poisson with offset, cov_type="cluster" and use_t=True.
#[test]
fn rates_by_world_match_statsmodels() {
    let (arm, baseline) = arms();
    let found = rate_ratio(&arm, &baseline, 0.95).unwrap();
    close(
        [ln(found.ratio), found.log_standard_error, found.t],
        &[0.5681750413310929, 0.2229655557513464, 2.548263741529332],
        1e-9,
    );
    relative(found.p, 0.034267141098227184);
    close([found.interval.low, found.interval.high], &[1.0555010127043463, 2.951562038830203], 1e-9);
    assert_eq!(found.worlds, 9);
    let alone = rate(&arm, 0.95).unwrap();
    close([ln(alone.rate), alone.log_standard_error], &[-4.1121026171438055, 0.16722427570448925], 1e-9);
    close([alone.interval.low, alone.interval.high], &[0.010875032873468768, 0.0246514500387202], 1e-9);
    assert_eq!((alone.events, alone.exposure, alone.worlds), (20, 1221.5, 7));
}

/// Poisson's count: how many exponential waits fit in (Knuth).
fn poisson(mean: f64, stream: &mut Stream) -> u64 {
    let (least, mut product, mut count) = (exp(-mean), stream.uniform(), 0);
    while product > least {
        product *= stream.uniform();
        count += 1;
    }
    count
}

/// 2,000 comparisons without effect (seed 36), of 40 worlds whose rates differ by a factor of 1.6 either way: 5 ± 1.5 % find a ratio. Taking rows
/// for independent finds one in more than twice as many.
#[test]
fn a_ratio_that_is_not_there_is_found_at_the_level() {
    let arm = |trial: u64, part: u32, as_worlds: bool| -> Vec<Exposure> {
        let mut stream = WorldSeed(36).world(Purpose::Bootstrap, part, trial);
        let mut rows = Vec::new();
        for world in 0..40 {
            let rate = 0.02 * exp(0.5 * stream.normal());
            for golem in 0..6 {
                let exposure = stream.between(20.0, 80.0);
                let world = if as_worlds { world } else { 1_000 * part + 6 * world + golem };
                rows.push(Exposure { world, events: poisson(rate * exposure, &mut stream), exposure });
            }
        }
        rows
    };
    let found = |as_worlds: bool| {
        let p =
            |trial: u64| rate_ratio(&arm(trial, 1, as_worlds), &arm(trial, 2, as_worlds), 0.95).unwrap().p;
        (0..2_000).filter(|trial| p(*trial) <= 0.05).count() as f64 / 2_000.0
    };
    let share = found(true);
    assert!((share - 0.05).abs() <= 0.015, "{share} found by world");
    let share = found(false);
    assert!(share > 0.1, "{share} found by row");
}

#[test]
fn a_missing_rate_has_a_reason() {
    let rows = |events: &[u64]| -> Vec<Exposure> {
        let row = |(n, events): (usize, &u64)| Exposure { world: n as u32, events: *events, exposure: 10.0 };
        events.iter().enumerate().map(row).collect()
    };
    let error = |rows: &[Exposure]| rate(rows, 0.95).unwrap_err().to_string();
    assert_eq!(error(&rows(&[0, 0])), "events: 0 of them, and at least 1 are needed");
    assert_eq!(error(&rows(&[3])), "worlds: 1 of them, and at least 2 are needed");
    assert_eq!(error(&rows(&[3, 3, 3])), "the rate of the worlds is constant");
    assert_eq!(error(&[]), "exposure: 0 of them, and at least 1 are needed");
    let mut idle = rows(&[1, 2]);
    idle[1].exposure = 0.0;
    assert_eq!(error(&idle), "exposure, row 2 = 0: must be above 0");
    let error = rate_ratio(&rows(&[1, 2]), &rows(&[0, 0]), 0.95).unwrap_err().to_string();
    assert_eq!(error, "events of the baseline: 0 of them, and at least 1 are needed");
    assert!(rate(&rows(&[1, 2]), 1.0).is_err());
    assert!(rate(&rows(&[1, 2]), 0.95).unwrap().interval.high.is_finite());
}
