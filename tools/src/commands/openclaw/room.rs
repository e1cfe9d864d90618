//! The flags that `status`, `promote`, `light` and `rem` have. They are shared command-line flags: store, workspace, configuration, moment
//! (RFC 3339 timestamp). They are declared once, so that all commands find the same workspace (workspace discovery). `page` parses its
//! `--now` by `moment` too, and `live --watch` reads the clock by `now`. `RoomArgs` has the CLI flags that commands have in common (shared
//! arguments, common flags).

use super::super::note;
use morta_memories::openclaw::time::{Instant, InstantParseError};
use morta_tools::Notes;
use morta_tools::openclaw::fan_out::{Answers, ask, configured};
use morta_tools::openclaw::{STORE, Surroundings};
use std::path::{Path, PathBuf};

/// Flags that all of the commands have.
#[derive(clap::Args, Clone)]
pub(crate) struct RoomArgs {
    /// The recall store; - reads standard input. When left out, those of the workspaces that the configuration's agents have, and of the one one is
    /// in.
    pub store: Option<PathBuf>,
    /// When it is: an ISO 8601 instant, or now, by the clock. The latest instant of the store when left out.
    #[arg(long, value_name = "INSTANT", value_parser = moment)]
    now: Option<Instant>,
    /// openclaw.json, or its dreaming block alone; the openclaw.json of the workspace when left out. Values that can't be are replaced by their
    /// defaults, and named.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The workspace, with its daily notes; the folder above memory/.dreams, or the store's own, when left out.
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    pub json: bool,
}

impl RoomArgs {
    /// The chosen stores with their workspaces (workspace discovery).
    pub(crate) fn surroundings(&self) -> morta_lab::Result<Vec<Surroundings>> {
        let Self { store, now, config, workspace, json: _ } = self.clone();
        if store.is_some() || workspace.is_some() {
            let usual = || workspace.clone().unwrap_or_default().join(STORE);
            let store = store.unwrap_or_else(usual);
            return Ok(vec![Surroundings { store, now, config, workspace }]);
        }
        let around = |workspace: PathBuf| {
            let is_here = workspace == Path::new(".");
            let store = if is_here { PathBuf::from(STORE) } else { workspace.join(STORE) };
            Surroundings { store, now, config: config.clone(), workspace: Some(workspace) }
        };
        Ok(configured(config.as_deref(), &mut note)?.into_iter().map(around).collect())
    }

    /// Asks each workspace (fan-out).
    pub(super) fn ask<Answer>(
        &self,
        question: impl FnMut(&Surroundings, Notes<'_>) -> morta_lab::Result<Answer>,
    ) -> morta_lab::Result<Answers<Answer>> {
        ask(&self.surroundings()?, &mut note, question)
    }
}

/// Parses an instant; `now` is the present (timestamp argument, RFC 3339).
pub(super) fn moment(text: &str) -> Result<Instant, InstantParseError> {
    if text == "now" { Ok(now()) } else { text.parse() }
}

/// The present by the system's clock.
pub(super) fn now() -> Instant {
    Instant(jiff::Timestamp::now().as_millisecond())
}

/// Parses a number from 0 to 1 (clap value parser).
pub(super) fn share(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or("must be a number from 0 to 1")
}
