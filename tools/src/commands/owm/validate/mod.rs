//! `morta-memory owm validate`: does outcome-weighted memory size trades better, on recorded bars or one's own trades? It is a backtest
//! with a train/validation split, and prints Sharpe, drawdown and Calmar for each arm. The split is by time, because a random one would let
//! the future into the training. `Args` has the CLI flags of an out-of-sample test (train/test split).

mod plot;
mod text;

use super::super::note;
use morta_console::output;
use morta_lab::whole_file;
use morta_tools::owm::validation;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP, group(clap::ArgGroup::new("what").required(true).args(["file", "trades"])))]
pub(super) struct Args {
    /// The plan; see scenarios/validation/owm-validation.toml.
    #[arg(value_name = "PLAN.toml")]
    file: Option<PathBuf>,

    /// Without a plan: one's own trades, by the columns of morta-memory owm import; every arm, the usual keys. (A plan may name trades in its data.)
    #[arg(long, value_name = "FILE")]
    trades: Option<PathBuf>,

    /// First day of the validation; left out, the one by which seven tenths of the time are over.
    #[arg(long, value_name = "DAY", requires = "trades")]
    split: Option<String>,

    /// Zone of moments that name none: UTC, or a name of the IANA database.
    #[arg(long, value_name = "NAME", default_value = "UTC", requires = "trades")]
    zone: String,

    /// Equity that the validation begins with.
    #[arg(long, value_name = "MONEY", default_value_t = 10_000.0, requires = "trades")]
    equity: f64,

    /// Lots of every trade of the fixed arm.
    #[arg(long, value_name = "LOTS", default_value_t = 0.1, requires = "trades")]
    fixed_lot: f64,

    /// Units in a lot, for trades that don't tell what they made in money (pnl and lot_size).
    #[arg(long, value_name = "UNITS", default_value_t = 100.0, requires = "trades")]
    lot_units: f64,

    /// Write validation.json and equity.svg into this folder; files of these names are replaced.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

const HELP: &str = r#"The plan names bars, a split in time, strategies with their variants, an account, and the arms:
fixed (the same lot), simple_kelly (the training's Kelly fraction of the strategy), recency_kelly
(of its last 50 trades), owm (of outcome-weighted recall). To look at, part of no hypothesis, are
owm_likeness (scores without the outcome's quality, sensitivity 0) and layers (L1 raw trades, L2 a
scan of all of them for patterns every 30 days, L3 the fixed lot adjusted until the next scan).
Every variant trades the strategy's signals: decided at a bar's close, filled at the next open, with
a stop and a limit of time. Arms differ in lots alone; a stake knows what has closed by the bar of
its decision. A trade with a stake of 0 is followed on paper, and remembered.
Keys of a plan:
  name, description
  data      file (bars, from the plan's folder), start (a day; earlier bars fill the windows); or else
            trades (from there, too; then without variants) and their zone
  split     train, validation, end (days; the last one isn't part of it)
  variants  list of {strategy, strength, stop, hold}: every combination of the values
  account   owner (joint, each_variant), start_equity, fixed_lot, lot_units
  regime    trend, volatility, days
  arms      list; train_only true or false; confidence of every episode
  layers    scan_days, trades, disable_below, reduce_below, reduced, increase_above, increased,
            restrict_from
  owm       the keys of [memory.owm.mind] in docs/src/scenario-files/memory.md
  test      resamples, block_days, level, seed
Trades of one's own are those that have ended and whose R is known; what a lot risks is pnl over
lot_size and R, or else the stop's distance times the lot's units. A regime is the one they were
written down with; days are Monday to Friday, and others on which something was traded."#;

fn loaded(args: &Args) -> morta_lab::Result<validation::Loaded> {
    let (Some(trades), None) = (&args.trades, &args.file) else {
        return validation::load(args.file.as_deref().unwrap_or(Path::new("")), &mut note);
    };
    let own = validation::Own {
        trades,
        split: args.split.as_deref(),
        zone: &args.zone,
        equity: args.equity,
        fixed_lot: args.fixed_lot,
        lot_units: args.lot_units,
    };
    validation::own_validation(&own, &mut note)
}

/// Runs the command: a backtest of position sizing.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let loaded = loaded(args)?;
    let outcome = loaded.validate()?;
    let json = serde_json::to_string_pretty(&loaded.answer(&outcome))?;
    if let Some(folder) = &args.out {
        whole_file::replace(&folder.join("validation.json"), format!("{json}\n").as_bytes())?;
        if let Some(figure) = plot::equity(&loaded.name, &loaded.plan, &outcome) {
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
