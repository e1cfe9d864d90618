//! `morta-memory openclaw`: deep, light and REM sleep on a recall store of the user's own. It is the subcommand group: offline
//! consolidation of what searches in notes have found. It works on the user's own folders, so that `promote`, `light` and `rem` only
//! preview unless `--apply` is given. `record`, `live`, `page` and `dreaming` with a switch (`on`, `off`, `enable`, `disable`) write
//! without a flag, because writing is what they are for; so do `record_search` and `dreaming` among the tools of `serve`. `Args` has the
//! CLI options for sleep phases.

mod dreaming;
mod help;
mod live;
mod page;
mod phases;
mod promote;
mod record;
mod room;
mod schedule;
mod status;

use super::serve::{self, OpenClawArgs};
use clap::Subcommand;
use morta_console::output::Printable;
use std::process::ExitCode;

/// The flags of `morta-memory openclaw`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Deep sleep: rank what was recalled, with every signal, and name the gate that stopped the rest; with --apply, promote.
    #[command(after_long_help = help::STORE)]
    Promote(promote::Args),
    /// Light sleep: what was recalled lately, deduplicated, the best first.
    #[command(after_long_help = help::STORE)]
    Light(phases::LightArgs),
    /// REM sleep: what keeps coming up.
    #[command(after_long_help = help::STORE)]
    Rem(phases::RemArgs),
    /// Live through a log of searches: every search is recorded when it was made, every phase runs when it is due, on every workspace. A line a run. With
    /// --watch, by the clock.
    #[command(after_long_help = help::LIFE)]
    Live(live::Args),
    /// Print the schedule of the phases as lines of a crontab, or as timers of systemd. (`live --watch` keeps it by itself.)
    Schedule(schedule::Args),
    /// How the memory stands, and when it next sleeps.
    #[command(after_long_help = help::STORE)]
    Status(status::Args),
    /// Say whether dreaming is on, or switch it on or off in openclaw.json, which otherwise stays as it is written.
    Dreaming(dreaming::Args),
    /// Write a page of a workspace's dreams: what was promoted and why, what was stopped at which gate, what the phases wrote.
    Page(page::Args),
    /// Record searches: every result that hits a snippet of a daily note counts in the store.
    #[command(after_long_help = help::SEARCHES)]
    Record(record::Args),
    /// Serve a workspace as tools of an MCP server: over standard input and output to the agent that starts this, or over HTTP.
    Serve(OpenClawArgs),
}

/// Runs one of the subcommands (subcommand dispatch).
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Promote(args) => promote::promote(&args)?.print(args.room.json),
        What::Light(args) => phases::light(&args)?.print(args.room.json),
        What::Rem(args) => phases::rem(&args)?.print(args.room.json),
        What::Live(args) => live::run(&args),
        What::Schedule(args) => schedule::schedule(&args)?.print(args.json),
        What::Status(args) => status::status(&args)?.print(args.room.json),
        What::Page(args) => page::run(&args),
        What::Dreaming(args) => dreaming::run(&args),
        What::Record(args) => record::record(&args)?.print(args.json),
        What::Serve(args) => serve::openclaw(args),
    }
}
