//! A profile of the memory of each arm that is compared with the baseline (`compare`), the baseline's own too: four competences, each as it
//! was measured, beside one another rather than as one rank. A rank would need weights between competences, and no weights hold in all
//! markets. Nothing is tested, because a profile describes. The competences are those of MemoryAgentBench, each in its own unit (R per
//! tick, R per tick and trade, or ticks). A sweep has a profile only where its arms differ in memory, and a sensitivity analysis has none.

use super::compare::{Basis, described};
use super::report::DescribedMeasure;
use crate::sweep::measure::{COMPETENCES, EVERYBODY};
use crate::sweep::sweep_file::Sweep;
use serde::{Deserialize, Serialize};

/// The competence profile of each arm's memory, as `profile` of `analysis.json` holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProfileReport {
    /// The cohort it is of.
    pub cohort: String,
    /// Confidence level of intervals, in (0, 1); nothing is tested.
    pub confidence: f64,
    /// The competences.
    pub competences: Vec<CompetenceReport>,
}

/// One measure of one competence, in all compared arms.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompetenceReport {
    /// The competence, as the field's benchmarks name it.
    pub competence: String,
    /// The measure of it.
    pub measure: String,
    /// The measure's unit.
    pub unit: String,
    /// Which way is better: `more` or `less`.
    pub better: String,
    /// The arms, in the sweep's order.
    pub arms: Vec<ArmCompetence>,
}

/// The competence of one arm by one measure.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArmCompetence {
    /// The arm.
    pub arm: String,
    /// Its memory architecture.
    pub memory: String,
    /// Mean over worlds with its t interval; none where no world has a value.
    pub value: Option<DescribedMeasure>,
}

/// The cohort whose memories are profiled: the registered one, or everybody.
fn cohort(sweep: &Sweep) -> &str {
    sweep.file.preregistration.as_ref().map_or(EVERYBODY, |registered| &registered.primary.cohort)
}

/// The memories of an arm's cohort; those of everybody, where there are several, with strokes between.
fn memory(sweep: &Sweep, arm: usize) -> String {
    let cohorts = sweep.arms[arm].scenario.cohorts.iter();
    let cohort_name = cohort(sweep);
    let own = cohorts.filter(|entry| cohort_name == EVERYBODY || entry.name == cohort_name);
    let mut names: Vec<String> = own.map(|entry| entry.memory.to_string()).collect();
    names.dedup();
    names.join("/")
}

/// The pairs of measure and cohort that a profile reads; empty where all arms have the same memory, which would have equal profiles but for
/// what else they differ in (measures of a profile).
pub(crate) fn profile_questions(sweep: &Sweep) -> Vec<(String, String)> {
    let compared = sweep.compared();
    let first = memory(sweep, compared[0]);
    if compared.iter().all(|arm| memory(sweep, *arm) == first) {
        return Vec::new();
    }
    let measures = COMPETENCES.iter().flat_map(|(_, measures)| *measures);
    measures.map(|measure| ((*measure).to_owned(), cohort(sweep).to_owned())).collect()
}

impl ProfileReport {
    /// The profile of a sweep; `None` where all arms have the same memory.
    pub(super) fn from_sweep(basis: &Basis<'_>) -> Option<Self> {
        let sweep = basis.sweep;
        if profile_questions(sweep).is_empty() {
            return None;
        }
        let level = basis.rules.options.level;
        let all =
            COMPETENCES.iter().flat_map(|(name, measures)| measures.iter().map(move |one| (*name, *one)));
        let one = |(competence, measure): (&str, &str)| {
            let question = basis.question(measure, cohort(sweep));
            let arm = |arm: usize| ArmCompetence {
                arm: sweep.arms[arm].name.clone(),
                memory: memory(sweep, arm),
                value: described(&question.values[arm], level),
            };
            CompetenceReport {
                competence: competence.to_owned(),
                measure: measure.to_owned(),
                unit: question.measure.unit.to_owned(),
                better: question.measure.better.name().to_owned(),
                arms: sweep.compared().into_iter().map(arm).collect(),
            }
        };
        let competences = all.map(one).collect();
        Some(Self { cohort: cohort(sweep).to_owned(), confidence: level, competences })
    }
}
