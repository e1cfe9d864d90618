//! All arms against the baseline in one measure, world by world.

use super::Question;
use super::enough::EnoughWorlds;
use super::report::{ArmReport, Described, Difference, Finding, Judged};
use crate::sweep::measure::{Better, Measure};
use crate::sweep::sweep_file::{Correction, Direction, Preregistration, Sweep, Test};
use morta_base::WorldSeed;
use morta_stats::aggregate::Estimate;
use morta_stats::bootstrap::Bootstrap;
use morta_stats::ceiling;
use morta_stats::differences::paired_differences;
use morta_stats::ranking::{Ranking, rank};
use morta_stats::t_test::paired_t;
use morta_stats::{CompareOptions, Computed, Interval, PairedComparison, StatsError, Summary, compare_pairs};

/// Most random draws of the bootstraps of all comparisons together; large sweeps get fewer resamples.
const DRAWS_MAX: u64 = 400_000_000;
/// Resamples of a bootstrap.
const RESAMPLES: std::ops::RangeInclusive<u64> = 1_000..=10_000;
/// Level of intervals when nothing is registered.
const USUAL_LEVEL: f64 = 0.95;
/// Streams of random numbers, apart from those of comparisons.
const PART_OF_GAPS: u32 = 900;
const PART_OF_RANKS: u32 = 1_000;
/// Most seeds that are told of one by one.
const SEEDS_TOLD: usize = 20;

/// How comparisons are made.
pub struct Rules<'a> {
    pub options: CompareOptions,
    /// Arms besides the baseline.
    pub comparisons: usize,
    pub registered: Option<&'a Preregistration>,
}

impl<'a> Rules<'a> {
    /// Those of a sweep.
    pub fn of(sweep: &'a Sweep) -> Self {
        let registered = sweep.file.preregistration.as_ref();
        let comparisons = sweep.compared().len() - 1;
        let affordable = DRAWS_MAX / (sweep.worlds() * comparisons.max(1) as u64);
        let resamples = affordable.clamp(*RESAMPLES.start(), *RESAMPLES.end()) as u32;
        let level = registered.map_or(USUAL_LEVEL, |registered| 1.0 - registered.alpha);
        Self { options: CompareOptions { level, resamples, seed: WorldSeed(0) }, comparisons, registered }
    }

    /// The test of each comparison: as registered, or the usual one.
    pub fn test(&self) -> Test {
        self.registered.map_or(Test::default(), |registered| registered.test)
    }

    /// What is done about several comparisons.
    pub fn correction(&self) -> Correction {
        self.registered.map_or(Correction::default(), |registered| registered.correction)
    }

    /// The error rate.
    pub fn alpha(&self) -> f64 {
        self.registered.map_or(1.0 - USUAL_LEVEL, |registered| registered.alpha)
    }

    /// Those of a sweep in which nothing was registered.
    #[cfg(test)]
    pub fn unregistered() -> Self {
        let options = CompareOptions { level: USUAL_LEVEL, resamples: 1_000, seed: WorldSeed(0) };
        Self { options, comparisons: 1, registered: None }
    }

    fn bootstrap(&self, part: u32) -> Bootstrap {
        let CompareOptions { level, resamples, seed } = self.options;
        Bootstrap { resamples, level, seed, part }
    }

    fn corrected(&self, p_values: &[f64]) -> Vec<f64> {
        self.correction().adjust(p_values).expect("p-values are from 0 to 1")
    }
}

/// The comparisons of one measure.
pub struct Family {
    pub measure: &'static Measure,
    pub cohort: String,
    pub arms: Vec<ArmReport>,
    /// Of the primary measure, where three arms or more are to be ranked.
    pub ranking: Option<Computed<Ranking>>,
}

/// Compares every arm with the baseline; tests and corrects where something is registered and `judge` says so.
pub fn compare(sweep: &Sweep, rules: &Rules<'_>, question: &Question, failed: &[u64], judge: bool) -> Family {
    let baseline = sweep.baseline();
    let level = rules.options.level;
    let judge = rules.registered.filter(|_| judge);
    let mut arms: Vec<ArmReport> = sweep
        .compared()
        .into_iter()
        .map(|arm| ArmReport {
            arm: sweep.arms[arm].name.clone(),
            value: described(&question.values[arm], level),
            difference: (arm != baseline).then(|| {
                let pairs = Pairs::of(sweep, &question.values[arm], &question.values[baseline]);
                pairs.difference(rules, question, judge).map_or_else(
                    |why| Computed::Unknown { cannot_be_computed: why.to_string() },
                    Computed::Known,
                )
            }),
            share_of_gap: share_of_gap(sweep, rules, question, arm),
            failed: failed[arm],
        })
        .collect();
    if let Some(registered) = judge {
        correct(&mut arms, rules, registered, question);
    }
    let ranking = judge.filter(|registered| question.is_primary(registered) && arms.len() > 2);
    let ranking = ranking.map(|registered| ranked(sweep, question, registered, rules));
    Family { measure: question.measure, cohort: question.cohort.clone(), arms, ranking }
}

/// Of the worlds that all arms have a value in.
fn ranked(
    sweep: &Sweep,
    question: &Question,
    registered: &Preregistration,
    rules: &Rules<'_>,
) -> Computed<Ranking> {
    let arms: Vec<&Vec<Option<f64>>> =
        sweep.compared().into_iter().map(|arm| &question.values[arm]).collect();
    let worlds = arms.first().map_or(0, |arm| arm.len());
    let complete = |world: &usize| arms.iter().all(|arm| arm[*world].is_some());
    let complete: Vec<usize> = (0..worlds).filter(complete).collect();
    let row = |arm: &&Vec<Option<f64>>| complete.iter().filter_map(|world| arm[*world]).collect();
    let rows: Vec<Vec<f64>> = arms.iter().map(row).collect();
    let more = registered.primary.direction == Direction::More;
    rank(&rows, more, &rules.bootstrap(PART_OF_RANKS)).into()
}

fn share_of_gap(
    sweep: &Sweep,
    rules: &Rules<'_>,
    question: &Question,
    arm: usize,
) -> Option<Computed<Estimate>> {
    let (ceiling, baseline) = (sweep.ceiling()?, sweep.baseline());
    if arm == ceiling || arm == baseline || question.measure.better == Better::Neither {
        return None;
    }
    let values = &question.values;
    let all = values[arm].iter().zip(&values[baseline]).zip(&values[ceiling]);
    let (mut own, mut base, mut best) = (Vec::new(), Vec::new(), Vec::new());
    for ((arm, baseline), ceiling) in all {
        if let (Some(arm), Some(baseline), Some(ceiling)) = (arm, baseline, ceiling) {
            own.push(*arm);
            base.push(*baseline);
            best.push(*ceiling);
        }
    }
    let gap: f64 = best.iter().zip(&base).map(|(best, base)| best - base).sum();
    let better = if question.measure.better == Better::Less { -gap } else { gap };
    if better <= 0.0 {
        let why = format!("the ceiling is no better than the baseline in {}", question.measure.name);
        return Some(Computed::Unknown { cannot_be_computed: why });
    }
    Some(ceiling::share_of_gap(&own, &base, &best, &rules.bootstrap(PART_OF_GAPS)).into())
}

/// Mean over worlds with its interval; `None` without a value.
pub fn described(values: &[Option<f64>], level: f64) -> Option<Described> {
    let values: Vec<f64> = values.iter().flatten().copied().collect();
    let summary = Summary::of("worlds", &values).ok()?;
    Some(Described {
        worlds: summary.count,
        mean: summary.mean,
        standard_deviation: summary.standard_deviation,
        interval: t_interval(&values, level),
    })
}

fn t_interval(values: &[f64], level: f64) -> Computed<Interval> {
    paired_t(values, level).map(|found| found.interval).into()
}

/// The worlds in which both arms have a value.
struct Pairs {
    arm: Vec<f64>,
    baseline: Vec<f64>,
    left_out: Vec<u64>,
}

/// Why there is no difference between two arms.
#[derive(Debug, thiserror::Error)]
enum NoDifference {
    #[error("no world has a {measure} of {cohort} in both arms")]
    NoPairs { measure: &'static str, cohort: String },
    #[error(transparent)]
    Stats(#[from] StatsError),
}

impl Pairs {
    fn of(sweep: &Sweep, arm: &[Option<f64>], baseline: &[Option<f64>]) -> Self {
        let mut pairs = Self { arm: Vec::new(), baseline: Vec::new(), left_out: Vec::new() };
        for (world, both) in arm.iter().zip(baseline).enumerate() {
            if let (Some(own), Some(base)) = both {
                pairs.arm.push(*own);
                pairs.baseline.push(*base);
            } else {
                pairs.left_out.push(sweep.file.seeds.first + world as u64);
            }
        }
        pairs
    }

    fn difference(
        &self,
        rules: &Rules<'_>,
        question: &Question,
        judge: Option<&Preregistration>,
    ) -> Result<Difference, NoDifference> {
        let measure = question.measure.name;
        if self.arm.is_empty() {
            return Err(NoDifference::NoPairs { measure, cohort: question.cohort.clone() });
        }
        let pairs = self.arm.iter().copied().zip(self.baseline.iter().copied());
        let differences = paired_differences(pairs);
        let summary = Summary::of("differences", &differences)?;
        let judged = match judge {
            None => None,
            Some(registered) => {
                let figures = compare_pairs(&self.arm, &self.baseline, &rules.options)?;
                let is_primary = question.is_primary(registered);
                let enough = is_primary.then(|| EnoughWorlds::of(&differences, &figures, rules, registered));
                let p = p_of(&figures, registered.test);
                let corrected_p = p.clone();
                let finding = Finding::CannotBeComputed;
                Some(Box::new(Judged { finding, p, corrected_p, enough, figures }))
            }
        };
        Ok(Difference {
            worlds: summary.count,
            left_out_worlds: self.left_out.len() as u64,
            left_out_seeds: self.left_out.iter().take(SEEDS_TOLD).copied().collect(),
            mean: summary.mean,
            interval: t_interval(&differences, rules.options.level),
            judged,
        })
    }
}

impl Question {
    fn is_primary(&self, registered: &Preregistration) -> bool {
        let primary = &registered.primary;
        self.measure.name == primary.measure && self.cohort == primary.cohort
    }
}

fn p_of(figures: &PairedComparison, test: Test) -> Computed<f64> {
    let unknown = |why: &str| Computed::Unknown { cannot_be_computed: why.to_owned() };
    match test {
        Test::PairedPermutation => match &figures.sign_flip {
            Computed::Known(test) => Computed::Known(test.p),
            Computed::Unknown { cannot_be_computed } => unknown(cannot_be_computed),
        },
        Test::Wilcoxon => match &figures.signed_rank {
            Computed::Known(test) => Computed::Known(test.p),
            Computed::Unknown { cannot_be_computed } => unknown(cannot_be_computed),
        },
        Test::T => match &figures.paired_t {
            Computed::Known(test) => Computed::Known(test.p),
            Computed::Unknown { cannot_be_computed } => unknown(cannot_be_computed),
        },
    }
}

/// Corrects the p-values of a family for all comparisons that were registered, those without one counting as 1, so that a failure
/// makes the others no easier; then says what came of each.
fn correct(arms: &mut [ArmReport], rules: &Rules<'_>, registered: &Preregistration, question: &Question) {
    let p_values: Vec<f64> = arms
        .iter()
        .filter_map(|arm| arm.difference.as_ref())
        .map(|figure| {
            figure.known().and_then(|found| found.judged.as_ref()?.p.known().copied()).unwrap_or(1.0)
        })
        .collect();
    let corrected = rules.corrected(&p_values);
    let better_sign = match (question.is_primary(registered), registered.primary.direction) {
        (true, Direction::Less) => -1.0,
        // Survival that isn't the primary measure: longer lives.
        _ => 1.0,
    };
    let figures = arms.iter_mut().filter_map(|arm| arm.difference.as_mut());
    for (figure, corrected) in figures.zip(corrected) {
        let Computed::Known(found) = figure else { continue };
        let Some(judged) = &mut found.judged else { continue };
        if judged.p.known().is_none() {
            continue;
        }
        judged.corrected_p = Computed::Known(corrected);
        judged.finding = match found.mean * better_sign {
            gain if corrected <= registered.alpha && gain > 0.0 => Finding::Better,
            gain if corrected <= registered.alpha && gain < 0.0 => Finding::Worse,
            _ => Finding::NotShown,
        };
    }
}
