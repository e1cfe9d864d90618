//! `morta memory conformance NAME`: checks a memory architecture, built in or brought by `--memory-process`, against the engine's contract
//! (conformance test suite for plug-ins): same bytes for the same seed, honest accounts, bounded size. The exit code is 1 if a check fails.
//! It comes before a sweep, because a memory that breaks the contract gives results that mean nothing. It says nothing about how good a
//! memory is. `Args` has the CLI arguments of a contract test.

use crate::memory_process::MemoryProcessArgs;
use morta_console::output::Printable as _;
use morta_engine::memory::MemoryName;
use morta_lab::Laboratory;
use morta_lab::conformance::{ConformanceBounds, check_process};
use std::process::ExitCode;

/// The flags of `morta memory conformance`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The architecture, as scenarios name it: "bardo", say. One of your own is brought by --memory-process, or checked from a program that
    /// registers it (lab/examples/own_memory.rs).
    name: String,

    /// The seed of the worlds it is checked in.
    #[arg(long, value_name = "N", default_value_t = ConformanceBounds::default().seed)]
    seed: u64,

    /// Most of the candidates that it may forbid where nothing can be known, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = ConformanceBounds::default().vetoed_share_max)]
    vetoed_share: f64,

    /// Most bytes that its state may grow by for each outcome.
    #[arg(long, value_name = "BYTES", default_value_t = ConformanceBounds::default().bytes_per_outcome_max)]
    bytes_per_outcome: f64,

    #[command(flatten)]
    memories: MemoryProcessArgs,

    /// Print one JSON object instead of lines.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

/// Runs the command; the exit code is 1 if a check fails (conformance test).
pub(super) fn run(args: &Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let bounds = ConformanceBounds {
        seed: args.seed,
        vetoed_share_max: args.vetoed_share,
        bytes_per_outcome_max: args.bytes_per_outcome,
        ..ConformanceBounds::default()
    };
    let laboratory = args.memories.added_to(laboratory)?;
    let report = check_process(&laboratory, &MemoryName::from(args.name.as_str()), &bounds)?;
    report.print(args.json)?;
    Ok(if report.conforms() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
