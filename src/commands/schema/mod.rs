//! `morta schema`: the JSON Schema of scenario files, which editors use for completion and validation; or a Markdown reference of scenario
//! keys, of sweep files, or of the tables that runs write (data dictionary). All are generated from the code's own declarations, but for
//! the pages' introductions. Nothing is written: it is printed, so that it can be kept beside one's scenarios. `Args` has the CLI arguments
//! to print a schema.
//!
//! All four outputs are kept in the repository: `scenarios/scenario.schema.json` and, in `docs/src`, `sweep-files`, `scenario-files` and
//! `tables` (the last two split into several pages). `tests/it/scenario_reference.rs` fails while they differ, and writes them anew with
//! `MORTA_RECORD=1`.

mod reference;
mod sweeps;

use morta_console::output;
use morta_lab::{data_dictionary, scenario_schema};
use std::process::ExitCode;

/// The flags of `morta schema`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print the reference page of all keys (Markdown) instead of the JSON Schema.
    // Instead, not besides: with text around it the schema would be no JSON.
    #[arg(long)]
    reference: bool,
    /// Print the reference page of sweep files (Markdown).
    #[arg(long, conflicts_with = "reference")]
    sweeps: bool,
    /// Print the data dictionary (Markdown): every table that runs and sweeps write, column by column.
    #[arg(long, conflicts_with_all = ["reference", "sweeps"])]
    tables: bool,
}

/// Prints one of the pages, JSON Schema or Markdown.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let page = if args.tables {
        data_dictionary::page()
    } else if args.sweeps {
        sweeps::page()
    } else if args.reference {
        reference::page()
    } else {
        serde_json::to_string_pretty(scenario_schema::root())?
    };
    output::line(page.trim_end())?;
    Ok(ExitCode::SUCCESS)
}
