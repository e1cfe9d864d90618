//! `morta memory owm`: outcome-weighted memory on a user's own trades.

mod context;
mod input;
mod kelly;
mod log;
mod plans;
mod recall;
mod remember;
mod report;
mod store;
mod validate;

use clap::Subcommand;
use std::process::ExitCode;

/// The flags of `morta memory owm`.
#[derive(clap::Args)]
#[command(after_long_help = context::HELP)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Rank memories for the present, with every factor of their scores; from the file, or from a store.
    Recall(recall::Args),
    /// The share of equity that remembered outcomes suggest.
    Kelly(kelly::Args),
    /// Take trades, equity and plans into a store; they change beliefs, habits and the state of mind.
    Remember(remember::Args),
    /// The state of mind that a store holds.
    State(report::StateArgs),
    /// The habits that a store holds: what was really done, biases, drift; and the beliefs.
    Analysis(report::AnalysisArgs),
    /// The plans that a store holds, or those that apply now.
    Plans(plans::Args),
    /// Whether it sizes trades better than simpler rules do, on recorded bars with a split in time.
    Validate(validate::Args),
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Recall(args) => recall::run(&args),
        What::Kelly(args) => kelly::run(&args),
        What::Remember(args) => remember::run(&args),
        What::State(args) => report::state(&args),
        What::Analysis(args) => report::analysis(&args),
        What::Plans(args) => plans::run(&args),
        What::Validate(args) => validate::run(&args),
    }
}
