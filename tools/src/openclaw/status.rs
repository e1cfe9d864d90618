//! The status of a workspace's memory, and the next run of each phase. It is a health report: counts of entries, and the next run of each
//! cron schedule after the latest instant of the store (or `--now`; for the MCP server the present). An unreadable schedule is an error,
//! because a default would show a run that never comes. `openclaw status`, the page of a workspace and the MCP server ask for it; `Deep`, a
//! dry run of promotion, is for `--deep` and the page alone.

use super::configuration;
use super::promote::{self, COLUMNS, RankedEntry};
use super::room::{Room, Surroundings};
use super::store_file::{LeftOut, StoreFile, text_if_there};
use crate::notes::Notes;
use morta_lab::error::Result;
use morta_lab::text::View;
use morta_memories::openclaw::rank::Gate;
use morta_memories::openclaw::schedule::{Phase, Timetable};
use morta_memories::openclaw::settings::Settings;
use morta_memories::openclaw::status::Status;
use morta_memories::openclaw::time::Instant;
use serde::Serialize;
use std::path::Path;

/// The statistics of a store and the state of its schedule, as a health check.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusReport {
    /// The store's file.
    pub store: String,
    /// The moment of the report.
    pub now: Instant,
    /// Counts of the store.
    #[serde(flatten)]
    pub status: Status,
    /// The phases of sleep.
    pub phases: Vec<PhaseStatus>,
    /// The configuration file; none if the defaults apply.
    pub config: Option<String>,
    /// The settings in force.
    pub settings: Settings,
    /// Entries of the store that were skipped.
    pub dropped: Vec<LeftOut>,
    /// The result of deep sleep at this moment, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deep: Option<Deep>,
}

/// What deep sleep would do at this moment: the counts of a dry run, by gate.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deep {
    /// Number of entries to promote.
    pub passing: u64,
    /// For each gate, in the order of the gates: its name, the number of entries that it stops first, and the number that it stops at all.
    pub gates: Vec<(String, u64, u64)>,
    /// Entries by descending score: first those that pass, then the others.
    pub strongest: Vec<RankedEntry>,
}

/// Number of entries in the list.
const STRONGEST: usize = 10;

impl Deep {
    /// Counts the results of [`promote`] in a dry run, by gate.
    ///
    /// # Errors
    /// [`Error::Invalid`](morta_lab::error::Error::Invalid) when a file can't be read or is invalid.
    pub fn for_workspace(around: &Surroundings, memory: Option<&Path>, notes: Notes<'_>) -> Result<Self> {
        let request = promote::PromotionRequest { around, apply: false, memory, include_promoted: false };
        let ranked = promote::PromotionReport::for_request(&request, |usual| usual, notes)?;
        let gate = |gate: Gate| {
            let first = ranked.entries.iter().filter(|row| row.stopped_by.first() == Some(&gate)).count();
            let any = ranked.entries.iter().filter(|row| row.stopped_by.contains(&gate)).count();
            (gate.to_string(), first as u64, any as u64)
        };
        let gates = Gate::ALL.map(gate).into();
        let strongest = ranked.entries.into_iter().take(STRONGEST).collect();
        Ok(Self { passing: ranked.passing, gates, strongest })
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![String::new(), format!("deep sleep now: {} to promote", self.passing)];
        lines.push("gate               first to stop   stops".to_owned());
        lines.extend(self.gates.iter().map(|(name, first, any)| format!("{name:<16} {first:>15} {any:>7}")));
        if !self.strongest.is_empty() {
            lines.extend([String::new(), COLUMNS.to_owned()]);
            lines.extend(self.strongest.iter().map(RankedEntry::line));
        }
        lines
    }
}

/// The schedule of a phase and its next cron run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhaseStatus {
    /// The phase.
    pub phase: Phase,
    /// Whether it is on: dreaming and the phase are enabled, and its limit is above 0.
    pub runs: bool,
    /// Its cron expression.
    pub cron: String,
    /// The next due moment; none if its expression has no future one.
    pub next_run: Option<Instant>,
}

impl StatusReport {
    /// Computes the store's statistics. `memory` is the file of long-term memory; if none, MEMORY.md of the workspace.
    ///
    /// # Errors
    /// [`Error::Invalid`](morta_lab::error::Error::Invalid) when a file can't be read or is invalid.
    pub fn for_workspace(around: &Surroundings, memory: Option<&Path>, notes: Notes<'_>) -> Result<Self> {
        let room = Room::for_workspace(around, notes)?;
        // An unreadable schedule is an error here. Otherwise the status would show the default schedule, which isn't the one that runs.
        configuration::scheduled(room.config.as_deref(), &mut |_| {})?;
        let file = StoreFile::read(&around.store, notes)?;
        let now = room.now(&file.store, &around.store)?;
        let memory = text_if_there(&room.long_term(memory))?;
        let dreaming = &room.settings.dreaming;
        let timetable = Timetable::new(dreaming, &room.zone, now);
        let phase = |phase| PhaseStatus {
            phase,
            runs: dreaming.runs(phase),
            cron: dreaming.cron(phase).to_owned(),
            next_run: timetable.next(phase),
        };
        Ok(Self {
            store: around.store.display().to_string(),
            now,
            status: Status::of(&file.store, memory.as_deref(), now, &room.zone),
            phases: [Phase::Light, Phase::Deep, Phase::Rem].map(phase).into(),
            config: room.config.map(|path| path.display().to_string()),
            settings: room.settings,
            dropped: file.dropped,
            deep: None,
        })
    }
}

impl View for StatusReport {
    fn lines(&self) -> Vec<String> {
        let status = &self.status;
        let last = status.last_promotion.map_or_else(|| "never".to_owned(), |at| at.to_string());
        let health = status.health.map_or_else(|| "no MEMORY.md".to_owned(), |health| format!("{health:.2}"));
        let on = if self.settings.dreaming.enabled { "on" } else { "off" };
        let mut lines = vec![
            format!("{}, at {}", self.store, self.now),
            format!("dreaming        {on}, {}", self.settings.dreaming.timezone),
            format!("short-term      {} entries, {} dropped", status.short_term, self.dropped.len()),
            format!(
                "promoted        {}, {} of them today; the last {last}",
                status.promoted_total, status.promoted_today
            ),
            format!("health          {health}"),
        ];
        lines.extend(self.phases.iter().map(|phase| {
            let next = phase.next_run.map_or_else(|| "never".to_owned(), |at| at.to_string());
            let cadence =
                if phase.runs { format!("{}, next {next}", phase.cron) } else { "disabled".to_owned() };
            format!("{:<15} {cadence}; {}", phase.phase.name(), self.figures(phase.phase))
        }));
        lines.extend(self.deep.iter().flat_map(Deep::lines));
        lines
    }
}

impl StatusReport {
    fn figures(&self, phase: Phase) -> String {
        let dreaming = &self.settings.dreaming;
        match phase {
            Phase::Light => {
                let light = &dreaming.light;
                let (days, limit) = (light.lookback_days, light.limit);
                format!("{days} days back, at most {limit}, duplicates from {}", light.dedupe_similarity)
            }
            Phase::Deep => {
                let deep = &dreaming.deep;
                format!(
                    "score {}, recalls {}, queries {}, age {} days, at most {}",
                    deep.min_score,
                    deep.min_recall_count,
                    deep.min_unique_queries,
                    deep.age_limit_days(),
                    deep.limit
                )
            }
            Phase::Rem => {
                let rem = &dreaming.rem;
                let (days, limit) = (rem.lookback_days, rem.limit);
                format!("{days} days back, at most {limit}, strength {}", rem.min_pattern_strength)
            }
        }
    }
}
