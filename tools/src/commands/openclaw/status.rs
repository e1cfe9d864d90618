//! `morta-memory openclaw status`: the memory's counts, and the next run of each phase. It is a health report with the next cron run; it
//! only reads, and prints counts and timestamps. `--deep` adds what deep sleep would do now. It takes no lock, because it changes nothing.
//! `Args` has the CLI flags of a status report (health check).

use super::room::RoomArgs;
use morta_tools::openclaw::fan_out::Answers;
use morta_tools::openclaw::status::{Deep, StatusReport};
use std::path::PathBuf;

/// The flags of `morta-memory openclaw status`.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pub room: RoomArgs,
    /// Long-term memory, for its health; MEMORY.md of the workspace when left out.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// Say what deep sleep would do now, too: what would be promoted, which gates stop the rest, and the ten strongest entries.
    #[arg(long)]
    deep: bool,
}

/// Counts the store and the next runs of the chosen workspaces (health report).
pub(super) fn status(args: &Args) -> morta_lab::Result<Answers<StatusReport>> {
    let memory = args.memory.as_deref();
    args.room.ask(|around, notes| {
        let mut report = StatusReport::for_workspace(around, memory, notes)?;
        if args.deep {
            // Remarks on the files were reported with the status. Only those on notes are passed on, because nothing else reads notes.
            let mut of_notes = |text: &str| {
                if text.ends_with("its entries are left out") {
                    notes(text);
                }
            };
            report.deep = Some(Deep::for_workspace(around, memory, &mut of_notes)?);
        }
        Ok(report)
    })
}
