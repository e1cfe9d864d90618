//! `morta`: a laboratory for mortal agents. See `cli` for the commands.
#![forbid(unsafe_code)]

mod bars;
mod checkpoint;
mod cli;
mod commands;
mod divergence;
mod failure;
mod history;
mod layout;
mod lethe_start;
mod live;
mod live_cell;
mod logs;
mod measure;
mod output;
mod profile;
mod repeat;
mod report;
mod run_folder;
mod scenario_file;
mod scenario_schema;
mod sweep_file;
mod sweep_folder;
mod table_file;
mod whole_file;

use std::process::ExitCode;

/// By measurement: where golems step a tick at a time, actors take a fifth less processor time with it than with the platform's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    failure::exit_code(cli::run())
}
