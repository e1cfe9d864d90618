//! `morta-memory owm share`: exchange of trades between a store and TradeMemory's database. It is two-way synchronization with an SQLite
//! database. It exists so that an agent on TradeMemory and one on this store can have one history. `Args` has the CLI flags for database
//! sync.

use super::note;
use morta_console::output;
use morta_tools::owm::shared_db::{SharedDb, share};
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub(super) struct Args {
    /// The folder of the store; made if it isn't there.
    store: PathBuf,
    /// TradeMemory's database (mostly data/tradememory.db); made, with its tables, if it isn't there.
    #[arg(long, value_name = "FILE")]
    db: PathBuf,
}

const HELP: &str = r#"Trades of the database that the store doesn't have are taken in as by morta-memory owm import (by
their ids, so nothing is there twice); trades of the store are written into trade_records and
episodic_memory. A trade that is there and has ended is never changed. Beliefs, habits and plans of
the store stand in semantic_memory, procedural_memory and prospective_memory under ids that begin
with morta-, beside the original's own; the state of mind is written where there is none.
Prints {"taken", "known", "skipped", "written"}. morta-memory owm serve STORE --db FILE does the same
while it serves, at every trade."#;

/// Runs the subcommand: two-way synchronization with SQLite.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let shared = share(&args.store, &mut SharedDb::open(&args.db)?, &mut note)?;
    output::json(&shared)
}
