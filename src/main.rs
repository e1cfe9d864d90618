//! `morta`: a laboratory for mortal agents. See `cli` for the commands.
#![forbid(unsafe_code)]

mod cli;
mod commands;
mod failure;
mod output;
#[allow(dead_code, unused_imports, reason = "`run` and `verify` use the rest")]
mod run_folder;

use std::process::ExitCode;

fn main() -> ExitCode {
    failure::exit_code(cli::run())
}
