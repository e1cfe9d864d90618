//! `morta-memory owm kelly`: the share of equity that remembered outcomes suggest. It prints the fraction by the Kelly criterion (position
//! sizing), at least 0. It prints lots too where equity, stop and tick value are given, because a broker takes lots. `Args` has the CLI
//! flags for a bet size.

use super::say_if_new;
use morta_console::output;
use morta_tools::owm::kelly::kelly;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub(super) struct Args {
    /// One JSON object; - reads standard input.
    file: PathBuf,
    /// Ask this store; FILE then names a strategy, a symbol and the present.
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,
}

const HELP: &str = r#"FILE is one object:
  memories        a list of {"score", "pnl_r"}: how loudly each is remembered, and its outcome in R
                  or null
  risk_appetite   0 to 1; 1 when left out
  fractional      share of the full fraction that is dared, 0 to 1; 0.25 when left out
  least_memories  with fewer memories the answer is 0; 10 when left out
  cap             largest answer; no limit when left out
  equity, stop, tick_value   all three: lots are told as well
With --store it has strategy_name, symbol, query_context and now (the store's last moment when left
out), and equity, stop and tick_value; the rest follows from the store: the 50 best memories, its
keys and its owner's appetite for risk.
Prints {"kelly"}, with "lots" if asked: max(0, (p/a - q/b) * fractional * risk_appetite), with p the
share of all scores that gains have, and b and a the score-weighted mean gain and loss; 0 without
gains or without losses."#;

/// Runs the subcommand: prints the Kelly fraction (position sizing).
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(store) = &args.store {
        say_if_new(store);
    }
    output::line(kelly(&args.file, args.store.as_deref())?)?;
    Ok(ExitCode::SUCCESS)
}
