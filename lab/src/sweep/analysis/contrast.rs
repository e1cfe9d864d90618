//! Two arms in the same worlds, in one measure. Comparisons with the baseline and those of ladder, map, rule, specification curve and
//! factorial design are contrasts; those of pooled lives and of a sensitivity analysis aren't.
//!
//! effect = mean over worlds of (treated − control), in the measure's unit; a world in which one of the two has no value is left out. p is
//! that of the registered test of the differences (of the usual one where a design tests without a registration); it goes through the
//! correction of its family, and the error rate that the correction leaves sets the level of the interval. So a verdict and the interval
//! beside it make one statement at one error rate (Benjamini & Yekutieli 2005), instead of a corrected p beside a 95 % interval.
//!
//! A `Contrast` is a paired difference (effect size, confidence interval, p-value, equivalence test).

use super::Question;
use super::compare::{Basis, DecisionRules};
use super::enough::EnoughWorlds;
use super::verdict::{ContrastEvidence, ContrastVerdict, Judgement, interval_of};
use crate::sweep::sweep_file::{Correction, Direction, Test};
use morta_stats::differences::paired_differences;
use morta_stats::overlap::{Stretch, effective_worlds};
use morta_stats::permutation::sign_flip;
use morta_stats::signed_rank::signed_rank;
use morta_stats::t_test::paired_t;
use morta_stats::{Computed, Interval, PairedComparison, StatsError, compare_pairs};
use serde::{Deserialize, Serialize};

/// Most seeds that are listed one by one. Our choice: enough to live a handful of worlds again, few enough for a line of a page.
const SEEDS_LISTED: usize = 20;

/// A paired treatment effect: the treated arm less the control, with its interval, test and verdict.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Contrast {
    /// Worlds in which both have a value.
    pub worlds: u64,
    /// Worlds in which one of them has none: the cell failed, was not lived, or the measure isn't defined there.
    pub left_out_worlds: u64,
    /// The seeds of these, the first 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out_seeds: Vec<u64>,
    /// Worlds in which the two lived the same bytes, where these are some and not all: what the arms differ in did nothing there.
    #[serde(default, skip_serializing_if = "is_none_of_them")]
    pub same_bytes_worlds: u64,
    /// The seeds of these, the first 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same_bytes_seeds: Vec<u64>,
    /// Mean of the treated arm over those worlds, in the measure's unit; none without worlds.
    pub treated_mean: Option<f64>,
    /// Mean of the control over those worlds, in the measure's unit.
    pub control_mean: Option<f64>,
    /// Mean difference in the measure's unit; none without worlds.
    pub effect: Option<f64>,
    /// Its t interval: at one less [`Contrast::error_rate`], or at the usual level where nothing is tested.
    pub interval: Computed<Interval>,
    /// p of the test.
    pub p: Computed<f64>,
    /// The same, corrected for all of its family; one that can't be computed counts as 1 there.
    pub corrected_p: Computed<f64>,
    /// The registered error rate, or .05 where a design tests without a registration; none where nothing is tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// What the correction leaves of it for this comparison, and a look before the end of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_rate: Option<f64>,
    /// Which way is better; none where neither is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// The effect of interest δ (equivalence margin): the one registered for the measure, or without a registration that of a `[question]`
    /// about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matters: Option<f64>,
    /// What it shows; none where nothing is tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<ContrastVerdict>,
    /// How test and interval disagree, and why; none where they agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<String>,
    /// Worlds with which the interval is ± δ/2, so that the difference is distinguished from 0 or shown to be within ±δ; none where that is
    /// settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worlds_to_settle: Option<u64>,
    /// Whether there are enough worlds; of the registered comparison alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enough: Option<EnoughWorlds>,
    /// All tests, intervals and effect sizes; of the registered comparison and of registered survival alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Box<PairedComparison>>,
    /// How many worlds the worlds are worth, where they lived through overlapping stretches of a recording (Kish's design effect).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effective_worlds: Option<f64>,
    /// p of two one-sided tests that the difference is within ±δ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equivalence_p: Option<f64>,
    /// The differences by world.
    #[serde(skip)]
    differences: Vec<f64>,
    /// The stretches of those worlds, where some overlap.
    #[serde(skip)]
    stretches: Vec<Stretch>,
}

fn is_none_of_them(worlds: &u64) -> bool {
    *worlds == 0
}

/// What a contrast is judged by: the effect direction that is better, and the equivalence margin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aim {
    /// Which way is better, if either is.
    pub direction: Option<Direction>,
    /// The effect of interest δ, in the measure's unit.
    pub matters: Option<f64>,
}

impl Contrast {
    /// Two arms of a sweep, not judged yet.
    pub(super) fn between(basis: &Basis<'_>, question: &Question, [treated, control]: [usize; 2]) -> Self {
        let (sweep, rules) = (basis.sweep, &basis.rules);
        let values = [&question.values[treated], &question.values[control]];
        let mut found = Self::from_values(values[0], values[1], question.aim(rules), rules);
        let is_left_out = |world: &u64| values.iter().any(|values| values[*world as usize].is_none());
        let left_out = (0..sweep.worlds()).filter(&is_left_out);
        found.left_out_seeds =
            left_out.map(|world| sweep.file.seeds.first + world).take(SEEDS_LISTED).collect();
        if let Some(all) = &rules.stretches {
            let shared = (0..sweep.worlds()).filter(|world| !is_left_out(world));
            found.stretches = shared.map(|world| all[world as usize]).collect();
            found.effective_worlds = effective_worlds(&found.stretches).ok();
            found.interval = interval_of(&found.differences, &found.stretches, rules.options.level);
        }
        if found.worlds == 0 {
            let (measure, cohort) = (question.measure.name, &question.cohort);
            let why = format!("no world has a {measure} of {cohort} in both arms");
            found.p = Computed::Unknown { cannot_be_computed: why.clone() };
            found.corrected_p = found.p.clone();
            found.interval = Computed::Unknown { cannot_be_computed: why };
        } else if rules.lived.is_alike(treated, control) {
            found.verdict = Some(ContrastVerdict::SameBytes);
        } else {
            let alike = rules.lived.worlds_alike(treated, control);
            found.same_bytes_worlds = alike.len() as u64;
            let seed = |world: usize| sweep.file.seeds.first + world as u64;
            found.same_bytes_seeds = alike.into_iter().map(seed).take(SEEDS_LISTED).collect();
        }
        found
    }

    /// Computes the contrast of two rows of values, by world (paired differences); it isn't judged yet. Worlds where one of the two has
    /// none are left out. The values needn't be those of two arms: they are means over arms for a factorial effect, differences for a
    /// contrast between rungs, and moved by a margin for a rule.
    pub fn from_values(
        treated: &[Option<f64>],
        control: &[Option<f64>],
        aim: Aim,
        rules: &DecisionRules<'_>,
    ) -> Self {
        let both = |(own, base): (&Option<f64>, &Option<f64>)| Some(((*own)?, (*base)?));
        let pairs: Vec<(f64, f64)> = treated.iter().zip(control).filter_map(both).collect();
        let differences = paired_differences(pairs.iter().copied());
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            (!pairs.is_empty()).then(|| values.sum::<f64>() / pairs.len() as f64)
        };
        Self {
            worlds: pairs.len() as u64,
            left_out_worlds: (treated.len() - pairs.len()) as u64,
            treated_mean: mean(&mut pairs.iter().map(|(own, _)| *own)),
            control_mean: mean(&mut pairs.iter().map(|(_, base)| *base)),
            effect: mean(&mut differences.iter().copied()),
            interval: paired_t(&differences, rules.options.level).map(|found| found.interval).into(),
            direction: aim.direction,
            matters: aim.matters,
            differences,
            ..Self::default()
        }
    }

    /// Adds tests, intervals and effect sizes of all kinds. They need a bootstrap each, so only registered comparisons have them.
    pub(super) fn with_figures(
        mut self,
        question: &Question,
        arms: [usize; 2],
        rules: &DecisionRules<'_>,
    ) -> Self {
        let pairs = question.values[arms[0]].iter().zip(&question.values[arms[1]]);
        let (own, base): (Vec<f64>, Vec<f64>) =
            pairs.filter_map(|(own, base)| Some(((*own)?, (*base)?))).unzip();
        if let Ok(figures) = compare_pairs(&own, &base, &rules.options) {
            let registered = rules.registered.filter(|registered| question.is_primary(registered));
            self.enough = registered.map(|registered| {
                EnoughWorlds::from_differences(&self.differences, &figures, rules, registered)
            });
            self.figures = Some(Box::new(figures));
        }
        self
    }

    /// Takes the p-values of the same contrast tested against another value than 0; effect and interval stay as they are.
    pub(super) fn with_p_of(self, other: Self) -> Self {
        // The side is the criterion's own key: written twice, no reader that refuses a key given twice could read the analysis again.
        Self { p: other.p, corrected_p: other.corrected_p, direction: None, ..self }
    }

    /// Whether 0 lies in the interval; true where there is no interval, because nothing then excludes 0.
    pub(crate) fn holds_zero(&self) -> bool {
        self.interval.known().is_none_or(|interval| interval.low <= 0.0 && interval.high >= 0.0)
    }

    /// Whether the corrected test distinguishes the arms, and the interval agrees (statistical significance).
    pub(crate) fn tells_apart(&self) -> bool {
        self.verdict.is_some_and(ContrastVerdict::tells_apart)
    }

    /// Words the verdict as a short label for a cell of a table; empty where nothing is tested.
    pub fn in_brief(&self) -> &'static str {
        self.verdict.map_or("", |verdict| verdict.in_brief(self.matters.is_some()))
    }

    /// Takes the corrected p and error rate of its family, and judges by them.
    fn settle(&mut self, corrected_p: f64, error_rate: f64, alpha: f64) {
        let corrected_p = self.p.known().map(|_| corrected_p);
        let evidence = ContrastEvidence {
            differences: &self.differences,
            stretches: &self.stretches,
            corrected_p,
            alpha,
            error_rate,
            direction: self.direction,
            matters: self.matters,
        };
        let Judgement { verdict, interval, equivalence_p, disagreement, worlds_to_settle } = evidence.judge();
        self.equivalence_p = equivalence_p;
        (self.alpha, self.error_rate, self.verdict) = (Some(alpha), Some(error_rate), Some(verdict));
        (self.disagreement, self.worlds_to_settle) = (disagreement, worlds_to_settle);
        if self.worlds > 0 {
            self.interval = interval;
        }
        if let Some(corrected_p) = corrected_p {
            self.corrected_p = Computed::Known(corrected_p);
        }
    }
}

/// Tests the contrasts of a family, corrects for their number, and judges each (multiple comparisons). Contrasts of arms that lived the
/// same bytes have a verdict already and aren't counted. One that can't be tested counts as p = 1, so that a failure never makes the others
/// easier to reject.
pub fn judge<'a>(
    family: impl IntoIterator<Item = &'a mut Contrast>,
    correction: Correction,
    rules: &DecisionRules<'_>,
) {
    let alpha = rules.alpha();
    let mut paid: Vec<&mut Contrast> = family.into_iter().filter(|one| one.verdict.is_none()).collect();
    for one in &mut paid {
        if one.worlds > 0 {
            one.p = p_value_of(rules.test(), &one.differences, rules).into();
            one.corrected_p = one.p.clone();
        }
    }
    let p_values: Vec<f64> =
        paid.iter().map(|one| one.p.known().map_or(1.0, |p| rules.counted(*p))).collect();
    let corrected = correction.adjust(&p_values).expect("p-values are from 0 to 1");
    let rates = correction.error_rates(&corrected, alpha);
    for ((one, corrected), rate) in paid.into_iter().zip(corrected).zip(rates) {
        one.settle(corrected, rules.look.as_ref().map_or(rate, |look| look.bound(rate)), alpha);
    }
}

/// Two-sided p of a test of paired differences (paired test p-value): sign-flip permutation test, Wilcoxon signed-rank test, or paired
/// t-test.
///
/// # Errors
/// When the test can't be computed, as when all differences are 0.
pub(crate) fn p_value_of(
    test: Test,
    differences: &[f64],
    rules: &DecisionRules<'_>,
) -> Result<f64, StatsError> {
    let options = &rules.options;
    match test {
        Test::PairedPermutation => sign_flip(differences, options.resamples, options.seed).map(|test| test.p),
        Test::Wilcoxon => signed_rank(differences, true).map(|test| test.p),
        Test::T => paired_t(differences, options.level).map(|test| test.p),
    }
}

#[cfg(test)]
mod tests;
