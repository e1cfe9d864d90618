//! `morta-memory owm`: outcome-weighted memory on a user's own trades. It is the subcommand group; `state`, `analysis` and `performance`
//! get an empty store here where there is none, with a note; `recall`, `kelly` and `plans` give the same note, and open the store by the
//! library; `trade` and `export` refuse a folder without one. Formats stand in the help, because logs are written by other programs. `Args`
//! has the CLI flags for trade memory.

mod export;
mod import;
mod kelly;
mod plans;
mod recall;
mod remember;
mod report;
mod share;
mod validate;

use super::serve::{self, OwmArgs};
use crate::commands::note;
use clap::Subcommand;
use morta_tools::owm::store::Store;
use std::path::Path;
use std::process::ExitCode;

/// The flags of `morta-memory owm`.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

/// The formats all subcommands share, for `--help`.
const HELP: &str = r#"A context is an object; every field may be left out or null, and is then unknown:
  regime              "trending_up", "trending_down", "ranging" or "volatile"
  volatility_regime   "low", "normal", "high" or "extreme"
  session             "asia", "london", "newyork" or "overlap"
  atr_d1, atr_h1      average true range of a day and of an hour, in units of price
  spread_as_atr_pct   the spread as a share of the true range of five minutes
  drawdown_pct        loss from the last peak of equity, 0 to 1
  price
  (other fields)      texts, numbers, true or false; triggers of plans may ask for them
Moments are written as 2026-02-01T14:00:00Z (without a zone: in UTC), or as seconds since 1970."#;

#[derive(Subcommand)]
enum What {
    /// Rank memories for the present, with every factor of their scores; from the file, or from a store.
    Recall(recall::Args),
    /// The share of equity that remembered outcomes suggest.
    Kelly(kelly::Args),
    /// Take trades, equity and plans into a store; they change beliefs, habits and the state of mind.
    Remember(remember::Args),
    /// Take over the trades and patterns of another program: TradeMemory's tables, or a broker's, as CSV or JSON lines.
    Import(import::Args),
    /// Print the trades of a store as a log, which remember takes in again.
    Export(export::Args),
    /// Share a store with TradeMemory: take in what its database holds, and write into it what the store holds.
    Share(share::Args),
    /// The state of mind that a store holds.
    State(report::StateArgs),
    /// The habits that a store holds: what was really done, biases, drift; and the beliefs, with those that are to be tested first.
    Analysis(report::AboutArgs),
    /// What strategies have made on symbols, with the habits that go with it.
    Performance(report::AboutArgs),
    /// One trade: what was said of it, every belief that it bore out or spoke against, and the plans that it led to.
    Trade(report::TradeArgs),
    /// The plans that a store holds, or those that apply now.
    Plans(plans::Args),
    /// Whether it sizes trades better than simpler rules do, on recorded bars with a split in time.
    Validate(validate::Args),
    /// Serve a store's memory as tools of an MCP server: over standard input and output to the agent that starts this, or over HTTP.
    Serve(OwmArgs),
}

/// Runs one of the subcommands (subcommand dispatch).
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Recall(args) => recall::run(&args),
        What::Kelly(args) => kelly::run(&args),
        What::Remember(args) => remember::run(&args),
        What::Import(args) => import::run(&args),
        What::Export(args) => export::run(&args),
        What::Share(args) => share::run(&args),
        What::State(args) => report::state(&args),
        What::Analysis(args) => report::analysis(&args),
        What::Performance(args) => report::performance(&args),
        What::Trade(args) => report::trade(&args),
        What::Plans(args) => plans::run(&args),
        What::Validate(args) => validate::run(&args),
        What::Serve(args) => serve::owm(args),
    }
}

/// The store of a folder. A missing one is opened empty and reported, because the folder's name may be misspelt.
fn opened(folder: &Path) -> morta_lab::Result<Store> {
    say_if_new(folder);
    Store::open_or_empty(folder)
}

fn say_if_new(folder: &Path) {
    if !Store::exists(folder) {
        note(&format!("{}: there is no store yet: this is the answer of an empty one", folder.display()));
    }
}
