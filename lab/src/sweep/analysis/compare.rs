//! Arms against the baseline in one measure, world by world: all arms, but where the file has a ladder, contrasts or a map only those on
//! the baseline's rung and at its point of the axes, and of a sensitivity analysis the baseline alone.
//!
//! Δ_w = value of the arm in world w − value of the baseline in world w, in the measure's unit; the effect is the mean of Δ_w. Both arms of
//! a pair have one seed, so the variance that worlds have in common cancels. A world in which one of the two has no value is left out of
//! the pair, never replaced by a guess: a failed cell takes the other cell of its pair with it.
//!
//! It is a paired comparison (treatment versus control) with common random numbers: sign-flip permutation test (the default), paired t-test
//! or Wilcoxon, Holm (the default) or Benjamini-Hochberg correction. Here only the registered primary measure is tested and decides; where
//! survival is registered, restricted means are tested as well. Secondary measures get an effect with an uncorrected interval and no p.

use super::Question;
use super::contrast::{Aim, Contrast, judge};
use super::gap::{Gap, GapEnds};
use super::looks::AtLook;
use super::report::{ArmReport, DescribedMeasure, SameAs};
use crate::sweep::measure::{Better, Measure};
use crate::sweep::sweep_file::{Correction, Direction, Preregistration, Sweep, Test};
use morta_base::WorldSeed;
use morta_stats::bootstrap::Bootstrap;
use morta_stats::overlap::Stretch;
use morta_stats::paired::arm_interquartile_mean;
use morta_stats::ranking::{Ranking, rank};
use morta_stats::t_test::paired_t;
use morta_stats::{CompareOptions, Computed, Summary};

/// Level of intervals where nothing is registered. Our choice: 95 % is what a reader expects of an interval that names no level.
const USUAL_LEVEL: f64 = 0.95;
/// Stream of random numbers. Each bootstrap of an analysis has its own, so that adding one never changes the figures of another.
const PART_OF_RANKS: u32 = 1_000;

/// How comparisons of a sweep are tested, corrected for multiple testing and judged, at which error rate. The other parts of an analysis
/// (contrasts, ladder, map, rule, factorial design and so on) judge by it too.
#[derive(Default)]
pub struct DecisionRules<'a> {
    /// Level of usual intervals, number of resamples, and the seed of both, which is always 0, so that an analysis repeats to the byte.
    pub options: CompareOptions,
    /// Comparisons with the baseline for which p-values are corrected. Arms that lived the same bytes count once: a second test of the same
    /// numbers would cost power and could find nothing new.
    pub comparisons: usize,
    /// What was registered beforehand; none for an exploratory sweep, whose primary measure isn't tested.
    pub registered: Option<&'a Preregistration>,
    /// Digests of the event logs of all cells.
    pub lived: LivesDigests,
    /// The measure of a `[question]` without a registration, and the effect of interest δ (equivalence margin) in its unit, which
    /// `Question::aim` gives to no other measure.
    pub matters: Option<(&'a str, f64)>,
    /// The looks so far; `None` where only the end is looked at.
    pub look: Option<AtLook>,
    /// The stretch of the recording that each world lives through; `None` where none overlap. Worlds that share data aren't independent, so
    /// their intervals come from blocks instead of from Student's t.
    pub stretches: Option<Vec<Stretch>>,
}

impl<'a> DecisionRules<'a> {
    /// Reads the rules of a sweep: the registered ones (preregistration), or the usual ones where nothing is registered, so that an
    /// exploratory sweep has figures too.
    pub(crate) fn from_sweep(sweep: &'a Sweep) -> Self {
        let registered = sweep.file.preregistration.as_ref();
        let comparisons = sweep.compared().len() - 1;
        let resamples = sweep.resamples();
        let asked = sweep.file.question.as_ref().filter(|_| registered.is_none());
        let level = registered.map_or(USUAL_LEVEL, |registered| 1.0 - registered.alpha);
        Self {
            options: CompareOptions { level, resamples, seed: WorldSeed(0) },
            comparisons,
            registered,
            lived: LivesDigests::default(),
            matters: asked.and_then(|asked| Some((asked.measure.as_str(), asked.matters?))),
            look: registered.and_then(|one| AtLook::at_worlds(one, sweep.file.seeds.count, sweep.worlds())),
            stretches: sweep.overlapping_stretches(),
        }
    }

    /// The hypothesis test of each comparison: as registered, or the usual one.
    pub fn test(&self) -> Test {
        self.registered.map_or(Test::default(), |registered| registered.test)
    }

    /// The multiple testing correction: as registered, or the usual one.
    pub fn correction(&self) -> Correction {
        self.registered.map_or(Correction::default(), |registered| registered.correction)
    }

    /// The error rate alpha (significance level).
    pub fn alpha(&self) -> f64 {
        self.registered.map_or(1.0 - USUAL_LEVEL, |registered| registered.alpha)
    }

    /// The rules of a sweep in which nothing was registered (exploratory analysis plan).
    #[cfg(test)]
    pub(crate) fn unregistered() -> Self {
        let options = CompareOptions { level: USUAL_LEVEL, resamples: 1_000, seed: WorldSeed(0) };
        Self { options, comparisons: 1, ..Self::default() }
    }

    /// Converts a p-value to the one that the correction takes: at a look before the end the repeated p-value, so that looking early
    /// doesn't raise the error rate.
    pub fn counted(&self, p: f64) -> f64 {
        self.look.as_ref().map_or(p, |look| look.repeated(p))
    }

    /// Makes the bootstrap of one part of an analysis, with a random stream of its own, so that parts don't disturb each other's figures.
    pub fn bootstrap(&self, part: u32) -> Bootstrap {
        let CompareOptions { level, resamples, seed } = self.options;
        Bootstrap { resamples, level, seed, part }
    }
}

/// What every part of an analysis is made from: the sweep, the rules that it is judged by, and the values of the measures that its parts
/// name.
pub(super) struct Basis<'a> {
    pub(super) sweep: &'a Sweep,
    pub(super) rules: DecisionRules<'a>,
    pub(super) questions: &'a [Question],
}

impl<'a> Basis<'a> {
    /// The values of a pair of measure and cohort.
    pub(super) fn question(&self, measure: &str, cohort: &str) -> &'a Question {
        let is_it = |question: &&Question| question.measure.name == measure && question.cohort == cohort;
        self.questions.iter().find(is_it).expect("every contrast's measure was asked of the cells")
    }
}

/// The comparisons of one measure (family of comparisons). They are multiple comparisons, with a ranking of the arms.
pub(crate) struct Family {
    /// The measure all of them are in.
    pub measure: &'static Measure,
    pub cohort: String,
    /// The baseline and the arms that are compared with it, in the sweep's order.
    pub arms: Vec<ArmReport>,
    /// The ends of the gap of which the arms close a share, where there is a ceiling.
    pub gap: Option<GapEnds>,
    /// Mean ranks in the primary measure; `None` for fewer than three arms, whose order the comparison itself gives.
    pub ranking: Option<Computed<Ranking>>,
}

/// Compares every arm with the baseline; tests and corrects where something is registered and `tested` says so
/// (paired comparison with the baseline).
pub(super) fn compare(basis: &Basis<'_>, question: &Question, failed: &[u64], tested: bool) -> Family {
    let (sweep, rules) = (basis.sweep, &basis.rules);
    let (baseline, compared) = (sweep.baseline(), sweep.compared());
    let judged = rules.registered.filter(|_| tested);
    let gap = Gap::from_sweep(sweep, question);
    let twins: Vec<Option<usize>> =
        compared.iter().map(|arm| rules.lived.twin(*arm, &compared, baseline)).collect();
    let difference = |arm: usize| {
        let found = Contrast::between(basis, question, [arm, baseline]);
        if judged.is_some() { found.with_figures(question, [arm, baseline], rules) } else { found }
    };
    let mut arms: Vec<ArmReport> = compared
        .iter()
        .zip(&twins)
        .map(|(&arm, twin)| ArmReport {
            arm: sweep.arms[arm].name.clone(),
            value: described(&question.values[arm], rules.options.level),
            interquartile_mean: judged.map(|_| {
                let values: Vec<f64> = question.values[arm].iter().flatten().copied().collect();
                arm_interquartile_mean(&values, &rules.options).into()
            }),
            difference: (arm != baseline).then(|| difference(arm)),
            same_as: twin.map(|twin| SameAs::from_twin(sweep, arm, twin)),
            share_of_gap: gap.as_ref().and_then(|gap| gap.share(basis, question, arm)),
            failed: failed[arm],
        })
        .collect();
    if let Some(registered) = judged {
        let mut family: Vec<&mut Contrast> = Vec::new();
        for (arm, twin) in arms.iter_mut().zip(&twins) {
            // An arm that lived the same bytes as an earlier one has the same differences: a second p-value would be corrected for in vain.
            family.extend(arm.difference.as_mut().filter(|_| twin.is_none_or(|twin| twin == baseline)));
        }
        judge(family, registered.correction, rules);
        for index in 0..arms.len() {
            let Some(twin) = twins[index].filter(|twin| *twin != baseline) else { continue };
            let place = compared.iter().position(|arm| *arm == twin).expect("a twin is compared");
            arms[index].difference = arms[place].difference.clone();
        }
    }
    let ranking = judged.filter(|registered| question.is_primary(registered) && arms.len() > 2);
    let ranking = ranking.map(|registered| ranked(basis, question, registered));
    let gap = gap.map(|gap| gap.ends(sweep));
    Family { measure: question.measure, cohort: question.cohort.clone(), arms, gap, ranking }
}

/// Ranks arms within each world. Only worlds in which all arms have a value count: a missing arm would shift the ranks of the others.
fn ranked(basis: &Basis<'_>, question: &Question, registered: &Preregistration) -> Computed<Ranking> {
    let compared = basis.sweep.compared();
    let arms: Vec<&Vec<Option<f64>>> = compared.into_iter().map(|arm| &question.values[arm]).collect();
    let worlds = arms.first().map_or(0, |arm| arm.len());
    let complete = |world: &usize| arms.iter().all(|arm| arm[*world].is_some());
    let complete: Vec<usize> = (0..worlds).filter(complete).collect();
    let row = |arm: &&Vec<Option<f64>>| complete.iter().filter_map(|world| arm[*world]).collect();
    let rows: Vec<Vec<f64>> = arms.iter().map(row).collect();
    let more = registered.primary.direction == Direction::More;
    rank(&rows, more, &basis.rules.bootstrap(PART_OF_RANKS)).into()
}

/// Computes the mean over worlds with its t interval; `None` where no world has a value. One world has a mean and no interval.
pub(super) fn described(values: &[Option<f64>], level: f64) -> Option<DescribedMeasure> {
    let values: Vec<f64> = values.iter().flatten().copied().collect();
    let summary = Summary::from_values("worlds", &values).ok()?;
    Some(DescribedMeasure {
        worlds: summary.count,
        mean: summary.mean,
        standard_deviation: summary.standard_deviation,
        interval: paired_t(&values, level).map(|found| found.interval).into(),
    })
}

impl Question {
    /// Whether this is the measure and the cohort that were registered to decide (primary endpoint).
    pub(crate) fn is_primary(&self, registered: &Preregistration) -> bool {
        let primary = &registered.primary;
        self.measure.name == primary.measure && self.cohort == primary.cohort
    }

    /// The better side and the effect of interest of its contrasts: as registered for the primary measure, else the measure's own side
    /// (effect of interest). A δ that was registered or asked for is in the unit of one measure, so no other measure gets one.
    pub(super) fn aim(&self, rules: &DecisionRules<'_>) -> Aim {
        match rules.registered.filter(|registered| registered.primary.measure == self.measure.name) {
            Some(registered) => Aim {
                direction: Some(registered.primary.direction),
                matters: Some(registered.effect_of_interest),
            },
            None => {
                let direction = match self.measure.better {
                    Better::More => Some(Direction::More),
                    Better::Less => Some(Direction::Less),
                    Better::Neither => None,
                };
                let own = rules.matters.filter(|(measure, _)| *measure == self.measure.name);
                Aim { direction, matters: own.map(|(_, matters)| matters) }
            }
        }
    }
}

/// Digests of the event logs of all cells, by arm and world; `None` for a cell that failed or wasn't lived (reproducibility digests). Equal
/// digests prove that a key did nothing, where equal measures only suggest it.
#[derive(Default)]
pub struct LivesDigests(pub Vec<Vec<Option<String>>>);

impl LivesDigests {
    /// Whether two arms lived the same bytes in every world; false where one cell is missing (identical arms).
    pub(crate) fn is_alike(&self, a: usize, b: usize) -> bool {
        let (Some(a), Some(b)) = (self.0.get(a), self.0.get(b)) else { return false };
        a.iter().all(Option::is_some) && a == b
    }

    /// Worlds, by number, in which two arms lived the same bytes (identical digests).
    pub(crate) fn worlds_alike(&self, a: usize, b: usize) -> Vec<usize> {
        let (Some(a), Some(b)) = (self.0.get(a), self.0.get(b)) else { return Vec::new() };
        let is_alike = |world: &usize| a[*world].is_some() && a[*world] == b[*world];
        (0..a.len().min(b.len())).filter(is_alike).collect()
    }

    /// The arm whose bytes `arm` repeats: the baseline, or the first of those compared before it.
    fn twin(&self, arm: usize, compared: &[usize], baseline: usize) -> Option<usize> {
        if arm == baseline {
            return None;
        }
        let before = compared.iter().copied().take_while(|other| *other != arm);
        std::iter::once(baseline).chain(before).find(|other| self.is_alike(*other, arm))
    }

    /// Finds the arms that differ from the baseline and from one another; p-values are corrected for their number.
    pub fn distinct(&self, compared: &[usize], baseline: usize) -> Vec<usize> {
        let others = compared.iter().copied().filter(|arm| *arm != baseline);
        others.filter(|arm| self.twin(*arm, compared, baseline).is_none()).collect()
    }
}
