//! The analysis of a sweep: the registered comparison, secondary measures, and survival.
//!
//! Invariant: the analysis is a function of the sweep file and the cells, so that its bytes are the same on any number of threads and
//! machines. The world (its seed) is what is replicated, never the golem and never the tick: golems of a world share its luck, so counting
//! them as independent would find effects where there are none. Every figure that decides is therefore one number for a world and an arm,
//! compared within the world, which also takes the common luck out of the difference.
//!
//! `compare` sets arm against baseline, `contrast` is any two arms, `verdict` the word for it, `looks` the stops on the way; `factorial`,
//! `ladder`, `map`, `rule`, `specification` and `sensitivity` are other designs' parts, `gap`, `profile` and `survival` stand beside;
//! `sentence` says it, `report` is the file, `so_far` the view of a sweep under way. `morta sweep` makes the analysis when it ends or is
//! stopped, and looks before. The HTML page, `morta list` and `morta stats across` read `analysis.json`; `morta report --markdown`, the
//! verdict on the page of `morta watch`, and the HTML page where the file is of an earlier format take `analyse`, which makes it anew from
//! the cells.

mod compare;
pub mod contrast;
pub(crate) mod contrast_table;
mod enough;
pub mod factorial;
pub mod gap;
pub mod ladder;
pub mod looks;
pub mod map;
pub mod profile;
pub mod report;
pub mod rule;
pub mod sensitivity;
mod sentence;
mod so_far;
pub mod specification;
pub mod survival;
pub mod verdict;

use crate::io::error::{Error, Result};
use crate::run::laboratory::Laboratory;
use crate::run::run_folder::tables::LIVES;
use crate::sweep::measure::{EVERYBODY, Measure, USUAL_MEASURE, find};
use crate::sweep::sweep_file::{Preregistration, Sweep};
use crate::sweep::sweep_folder::{
    CellId, CellOutcome, CellRecord, CellStore, Counts, read_manifest, restore,
};
use compare::{Basis, DecisionRules, Family, LivesDigests, compare};
use factorial::FactorialReport;
use ladder::LadderReport;
use map::MapReport;
use profile::ProfileReport;
use report::{FORMAT, PrimaryResult, Secondary, Standing};
use rule::RuleReport;
use sensitivity::SensitivityReport;
use specification::SpecificationCurve;

pub use report::Analysis;
pub use so_far::SoFar;
use std::path::Path;
use survival::{PooledLives, SurvivalReport};

/// The measure by which survival is compared world by world. Our choice: a restricted mean is defined also in a world in which fewer than
/// half of the lives end, where a median lifetime is not.
const SURVIVAL_MEASURE: &str = "restricted_mean_ticks";

/// Computes the analysis anew from the cells in a sweep's folder that have ended. For a sweep that has ended it equals its `analysis.json`.
/// The sweep's cohorts may name any memory architecture of the laboratory.
///
/// # Errors
/// [`Error::Invalid`] when the folder holds no sweep, a file that its arms were made from is gone, or the laboratory lacks an architecture
/// that it names; others when a cell can't be read.
pub fn analyse(dir: &Path, laboratory: &Laboratory) -> Result<Analysis> {
    let manifest = read_manifest(dir)?;
    let (sweep, _) = restore(dir, &manifest, laboratory)?;
    let (mut verdict, cells) = (VerdictSoFar::new(&sweep), CellStore::open(dir)?);
    for id in sweep.cells() {
        let hash = sweep.cell_hash(id, &manifest.build);
        let Some(place) = cells.place(&hash)? else { continue };
        match CellRecord::read(&place) {
            Some(cell) => verdict.take(&place, id, &cell)?,
            None => {
                let remedy = "cell.json isn't as it was written: `morta sweep --resume` lives the cell again";
                return Err(Error::failed(format!("{}: cell {hash}: {remedy}", dir.display())));
            }
        }
    }
    Ok(verdict.analysis())
}

/// One measure of one cohort, with its value in every cell.
struct Question {
    measure: &'static Measure,
    cohort: String,
    /// By arm and world, in the measure's unit; `None` where the cell failed or the measure isn't defined.
    values: Vec<Vec<Option<f64>>>,
}

/// The pairs of measure and cohort that contrasts, ladder, map, rule, sensitivity and profile read, each pair once: cells are read a single
/// time, and several parts of a file commonly name the same measure.
fn secondary_questions(sweep: &Sweep) -> Vec<(String, String)> {
    let file = &sweep.file;
    let contrasts = file
        .contrasts
        .iter()
        .filter_map(|one| file.measure_and_cohort(one.measure.as_deref(), one.cohort.as_deref()));
    let ladder = file.measure_and_cohort(None, None).filter(|_| !file.ladder.is_empty());
    let map = file
        .map
        .as_ref()
        .and_then(|map| file.measure_and_cohort(map.measure.as_deref(), map.cohort.as_deref()));
    let criteria = file.rule().into_iter().flat_map(|rule| &rule.criteria);
    let criteria = criteria.map(|one| (one.measure.as_str(), one.cohort.as_str()));
    let sensitivity = file.sensitivity().into_iter();
    let sensitivity = sensitivity
        .flat_map(|asks| asks.measures.iter().map(|measure| (measure.as_str(), asks.cohort.as_str())));
    let named = contrasts.chain(ladder).chain(map).chain(criteria).chain(sensitivity);
    let named = named.map(|(measure, cohort)| (measure.to_owned(), cohort.to_owned()));
    let mut pairs: Vec<(String, String)> = Vec::new();
    for pair in named.chain(profile::profile_questions(sweep)) {
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}

fn question(sweep: &Sweep, measure: &str, cohort: &str) -> Question {
    Question {
        measure: find(measure).expect("registered measures were checked"),
        cohort: cohort.to_owned(),
        values: vec![vec![None; sweep.worlds() as usize]; sweep.arms.len()],
    }
}

/// The primary measure. What was registered comes before what was merely asked (`[question]`, a sensitivity analysis), and the usual
/// measure last, so that a sweep without any question has a page too.
fn primary_question(sweep: &Sweep) -> Question {
    let usual = sweep
        .file
        .sensitivity()
        .map_or((USUAL_MEASURE, EVERYBODY), |asks| (asks.measures[0].as_str(), asks.cohort.as_str()));
    let configured = sweep
        .file
        .question
        .as_ref()
        .map_or(usual, |configured| (configured.measure.as_str(), configured.cohort.as_str()));
    let (measure, cohort) = sweep.file.preregistration.as_ref().map_or(configured, |registered| {
        (registered.primary.measure.as_str(), registered.primary.cohort.as_str())
    });
    question(sweep, measure, cohort)
}

/// The analysis under construction: cells are taken in one by one and in any order.
pub(crate) struct VerdictSoFar<'a> {
    sweep: &'a Sweep,
    primary: Question,
    secondary: Vec<Question>,
    survival: Option<(Question, Vec<PooledLives>)>,
    /// The measures of contrasts, ladder, map, rule, sensitivity and profile.
    besides: Vec<Question>,
    lived: LivesDigests,
    /// Failed cells of each arm.
    failed: Vec<u64>,
    pub(crate) counts: Counts,
}

impl<'a> VerdictSoFar<'a> {
    /// Starts without any cell.
    pub(crate) fn new(sweep: &'a Sweep) -> Self {
        let (arms, worlds) = (sweep.arms.len(), sweep.worlds() as usize);
        let question = |measure: &str, cohort: &str| question(sweep, measure, cohort);
        let registered = sweep.file.preregistration.as_ref();
        let secondary = registered.map_or(&[][..], |registered| &registered.secondary);
        let survival = registered.and_then(|registered| registered.survival.as_ref());
        let primary = primary_question(sweep);
        Self {
            secondary: secondary.iter().map(|measure| question(measure, &primary.cohort)).collect(),
            primary,
            survival: survival.map(|survival| {
                (question(SURVIVAL_MEASURE, &survival.cohort), vec![PooledLives::default(); arms])
            }),
            besides: secondary_questions(sweep)
                .iter()
                .map(|(measure, cohort)| question(measure, cohort))
                .collect(),
            lived: LivesDigests(vec![vec![None; worlds]; arms]),
            failed: vec![0; arms],
            counts: Counts { total: (arms * worlds) as u64, ..Counts::default() },
            sweep,
        }
    }

    /// Takes in a cell. Its folder is read only where survival is registered, because lives are in a table of their own.
    pub(crate) fn take(&mut self, cell_dir: &Path, id: CellId, cell: &CellRecord) -> Result<()> {
        let place = (id.arm, id.world as usize);
        let survival = self.survival.as_mut().map(|(question, _)| question);
        let questions = [&mut self.primary].into_iter().chain(&mut self.secondary);
        for question in questions.chain(survival).chain(&mut self.besides) {
            question.values[place.0][place.1] = cell.measure(&question.cohort, question.measure.name);
        }
        match &cell.outcome {
            CellOutcome::Failed(_) => {
                self.failed[id.arm] += 1;
                self.counts.failed += 1;
            }
            CellOutcome::Done(done) => {
                self.counts.done += 1;
                self.lived.0[place.0][place.1] = Some(done.digest.clone());
                if let Some((question, lives)) = &mut self.survival {
                    lives[id.arm].add(&cell_dir.join(LIVES), &question.cohort, id.world as u32)?;
                }
            }
        }
        Ok(())
    }

    /// The analysis of the cells that were taken in. Arms that lived the same bytes are found first, because they decide for how many
    /// comparisons p-values are corrected.
    pub(crate) fn analysis(self) -> Analysis {
        let sweep = self.sweep;
        let registered = sweep.file.preregistration.as_ref();
        let mut rules = DecisionRules::from_sweep(sweep);
        rules.comparisons = self.lived.distinct(&sweep.compared(), sweep.baseline()).len();
        rules.lived = self.lived;
        let looks = looks::all(sweep, &self.primary, &rules.lived);
        let basis = Basis { sweep, rules, questions: &self.besides };
        let factorial = FactorialReport::from_sweep(&basis, &self.primary);
        let standing = standing(sweep, registered, factorial.is_some(), self.counts);
        let family = compare(&basis, &self.primary, &self.failed, true);
        let primary = PrimaryResult::from_sweep(sweep, &basis.rules, family);
        let secondary = self.secondary.iter().map(|question| {
            let Family { arms, gap, .. } = compare(&basis, question, &self.failed, false);
            Secondary {
                measure: question.measure.name.to_owned(),
                unit: question.measure.unit.to_owned(),
                cohort: question.cohort.clone(),
                decides: false,
                arms,
                gap,
            }
        });
        let is_primary = |question: &Question| {
            question.measure.name == self.primary.measure.name && question.cohort == self.primary.cohort
        };
        let survival = self.survival.as_ref().map(|(question, lives)| {
            let per_world =
                (!is_primary(question)).then(|| compare(&basis, question, &self.failed, true).arms);
            SurvivalReport::from_lives(sweep, &basis.rules, question.cohort.clone(), lives, per_world)
        });
        let mut analysis = Analysis {
            format: FORMAT,
            name: sweep.file.name.clone(),
            hypothesis: registered.map(|registered| registered.hypothesis.clone()),
            exclusions: registered.map(|registered| registered.exclusions.clone()),
            standing,
            cells: self.counts,
            seed: basis.rules.options.seed.0,
            resamples: basis.rules.options.resamples,
            looks,
            primary,
            secondary: secondary.collect(),
            survival,
            rule: sweep.file.rule().map(|rule| RuleReport::from_sweep(&basis, rule)),
            factorial,
            ladder: LadderReport::from_sweep(&basis),
            map: sweep.file.map.as_ref().map(|map| MapReport::from_sweep(&basis, map)),
            specification_curves: SpecificationCurve::all(&basis),
            sensitivity: SensitivityReport::from_sweep(&basis),
            profile: None,
            sentences: Vec::new(),
        };
        if analysis.sensitivity.is_some() {
            // The points of a sensitivity design are not memories to choose from: a profile or a sentence for each would be hundreds.
            return analysis;
        }
        analysis.profile = ProfileReport::from_sweep(&basis);
        analysis.sentences = sentence::all(&analysis);
        analysis
    }
}

fn standing(
    sweep: &Sweep,
    registered: Option<&Preregistration>,
    has_effects: bool,
    counts: Counts,
) -> Standing {
    let mut reasons = Vec::new();
    if registered.is_none() && has_effects {
        // Effects of a grid have p-values whether or not they were registered, so "nothing is tested" would be untrue.
        let why = "nothing was registered, so this is exploratory: effects are tested and corrected for one another, and decide nothing";
        reasons.push(why.to_owned());
    } else if registered.is_none() {
        reasons.push("nothing was registered, so figures describe and nothing is tested".to_owned());
    } else if sweep.profile.is_some() || sweep.seeds_flag.is_some() {
        reasons.push("not as registered: another number of worlds, or a profile".to_owned());
    }
    let missing = counts.total - counts.done - counts.failed;
    if missing > 0 {
        reasons.push(format!("{missing} of {} cells are not lived yet", counts.total));
    }
    Standing { decides: reasons.is_empty(), because: reasons }
}
