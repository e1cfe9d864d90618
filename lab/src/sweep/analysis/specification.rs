//! The specification curve: one question asked in every way that the design has, so that a reader sees what the other ways would have said
//! (Simonsohn, Simmons & Nelson 2020). A way is a control, a rung of the ladder and a point of the axes. All ways are one family of tests;
//! the median effect is reported beside the registered way, because the largest of many is always impressive. It is a multiverse analysis;
//! effects are in the measure's unit. There is a curve only in a registered sweep over a list or a grid, for each treated arm of contrasts
//! or the map in the registered measure, with three ways or more; it decides nothing.

use super::Question;
use super::compare::Basis;
use super::contrast::{Contrast, judge};
use super::map::{MapAxis, axis};
use crate::sweep::sweep_file::contrasts::Dimension;
use crate::sweep::sweep_file::layout::GridPlace;
use crate::sweep::sweep_file::{Design, SweepFile};
use morta_base::quantile::quantile;
use serde::{Deserialize, Serialize};

/// Fewer ways to ask are no curve: two are a pair that a contrast shows as well.
const WAYS_MIN: usize = 3;

/// A specification curve (multiverse analysis), as `specification_curves` of `analysis.json` holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SpecificationCurve {
    /// The arm of interest.
    pub treated: String,
    /// The measure.
    pub measure: String,
    /// Its unit.
    pub unit: String,
    /// The cohort it is taken of.
    pub cohort: String,
    /// The choices: the control, the rung of the ladder, the value of each axis; only those with two levels or more.
    pub choices: Vec<MapAxis>,
    /// The median effect over all ways, in the measure's unit; none where no way has a value.
    pub median_effect: Option<f64>,
    /// Every way, in ascending order of effect; those without worlds come last.
    pub ways: Vec<Way>,
}

/// One specification, i.e. one way to ask the question, with its effect.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Way {
    /// The level of each choice, by number.
    pub levels: Vec<usize>,
    /// Whether it is the one that was registered to decide.
    pub registered: bool,
    /// The treated arm less the control; p is corrected over the whole curve.
    #[serde(flatten)]
    pub contrast: Contrast,
}

impl SpecificationCurve {
    /// A curve for each treated arm of contrasts or the map in the registered measure, where its question can be asked in three ways or
    /// more.
    pub(super) fn all(basis: &Basis<'_>) -> Vec<Self> {
        let (sweep, rules) = (basis.sweep, &basis.rules);
        let file = &sweep.file;
        let Some((measure, cohort)) = file.measure_and_cohort(None, None) else { return Vec::new() };
        if !matches!(file.design, Design::List | Design::Grid) || rules.registered.is_none() {
            return Vec::new();
        }
        let mut by_treated: Vec<(&str, Vec<&str>)> = Vec::new();
        for (treated, control) in pairs(file, (measure, cohort)) {
            match by_treated.iter_mut().find(|(known, _)| *known == treated) {
                Some((_, controls)) if controls.contains(&control) => {}
                Some((_, controls)) => controls.push(control),
                None => by_treated.push((treated, vec![control])),
            }
        }
        let curves = by_treated.into_iter().map(|(treated, controls)| {
            Self::for_treated(basis, basis.question(measure, cohort), treated, &controls)
        });
        curves.filter(|curve| curve.ways.len() >= WAYS_MIN).collect()
    }

    fn for_treated(basis: &Basis<'_>, question: &Question, treated: &str, controls: &[&str]) -> Self {
        let (sweep, rules) = (basis.sweep, &basis.rules);
        let (file, layout) = (&sweep.file, sweep.file.layout());
        let base = layout.place(sweep.baseline());
        let own = file.arm_place(treated);
        let axes = (0..file.axes.len()).take(if file.design == Design::Grid { usize::MAX } else { 1 });
        let mut choices = vec![MapAxis {
            key: "control".to_owned(),
            name: "control".to_owned(),
            levels: controls.iter().map(|&control| control.to_owned()).collect(),
        }];
        let ladder = (!file.ladder.is_empty()).then_some(Dimension::Ladder);
        choices.extend(ladder.into_iter().chain(axes.map(Dimension::Axis)).map(|one| axis(sweep, one)));
        let mut ways = Vec::new();
        for (place, control) in controls.iter().enumerate() {
            let other = file.arm_place(control);
            for rung in 0..file.ladder.len().max(1) {
                for point in 0..layout.points() {
                    let arms = [own, other].map(|arm| layout.index(GridPlace { arm, rung, point }));
                    let levels = [place].into_iter().chain(ladder.map(|_| rung)).chain(layout.levels(point));
                    // A choice with one level is the same in all ways.
                    let levels = levels.zip(&choices).filter(|(_, choice)| choice.levels.len() > 1);
                    let levels = levels.map(|(level, _)| level).collect();
                    let is_base = other == base.arm && point == base.point && rung == file.primary_rung();
                    let contrast = Contrast::between(basis, question, arms);
                    ways.push(Way { levels, registered: is_base, contrast });
                }
            }
        }
        judge(ways.iter_mut().map(|way| &mut way.contrast), rules.correction(), rules);
        let effect = |way: &Way| way.contrast.effect.unwrap_or(f64::INFINITY);
        ways.sort_by(|a, b| effect(a).total_cmp(&effect(b)));
        let mut effects: Vec<f64> = ways.iter().filter_map(|way| way.contrast.effect).collect();
        choices.retain(|choice| choice.levels.len() > 1);
        Self {
            treated: treated.to_owned(),
            measure: question.measure.name.to_owned(),
            unit: question.measure.unit.to_owned(),
            cohort: question.cohort.clone(),
            choices,
            median_effect: quantile(&mut effects, 0.5),
            ways,
        }
    }
}

/// The pairs of arms, treated and control, that contrasts and the map compare in a measure.
fn pairs<'a>(file: &'a SweepFile, pair: (&str, &str)) -> Vec<(&'a str, &'a str)> {
    let is_asked =
        |measure: Option<&str>, cohort: Option<&str>| file.measure_and_cohort(measure, cohort) == Some(pair);
    let contrasts =
        file.contrasts.iter().filter(|one| is_asked(one.measure.as_deref(), one.cohort.as_deref()));
    let mut pairs: Vec<(&str, &str)> =
        contrasts.map(|one| (one.treated.as_str(), one.control.as_str())).collect();
    if let Some(map) = &file.map
        && is_asked(map.measure.as_deref(), map.cohort.as_deref())
        && let [treated, control] = map.contrast.as_slice()
    {
        pairs.push((treated, control));
    }
    pairs
}
