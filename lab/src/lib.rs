//! Morta's laboratory: scenarios are read and lived, runs are kept and looked into, experiments are swept over many worlds and judged.
//!
//! # A first program
//!
//! A scenario is a TOML file: one world, who lives in it, and for how long. [`Scenario::read`] reads and checks it, [`run()`] lives
//! through it, and what it leaves in a folder can be read back row by row. A [`Sweep`] is a file too: arms of an experiment, each lived
//! in the same worlds. [`Sweep::run`] lives every cell, and [`analyse`] says what came of what was asked.
//!
//! ```
//! use morta_lab::{Laboratory, RunFolder, RunOptions, Scenario, Sweep, SweepOptions, analyse, run};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let room = tempfile::tempdir()?;
//! let at = |name: &str| room.path().join(name);
//! std::fs::write(at("tiny.toml"), r#"
//!     name = "tiny"
//!     seed = 7
//!     ticks = 300
//!     market.warmup_ticks = 50
//!     mortality.hazard_scale = 1000
//!     market.assets = [{ symbol = "GOLD", source = { kind = "synthetic" } }]
//!     cohorts = [{ name = "golems", golems = 4, memory = "bardo" }]
//! "#)?;
//!
//! // One world.
//! let scenario = Scenario::read(&at("tiny.toml"))?;
//! let summary = run(&scenario, RunOptions::into_folder(at("run")))?;
//! assert!(summary.manifest.ledger_conserved);
//! let lives = RunFolder::open(&at("run"))?.lives()?.all()?;
//! assert_eq!(lives.len() as u64, summary.totals.born);
//!
//! // Two arms in the same three worlds.
//! std::fs::write(at("question.toml"), r#"
//!     name = "question"
//!     scenario = "tiny.toml"
//!     seeds = { count = 3 }
//!     arms = [
//!         { name = "forgetful", set = { cohorts.golems.memory = "none" } },
//!         { name = "dreamers", set = {} },
//!     ]
//! "#)?;
//! let sweep = Sweep::read(&at("question.toml"))?;
//! assert_eq!(sweep.plan()?.cells(), 6);
//! let summary = sweep.run(&at("sweep"), SweepOptions::default())?;
//! let analysis = analyse(&at("sweep"), &Laboratory::default())?;
//! assert_eq!(analysis.sentences, summary.analysis.sentences);
//! # Ok(())
//! # }
//! ```
//!
//! # Where things are
//!
//! | to | see |
//! |---|---|
//! | bring memories of one's own | [`Laboratory`] |
//! | read scenarios, and change keys of them | [`scenario_file`]; [`bars`] for the prices they replay |
//! | live through one, with checkpoints, and resume it | [`mod@run`]; [`drive`] for who drives the world and who may stop it |
//! | hear of modes, dreams, births and deaths as they happen | [`follow`] |
//! | look at a world while it lives, in a browser | [`watch`] |
//! | tell its golems to dream or to wake meanwhile | [`steering`] |
//! | read what a run has left | [`run_folder`]; [`inspect`] for views of lives, deaths, dreams and decisions |
//! | change something from a tick on, and compare | [`branch`], [`divergence`] |
//! | prove that a folder can be made again | [`reproduce`] |
//! | run an experiment | [`sweep_file`], [`sweep_run`], [`sweep_folder`]; [`measure`] for what is measured |
//! | ask by a grid, without a file | [`quick`] |
//! | see what a folder of runs and sweeps holds, and runs side by side | [`listing`], [`compared_runs`] |
//! | find out which keys matter | [`mod@sensitivity`] |
//! | fit the best fixed policy of a market | [`constant_fit`] |
//! | judge it | [`analysis`]; [`statistics`] for tables of your own |
//! | make a page with plots | [`report`] |
//! | run published results on replay again | [`replication`] |
//! | score episodes of your own for replay | [`scoring`] |
//! | hold what golems decide against what they remember | [`memory_effects`] |
//! | ask a real model, or replay what one has said | [`model_endpoint`], [`cassette`] |
//! | check that a memory keeps the contract | [`conformance`] |
//!
//! # Errors
//!
//! Functions that can fail return [`Error`]; some readers of single formats, such as [`bars`], have an error of their own.
//! [`Error::Invalid`] is what the caller can mend: each line names the place, the value and the remedy. [`Error::Stopped`] is what the
//! caller has asked for.
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unreachable_pub))]

mod io;
pub mod replication;
pub mod report;
pub mod run;
mod sweep;
pub mod watch;

pub use io::error::{Error, Result};
pub use io::pointer::POINTER;
pub use io::{
    as_written, bars, bounded_lines, error, limits, machine, table, table_file, text, web, whole_file,
    write_lock,
};
pub use run::branch::{Branch, BranchRequest};
pub use run::laboratory::Laboratory;
pub use run::run_folder::{FinishedRun, RunFolder};
pub use run::scenario_file::Scenario;
pub use run::{ResumeOptions, RunOptions, RunSummary, resume, run};
pub use run::{
    branch, cassette, checkpoint, conformance, connection, divergence, drive, export, follow, foreign_memory,
    history, inspect, laboratory, lethe_start, model_endpoint, profile, provenance, run_folder,
    scenario_file, scenario_schema, scoring, steering,
};
pub use sweep::analysis::{Analysis, analyse};
pub use sweep::sweep_file::Sweep;
pub use sweep::sweep_run::{SweepOptions, SweepPlan, SweepSummary};
pub use sweep::{
    analysis, compared_runs, constant_fit, data_dictionary, listing, measure, memory_effects, quick,
    reproduce, sensitivity, statistics, sweep_file, sweep_folder, sweep_run,
};
