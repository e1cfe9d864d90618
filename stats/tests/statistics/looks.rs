//! Looks before the end: bounds against ldbounds and scipy, and how often trials without effect are stopped.

use super::close;
use morta_base::{Purpose, WorldSeed};
use morta_stats::looks::Spending::{OBrienFleming, Pocock};
use morta_stats::looks::{Look, Spending, look_bounds, reachable_looks, repeated_p};
use morta_stats::t_test::paired_t;

const FIFTHS: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];

fn bounds(spending: Spending, alpha: f64, fractions: &[f64]) -> Vec<f64> {
    look_bounds(spending, alpha, fractions).unwrap().into_iter().map(|look| look.z).collect()
}

/// ldbounds 2.0.2 (R 4.2): ldBounds(t, iuse, alpha = .05), as `reference/looks.R` prints them. Its grid errs by up to 1.5e-4
/// here, and by more where looks are close and spend little (it has `Inf` for the second of [.1, .15, .9, 1]): those are held below.
#[test]
fn bounds_match_ldbounds() {
    let check = |spending, fractions: &[f64], expected: &[f64]| {
        close(bounds(spending, 0.05, fractions), expected, 2e-4);
    };
    check(OBrienFleming, &FIFTHS, &[4.876884949, 3.356946291, 2.680258430, 2.289788675, 2.030998253]);
    check(Pocock, &FIFTHS, &[2.437976688, 2.426773493, 2.410139876, 2.396580003, 2.385906320]);
    let uneven = [0.3, 0.35, 0.37, 0.8, 1.0];
    check(OBrienFleming, &uneven, &[3.928572543, 3.636813362, 3.565761099, 2.252992553, 2.025480800]);
    check(Pocock, &uneven, &[2.311835304, 2.531819042, 2.607095604, 2.253435903, 2.350534345]);
    check(Pocock, &[0.1, 0.15, 0.9, 1.0], &[2.655110048, 2.756659204, 2.087292485, 2.302769519]);
}

/// scipy 1.17.1: nested adaptive quadrature, see `reference/looks.py`.
#[test]
fn bounds_match_adaptive_quadrature() {
    let check = |spending, alpha, fractions: &[f64], expected: &[f64]| {
        close(bounds(spending, alpha, fractions), expected, 1e-9);
    };
    let quarters = [0.25, 0.5, 1.0];
    check(OBrienFleming, 0.05, &quarters, &[4.332633646051611, 2.963131597679905, 1.968604317871883]);
    check(Pocock, 0.05, &quarters, &[2.3683277035239056, 2.3675242946636885, 2.2260807872105333]);
    check(OBrienFleming, 0.01, &quarters, &[5.492961025453902, 3.8013950260324205, 2.577585254532114]);
    check(Pocock, 0.05, &[0.3, 0.35, 0.8], &[2.311835303805784, 2.5316520549632795, 2.2398410940802025]);
    check(Pocock, 0.05, &[0.5, 0.501, 1.0], &[2.156999218344682, 2.2371772365470166, 2.2016321114738457]);
}

/// ldbounds 2.0.2: exit.pr of five equal looks.
#[test]
fn spending_matches_ldbounds() {
    let spent = |spending: Spending| FIFTHS.map(|fraction| spending.spent(0.05, fraction));
    let expected = [1.077742526e-06, 7.883035134e-04, 7.616126622e-03, 2.442358069e-02, 0.05];
    close(spent(OBrienFleming).map(|spent| spent * 1e6), &expected.map(|spent| spent * 1e6), 1e-3);
    close(spent(Pocock), &[0.01476972646, 0.02615685818, 0.03542565334, 0.04324198626, 0.05], 1e-10);
    let looks = look_bounds(Pocock, 0.05, &[0.3, 0.9]).unwrap();
    assert_eq!(looks[1].spent, Pocock.spent(0.05, 0.9), "what isn't spent is kept");
    // A spending of 3e-56 has no bound that could be told from never.
    assert_eq!(bounds(OBrienFleming, 0.05, &[0.02, 1.0])[0], 8.0);
}

/// One look is the usual test.
#[test]
fn a_single_look_is_at_alpha() {
    for spending in Spending::ALL {
        let looks = look_bounds(spending, 0.05, &[1.0]).unwrap();
        close([looks[0].z, looks[0].p, looks[0].spent], &[1.959963984540054, 0.05, 0.05], 1e-12);
    }
}

/// 2,000 trials without effect (seed 36), looked at after every 20 of 100 pairs with a t test: 5 ± 1.5 % are stopped. Looked at with .05 each
/// time, it would be one in seven.
#[test]
fn without_effect_rejections_equal_the_spending() {
    let stopped = |looks: &[Look]| {
        let is_stopped = |trial: u64| {
            let mut stream = WorldSeed(36).world(Purpose::Bootstrap, 7, trial);
            let pairs: Vec<f64> = (0..100).map(|_| stream.normal()).collect();
            let at = |(index, look): (usize, &Look)| {
                paired_t(&pairs[..20 * (index + 1)], 0.95).unwrap().p <= look.p
            };
            looks.iter().enumerate().any(at)
        };
        (0..2_000).filter(|trial| is_stopped(*trial)).count() as f64 / 2_000.0
    };
    for spending in Spending::ALL {
        let share = stopped(&look_bounds(spending, 0.05, &FIFTHS).unwrap());
        assert!((share - 0.05).abs() <= 0.015, "{share} stopped by {spending}");
    }
    let naive = FIFTHS.map(|fraction| Look { fraction, z: 1.96, p: 0.05, spent: 0.05 });
    let share = stopped(&naive);
    assert!((0.12..0.17).contains(&share), "{share} stopped where nothing is spent");
}

#[test]
fn a_look_that_signs_cannot_decide_is_refused() {
    let refused = |spending, pairs: &[u32], draws| {
        reachable_looks(spending, 0.05, pairs, draws).unwrap_err().to_string()
    };
    for (spending, pairs, bound, least, remedy) in [
        (OBrienFleming, &[10, 20, 40][..], "1.47e-5", "1.95e-3", "look at 14 pairs or later"),
        (OBrienFleming, &[20, 60, 100], "1.08e-6", "1.00e-4", "look at 31 pairs or later"),
        (Pocock, &[4, 20, 40], "7.93e-3", "1.25e-1", "look at 8 pairs or later"),
        (OBrienFleming, &[2, 4, 5], "7.88e-4", "5.00e-1", "leave it out"),
        (Pocock, &[5], "5.00e-2", "6.25e-2", "plan more pairs, or draw more assignments"),
    ] {
        let found = refused(spending, pairs, 10_000);
        let at = format!("look 1, at {} pairs: its bound is p = {bound}", pairs[0]);
        assert_eq!(found, format!("{at}, and the test's least p there is {least}: {remedy}"));
    }
    let found = refused(Pocock, &[40, 20], 10_000);
    assert_eq!(found, "pairs at look 2 = 20: must be more than the 40 of the look before");
    for pairs in [[14, 20, 40], [31, 60, 100]] {
        assert!(reachable_looks(OBrienFleming, 0.05, &pairs, 10_000).is_ok(), "{pairs:?}");
    }
    let looks = reachable_looks(OBrienFleming, 0.05, &[14, 20, 40], 10_000).unwrap();
    assert_eq!(looks, look_bounds(OBrienFleming, 0.05, &[0.35, 0.5, 1.0]).unwrap());
}

#[test]
fn looks_that_are_none_are_refused() {
    let refused = |fractions: &[f64]| look_bounds(Pocock, 0.05, fractions).unwrap_err().to_string();
    assert_eq!(refused(&[]), "looks = 0: must be from 1 to 50 of them");
    let remedy = "must be at most 1, and 0.001 or more above the look before";
    assert_eq!(refused(&[0.5, 0.5]), format!("fraction of the data at look 2 = 0.5: {remedy}"));
    assert_eq!(refused(&[0.5, 1.5]), format!("fraction of the data at look 2 = 1.5: {remedy}"));
    assert_eq!(refused(&[f64::NAN]), format!("fraction of the data at look 1 = NaN: {remedy}"));
    assert!(look_bounds(Pocock, 1.0, &[1.0]).is_err());
}

/// A repeated p-value is at most alpha exactly where the test reaches alpha's bound, at any look.
#[test]
fn repeated_p_values_undo_bounds() {
    for spending in Spending::ALL {
        for until in 1..=FIFTHS.len() {
            for alpha in [0.001, 0.0125, 0.05, 0.3] {
                let bound = look_bounds(spending, alpha, &FIFTHS[..until]).unwrap().pop().unwrap();
                // Below the smallest bound that is told, alpha can't be told back.
                if bound.z < 7.9 {
                    let found = repeated_p(spending, &FIFTHS[..until], bound.p).unwrap();
                    assert!((found / alpha - 1.0).abs() < 1e-6, "{spending} {until} {alpha}: {found}");
                    let beyond = repeated_p(spending, &FIFTHS[..until], bound.p * 1.001).unwrap();
                    assert!(beyond > alpha, "{spending} {until} {alpha}: {beyond}");
                }
            }
        }
        assert_eq!(repeated_p(spending, &[1.0], 0.03).unwrap(), 0.03, "one look is the usual test");
        assert_eq!(repeated_p(spending, &FIFTHS, 1.0).unwrap(), 1.0);
    }
    assert!(repeated_p(Pocock, &FIFTHS, 1.5).is_err());
}
