//! Each arm against the baseline over the worlds that both have, by the registered test and correction.

use super::data::{ByWorld, SweepData};
use crate::commands::stats::wording::{figure, p_is, percent, range};
use crate::measure::{EVERYBODY, USUAL_MEASURE, find};
use crate::sweep_file::Direction;
use crate::sweep_file::config::{Correction, Test};
use morta_engine::base::WorldSeed;
use morta_engine::stats::effect_size::cohens_d_paired;
use morta_engine::stats::permutation::sign_flip;
use morta_engine::stats::signed_rank::signed_rank;
use morta_engine::stats::t_test::paired_t;
use morta_engine::stats::{CompareOptions, Figure, Interval, Summary};

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
        let named = |name: &String| data.manifest.arms.iter().position(|arm| arm.name == *name);
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

    /// The test in words.
    pub const fn test_name(&self) -> &'static str {
        match self.test {
            Test::PairedPermutation => "paired sign-flip permutation test",
            Test::Wilcoxon => "Wilcoxon signed-rank test",
            Test::T => "paired t test",
        }
    }

    /// The correction in words.
    pub const fn correction_name(&self) -> &'static str {
        match self.correction {
            Correction::Holm => "Holm",
            Correction::BenjaminiHochberg => "Benjamini and Hochberg",
        }
    }

    /// The least p that the sign-flip test can give in the comparison with most worlds: two of 2ⁿ assignments.
    pub fn least_p(&self, compared: &[&Answer]) -> Option<f64> {
        let worlds = |answer: &&Answer| answer.difference.as_ref().map(|difference| difference.worlds);
        let most = compared.iter().filter_map(worlds).max()?;
        (self.test == Test::PairedPermutation).then(|| 0.5_f64.powi(most.saturating_sub(1).min(1_000) as i32))
    }

    fn p(&self, differences: &[f64]) -> Figure<f64> {
        let draws = CompareOptions::default();
        match self.test {
            Test::PairedPermutation => {
                sign_flip(differences, draws.resamples, WorldSeed(draws.seed.0)).map(|test| test.p).into()
            }
            Test::Wilcoxon => signed_rank(differences, true).map(|test| test.p).into(),
            Test::T => paired_t(differences, self.level()).map(|test| test.p).into(),
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
    pub worlds: usize,
    pub mean: f64,
    pub interval: Figure<Interval>,
    pub p: Figure<f64>,
    pub corrected_p: Option<f64>,
    pub effect_size: Figure<f64>,
    /// Worlds that only one of the two has.
    pub unpaired: usize,
}

/// What the figures say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    Better,
    Worse,
    /// There is a difference, and no direction was registered.
    Differs,
    /// The interval lies within what doesn't matter.
    Alike,
    Undecided,
    /// There is no test.
    Unknown,
}

impl Finding {
    /// In a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Differs => "differs",
            Self::Alike => "alike",
            Self::Undecided => "undecided",
            Self::Unknown => "can't be told",
        }
    }
}

/// The differences by world.
pub fn differences(own: &ByWorld, base: &ByWorld) -> Vec<f64> {
    own.iter().filter_map(|(world, value)| Some(value - base.get(world)?)).collect()
}

/// All arms, in the sweep's order.
pub fn answers(data: &SweepData, question: &Question) -> Vec<Answer> {
    let values = |arm| data.values(arm, &question.cohort, &question.measure);
    let base = values(question.baseline);
    let answer = |(arm, entry): (usize, &crate::sweep_folder::manifest::ArmEntry)| {
        let own = values(arm);
        let plain: Vec<f64> = own.values().copied().collect();
        let compared = || difference(question, &own, &base);
        let difference = if arm == question.baseline { None } else { compared() };
        Answer { arm, name: entry.name.clone(), own: Summary::of(&entry.name, &plain).ok(), difference }
    };
    let mut answers: Vec<Answer> = data.manifest.arms.iter().enumerate().map(answer).collect();
    correct(question.correction, &mut answers);
    answers
}

fn difference(question: &Question, own: &ByWorld, base: &ByWorld) -> Option<Difference> {
    let differences = differences(own, base);
    let (worlds, mean) = (differences.len(), Summary::of("paired differences", &differences).ok()?.mean);
    Some(Difference {
        worlds,
        mean,
        interval: paired_t(&differences, question.level()).map(|test| test.interval).into(),
        p: question.p(&differences),
        corrected_p: None,
        effect_size: cohens_d_paired(&differences).into(),
        unpaired: own.len() + base.len() - 2 * worlds,
    })
}

fn correct(correction: Correction, answers: &mut [Answer]) {
    let p = |answer: &Answer| answer.difference.as_ref().and_then(|known| known.p.known().copied());
    let known: Vec<f64> = answers.iter().filter_map(p).collect();
    let mut corrected = correction.adjust(&known).unwrap_or_default().into_iter();
    for answer in answers.iter_mut().filter(|answer| p(answer).is_some()) {
        if let Some(difference) = &mut answer.difference {
            difference.corrected_p = corrected.next();
        }
    }
}

impl Difference {
    /// What it says.
    pub fn finding(&self, question: &Question) -> Finding {
        let Some(p) = self.corrected_p else { return Finding::Unknown };
        if p <= question.alpha {
            return match (question.direction, self.mean > 0.0) {
                (None, _) => Finding::Differs,
                (Some(Direction::More), true) | (Some(Direction::Less), false) => Finding::Better,
                _ => Finding::Worse,
            };
        }
        let within = |interval: &Interval, zone: f64| interval.low > -zone && interval.high < zone;
        match (self.interval.known(), question.effect_of_interest) {
            (Some(interval), Some(zone)) if within(interval, zone) => Finding::Alike,
            _ => Finding::Undecided,
        }
    }

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

/// An arm's verdict as a paper could quote it.
pub fn sentence(question: &Question, answer: &Answer, baseline: &str, comparisons: usize) -> Option<String> {
    let difference = answer.difference.as_ref()?;
    let (name, worlds, unit) = (&answer.name, difference.worlds, question.unit);
    let over = if worlds == 1 { "1 world".to_owned() } else { format!("{worlds} worlds") };
    let measured = format!("{} of {}", question.measure, question.cohort);
    let interval = match &difference.interval {
        Figure::Known(interval) => format!("{} t interval {}", percent(interval.level), range(*interval)),
        Figure::Unknown { cannot_be_computed } => format!("no interval, because {cannot_be_computed}"),
    };
    let tested = match (&difference.p, difference.corrected_p) {
        (Figure::Known(p), Some(corrected)) if comparisons > 1 => format!(
            "{}, {}, after {}'s correction over {comparisons} comparisons {}",
            question.test_name(),
            p_is(*p),
            question.correction_name(),
            p_is(corrected)
        ),
        (Figure::Known(p), _) => format!("{}, {}", question.test_name(), p_is(*p)),
        (Figure::Unknown { cannot_be_computed }, _) => format!("no test, because {cannot_be_computed}"),
    };
    let finding = difference.finding(question);
    let says = match finding {
        Finding::Better => "is better than",
        Finding::Worse => "is worse than",
        Finding::Differs => "differs from",
        Finding::Alike => "makes no difference that matters against",
        Finding::Undecided => "is not shown to differ from",
        Finding::Unknown => "can't be judged against",
    };
    let matters = match (finding, difference.interval.known(), question.effect_of_interest) {
        (Finding::Better | Finding::Worse | Finding::Differs, Some(interval), Some(zone)) => {
            if interval.low > zone || interval.high < -zone {
                format!(" All of the interval is beyond the effect of interest, {zone}.")
            } else if interval.high < zone && interval.low > -zone {
                format!(" The difference is smaller than the effect of interest, {zone}.")
            } else {
                format!(" The interval includes the effect of interest, {zone}.")
            }
        }
        _ => String::new(),
    };
    Some(format!(
        "{name} {says} {baseline}: {measured} differs by {} {unit} over {over} ({interval}; {tested}).{matters}",
        signed(difference.mean)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(effect_of_interest: Option<f64>, direction: Option<Direction>) -> Question {
        Question {
            measure: "mean_r".to_owned(),
            unit: "R",
            cohort: "all".to_owned(),
            direction,
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

    /// Student's own example: extra hours of sleep under two drugs, mean difference 1.58, 95 % interval 0.70 to 2.46, p = .0028.
    #[test]
    fn students_sleep_data() {
        let own = world(&[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
        let base = world(&[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]);
        let mut found = difference(&question(None, None), &own, &base).unwrap();
        assert!((found.mean - 1.58).abs() < 1e-9);
        let interval = found.interval.known().unwrap();
        assert!((interval.low - 0.700).abs() < 1e-3 && (interval.high - 2.460).abs() < 1e-3);
        let p = *found.p.known().unwrap();
        assert!((p - 0.00283).abs() < 1e-5, "{p}");
        found.corrected_p = Some(p);
        for (direction, expected) in [
            (None, Finding::Differs),
            (Some(Direction::More), Finding::Better),
            (Some(Direction::Less), Finding::Worse),
        ] {
            assert_eq!(found.finding(&question(None, direction)), expected);
        }
        found.corrected_p = Some(0.2);
        assert_eq!(found.finding(&question(Some(3.0), None)), Finding::Alike);
        assert_eq!(found.finding(&question(Some(2.0), None)), Finding::Undecided);
    }

    #[test]
    fn one_world_has_a_difference_and_no_interval() {
        let found = difference(&question(Some(0.1), None), &world(&[1.0]), &world(&[0.5, 3.0])).unwrap();
        assert_eq!((found.worlds, found.mean, found.unpaired), (1, 0.5, 1));
        assert!(found.interval.known().is_none());
        assert_eq!(found.finding(&question(Some(0.1), None)), Finding::Unknown);
        let answer = Answer { arm: 1, name: "a".to_owned(), own: None, difference: Some(found) };
        let by_signs = Question { test: Test::PairedPermutation, ..question(None, None) };
        assert_eq!(
            (by_signs.least_p(&[&answer]), question(None, None).least_p(&[&answer])),
            (Some(1.0), None)
        );
        let said = sentence(&question(Some(0.1), None), &answer, "b", 1).unwrap();
        assert!(said.contains("over 1 world (no interval, because paired differences: 1 of them"), "{said}");
        assert!(difference(&question(None, None), &world(&[]), &world(&[1.0])).is_none());
    }
}
