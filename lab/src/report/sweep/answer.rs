//! Each arm against the baseline: figures from the results, and what the sweep's own analysis made of them. The page tests
//! nothing by itself, so that it can't say anything else than `analysis.json`.

use super::data::{ByWorld, SweepData};
use crate::io::error::{Error, Result};
use crate::io::text::{figure, range};
use crate::sweep::analysis::report::{Analysis, ArmReport, Finding as Found};
use crate::sweep::measure::{EVERYBODY, USUAL_MEASURE, find};
use crate::sweep::sweep_file::Direction;
use crate::sweep::sweep_file::{Correction, Test};
use crate::sweep::sweep_folder::ANALYSIS;
use morta_stats::effect_size::cohens_d_paired;
use morta_stats::t_test::paired_t;
use morta_stats::{Computed, Interval, Summary};

/// What is compared, and how.
#[derive(Clone, Debug)]
pub struct Question {
    pub measure: String,
    pub unit: &'static str,
    pub cohort: String,
    pub direction: Option<Direction>,
    /// Place of the baseline among the arms.
    pub baseline: usize,
    pub test: Test,
    pub correction: Correction,
    pub alpha: f64,
    /// Smaller differences don't matter.
    pub effect_of_interest: Option<f64>,
    pub registered: bool,
}

impl Question {
    /// The registered one, or the usual one.
    pub fn of(data: &SweepData) -> Self {
        let registered = data.file.preregistration.as_ref();
        let primary = registered.map(|registered| &registered.primary);
        let measure = primary.map_or(USUAL_MEASURE, |primary| &primary.measure).to_owned();
        let names = data.manifest.arms.iter().map(|arm| arm.name.as_str());
        let named = |name: &String| data.file.arm_named(names.clone(), name);
        Self {
            unit: find(&measure).map_or("", |measure| measure.unit),
            cohort: primary.map_or(EVERYBODY, |primary| &primary.cohort).to_owned(),
            direction: primary.map(|primary| primary.direction),
            baseline: registered.and_then(|registered| named(&registered.baseline)).unwrap_or(0),
            test: registered.map_or(Test::default(), |registered| registered.test),
            correction: registered.map_or(Correction::default(), |registered| registered.correction),
            alpha: registered.map_or(0.05, |registered| registered.alpha),
            effect_of_interest: registered.map(|registered| registered.effect_of_interest),
            registered: registered.is_some(),
            measure,
        }
    }

    /// Confidence level of intervals.
    pub fn level(&self) -> f64 {
        1.0 - self.alpha
    }

    /// Whether all of an interval lies within what doesn't matter.
    fn does_not_matter(&self, interval: &Computed<Interval>) -> bool {
        match (interval.known(), self.effect_of_interest) {
            (Some(interval), Some(zone)) => interval.low > -zone && interval.high < zone,
            _ => false,
        }
    }
}

/// An arm's values, and how they differ from the baseline's.
#[derive(Clone, Debug)]
pub struct Answer {
    pub arm: usize,
    pub name: String,
    pub own: Option<Summary>,
    /// None of the baseline, and where no world is shared.
    pub difference: Option<Difference>,
}

/// Arm minus baseline over the worlds that both have.
#[derive(Clone, Debug)]
pub struct Difference {
    pub mean: f64,
    pub interval: Computed<Interval>,
    /// Of the registered test; none where nothing was tested.
    pub p: Option<f64>,
    pub corrected_p: Option<f64>,
    pub finding: Finding,
    pub effect_size: Computed<f64>,
    /// Worlds that only one of the two has.
    pub unpaired: usize,
}

morta_base::words! {
    /// What the figures say.
    pub enum Finding {
        Better = "better",
        Worse = "worse",
        /// The interval lies within what doesn't matter.
        Alike = "alike",
        Undecided = "undecided",
        /// Nothing was tested, or the test can't be computed.
        Unknown = "untested",
    }
}

/// The differences by world.
pub fn differences(own: &ByWorld, base: &ByWorld) -> Vec<f64> {
    own.iter().filter_map(|(world, value)| Some(value - base.get(world)?)).collect()
}

/// The sweep's analysis; `None` while it has none.
///
/// # Errors
/// When it is damaged.
pub fn analysis(data: &SweepData) -> Result<Option<Analysis>> {
    let path = data.dir.join(ANALYSIS);
    if !path.exists() {
        return Ok(None);
    }
    let damaged = |what: String| Error::invalid(format!("{}: is damaged: {what}", path.display()));
    let text = std::fs::read_to_string(&path).map_err(|error| damaged(error.to_string()))?;
    serde_json::from_str(&text).map(Some).map_err(|error| damaged(error.to_string()))
}

/// All arms, in the sweep's order.
pub fn answers(data: &SweepData, question: &Question, analysis: Option<&Analysis>) -> Vec<Answer> {
    let values = |arm| data.values(arm, &question.cohort, &question.measure);
    let base = values(question.baseline);
    let answer = |(arm, entry): (usize, &crate::sweep::sweep_folder::manifest::ArmEntry)| {
        let own = values(arm);
        let plain: Vec<f64> = own.values().copied().collect();
        let judged = analysis
            .and_then(|analysis| analysis.primary.arms.iter().find(|judged| judged.arm == entry.name));
        let compared = || difference(question, &own, &base, judged);
        let difference = if arm == question.baseline { None } else { compared() };
        Answer { arm, name: entry.name.clone(), own: Summary::of(&entry.name, &plain).ok(), difference }
    };
    data.manifest.arms.iter().enumerate().map(answer).collect()
}

fn difference(
    question: &Question,
    own: &ByWorld,
    base: &ByWorld,
    judged: Option<&ArmReport>,
) -> Option<Difference> {
    let differences = differences(own, base);
    let (worlds, mean) = (differences.len(), Summary::of("paired differences", &differences).ok()?.mean);
    let interval: Computed<Interval> =
        paired_t(&differences, question.level()).map(|test| test.interval).into();
    let judged = judged.and_then(|arm| arm.difference.as_ref()?.known()?.judged.as_deref());
    let finding = judged.map_or(Finding::Unknown, |judged| match judged.finding {
        Found::Better => Finding::Better,
        Found::Worse => Finding::Worse,
        Found::NotShown if question.does_not_matter(&interval) => Finding::Alike,
        Found::NotShown => Finding::Undecided,
        Found::CannotBeComputed => Finding::Unknown,
    });
    Some(Difference {
        mean,
        interval,
        p: judged.and_then(|judged| judged.p.known().copied()),
        corrected_p: judged.and_then(|judged| judged.corrected_p.known().copied()),
        finding,
        effect_size: cohens_d_paired(&differences).into(),
        unpaired: own.len() + base.len() - 2 * worlds,
    })
}

impl Difference {
    /// The mean with its interval.
    pub fn told(&self) -> String {
        match self.interval.known() {
            Some(interval) => format!("{} ({})", signed(self.mean), range(*interval)),
            None => signed(self.mean),
        }
    }
}

/// A difference, with its sign.
pub fn signed(value: f64) -> String {
    if value > 0.0 { format!("+{}", figure(value)) } else { figure(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(effect_of_interest: Option<f64>) -> Question {
        Question {
            measure: "mean_r".to_owned(),
            unit: "R",
            cohort: "all".to_owned(),
            direction: None,
            baseline: 0,
            test: Test::T,
            correction: Correction::Holm,
            alpha: 0.05,
            effect_of_interest,
            registered: true,
        }
    }

    fn world(values: &[f64]) -> ByWorld {
        (1..).zip(values.iter().copied()).collect()
    }

    /// Student's own example: extra hours of sleep under two drugs, mean difference 1.58, 95 % interval 0.70 to 2.46.
    #[test]
    fn students_sleep_data() {
        let own = world(&[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
        let base = world(&[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]);
        let found = difference(&question(None), &own, &base, None).unwrap();
        assert!((found.mean - 1.58).abs() < 1e-9);
        let interval = found.interval.known().unwrap();
        assert!((interval.low - 0.700).abs() < 1e-3 && (interval.high - 2.460).abs() < 1e-3);
        assert_eq!((found.p, found.finding), (None, Finding::Unknown));
        assert!(question(Some(3.0)).does_not_matter(&found.interval));
        assert!(!question(Some(2.0)).does_not_matter(&found.interval));
    }

    #[test]
    fn one_world_has_a_difference_and_no_interval() {
        let found = difference(&question(Some(0.1)), &world(&[1.0]), &world(&[0.5, 3.0]), None).unwrap();
        assert_eq!((found.mean, found.unpaired), (0.5, 1));
        assert!(found.interval.known().is_none());
        assert!(difference(&question(None), &world(&[]), &world(&[1.0]), None).is_none());
    }
}
