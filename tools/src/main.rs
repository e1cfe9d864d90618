//! `morta-memory`: the memory architectures on people's own logs. See `cli` for the commands. It is a program
//! of its own, so that a user of memories needn't install the simulation.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unreachable_pub))]
#![warn(clippy::print_stderr, reason = "standard error may be gone: `output::remark` can't panic")]

mod cli;
mod commands;

use std::process::ExitCode;

/// The allocator of `morta`, so that both programs take the same time for the same work.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    morta_console::failure::exit_code(cli::run())
}
