//! Registered replications (`scenarios/replications`): their files read, every seed run (by default on all cores), and the outcome tabled.
//!
//! What is computed is in `morta_replications`, which knows neither files nor threads. It is the job runner of replications
//! (`morta replicate`): a thread pool over seeds, a reproducibility report of published figures inside or outside their registered ranges.
//! Threads change nothing but the time, because every seed is a run of its own. A stopped replication leaves no results.

mod table;

pub use table::{comparison_csv, figures_csv, seeds_csv};

use crate::io::error::{At as _, Error, Result};
use crate::io::in_order::in_order;
use crate::io::text::folded;
use crate::run::scenario_file::{self, located, shape, user_error};
use crate::run::scenario_schema;
use crate::sweep::sweep_run::CellWatch;
use morta_base::keys::Keys as _;
use morta_replications::comparison::{Ratio, compare};
use morta_replications::figure::{Row, rows};
use morta_replications::registered::{Cell, Outcome, Registered};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// The result of a replication that was run: its file, and the outcome of every cell.
pub struct Replicated {
    /// What was registered.
    pub file: Registered,
    /// Everything that was run, and what came of each.
    pub cells: Vec<Cell>,
    /// One for each cell.
    pub outcomes: Vec<Outcome>,
    /// Published figures beside ours.
    pub rows: Vec<Row>,
    /// Orders held against each other.
    pub ratios: Vec<Ratio>,
}

impl Replicated {
    /// Counts the figures that are inside (reproduced) and outside, of those with a registered range. Inside means that our interval
    /// overlaps the range.
    pub fn inside_outside(&self) -> [usize; 2] {
        [true, false].map(|inside| self.rows.iter().filter(|row| row.inside == Some(inside)).count())
    }
}

fn schema() -> &'static serde_json::Value {
    static SCHEMA: OnceLock<serde_json::Value> = OnceLock::new();
    SCHEMA.get_or_init(scenario_schema::inlined::<Registered>)
}

/// Lists the registered files of a folder of replications, by name; none where there is no such folder.
pub fn registered_files(folder: &Path) -> Vec<PathBuf> {
    let is_file = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_file).collect();
    files.sort();
    files
}

/// Reads a registered replication from its TOML file and validates it.
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub fn read(path: &Path) -> Result<Registered> {
    let tree = scenario_file::parse(path, "replication")?;
    let wrong = shape::mistakes(&tree, schema());
    if !wrong.is_empty() {
        return Err(user_error(wrong, path));
    }
    let file = tree.clone().into_toml().try_into::<Registered>();
    let file = file.map_err(|error| folded(error.message())).at(path)?;
    let problems = file.problems("");
    if problems.is_empty() { Ok(file) } else { Err(user_error(located(problems, &tree), path)) }
}

/// Runs every cell (a world, an arm and a seed) on so many threads, which change nothing but the time; `seeds` in place of those registered
/// (parallel study run).
///
/// # Errors
/// [`Error::Stopped`] when it was stopped.
pub fn run(
    file: Registered,
    seeds: Option<Range<u64>>,
    threads: usize,
    (stop, watch): (&AtomicBool, &dyn CellWatch),
) -> Result<Replicated> {
    let (built, cells) = (file.build(), file.cells(seeds));
    watch.begun(cells.len() as u64, 0);
    let done = in_order(cells.len(), (threads, "seed-"), stop, |place| {
        let outcome = file.run(&built, cells[place]);
        watch.cell_ended(false);
        outcome
    });
    watch.over();
    let outcomes: Vec<Outcome> = done.map_err(|done| {
        Error::stopped(format!("{}: stopped after {done} of {} seeds", file.name, cells.len()))
    })?;
    let (rows, ratios) = (rows(&file, &cells, &outcomes), compare(&file, &cells, &outcomes));
    Ok(Replicated { file, cells, outcomes, rows, ratios })
}
