//! What must hold of any lives and any scores.

use super::*;
use morta_stats::StatsError;
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
fn survives_json<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert!(serde_json::from_str::<T>(&text).is_ok(), "{text}");
}

proptest! {
    #[test]
    fn no_comparison_says_nan(pairs in prop::collection::vec((number(), number()), 1..24)) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let options = morta_stats::CompareOptions { resamples: 100, ..Default::default() };
        // The difference of two numbers at the end is past it, and is refused as such; so are series whose squares are 0.
        match morta_stats::compare_pairs(&a, &b, &options) {
            Ok(found) => survives_json(&found),
            Err(error) => {
                let is_refused = matches!(error, StatsError::TooLarge { .. } | StatsError::TooSmall { .. });
                prop_assert!(is_refused, "{error}");
            }
        }
    }

    #[test]
    fn no_model_says_nan(lives in lives(), other in prop::collection::vec(number(), 60), clusters in 2..9_u32) {
        let (durations, events) = lives.iter().map(|life| (life.0, life.1)).unzip();
        let lifetimes = Lifetimes::new(durations, events).unwrap();
        survives_json(&KaplanMeier::from_lifetimes(&lifetimes, 0.95).unwrap());
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
    fn no_late_or_weighted_life_says_nan(
        lives in lives(),
        more in prop::collection::vec((0.0..1.0_f64, prop::sample::select(vec![1.0, 0.3, 1e-6, 1e6])), 60),
    ) {
        let (durations, events): (Vec<f64>, Vec<bool>) = lives.iter().map(|life| (life.0, life.1)).unzip();
        // A third enters from the start.
        let entries = durations.iter().zip(&more).map(|(end, (share, _))| end * (share - 0.33).max(0.0)).collect();
        let weights = more[..lives.len()].iter().map(|(_, weight)| *weight).collect();
        let lifetimes = Lifetimes::new(durations, events).unwrap();
        let lifetimes = lifetimes.entered_at(entries).unwrap().weighted(weights).unwrap();
        if let Ok(curve) = KaplanMeier::from_lifetimes(&lifetimes, 0.95) {
            survives_json(&curve);
            prop_assert!(curve.steps.windows(2).all(|two| two[1].survival <= two[0].survival));
            prop_assert!(curve.steps.iter().all(|step| (0.0..=1.0).contains(&step.survival)));
        }
        let x = Covariate { name: "x".to_owned(), values: lives.iter().map(|life| life.2).collect() };
        let Ok(data) = CoxData::new(lifetimes, vec![x], None) else { return Ok(()) };
        if let Ok(found) = fit(&data, &CoxOptions::default()) {
            survives_json(&found);
            prop_assert!(found.concordance.known().is_none_or(|share| (0.0..=1.0).contains(share)));
        }
    }

    #[test]
    fn without_censoring_the_curve_is_the_share_that_survives(lives in lives()) {
        let durations: Vec<f64> = lives.iter().map(|life| life.0).collect();
        let lifetimes = Lifetimes::new(durations.clone(), vec![true; durations.len()]).unwrap();
        let curve = KaplanMeier::from_lifetimes(&lifetimes, 0.95).unwrap();
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
            Ok::<_, morta_stats::StatsError>((fit, drift))
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
