//! `morta-memory openclaw dreaming`: the status of dreaming, and switching it or a phase. It is a feature toggle in a JSON5 configuration
//! file; comments stay. It edits only the members `enabled` of dreaming and of its phases, because a user's file has settings of other
//! programs too: `on` sets all of them, `off` that of dreaming alone. Without an action it only reads. `Args` has the CLI options of a
//! feature flag.

use clap::Subcommand;
use morta_console::output::{self, Printable as _};
use morta_lab::error::Error;
use morta_memories::openclaw::schedule::Phase;
use morta_tools::openclaw::configuration::find;
use morta_tools::openclaw::dreaming::{Switch, status, switch};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags of `morta-memory openclaw dreaming`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The action; status when left out.
    #[command(subcommand)]
    what: Option<What>,
    /// The file that is read and edited; the openclaw.json of the folder one is in when left out.
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Clone, Copy, Subcommand)]
#[command(disable_help_subcommand = true)]
enum What {
    /// Say whether it is on, and when each phase sleeps.
    Status,
    /// Switch it on, with all phases.
    On,
    /// Switch it off; no phase runs then.
    Off,
    /// Switch one phase on.
    Enable(Of),
    /// Switch one phase off.
    Disable(Of),
    /// Say what the phases do.
    Help,
}

#[derive(Clone, Copy, clap::Args)]
struct Of {
    /// The phase: light, deep or rem.
    #[arg(value_parser = phase)]
    phase: Phase,
}

fn phase(text: &str) -> Result<Phase, &'static str> {
    let named = Phase::ALL.into_iter().find(|phase| phase.name().eq_ignore_ascii_case(text));
    named.ok_or("must be light, deep or rem")
}

const HELP: &str = "\
status         whether dreaming is on, and the schedule of each phase
on             dreaming and all its phases are switched on in the file; comments and order stay as they are
off            dreaming is switched off there, so that no phase runs
enable PHASE   light, deep or rem is switched on
disable PHASE  light, deep or rem is switched off
Light sleep stages what was recalled lately; REM sleep tells what keeps coming up; both write into daily notes. Deep sleep promotes
what passes its thresholds to MEMORY.md, and writes nothing else there.";

/// Reports the status, or switches (feature toggle, JSON5 edit).
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let config = || {
        let what = "openclaw.json: there is no such file here: name the one that OpenClaw reads by --config";
        find(args.config.as_deref(), Path::new(".")).ok_or_else(|| Error::invalid(what))
    };
    let set = |what, on| -> anyhow::Result<ExitCode> { switch(&config()?, what, on)?.print(args.json) };
    match args.what.unwrap_or(What::Status) {
        What::Status => status(&config()?)?.print(args.json),
        What::On => set(Switch::All, true),
        What::Off => set(Switch::All, false),
        What::Enable(of) => set(Switch::Phase(of.phase), true),
        What::Disable(of) => set(Switch::Phase(of.phase), false),
        What::Help => {
            HELP.lines().try_for_each(output::line)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
