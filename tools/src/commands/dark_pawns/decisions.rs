//! `morta-memory dark-pawns decisions`: the decisions of golems in a sweep, as input of `effects`. It prints the cells of two arms (by
//! default `felt` and `none`) as JSON Lines of stimulus, action and memory, because `effects` compares a treated with an ablated arm. The
//! sweep must have kept its runs (`record.runs = true`); cells that lie packed in archives of units count as having kept none. `Args` has
//! the CLI arguments for a decision log (ablation study).

use morta_console::output;
use morta_lab::Laboratory;
use morta_lab::memory_effects::decisions;
use morta_tools::limits;
use std::path::PathBuf;
use std::process::ExitCode;

/// What is printed, for `--help`.
pub(super) const HELP: &str = r#"SWEEP is the folder of a sweep whose cells have kept their runs (record.runs = true), as that of
scenarios/levers/valence.toml does. Prints a line for each decision, as effects takes them:
  morta-memory dark-pawns decisions SWEEP --memory felt --none none | morta-memory dark-pawns effects -
The stimulus is the regime as the golem read it, the action the strategy that it followed, or
stay_out. What is remembered of a regime is the last trade that it closed there: its valence, and the
dreams since (sessions). Decisions to explore are left out."#;

/// The flags of the command.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The sweep's folder.
    #[arg(value_name = "SWEEP")]
    sweep: PathBuf,

    /// The arm with memory.
    #[arg(long, value_name = "ARM", default_value = "felt")]
    memory: String,

    /// The arm that it is held against.
    #[arg(long, value_name = "ARM", default_value = "none")]
    none: String,
}

/// Runs the subcommand: prints the decisions of two arms as JSON Lines.
pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let tell = |decision: &_| {
        let mut line = serde_json::to_value(decision)?;
        line["type"] = "decision".into();
        output::line(line).map_err(|error| morta_lab::Error::failed(error.to_string()))
    };
    let laboratory = Laboratory::default().within(limits::now().clone());
    decisions(&args.sweep, (&args.memory, &args.none), &laboratory, tell)?;
    Ok(ExitCode::SUCCESS)
}
