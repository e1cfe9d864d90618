//! Two arms in the same worlds, in one measure: what maps, ladders and rules that count wins are made of.

use super::compare::Rules;
use crate::sweep::sweep_file::{Correction, Test};
use morta_stats::differences::paired_differences;
use morta_stats::permutation::sign_flip;
use morta_stats::signed_rank::signed_rank;
use morta_stats::t_test::paired_t;
use morta_stats::{Computed, Interval, StatsError};
use serde::{Deserialize, Serialize};

/// The treated arm less the control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contrast {
    /// Worlds in which both have a value.
    pub worlds: u64,
    /// Worlds in which one of them has none.
    pub left_out_worlds: u64,
    /// Mean of the treated arm over those worlds, in the measure's unit; none without worlds.
    pub treated_mean: Option<f64>,
    /// Mean of the control over those worlds.
    pub control_mean: Option<f64>,
    /// Mean difference; none without worlds.
    pub effect: Option<f64>,
    /// Its t interval, not corrected.
    pub interval: Computed<Interval>,
    /// p of the test.
    pub p: Computed<f64>,
    /// The same, corrected for all of its family; one that can't be computed counts as 1 there.
    pub corrected_p: Computed<f64>,
    /// What the corrected test says.
    pub sign: Sign,
}

morta_base::words! {
    /// Which way a contrast goes, at the error rate after correction.
    pub enum Sign {
        /// The treated arm has more.
        Above = "above",
        /// It has less.
        Below = "below",
        /// Neither is shown.
        NotShown = "not_shown",
    }
}

impl Contrast {
    /// Of the values of two arms, by world; not corrected for anything yet.
    pub fn of(treated: &[Option<f64>], control: &[Option<f64>], rules: &Rules<'_>) -> Self {
        let both = |(own, base): (&Option<f64>, &Option<f64>)| Some(((*own)?, (*base)?));
        let pairs: Vec<(f64, f64)> = treated.iter().zip(control).filter_map(both).collect();
        let differences = paired_differences(pairs.iter().copied());
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            (!pairs.is_empty()).then(|| values.sum::<f64>() / pairs.len() as f64)
        };
        Self {
            treated_mean: mean(&mut pairs.iter().map(|(own, _)| *own)),
            control_mean: mean(&mut pairs.iter().map(|(_, base)| *base)),
            ..Self::of_differences(&differences, (treated.len() - pairs.len()) as u64, rules)
        }
    }

    /// Of differences by world, whatever they are differences of.
    pub fn of_differences(differences: &[f64], left_out_worlds: u64, rules: &Rules<'_>) -> Self {
        let p: Computed<f64> = p_value_of(rules.test(), differences, rules).into();
        let count = differences.len();
        Self {
            worlds: count as u64,
            left_out_worlds,
            treated_mean: None,
            control_mean: None,
            effect: (count > 0).then(|| differences.iter().sum::<f64>() / count as f64),
            interval: paired_t(differences, rules.options.level).map(|found| found.interval).into(),
            corrected_p: p.clone(),
            p,
            sign: Sign::NotShown,
        }
    }

    /// Whether 0 lies in the interval, or there is no interval to say otherwise.
    pub fn holds_zero(&self) -> bool {
        self.interval.known().is_none_or(|interval| interval.low <= 0.0 && interval.high >= 0.0)
    }
}

/// Corrects a family, and says which way each of its members goes.
pub fn correct(family: &mut [&mut Contrast], correction: Correction, alpha: f64) {
    let p_values: Vec<f64> = family.iter().map(|one| one.p.known().copied().unwrap_or(1.0)).collect();
    let corrected = correction.adjust(&p_values).expect("p-values are from 0 to 1");
    for (one, corrected) in family.iter_mut().zip(corrected) {
        if one.p.known().is_none() {
            continue;
        }
        one.corrected_p = Computed::Known(corrected);
        one.sign = match one.effect.unwrap_or(0.0) {
            effect if corrected <= alpha && effect > 0.0 => Sign::Above,
            effect if corrected <= alpha && effect < 0.0 => Sign::Below,
            _ => Sign::NotShown,
        };
    }
}

/// p of a test of paired differences.
///
/// # Errors
/// When the test can't be computed, as when all differences are 0.
pub fn p_value_of(test: Test, differences: &[f64], rules: &Rules<'_>) -> Result<f64, StatsError> {
    let options = &rules.options;
    match test {
        Test::PairedPermutation => sign_flip(differences, options.resamples, options.seed).map(|test| test.p),
        Test::Wilcoxon => signed_rank(differences, true).map(|test| test.p),
        Test::T => paired_t(differences, options.level).map(|test| test.p),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::analysis::compare::Rules;

    fn contrast(treated: &[Option<f64>], control: &[Option<f64>]) -> Contrast {
        Contrast::of(treated, control, &Rules::unregistered())
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
        assert!(!found.holds_zero());
    }

    /// Three of eight worlds' signs are as good as it gets: p = 2/8; and of p = .02, .04 and none Holm makes .06, .08 and none.
    #[test]
    fn a_family_is_corrected_for_all_its_members() {
        let up = [Some(2.0), Some(3.0), Some(4.0)];
        let none = [Some(0.0); 3];
        let found = contrast(&up, &none);
        assert_eq!(found.p.known(), Some(&0.25));
        let mut family = [found.clone(), found.clone(), contrast(&none, &none)];
        (family[0].p, family[1].p) = (Computed::Known(0.02), Computed::Known(0.04));
        family[1].effect = Some(-1.0);
        let mut members: Vec<&mut Contrast> = family.iter_mut().collect();
        correct(&mut members, Correction::Holm, 0.07);
        assert_eq!(family[0].corrected_p, Computed::Known(0.06));
        assert_eq!(family[1].corrected_p, Computed::Known(0.08));
        assert_eq!(
            [family[0].sign, family[1].sign, family[2].sign],
            [Sign::Above, Sign::NotShown, Sign::NotShown]
        );
        assert!(family[2].p.known().is_none() && family[2].holds_zero());
        let mut members: Vec<&mut Contrast> = family.iter_mut().collect();
        correct(&mut members, Correction::BenjaminiHochberg, 0.07);
        assert_eq!(family[1].sign, Sign::Below, "a step-up correction lets it pass: .04 · 3/2 = .06");
    }
}
