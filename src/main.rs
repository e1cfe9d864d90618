//! `morta`: a laboratory for mortal agents. See `cli` for the commands.
#![forbid(unsafe_code)]

mod cli;
mod commands;
mod failure;

use std::process::ExitCode;

fn main() -> ExitCode {
    failure::exit_code(cli::run())
}
