//! `morta-memory owm recall`: the ranking of memories for the present. It is memory retrieval: a ranked list with scores, each a product of
//! five factors and from 0 to 1.15 by the default keys. All factors are printed, so that a user sees why a memory is first. Memories come
//! from the file, or with `--store` from a store, which then notes and counts the recall. `Args` has the CLI flags for recall ranking.

use super::super::note;
use super::say_if_new;
use morta_console::output;
use morta_tools::owm::recall::recall;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub(super) struct Args {
    /// One JSON object: the present, and the memories unless they are in a store; - reads standard input.
    file: PathBuf,
    /// Recall from this store. What is recalled is noted beside it, in since.jsonl, and counted there.
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,
    /// Look at the whole store, not only at the newest five episodes and three beliefs for each memory wanted.
    #[arg(long, requires = "store")]
    whole: bool,
}

const HELP: &str = r#"FILE is one object:
  now              the moment (with a store: the store's last one when left out)
  query_context    a context (see morta-memory owm --help)
  affective_state  {"drawdown_state": 0 to 1, "consecutive_losses"}; neutral when left out (with a
                   store: the store's)
  limit            most memories; 10 when left out
  memories         without a store: a list of
                   {"id", "memory_type", "timestamp", "confidence", "pnl_r", "context"};
                   memory_type is "episodic", "semantic" or "prospective" (there also "priority",
                   "source_pnl_r")
  strategy_name, symbol, memory_types
                   with a store: what is wanted; episodic and semantic when left out
Prints {"ranked": [{"id", "memory_type", "score", "components"}]}, with "data" from a store;
components are {"Q", "Sim", "Rec", "Conf", "Aff"}. A belief is recalled only where its conditions hold;
strategy_name and symbol count among what is known. Ids may not repeat. A memory whose timestamp
can't be read has a recency of one half; their number is said on standard error."#;

/// Runs the subcommand: prints the retrieved memories, ranked.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(store) = &args.store {
        say_if_new(store);
    }
    let recalled = recall(&args.file, args.store.as_deref(), args.whole, &mut note)?;
    output::json(&recalled)
}
