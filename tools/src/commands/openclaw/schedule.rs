//! `morta-memory openclaw schedule`: the phases' schedule for cron or systemd. It prints a crontab or systemd units. It installs nothing,
//! because a schedule on somebody's machine is theirs to install. `Args` has the CLI flags for a cron schedule.

use super::super::note;
use morta_console::arguments::word;
use morta_tools::openclaw::fan_out::configured;
use morta_tools::openclaw::timer::{Scheduler, Timers, timers};
use std::path::PathBuf;

/// The flags of `morta-memory openclaw schedule`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The workspaces; when left out, those of the configuration's agents, or the one one is in.
    #[arg(value_name = "WORKSPACE")]
    workspaces: Vec<PathBuf>,
    /// The scheduler that keeps it.
    #[arg(long = "as", value_name = "SCHEDULER", value_parser = word(SCHEDULERS, Scheduler::name), default_value = "cron")]
    scheduler: Scheduler,
    /// openclaw.json, or its dreaming block alone; that of each workspace when left out.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    pub json: bool,
}

const SCHEDULERS: &[(Scheduler, &str)] =
    &[(Scheduler::Cron, "Lines of a crontab"), (Scheduler::Systemd, "A service and a timer for each phase")];

/// Builds the lines of a crontab, or of systemd's timers. Nothing is installed.
pub(super) fn schedule(args: &Args) -> morta_lab::Result<Timers> {
    let config = args.config.as_deref();
    let workspaces = match args.workspaces.as_slice() {
        [] => configured(config, &mut note)?,
        named => named.to_owned(),
    };
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("morta-memory"));
    timers(&workspaces, config, &program, args.scheduler, &mut note)
}
