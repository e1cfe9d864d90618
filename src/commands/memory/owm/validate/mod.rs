//! `morta memory owm validate`: does outcome-weighted memory size trades better, on recorded bars?

mod plot;
mod text;

use crate::output;
use morta_lab::memory_tools::owm::validation;
use morta_lab::whole_file;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Args {
    /// The plan; see scenarios/validation/owm-validation.toml.
    file: PathBuf,

    /// Write validation.json and equity.svg into this folder; files of these names are replaced.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

const HELP: &str = r#"The plan names bars, a split in time, strategies with their variants, an account, and the arms:
fixed (the same lot), simple_kelly (the training's Kelly fraction of the strategy), recency_kelly
(of its last 50 trades), owm (of outcome-weighted recall); owm_likeness (scores without the outcome's
quality, sensitivity 0) may be added to look at.
Every variant trades the strategy's signals: decided at a bar's close, filled at the next open, with
a stop and a limit of time. Arms differ in lots alone; a stake knows what has closed by the bar of
its decision. A trade with a stake of 0 is followed on paper, and remembered.
Keys of a plan:
  name, description
  data      file (from the plan's folder), start, end (days; earlier bars fill the windows)
  split     train, validation, end (days; the last one isn't part of it)
  variants  list of {strategy, strength, stop, hold}: every combination of the values
  account   owner (joint, each_variant), start_equity, fixed_lot, lot_units
  regime    trend, volatility, days
  arms      list; train_only true or false; confidence of every episode
  owm       the keys of [memory.owm.mind] in scenarios/REFERENCE.md
  test      resamples, block_days, level, seed"#;

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let loaded = validation::load(&args.file)?;
    let outcome = loaded.validate()?;
    let json = serde_json::to_string_pretty(&loaded.answer(&outcome))?;
    if let Some(folder) = &args.out {
        whole_file::replace(&folder.join("validation.json"), format!("{json}\n").as_bytes())?;
        if let Some(figure) = plot::equity(&loaded.head.name, &loaded.plan, &outcome) {
            whole_file::replace(&folder.join("equity.svg"), figure.standalone().as_bytes())?;
        }
    }
    if args.json {
        output::line(json)?;
        return Ok(ExitCode::SUCCESS);
    }
    text::lines(&loaded, &outcome).into_iter().try_for_each(output::line)?;
    if let Some(folder) = &args.out {
        output::line(format!("\nwritten to   {}", folder.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
