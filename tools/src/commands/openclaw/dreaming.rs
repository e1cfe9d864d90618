//! `morta-memory openclaw dreaming`: whether dreaming is on, and switching it.

use clap::ValueEnum;
use morta_console::output::{self, Told as _};
use morta_tools::openclaw::dreaming::{status, switch};
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta-memory openclaw dreaming`.
#[derive(clap::Args)]
pub struct Args {
    /// What to do.
    #[arg(value_enum, default_value = "status")]
    what: What,
    /// The file that is read and edited.
    #[arg(long, value_name = "FILE", default_value = "openclaw.json")]
    config: PathBuf,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Say whether it is on, and when each phase sleeps.
    Status,
    /// Switch it on.
    On,
    /// Switch it off.
    Off,
    /// Say what the phases do.
    Help,
}

const HELP: &str = "\
status  whether dreaming is on, and the schedule of each phase
on      dreaming is switched on in the file; comments and order stay as they are
off     dreaming is switched off there
Light sleep stages what was recalled lately; REM sleep tells what keeps coming up; both write into daily notes. Deep sleep promotes
what passes its thresholds to MEMORY.md, and writes nothing else there.";

/// Tells or switches.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Status => status(&args.config)?.tell(args.json),
        What::On => switch(&args.config, true)?.tell(args.json),
        What::Off => switch(&args.config, false)?.tell(args.json),
        What::Help => {
            HELP.lines().try_for_each(output::line)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
