//! Living through a folder again, a run or cells of a sweep, to see whether all of it comes out the same. It
//! is a reproducibility check (bit-for-bit) of an archived result, perhaps by another build. The builds of
//! both are named and make no difference to the verdict, because a difference between builds is no fault of the folder.
//! `run` repeats a run, `sweep` chooses cells of a sweep and `cells` repeats them, `cell_run` makes one cell a run folder of
//! its own. `morta reproduce` calls all of them, `morta verify` and `morta watch` the repetition of a run alone.

mod cell_run;
mod cells;
mod run;
mod sweep;

pub use cell_run::{CellRun, cell_run};
pub use cells::CheckedCell;
pub use run::{Repetition, differences, repeat};
pub use sweep::{ReproducedSweep, Sample, reproduce_sweep};

use crate::run::provenance::Build;
use crate::run::run_folder::FinishedRun;
use serde::Serialize;

/// The two builds of a repetition: the program that made a folder and the one that repeats it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Builds {
    /// The one that made it, in words.
    pub then: String,
    /// This one, in words.
    pub now: String,
    /// Whether they are one.
    pub same: bool,
}

impl Builds {
    /// Finds the builds of a run and of this program.
    pub fn of_run(run: &FinishedRun) -> Self {
        let (then, now) = (&run.manifest.observed.build, Build::this());
        Self { then: then.words(), now: now.words(), same: *then == now }
    }
}
