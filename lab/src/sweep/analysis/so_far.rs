//! What a sweep comes to while it goes on: means, which decide nothing.

use super::compare::{Rules, described};
use super::report::Described;
use super::{Question, primary_question};
use crate::sweep::measure::Measure;
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{CellId, CellRecord};

/// The primary measure in the cells that have ended so far.
pub struct SoFar {
    question: Question,
    level: f64,
    /// By arm and world.
    ended: Vec<Vec<bool>>,
}

impl SoFar {
    /// Of a sweep of which nothing is known yet.
    pub fn new(sweep: &Sweep) -> Self {
        let question = primary_question(sweep);
        let ended = question.values.iter().map(|worlds| vec![false; worlds.len()]).collect();
        Self { question, level: Rules::of(sweep).options.level, ended }
    }

    /// Takes in a cell.
    pub fn take(&mut self, id: CellId, cell: &CellRecord) {
        let (arm, world) = (id.arm, id.world as usize);
        self.ended[arm][world] = true;
        self.question.values[arm][world] = cell.measure(&self.question.cohort, self.question.measure.name);
    }

    /// What is measured.
    pub fn measure(&self) -> &'static Measure {
        self.question.measure
    }

    /// Of which cohort.
    pub fn cohort(&self) -> &str {
        &self.question.cohort
    }

    /// Level of the intervals.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// How many worlds every arm has lived to the end, and the mean of each arm over these: in other worlds one arm would have luck that the
    /// others haven't had yet.
    pub fn means(&self) -> (u64, Vec<Option<Described>>) {
        let worlds = self.ended.first().map_or(0, Vec::len);
        let common: Vec<usize> =
            (0..worlds).filter(|world| self.ended.iter().all(|arm| arm[*world])).collect();
        let of = |values: &Vec<Option<f64>>| {
            let values: Vec<Option<f64>> = common.iter().map(|world| values[*world]).collect();
            described(&values, self.level)
        };
        (common.len() as u64, self.question.values.iter().map(of).collect())
    }
}
