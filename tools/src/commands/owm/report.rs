//! `morta-memory owm state`, `analysis`, `performance` and `trade`: reports on a store and on one trade. They are read-only queries with
//! JSON answers. A folder without a store is answered as an empty one with a note; `trade` alone refuses it. They are JSON objects, so that
//! an agent can read them. `StateArgs` has the CLI flags for the agent state, those of `TradeArgs` for a single trade (trade lookup by
//! trade id).

use super::opened;
use crate::commands::note;
use morta_console::output;
use morta_lab::Result;
use morta_tools::owm::report::{self, About};
use morta_tools::owm::store::Store;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `state`.
#[derive(clap::Args)]
pub(crate) struct StateArgs {
    /// The folder of the store.
    store: PathBuf,
}

/// The flags of `analysis` and `performance`.
#[derive(clap::Args)]
pub(crate) struct AboutArgs {
    /// The folder of the store.
    store: PathBuf,
    /// Of this strategy only.
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// On this symbol only.
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
}

/// The flags of `trade`.
#[derive(clap::Args)]
pub(crate) struct TradeArgs {
    /// The folder of the store.
    store: PathBuf,
    /// The id of the trade.
    id: String,
}

impl AboutArgs {
    fn print(&self, ask: fn(&Store, About<'_>) -> Value) -> anyhow::Result<ExitCode> {
        let about = About { strategy: self.strategy.as_deref(), symbol: self.symbol.as_deref() };
        let found = ask(&opened(&self.store)?, about);
        if let Some(why) = found["note"].as_str() {
            note(why);
        }
        output::json(&found)
    }
}

/// Prints the affective state: mood, drawdown and confidence.
pub(super) fn state(args: &StateArgs) -> anyhow::Result<ExitCode> {
    output::json(&report::state(&opened(&args.store)?))
}

/// Prints habits and beliefs (behavioural analysis).
pub(super) fn analysis(args: &AboutArgs) -> anyhow::Result<ExitCode> {
    args.print(report::analysis)
}

/// Prints results by strategy and symbol (win rate).
pub(super) fn performance(args: &AboutArgs) -> anyhow::Result<ExitCode> {
    args.print(report::performance)
}

/// Prints a trade with its beliefs and plans (post-trade review).
pub(super) fn trade(args: &TradeArgs) -> anyhow::Result<ExitCode> {
    let store: Result<Store> = Store::open(&args.store);
    output::json(&report::reflection(&store?, &args.id)?)
}
