//! `morta memory owm validate`: does outcome-weighted memory size trades better, on recorded bars?

mod file;
mod plot;
mod text;

use crate::failure::UserError;
use crate::output;
use file::Loaded;
use morta_engine::memory::owm::validation::{Outcome, Plan, Split, validate};
use morta_lab::whole_file;
use serde::Serialize;
use std::path::{Path, PathBuf};
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

/// Everything there is to tell.
#[derive(Serialize)]
struct Answer<'a> {
    name: &'a str,
    description: &'a str,
    file: &'a Path,
    data: &'a file::DataUsed,
    split: Split,
    plan: &'a Plan,
    outcome: &'a Outcome,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let loaded = file::load(&args.file)?;
    let Loaded { head, plan, bars, split, data } = &loaded;
    let outcome = validate(plan, bars, split)
        .map_err(|why| UserError::new(format!("{}: {why}: change split or variants", args.file.display())))?;
    let (name, description) = (head.name.as_str(), head.description.as_str());
    let answer = Answer { name, description, file: &args.file, data, split: *split, plan, outcome: &outcome };
    let json = serde_json::to_string_pretty(&answer)?;
    if let Some(folder) = &args.out {
        whole_file::replace(&folder.join("validation.json"), format!("{json}\n").as_bytes())?;
        if let Some(figure) = plot::equity(name, plan, &outcome) {
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
