//! A sweep while it goes on, for the page of `morta watch`: means, which decide nothing, and the looks that were registered. It is
//! monitoring of an experiment under way (interim analysis); values are in the measure's unit. Means are shown without tests, because a
//! test whenever somebody looks would raise the error rate.

use super::compare::{DecisionRules, LivesDigests, described};
use super::looks::{LookReport, look_after};
use super::report::DescribedMeasure;
use super::{Question, primary_question};
use crate::sweep::measure::Measure;
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{CellId, CellOutcome, CellRecord};

/// Running means of the primary measure over the cells that have ended so far.
pub struct SoFar {
    question: Question,
    level: f64,
    /// By arm and world.
    ended: Vec<Vec<bool>>,
    /// The looks to come and the looks so far, where any are registered.
    looking: Option<Looking>,
}

/// The state that judging a look needs.
struct Looking {
    sweep: Sweep,
    lived: LivesDigests,
    /// Numbers of worlds of the looks to come.
    left: Vec<u64>,
    /// The looks that have been.
    looks: Vec<LookReport>,
}

impl SoFar {
    /// Starts without any cell.
    pub fn new(sweep: &Sweep) -> Self {
        let question = primary_question(sweep);
        let ended = question.values.iter().map(|worlds| vec![false; worlds.len()]).collect();
        let looks = sweep.looks();
        let looking = (!looks.is_empty()).then(|| Looking {
            lived: LivesDigests(vec![vec![None; sweep.worlds() as usize]; sweep.arms.len()]),
            left: looks,
            looks: Vec::new(),
            sweep: sweep.clone(),
        });
        Self { question, level: DecisionRules::from_sweep(sweep).options.level, ended, looking }
    }

    /// Takes in the result of a cell.
    pub fn take(&mut self, id: CellId, cell: &CellRecord) {
        let (arm, world) = (id.arm, id.world as usize);
        self.ended[arm][world] = true;
        self.question.values[arm][world] = cell.measure(&self.question.cohort, self.question.measure.name);
        let Some(looking) = &mut self.looking else { return };
        if let CellOutcome::Done(done) = &cell.outcome {
            looking.lived.0[arm][world] = Some(done.digest.clone());
        }
        while let Some(next) = looking.left.first().copied()
            && self.ended.iter().all(|arm| arm[..next as usize].iter().all(|ended| *ended))
        {
            looking.left.remove(0);
            looking.looks.extend(look_after(next, &looking.sweep, &self.question, &looking.lived));
        }
    }

    /// The looks (interim analyses) that have been, where any are registered.
    pub fn looks(&self) -> &[LookReport] {
        self.looking.as_ref().map_or(&[], |looking| &looking.looks)
    }

    /// The number of worlds of the next look, where one is still to come (interim analysis).
    pub(crate) fn next_look(&self) -> Option<u64> {
        self.looking.as_ref()?.left.first().copied()
    }

    /// The primary measure (endpoint) of the sweep.
    pub fn measure(&self) -> &'static Measure {
        self.question.measure
    }

    /// The name of the cohort that the measure is taken of.
    pub fn cohort(&self) -> &str {
        &self.question.cohort
    }

    /// The confidence level of the intervals: 1 less the significance level.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// Computes the number of worlds that every arm has lived to the end, and the mean of each arm over these: in other worlds one arm
    /// would have luck that the others haven't had yet. Where looks are registered, only the worlds up to the last look count, because a
    /// mean that is seen between looks is a look whose error rate nobody spent.
    pub fn means(&self) -> (u64, Vec<Option<DescribedMeasure>>) {
        let all = self.ended.first().map_or(0, Vec::len);
        let worlds = match self.looking {
            Some(_) => self.looks().last().map_or(0, |look| look.worlds as usize),
            None => all,
        };
        let common: Vec<usize> =
            (0..worlds).filter(|world| self.ended.iter().all(|arm| arm[*world])).collect();
        let of = |values: &Vec<Option<f64>>| {
            let values: Vec<Option<f64>> = common.iter().map(|world| values[*world]).collect();
            described(&values, self.level)
        };
        (common.len() as u64, self.question.values.iter().map(of).collect())
    }
}
