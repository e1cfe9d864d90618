//! `morta-memory owm state` and `analysis`: what a store says of its owner.

use morta_console::output;
use morta_tools::owm::report;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `state`.
#[derive(clap::Args)]
pub struct StateArgs {
    /// The folder of the store.
    store: PathBuf,
}

/// The flags of `analysis`.
#[derive(clap::Args)]
pub struct AnalysisArgs {
    /// The folder of the store.
    store: PathBuf,
    /// Of this strategy only.
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// On this symbol only.
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
}

/// Prints the state of mind.
pub fn state(args: &StateArgs) -> anyhow::Result<ExitCode> {
    output::line(serde_json::to_string_pretty(&report::state(&args.store)?)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints habits and beliefs.
pub fn analysis(args: &AnalysisArgs) -> anyhow::Result<ExitCode> {
    let found = report::analysis(&args.store, args.strategy.as_deref(), args.symbol.as_deref())?;
    output::line(serde_json::to_string_pretty(&found)?)?;
    Ok(ExitCode::SUCCESS)
}
