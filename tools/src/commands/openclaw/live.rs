//! `morta-memory openclaw live`: simulation of a log of searches, with every phase at its due moment. It is a discrete-event simulation of
//! cron jobs, or with `--watch` a daemon on the real clock. A virtual clock is used for a log, so that months take a moment. It writes into
//! the workspaces, so a log is for a copy of them and `--watch` for the real ones; `--ablate` leaves out a phase. `Args` has the CLI
//! options of a live simulation.

use super::super::note;
use super::room::now;
use morta_console::arguments::word;
use morta_console::output::{self, Printable as _};
use morta_console::terminal::stop_on_interrupt;
use morta_lab::error::Error;
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::time::Instant;
use morta_tools::openclaw::fan_out::configured;
use morta_tools::openclaw::live::{LiveRequest, live as live_through};
use morta_tools::openclaw::watch::{Clock, Said, WatchRequest, watch};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The flags of `morta-memory openclaw live`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The workspaces, each with its memory/ folder; their stores and notes and MEMORY.md are written. When left out, those of the configuration's
    /// agents, or the one one is in.
    #[arg(value_name = "WORKSPACE")]
    workspaces: Vec<PathBuf>,
    /// The searches, one a line; - reads standard input. With several workspaces, "workspace" names whose a search is. When left out, each
    /// workspace's memory/.dreams/events.jsonl.
    #[arg(long, value_name = "LOG.jsonl")]
    searches: Option<PathBuf>,
    /// The last moment that is lived: an ISO 8601 instant; a week after the last search when left out. Life begins with the first search.
    #[arg(long, value_name = "INSTANT")]
    until: Option<Instant>,
    /// Run every phase by the clock, when it is due, until Ctrl-C. Searches are those that OpenClaw, or record, puts into the stores.
    #[arg(long, conflicts_with_all = ["searches", "until", "json"])]
    watch: bool,
    /// openclaw.json, or its dreaming block alone: schedules, time zone, thresholds; that of the first workspace when left out.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A phase that never runs; may be given again.
    #[arg(long, value_name = "PHASE", value_parser = word(PHASES, Phase::name))]
    ablate: Vec<Phase>,
    /// Print one JSON object instead of a line a run.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    pub json: bool,
}

const PHASES: &[(Phase, &str)] =
    &[(Phase::Light, "Light sleep"), (Phase::Rem, "REM sleep"), (Phase::Deep, "Deep sleep")];

/// Simulates a log, or watches the clock (cron simulation, daemon).
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (config, ablated) = (args.config.clone(), args.ablate.clone());
    let workspaces = match args.workspaces.as_slice() {
        [] => configured(config.as_deref(), &mut note)?,
        named => named.to_owned(),
    };
    let watched = WatchRequest { workspaces, config, ablated };
    if !args.watch {
        let (searches, until) = (args.searches.clone(), args.until);
        let request = LiveRequest { watched, searches, until };
        return live_through(&request, &mut note)?.print(args.json);
    }
    let mut clock = SystemClock { stop: stop_on_interrupt()? };
    let mut say = |said: Said| {
        let line = match said {
            Said::Next(at, phase) => format!("{at}  {:<5}  is next", phase.name()),
            Said::Ran(run) => run.line(),
        };
        output::line(line).map_err(|error| Error::invalid(format!("standard output: {error}")))
    };
    watch(&watched, &mut clock, &mut say, &mut note)?;
    Ok(ExitCode::SUCCESS)
}

/// The system's clock, until the user interrupts.
struct SystemClock {
    stop: Arc<AtomicBool>,
}

/// Interval between two looks at the interrupt flag. Our choice: short enough to feel immediate.
const PULSE: Duration = Duration::from_millis(100);

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        now()
    }

    fn wait(&mut self, time: Duration) -> bool {
        let begun = std::time::Instant::now();
        while begun.elapsed() < time && !self.stop.load(Ordering::Relaxed) {
            std::thread::sleep(PULSE.min(time.saturating_sub(begun.elapsed())));
        }
        !self.stop.load(Ordering::Relaxed)
    }
}
