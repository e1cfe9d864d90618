//! Contrasts by rung of a masking ladder: how much of an effect is left where other mechanisms can do the same work.
//!
//! On each rung: treated − control. Between rungs: (treated − control on the rung) − (treated − control on the primary rung), world by
//! world, a difference in differences. It is tested by itself, because an effect that is shown on one rung and not on another need not
//! differ between them.
//!
//! It is an ablation study by masking. Effects are in the measure's unit. Contrasts on the primary rung, those on the other rungs, and the
//! differences between rungs are three families of tests, each corrected by itself; the registered comparison with the baseline is none of
//! them. A file with contrasts and no ladder has one rung without a name; one with a ladder and no contrasts compares every arm with the
//! baseline. Where nothing is registered, the usual test (sign-flip, Holm, .05) is made all the same.

use super::compare::{Basis, DecisionRules};
use super::contrast::{Contrast, judge};
use crate::sweep::sweep_file::layout::GridPlace;
use crate::sweep::sweep_file::{Correction, Sweep, Test};
use serde::{Deserialize, Serialize};

/// The report of an ablation by a masking ladder, as `ladder` of `analysis.json` holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LadderReport {
    /// The rungs in the file's order; one without a name where there is no ladder and only contrasts.
    pub rungs: Vec<RungEntry>,
    /// The usual confidence level of intervals, in (0, 1); each contrast has the one that its correction leaves.
    pub confidence: f64,
    /// The test of every contrast.
    pub test: Test,
    /// The correction for several. The contrasts on the primary rung are one family, those on all others a second, the differences between
    /// rungs a third: rungs that explore must not make the registered comparison harder to show.
    pub correction: Correction,
    /// The error rate.
    pub alpha: f64,
    /// The contrasts.
    pub contrasts: Vec<RungContrasts>,
}

/// One rung of the ladder, i.e. what is masked on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RungEntry {
    /// Its name.
    pub name: String,
    /// What is on and what is off there.
    pub description: String,
    /// Whether it is the one on which the registered comparison is made.
    pub primary: bool,
}

/// One contrast on every rung: how much of an effect is left under each ablation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RungContrasts {
    /// The arm of interest.
    pub treated: String,
    /// The arm that is taken from it.
    pub control: String,
    /// What the difference measures, in the words of the file.
    pub description: String,
    /// The measure in which they are compared.
    pub measure: String,
    /// Its unit.
    pub unit: String,
    /// The cohort it is taken of.
    pub cohort: String,
    /// In the order of the rungs.
    pub rungs: Vec<OnRung>,
}

/// One contrast on one rung, and its difference from that on the primary rung.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OnRung {
    /// The rung.
    pub rung: String,
    /// The contrast there.
    #[serde(flatten)]
    pub contrast: Contrast,
    /// The contrast there less that on the primary rung, world by world (difference in differences); none for the primary rung itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_primary: Option<Contrast>,
}

impl RungContrasts {
    /// The label of the contrast, `treated − control`.
    pub fn label(&self) -> String {
        format!("{} \u{2212} {}", self.treated, self.control)
    }
}

/// A contrast of the file with its measure and cohort filled in.
struct LadderContrast<'a> {
    treated: &'a str,
    control: &'a str,
    description: &'a str,
    measure: &'a str,
    cohort: &'a str,
}

impl LadderReport {
    /// The report of a sweep; `None` where it has neither a ladder nor contrasts, or no measure is named for them.
    pub(super) fn from_sweep(basis: &Basis<'_>) -> Option<Self> {
        let (sweep, rules) = (basis.sweep, &basis.rules);
        let asked_contrasts = contrasts_of(sweep);
        if asked_contrasts.is_empty() {
            return None;
        }
        let file = &sweep.file;
        let entry = |(index, rung): (usize, &crate::sweep::sweep_file::contrasts::Rung)| RungEntry {
            name: rung.name.clone(),
            description: rung.description.clone(),
            primary: index == file.primary_rung(),
        };
        let mut rungs: Vec<RungEntry> = file.ladder.iter().enumerate().map(entry).collect();
        if rungs.is_empty() {
            rungs.push(RungEntry { name: String::new(), description: String::new(), primary: true });
        }
        let contrasts = asked_contrasts.iter().map(|one| on_all_rungs(basis, one, &rungs)).collect();
        let mut report = Self {
            rungs,
            confidence: rules.options.level,
            test: rules.test(),
            correction: rules.correction(),
            alpha: rules.alpha(),
            contrasts,
        };
        report.judge(rules);
        Some(report)
    }

    fn judge(&mut self, rules: &DecisionRules<'_>) {
        let primary = self.rungs.iter().position(|rung| rung.primary).unwrap_or(0);
        let all = self.contrasts.iter_mut().flat_map(|one| one.rungs.iter_mut().enumerate());
        let (mut deciding, mut others, mut between) = (Vec::new(), Vec::new(), Vec::new());
        for (index, on_rung) in all {
            if index == primary {
                deciding.push(&mut on_rung.contrast)
            } else {
                others.push(&mut on_rung.contrast)
            }
            between.extend(&mut on_rung.from_primary);
        }
        for family in [deciding, others, between] {
            judge(family, self.correction, rules);
        }
    }
}

/// The contrasts of the file; where there is a ladder and no contrast, every arm against the baseline.
fn contrasts_of(sweep: &Sweep) -> Vec<LadderContrast<'_>> {
    let file = &sweep.file;
    let named = file.contrasts.iter().filter_map(|one| {
        let (measure, cohort) = file.measure_and_cohort(one.measure.as_deref(), one.cohort.as_deref())?;
        let (treated, control, description) = (&one.treated, &one.control, &one.description);
        Some(LadderContrast { treated, control, description, measure, cohort })
    });
    let named: Vec<LadderContrast<'_>> = named.collect();
    let Some((measure, cohort)) =
        file.measure_and_cohort(None, None).filter(|_| named.is_empty() && !file.ladder.is_empty())
    else {
        return named;
    };
    let base = file.layout().place(sweep.baseline()).arm;
    let Some(control) = file.arms.get(base) else { return named };
    let others = file.arms.iter().filter(|arm| arm.name != control.name);
    others
        .map(|arm| LadderContrast {
            treated: &arm.name,
            control: &control.name,
            description: &arm.description,
            measure,
            cohort,
        })
        .collect()
}

fn on_all_rungs(basis: &Basis<'_>, contrast: &LadderContrast<'_>, rungs: &[RungEntry]) -> RungContrasts {
    let (sweep, rules) = (basis.sweep, &basis.rules);
    let (file, layout) = (&sweep.file, sweep.file.layout());
    let question = basis.question(contrast.measure, contrast.cohort);
    let point = layout.place(sweep.baseline()).point;
    let index = |name: &str, rung: usize| layout.index(GridPlace { arm: file.arm_place(name), rung, point });
    let values = |name: &str, rung: usize| &question.values[index(name, rung)];
    let primary = file.primary_rung();
    let differences = |rung: usize| -> Vec<Option<f64>> {
        let pairs = values(contrast.treated, rung).iter().zip(values(contrast.control, rung));
        pairs.map(|(own, base)| Some((*own)? - (*base)?)).collect()
    };
    let on_rung = |(rung, entry): (usize, &RungEntry)| OnRung {
        rung: entry.name.clone(),
        contrast: Contrast::between(
            basis,
            question,
            [contrast.treated, contrast.control].map(|name| index(name, rung)),
        ),
        from_primary: (rung != primary).then(|| {
            Contrast::from_values(&differences(rung), &differences(primary), question.aim(rules), rules)
        }),
    };
    RungContrasts {
        treated: contrast.treated.to_owned(),
        control: contrast.control.to_owned(),
        description: contrast.description.to_owned(),
        measure: question.measure.name.to_owned(),
        unit: question.measure.unit.to_owned(),
        cohort: question.cohort.clone(),
        rungs: rungs.iter().enumerate().map(on_rung).collect(),
    }
}
