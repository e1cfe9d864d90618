//! Main effects and interactions of a factorial design, and its best arm, in the primary measure.
//!
//! Effects are contrasts of marginal means (Montgomery, *Design and Analysis of Experiments*, ch. 5), in the measure's unit, with ȳ the
//! mean over all levels of the factors that aren't named:
//!
//! | effect | of | is |
//! |---|---|---|
//! | main | level i of factor A | ȳ(i) − ȳ(0): against the first level |
//! | interaction | level i of A with j of B | (ȳ(i, j) − ȳ(0, j)) − (ȳ(i, 0) − ȳ(0, 0)) |
//!
//! Each effect is one number a world, so that whatever all arms of a world share falls out of it, and is tested over worlds. All effects
//! are one family, apart from the registered comparison; without a registration they are tested by the usual test at .05 and decide
//! nothing. The best arm is compared with all others in a family of its own. There is a report only of a grid of two factors or more
//! without a ladder and with at most 60 main effects; interactions are missing where they would make more than 60 effects, the best arm
//! beyond 100 arms or where the measure has no better side. An analysis of variance over cells was not taken, because it would count the
//! cells of one world as independent.

use super::Question;
use super::compare::Basis;
use super::contrast::{Aim, Contrast, judge};
use super::verdict::ContrastVerdict;
use crate::sweep::sweep_file::{Design, Direction, Sweep};
use morta_stats::{Computed, Interval};
use serde::{Deserialize, Serialize};

/// Most effects of a family. Our choice: Holm's correction over more would hardly leave an effect that worlds by the dozen can show. Beyond
/// it interactions are left out first, and without them main effects, because a part of a family would be corrected for too little.
const EFFECTS_MAX: usize = 60;
/// Most arms that the best one is compared with: each comparison is a test, and all are corrected for one another.
const ARMS_MAX: usize = 100;

/// The factorial analysis of an experiment, as `factorial` of `analysis.json` holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FactorialReport {
    /// The measure.
    pub measure: String,
    /// Its unit.
    pub unit: String,
    /// The cohort.
    pub cohort: String,
    /// The factors with their levels; effects are against the first level of each.
    pub factors: Vec<Factor>,
    /// Levels against the first of their factor, over all levels of the others.
    pub main: Vec<Effect>,
    /// Two-factor interactions; empty where all effects together are more than `EFFECTS_MAX`.
    pub interactions: Vec<Effect>,
    /// How many effects the p-values are corrected for.
    pub family: usize,
    /// The best arm; none where the measure has no better side, no world has all arms, or there are more than 100 arms.
    pub best: Option<Best>,
}

/// A factor of the design, with its levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// Its name, as arms have it.
    pub name: String,
    /// Its levels.
    pub levels: Vec<String>,
}

/// The estimate of one effect, a main effect or an interaction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Effect {
    /// Levels and factors of the effect, as in `batch_size=5 against 3`.
    pub name: String,
    /// Worlds that have all cells that it needs.
    pub worlds: u64,
    /// Its mean over worlds, in the measure's unit.
    pub effect: Option<f64>,
    /// Its t interval, at the level that the correction leaves.
    pub interval: Computed<Interval>,
    /// p of the test.
    pub p: Computed<f64>,
    /// The same after the correction for all effects.
    pub corrected_p: Computed<f64>,
    /// What it shows.
    pub verdict: Option<ContrastVerdict>,
}

/// The best arm of a design, and the arms that it can't be distinguished from (winner's curse). It was chosen by these worlds, so its own
/// mean is a little too good: a mean to quote needs other seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Best {
    /// The arm.
    pub arm: String,
    /// Its mean over the worlds that all arms have.
    pub mean: f64,
    /// Arms that it is better than, after correction for all of them.
    pub better_than: usize,
    /// Arms that it can't be distinguished from, the nearest first.
    pub not_told_from: Vec<String>,
}

/// An effect before it is tested: its name and, by world, the two sums whose difference it is.
struct UntestedEffect {
    name: String,
    treated: Vec<Option<f64>>,
    control: Vec<Option<f64>>,
}

/// A factor with the level of every arm.
struct Leveled {
    factor: Factor,
    /// By arm, the place of its level among the factor's.
    of_arm: Vec<usize>,
}

impl FactorialReport {
    /// The report of a grid of two factors or more; `None` for another design, and with a ladder, whose rungs are no levels of a factor but
    /// are reported apart.
    pub(super) fn from_sweep(basis: &Basis<'_>, question: &Question) -> Option<Self> {
        let (sweep, rules) = (basis.sweep, &basis.rules);
        let factors = factors(sweep)?;
        let mean_where = |is_in: &dyn Fn(usize) -> bool| mean_of(question, is_in);
        let mut main = Vec::new();
        for Leveled { factor: Factor { name, levels }, of_arm } in &factors {
            let control = mean_where(&|arm| of_arm[arm] == 0);
            main.extend((1..levels.len()).map(|level| UntestedEffect {
                name: format!("{name}={} against {}", levels[level], levels[0]),
                treated: mean_where(&|arm| of_arm[arm] == level),
                control: control.clone(),
            }));
        }
        let mut together = Vec::new();
        for (place, one) in factors.iter().enumerate() {
            for other in &factors[place + 1..] {
                together.extend(interactions(question, one, other));
            }
        }
        if main.len() > EFFECTS_MAX {
            return None;
        }
        if main.len() + together.len() > EFFECTS_MAX {
            together.clear();
        }
        let aim = question.aim(rules);
        let contrast = |untested: &UntestedEffect| {
            Contrast::from_values(&untested.treated, &untested.control, aim, rules)
        };
        let mut found: Vec<Contrast> = main.iter().chain(&together).map(contrast).collect();
        judge(&mut found, rules.correction(), rules);
        let count = main.len();
        let effect = |(untested, found): (UntestedEffect, Contrast)| Effect {
            name: untested.name,
            worlds: found.worlds,
            effect: found.effect,
            interval: found.interval,
            p: found.p,
            corrected_p: found.corrected_p,
            verdict: found.verdict,
        };
        let mut effects: Vec<Effect> = main.into_iter().chain(together).zip(found).map(effect).collect();
        let interactions = effects.split_off(count);
        Some(Self {
            measure: question.measure.name.to_owned(),
            unit: question.measure.unit.to_owned(),
            cohort: question.cohort.clone(),
            factors: factors.into_iter().map(|one| one.factor).collect(),
            family: count + interactions.len(),
            main: effects,
            interactions,
            best: Best::from_sweep(basis, question, aim),
        })
    }

    /// Words the findings: a line for each effect that is shown, and for the best arm.
    pub fn sentences(&self) -> Vec<String> {
        let tells_apart =
            |verdict: &Option<ContrastVerdict>| verdict.is_some_and(ContrastVerdict::tells_apart);
        let names = |effects: &[Effect]| -> Vec<String> {
            effects.iter().filter(|one| tells_apart(&one.verdict)).map(|one| one.name.clone()).collect()
        };
        let say = |heading: &str, found: Vec<String>| match found.as_slice() {
            [] => format!("no {heading} is shown"),
            some => format!("{heading}s shown: {}", some.join("; ")),
        };
        let mut lines = vec![say("main effect", names(&self.main))];
        if !self.interactions.is_empty() {
            lines.push(say("interaction", names(&self.interactions)));
        }
        if let Some(Best { arm, better_than, not_told_from, .. }) = &self.best {
            let others = better_than + not_told_from.len();
            lines.push(match not_told_from.as_slice() {
                [] => format!("best in these worlds is {arm}, and it is told from all {others} others"),
                near => format!(
                    "best in these worlds is {arm}; it isn't told from {}",
                    if near.len() == others { "any other".to_owned() } else { near.join(", ") }
                ),
            });
        }
        lines
    }
}

/// The factors of a grid: the arms, where there are several, and each axis that has two values or more.
fn factors(sweep: &Sweep) -> Option<Vec<Leveled>> {
    let file = &sweep.file;
    if file.design != Design::Grid || !file.ladder.is_empty() {
        return None;
    }
    let layout = file.layout();
    let arms = 0..sweep.arms.len();
    let mut found = Vec::new();
    if file.arms.len() > 1 {
        let levels = file.arms.iter().map(|arm| arm.name.clone()).collect();
        let of_arm = arms.clone().map(|arm| layout.place(arm).arm).collect();
        found.push(Leveled { factor: Factor { name: "arm".to_owned(), levels }, of_arm });
    }
    for (index, axis) in file.axes.iter().enumerate().filter(|(_, axis)| axis.value_count() > 1) {
        let name = file.axis_label(index);
        let of_arm: Vec<usize> =
            arms.clone().map(|arm| layout.levels(layout.place(arm).point)[index]).collect();
        // Names of arms have the values already shortened so that they differ: a second way to write them could contradict the first.
        let label = |level: usize| {
            let arm = of_arm.iter().position(|of| *of == level)?;
            let part = sweep.arms[arm].name.split('/').rev().nth(file.axes.len() - 1 - index)?;
            Some(part.split_once('=').map_or(part, |(_, value)| value).to_owned())
        };
        let levels = (0..axis.value_count()).map(label).collect::<Option<Vec<_>>>()?;
        found.push(Leveled { factor: Factor { name: name.to_owned(), levels }, of_arm });
    }
    (found.len() > 1).then_some(found)
}

/// The mean over some arms, by world; `None` where one of them has no value, because a mean over fewer levels would be of another effect.
fn mean_of(question: &Question, is_in: &dyn Fn(usize) -> bool) -> Vec<Option<f64>> {
    let arms: Vec<&Vec<Option<f64>>> =
        question.values.iter().enumerate().filter(|(arm, _)| is_in(*arm)).map(|(_, values)| values).collect();
    let worlds = arms.first().map_or(0, |arm| arm.len());
    let mean = |world: usize| {
        let values: Option<Vec<f64>> = arms.iter().map(|arm| arm[world]).collect();
        values.map(|values| values.iter().sum::<f64>() / arms.len() as f64)
    };
    (0..worlds).map(mean).collect()
}

fn interactions(question: &Question, one: &Leveled, other: &Leveled) -> Vec<UntestedEffect> {
    let cell = |level: usize, with: usize| {
        mean_of(question, &|arm| one.of_arm[arm] == level && other.of_arm[arm] == with)
    };
    let sum = |a: &[Option<f64>], b: &[Option<f64>]| -> Vec<Option<f64>> {
        a.iter().zip(b).map(|(a, b)| Some((*a)? + (*b)?)).collect()
    };
    let mut found = Vec::new();
    for level in 1..one.factor.levels.len() {
        for with in 1..other.factor.levels.len() {
            found.push(UntestedEffect {
                name: format!(
                    "{}={} with {}={}",
                    one.factor.name, one.factor.levels[level], other.factor.name, other.factor.levels[with]
                ),
                treated: sum(&cell(level, with), &cell(0, 0)),
                control: sum(&cell(level, 0), &cell(0, with)),
            });
        }
    }
    found
}

impl Best {
    fn from_sweep(basis: &Basis<'_>, question: &Question, aim: Aim) -> Option<Self> {
        let (sweep, rules) = (basis.sweep, &basis.rules);
        let direction = aim.direction?;
        let arms = sweep.arms.len();
        let complete = mean_of(question, &|_| true);
        let worlds: Vec<usize> = (0..complete.len()).filter(|world| complete[*world].is_some()).collect();
        if worlds.is_empty() || arms > ARMS_MAX {
            return None;
        }
        let mean = |arm: usize| {
            let values = worlds.iter().filter_map(|world| question.values[arm][*world]);
            values.sum::<f64>() / worlds.len() as f64
        };
        let mut order: Vec<(usize, f64)> = (0..arms).map(|arm| (arm, mean(arm))).collect();
        order.sort_by(|(_, a), (_, b)| match direction {
            Direction::More => b.total_cmp(a),
            Direction::Less => a.total_cmp(b),
        });
        let (best, mean) = order[0];
        let against = |(arm, _): &(usize, f64)| Contrast::between(basis, question, [best, *arm]);
        let mut found: Vec<Contrast> = order[1..].iter().map(against).collect();
        judge(&mut found, rules.correction(), rules);
        let apart = found.iter().map(Contrast::tells_apart);
        let near = order[1..].iter().zip(apart).filter(|(_, apart)| !apart);
        let not_told_from: Vec<String> = near.map(|((arm, _), _)| sweep.arms[*arm].name.clone()).collect();
        let better_than = found.len() - not_told_from.len();
        Some(Self { arm: sweep.arms[best].name.clone(), mean, better_than, not_told_from })
    }
}
