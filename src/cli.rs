//! The command line of `morta`: which commands there are, and their flags. It is the command-line interface by clap (subcommands); help,
//! completions and man pages follow from it. The limits of `--at-most` go to the laboratory; commands that only read finished folders,
//! registered files or cassettes (list, compare, inspect, export, lethe, cassette, replicate), or print texts of the program (schema,
//! completions, man), don't get it. It holds no logic, so that the laboratory can be used as a library.

use crate::commands;
use clap::{CommandFactory as _, Parser, Subcommand};
use morta_console::limits::{self, LimitArgs};
use morta_console::{arguments, completions, logs, man};
use morta_lab::Laboratory;
use std::process::ExitCode;

/// A laboratory for mortal agents: they trade, remember, dream, die, and leave bloodstains to their successors.
#[derive(Parser)]
#[command(name = "morta", version, max_term_width = 100, after_help = limits::list())]
struct Cli {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Live through a scenario and write a run folder.
    Run(commands::run::Args),
    /// Look at a world or a sweep in a browser while it is lived: who dreams, who dies, what crosses the Styx; means so far.
    Watch(commands::watch::Args),
    /// Live through a run again and compare: exits with 0 only if every byte is the same.
    Verify(commands::verify::Args),
    /// Go on from a tick of a run under one change, beside the run without it, and say what the change did.
    Branch(commands::branch::Args),
    /// Live through a run, or cells of a sweep, again: exits with 0 only if all of it comes out the same.
    Reproduce(commands::reproduce::Args),
    /// Run many worlds under many settings: arms of an experiment, resumable to the cell.
    Sweep(commands::sweep::Args),
    /// Find out which keys of a scenario move a measure, and which of them act together.
    Sensitivity(Box<commands::sensitivity::Args>),
    /// Fit what a scenario is shipped with: the best fixed policy of its market.
    Fit(commands::fit::Args),
    /// Check scenario files without running them.
    Validate(commands::validate::Args),
    /// Say what is read of a file of your own prices, and write it as clean bars.
    Bars(commands::bars::Args),
    /// Print the JSON Schema of scenario files, for editors, or the reference page of all keys.
    Schema(commands::schema::Args),
    /// Score your own episodes for replay, with every term, and say which would be chosen and why.
    // With every term, because a bare ranking couldn't be checked.
    Score(commands::score::Args),
    /// Whether a memory keeps the contract; and, by the program morta-memory, published architectures on your own logs.
    Memory(commands::memory::Args),
    /// Put scorers under load: latency percentiles without coordinated omission, drops, queue depth, the saturation knee.
    Loadtest(Box<commands::loadtest::Args>),
    /// Run published results on replay again (mazes, tracks, cliffs), and what the replay spec's utility is worth there, beside what was published.
    Replicate(commands::replicate::Args),
    /// List the runs and sweeps of a folder: scenario, seed, digest, verdict.
    List(commands::list::Args),
    /// Hold runs against one another: keys that differ, where their events part, measures side by side.
    Compare(commands::compare::Args),
    /// Look into a run: lives, one golem, one death, a dream, a playbook, a lineage.
    Inspect(commands::inspect::Args),
    /// Write a run or a sweep as one page: what was asked, verdicts, plots, tables, how to get it again.
    Report(commands::report::Args),
    /// Write a run in the formats of other tools.
    Export(commands::export::Args),
    /// Look into recorded calls of a real model; merge and prune their files.
    Cassette(commands::cassette::Args),
    /// Show what a Lethe holds: bloodstains by cause and kind, and the runs that left them.
    Lethe(commands::lethe::Args),
    /// Statistics of a table: survival with censoring, arms compared in the same worlds.
    Stats(commands::stats::Args),
    /// Print what a shell needs to complete commands, flags and files.
    #[command(after_help = completions::where_to_put_it("morta"))]
    Completions(completions::Args),
    /// Print a manual page, or write all of them into a folder.
    #[command(after_help = man::how_to_read("morta", "run"))]
    Man(man::Args),
}

/// Reads the arguments and runs the command they name (command-line entry point).
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let Cli { command, limits } = arguments::parse();
    let laboratory = &Laboratory::default().within(limits.limits());
    // A profile listens in place of the logs, and passes them on.
    if !matches!(&command, Command::Run(args) if args.profile) {
        logs::install()?;
    }
    match command {
        Command::Run(args) => commands::run::run(args, laboratory),
        Command::Watch(args) => commands::watch::run(args, laboratory),
        Command::Verify(args) => commands::verify::run(args, laboratory),
        Command::Branch(args) => commands::branch::run(args, laboratory),
        Command::Reproduce(args) => commands::reproduce::run(args, laboratory),
        Command::Sweep(args) => commands::sweep::run(args, laboratory),
        Command::Sensitivity(args) => commands::sensitivity::run(*args, laboratory),
        Command::Fit(args) => commands::fit::run(args, laboratory),
        Command::Validate(args) => commands::validate::run(args, laboratory),
        Command::Bars(args) => commands::bars::run(args, laboratory),
        Command::Schema(args) => commands::schema::run(args),
        Command::Score(args) => commands::score::run(args, laboratory),
        Command::Memory(args) => commands::memory::run(args, laboratory),
        Command::Loadtest(args) => commands::loadtest::run(*args, laboratory),
        Command::Replicate(args) => commands::replicate::run(args),
        Command::List(args) => commands::list::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Inspect(args) => commands::inspect::run(args),
        Command::Report(args) => commands::report::run(args, laboratory),
        Command::Export(args) => commands::export::run(args),
        Command::Cassette(args) => commands::cassette::run(args),
        Command::Lethe(args) => commands::lethe::run(args),
        Command::Stats(args) => commands::stats::run(args, laboratory),
        Command::Completions(args) => completions::run(args, Cli::command()),
        Command::Man(args) => man::run(args, Cli::command()),
    }
}
