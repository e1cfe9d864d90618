//! `morta-memory owm plans`: the plans of a store, or those that apply now. They are prospective memories (triggers with actions), printed
//! as JSON. A context can be given, because a plan is of use only when its condition holds. `Args` has the CLI flags for prospective memory
//! (trading plans).

use super::say_if_new;
use morta_console::output;
use morta_tools::owm::plans::plans;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub(super) struct Args {
    /// The folder of the store.
    store: PathBuf,
    /// The present: a context with all that triggers ask for (strategy and type of the pending signal among it); - reads
    /// standard input. Lists the plans that apply.
    #[arg(long, value_name = "CONTEXT.json")]
    context: Option<PathBuf>,
    /// The moment; the store's last one when left out.
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
}

const HELP: &str = r#"Prints {"now", "plans"}: the plans that apply, the most important first, then the oldest; without
--context all of them, with their status at that moment. Nothing in the store is changed;
morta-memory owm remember makes plans, carries them out and cancels them."#;

/// Runs the subcommand: prints the plans of a store, or those whose trigger condition holds.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    say_if_new(&args.store);
    let found = plans(&args.store, args.context.as_deref(), args.now.as_deref())?;
    output::json(&found)
}
