//! `morta-memory dark-pawns effects`: the effect of memory, from decisions with and without it. It prints effect sizes (behavioural
//! persistence, social consequence, decay curves, cost ratio) without a test. There is no p-value, because the original's measures define
//! none. `Args` has the CLI arguments of an effect size report, a positional argument alone.

use morta_console::output;
use morta_tools::dark_pawns::effects::effects;
use std::path::PathBuf;
use std::process::ExitCode;

/// The formats, for `--help`.
pub(super) const HELP: &str = r#"FILE has an object a line, of three types:
  {"type": "decision", "arm": "memory" or "none", "stimulus", "action",
   "sessions": since what is remembered, "valence": of it}; the last two may be left out
  {"type": "encounter", "entity", "before", "after", "valence"}
   with stances attack, flee, pass, assist, defend
  {"type": "cost", "hosting": "server" or "client", "tokens"}
A line that is none of these is an error.

Prints one object:
  persistence      for each stimulus and action: bps = |P(action | memory) - P(action | none)|;
                   above 0.3 strong, from 0.1 moderate; enough: both arms have 50 decisions
  curves           for each strength of feeling: bps over sessions of the action that memory
                   moved most, and the exponential initial * e^(-rate * sessions) through it
  half_life_ratio  after feelings of 3 over feelings of 1; the hypothesis is at least 2
  consequences     for each entity: scs = mean of (stance after - stance before) / valence;
                   above 0.5 strong, from 0.2 moderate
  cost_ratio       tokens of a decision, server over client; cost_enough: both have 100"#;

/// The flags of the command.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Decisions, encounters and costs; - reads standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Runs the subcommand: prints the effect sizes of memory from a file of decisions.
pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    output::json(&effects(&args.file)?)
}
