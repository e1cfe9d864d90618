//! What the primary measure says: for each arm its mean, and its difference from the baseline over the worlds that both
//! have, with a t interval.

use crate::measure::EVERYBODY;
use crate::sweep_file::{Direction, Sweep};
use crate::sweep_folder::{CellId, CellRecord, Outcome};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The measure that is compared when none is registered.
const USUAL_MEASURE: &str = "mean_r";

/// Values of the primary measure, and failures, of all arms.
pub struct Verdict<'a> {
    sweep: &'a Sweep,
    measure: String,
    cohort: String,
    direction: Option<Direction>,
    alpha: f64,
    arms: Vec<ArmValues>,
}

#[derive(Clone, Debug)]
struct ArmValues {
    /// By world.
    values: Vec<Option<f64>>,
    failed: u64,
}

/// A mean with half the width of its confidence interval; that is `None` for fewer than two values.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Estimate {
    number: usize,
    mean: f64,
    half_width: Option<f64>,
}

impl<'a> Verdict<'a> {
    /// Of a sweep of which nothing is known yet.
    pub fn new(sweep: &'a Sweep) -> Self {
        let registered = sweep.file.preregistration.as_ref();
        let primary = registered.map(|registered| &registered.primary);
        let empty = ArmValues { values: vec![None; sweep.worlds() as usize], failed: 0 };
        Self {
            measure: primary.map_or(USUAL_MEASURE, |primary| &primary.measure).to_owned(),
            cohort: primary.map_or(EVERYBODY, |primary| &primary.cohort).to_owned(),
            direction: primary.map(|primary| primary.direction),
            alpha: registered.map_or(0.05, |registered| registered.alpha),
            arms: vec![empty; sweep.arms.len()],
            sweep,
        }
    }

    /// Takes in a cell.
    pub fn take(&mut self, id: CellId, cell: &CellRecord) {
        let arm = &mut self.arms[id.arm];
        arm.values[id.world as usize] = cell.measure(&self.cohort, &self.measure);
        arm.failed += u64::from(matches!(cell.outcome, Outcome::Failed(_)));
    }

    fn mean(&self, arm: usize) -> Option<Estimate> {
        estimate(self.arms[arm].values.iter().flatten().copied(), self.alpha)
    }

    fn difference(&self, arm: usize) -> Option<Estimate> {
        let baseline = &self.arms[self.sweep.baseline()].values;
        let pairs = self.arms[arm].values.iter().zip(baseline);
        estimate(pairs.filter_map(|(own, base)| Some((*own)? - (*base)?)), self.alpha)
    }

    /// For machines.
    pub fn json(&self) -> Value {
        let told = |estimate: Option<Estimate>| {
            estimate.map(|e| json!({"worlds": e.number, "mean": e.mean, "half_width": e.half_width}))
        };
        let arm = |arm: usize| {
            let is_baseline = arm == self.sweep.baseline();
            json!({
                "arm": self.sweep.arms[arm].name,
                "value": told(self.mean(arm)),
                "difference": if is_baseline { None } else { told(self.difference(arm)) },
                "failed": self.arms[arm].failed,
            })
        };
        json!({
            "measure": self.measure,
            "cohort": self.cohort,
            "direction": self.direction,
            "baseline": self.sweep.arms[self.sweep.baseline()].name,
            "confidence": 1.0 - self.alpha,
            "arms": (0..self.arms.len()).map(arm).collect::<Vec<_>>(),
        })
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut page = String::new();
        self.write(&mut page).expect("writing to a string does not fail");
        page
    }

    fn write(&self, page: &mut String) -> std::fmt::Result {
        let better = match self.direction {
            Some(Direction::More) => ", more is better",
            Some(Direction::Less) => ", less is better",
            None => "",
        };
        let baseline = self.sweep.baseline();
        let percent = 100.0 * (1.0 - self.alpha);
        writeln!(
            page,
            "{} of {}{better}; mean over worlds, {percent:.0} % t interval",
            self.measure, self.cohort
        )?;
        writeln!(page, "differences are paired by world with {}", self.sweep.arms[baseline].name)?;
        writeln!(page)?;
        let width =
            self.sweep.arms.iter().map(|arm| arm.name.chars().count()).max().unwrap_or(0).clamp(3, 60);
        writeln!(
            page,
            "{:width$}  {:>6}  {:>21}  {:>23}  {:>6}",
            "arm", "worlds", "mean", "difference", "failed"
        )?;
        for (arm, values) in self.arms.iter().enumerate().take(ROWS_MAX) {
            let mean = self.mean(arm);
            let difference = match self.difference(arm) {
                _ if arm == baseline => "baseline".to_owned(),
                Some(estimate) => shown(estimate, true),
                None => "-".to_owned(),
            };
            writeln!(
                page,
                "{:width$}  {:>6}  {:>21}  {:>23}  {:>6}",
                self.sweep.arms[arm].name,
                mean.map_or(0, |mean| mean.number),
                mean.map_or("-".to_owned(), |mean| shown(mean, false)),
                difference,
                values.failed,
            )?;
        }
        if self.arms.len() > ROWS_MAX {
            writeln!(page, "and {} more arms, in results.csv", self.arms.len() - ROWS_MAX)?;
        }
        Ok(())
    }
}

/// Most arms that are told of on the terminal.
const ROWS_MAX: usize = 100;

fn shown(estimate: Estimate, signed: bool) -> String {
    let mean = if signed { format!("{:+.4}", estimate.mean) } else { format!("{:.4}", estimate.mean) };
    match estimate.half_width {
        Some(half) => format!("{mean} ± {half:.4}"),
        None => mean,
    }
}

fn estimate(values: impl Iterator<Item = f64>, alpha: f64) -> Option<Estimate> {
    let values: Vec<f64> = values.collect();
    let number = values.len();
    if number == 0 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / number as f64;
    let half_width = (number > 1).then(|| {
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = (squares / (number - 1) as f64 / number as f64).sqrt();
        error * t_quantile(1.0 - alpha / 2.0, (number - 1) as u32)
    });
    Some(Estimate { number, mean, half_width })
}

/// The quantile of Student's t at a probability above one half, by bisection of its distribution.
fn t_quantile(probability: f64, freedom: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while t_distribution(high, freedom) < probability && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if t_distribution(middle, freedom) < probability { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Student's t distribution for whole degrees of freedom, as the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4.
fn t_distribution(t: f64, freedom: u32) -> f64 {
    let n = f64::from(freedom);
    let angle = (t / n.sqrt()).atan();
    let cos_squared = 1.0 / (1.0 + t * t / n);
    let (mut term, mut sum) = (1.0, 1.0);
    let within = if freedom % 2 == 1 {
        for k in (3..freedom).step_by(2) {
            term *= cos_squared * f64::from(k - 1) / f64::from(k);
            sum += term;
        }
        let series = if freedom > 1 { angle.sin() * angle.cos() * sum } else { 0.0 };
        (angle + series) * 2.0 / std::f64::consts::PI
    } else {
        for k in (2..freedom).step_by(2) {
            term *= cos_squared * f64::from(k - 1) / f64::from(k);
            sum += term;
        }
        angle.sin() * sum
    };
    0.5 + 0.5 * within
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published quantiles of Student's t at 0.975 and 0.995.
    #[test]
    fn quantiles_of_students_t() {
        for (freedom, expected) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (9, 2.262),
            (10, 2.228),
            (30, 2.042),
            (120, 1.980),
        ] {
            let found = t_quantile(0.975, freedom);
            assert!((found - expected).abs() < 6e-4, "{freedom}: {found}");
        }
        assert!((t_quantile(0.995, 5) - 4.032).abs() < 6e-4);
    }

    /// Student's own example: extra hours of sleep under two drugs, mean difference 1.58, 95 % interval 0.70 to 2.46.
    #[test]
    fn the_interval_of_students_sleep_data() {
        let differences = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let found = estimate(differences.into_iter(), 0.05).unwrap();
        assert!((found.mean - 1.58).abs() < 1e-9);
        let half = found.half_width.unwrap();
        assert!(
            (found.mean - half - 0.700).abs() < 1e-3 && (found.mean + half - 2.460).abs() < 1e-3,
            "{half}"
        );
        assert_eq!(estimate([1.0].into_iter(), 0.05).unwrap().half_width, None);
        assert_eq!(estimate(std::iter::empty(), 0.05), None);
    }
}
