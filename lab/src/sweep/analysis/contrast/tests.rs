//! Contrasts of small hand-made differences, judged in families. They are small enough that each verdict can be checked by hand, because a
//! wrong sign would pass unseen in lived worlds.

use super::*;
use crate::sweep::sweep_file::Direction;
use proptest::prelude::*;

fn contrast(treated: &[Option<f64>], control: &[Option<f64>]) -> Contrast {
    let mut found = Contrast::from_values(treated, control, Aim::default(), &DecisionRules::unregistered());
    judge([&mut found], Correction::Holm, &DecisionRules::unregistered());
    found
}

/// Student's sleep data: mean 1.58, 95 % t interval 0.70 to 2.46; a world without a value in one arm is left out.
#[test]
fn students_sleep_data() {
    let treated = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4, 9.0].map(Some);
    let mut control = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0, 9.0].map(Some);
    control[10] = None;
    let found = contrast(&treated, &control);
    assert_eq!((found.worlds, found.left_out_worlds), (10, 1));
    assert!((found.effect.unwrap() - 1.58).abs() < 1e-9);
    assert!((found.treated_mean.unwrap() - 2.33).abs() < 1e-9);
    let interval = found.interval.known().unwrap();
    assert!((interval.low - 0.700).abs() < 1e-3 && (interval.high - 2.460).abs() < 1e-3);
    assert_eq!((found.holds_zero(), found.verdict), (false, Some(ContrastVerdict::Higher)));
}

/// δ is in the unit of the measure that was asked about: no other measure is judged by it.
#[test]
fn what_matters_is_of_one_measure() {
    let rules = DecisionRules { matters: Some(("pnl_usdc", 0.1)), ..DecisionRules::unregistered() };
    let matters = |measure: &str| {
        let measure = crate::sweep::measure::find(measure).unwrap();
        Question { measure, cohort: "all".to_owned(), values: Vec::new() }.aim(&rules).matters
    };
    assert_eq!((matters("pnl_usdc"), matters("trades")), (Some(0.1), None));
}

/// Three worlds have eight assignments of signs, of which two are as extreme as three gains: p = 2/8.
#[test]
fn a_family_is_corrected_for_all_its_members_that_differ() {
    let up = [Some(2.0), Some(3.0), Some(4.0)];
    let none = [Some(0.0); 3];
    let found = contrast(&up, &none);
    assert_eq!(found.p.known(), Some(&0.25));
    let mut family = [found.clone(), found.clone(), contrast(&none, &none), found];
    family.iter_mut().for_each(|one| one.verdict = None);
    family[3].verdict = Some(ContrastVerdict::SameBytes);
    judge(&mut family, Correction::Holm, &DecisionRules::unregistered());
    assert_eq!(family[0].corrected_p, Computed::Known(0.75), "three are paid for, one of which has no p");
    assert_eq!((family[2].p.known(), family[2].verdict), (None, Some(ContrastVerdict::CannotBeComputed)));
    assert_eq!(family[3].verdict, Some(ContrastVerdict::SameBytes));
}

/// Holm's second step has α / (m − 1) left, and what fails ends the procedure where it stands; Benjamini and Hochberg's two of four have
/// 2α/4.
#[test]
fn error_rates_are_those_of_the_steps() {
    let corrected = [0.01, 0.9, 0.03, 1.0];
    assert_eq!(Correction::Holm.error_rates(&corrected, 0.06), [0.06 / 4.0, 0.03, 0.02, 0.03]);
    assert_eq!(Correction::BenjaminiHochberg.error_rates(&corrected, 0.06), [0.03; 4]);
    assert_eq!(Correction::BenjaminiHochberg.error_rates(&[1.0; 3], 0.06), [0.02; 3]);
    assert!(Correction::Holm.error_rates(&[], 0.05).is_empty());
}

/// Twelve differences around a middle, evenly from −.5 to +.5 of it: a t interval of ± .21.
fn around(middle: f64) -> Vec<Option<f64>> {
    (0..12).map(|world| Some(middle + (f64::from(world) - 5.5) / 11.0)).collect()
}

fn verdict(values: &[Option<f64>], direction: Option<Direction>, matters: Option<f64>) -> Contrast {
    let (aim, rules) = (Aim { direction, matters }, DecisionRules::unregistered());
    let mut found = Contrast::from_values(values, &vec![Some(0.0); values.len()], aim, &rules);
    judge([&mut found], Correction::Holm, &rules);
    found
}

/// The partition of DESIGN, in its order.
#[test]
fn each_verdict_is_given_where_it_is_due() {
    let (more, less) = (Some(Direction::More), Some(Direction::Less));
    for (middle, direction, matters, expected) in [
        (2.0, more, Some(1.0), ContrastVerdict::BetterByMore),
        (2.0, less, Some(1.0), ContrastVerdict::WorseByMore),
        (-2.0, less, Some(1.0), ContrastVerdict::BetterByMore),
        (0.4, more, Some(1.0), ContrastVerdict::DiffersByLess),
        (1.0, more, Some(1.0), ContrastVerdict::Better),
        (1.0, less, Some(1.0), ContrastVerdict::Worse),
        (1.0, more, None, ContrastVerdict::Better),
        (-1.0, more, None, ContrastVerdict::Worse),
        (1.0, None, None, ContrastVerdict::Higher),
        (-1.0, None, None, ContrastVerdict::Lower),
        (0.0, more, Some(1.0), ContrastVerdict::Alike),
        (0.0, more, Some(0.1), ContrastVerdict::NotSettled),
        (0.0, more, None, ContrastVerdict::NotSettled),
    ] {
        let found = verdict(&around(middle), direction, matters);
        assert_eq!(found.verdict, Some(expected), "{middle} {direction:?} {matters:?}");
        assert_eq!(
            found.worlds_to_settle.is_some(),
            expected == ContrastVerdict::NotSettled && matters.is_some()
        );
        assert_eq!(found.disagreement, None);
    }
    // Their deviation is .328, and ± .05 takes (1.96 · .328 / .05)² = 165 of them, a few more for the quantile of t.
    let needed = verdict(&around(0.0), more, Some(0.1)).worlds_to_settle.unwrap();
    assert!((166..175).contains(&needed), "{needed}");
}

/// Six gains of one size and one of a hundred: the flips reject (2 of 2⁷), and the interval holds 0. Twelve zeros and four gains: the flips
/// can't reject (2 of 2⁴), and the interval leaves out 0.
#[test]
fn where_test_and_interval_disagree_the_reason_is_said() {
    let skewed: Vec<Option<f64>> = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 100.0].map(Some).to_vec();
    let found = verdict(&skewed, Some(Direction::More), Some(0.5));
    assert_eq!(found.verdict, Some(ContrastVerdict::NotSettled));
    let why = found.disagreement.unwrap();
    assert!(
        why.starts_with("the test rejects and the interval holds 0, for the differences are skewed (2."),
        "{why}"
    );
    let zeros: Vec<Option<f64>> =
        std::iter::repeat_n(0.0, 12).chain([1.0, 1.1, 0.9, 1.0]).map(Some).collect();
    let found = verdict(&zeros, Some(Direction::More), None);
    assert_eq!(found.verdict, Some(ContrastVerdict::NotSettled), "2 of 2⁴ signs");
    let why = found.disagreement.unwrap();
    assert!(why.ends_with("12 of 16 differences are 0"), "{why}");
}

proptest! {
    /// A verdict never says more than the interval: whatever the differences are, its words hold of the whole interval.
    #[test]
    fn no_verdict_goes_beyond_its_interval(values in prop::collection::vec(-3.0_f64..3.0, 2..20), delta in 0.01_f64..2.0) {
        let values: Vec<Option<f64>> = values.into_iter().map(Some).collect();
        let found = verdict(&values, Some(Direction::More), Some(delta));
        let Some(interval) = found.interval.known() else { return Ok(()) };
        let holds = match found.verdict.unwrap() {
            ContrastVerdict::BetterByMore => interval.low > delta,
            ContrastVerdict::WorseByMore => interval.high < -delta,
            ContrastVerdict::DiffersByLess => interval.low > -delta && interval.high < delta && !found.holds_zero(),
            ContrastVerdict::Better => interval.low > 0.0 && interval.high >= delta,
            ContrastVerdict::Worse => interval.high < 0.0 && interval.low <= -delta,
            ContrastVerdict::Alike => found.effect.unwrap().abs() < delta,
            ContrastVerdict::NotSettled => true,
            _ => false,
        };
        prop_assert!(holds, "{:?} {:?}", found.verdict, interval);
    }
}
