//! `journal.jsonl`: the notable events in words, one JSON object a line, to be read or grepped. It is a structured log (JSON Lines) of
//! births, deaths, dreams, claims, liquidations and shocks among others; ordinary trades make no line, ticks are absolute, money is
//! dollars. Every run folder has one, also without an event log, and its hash is in the manifest. `Tables` feeds it. It exists because
//! tables can't be read with a pager.

use super::bloodstains::kind_of;
use super::{Cast, JOURNAL};
use crate::io::error::{Context as _, Result};
use crate::io::text::{json_line, plain};
use crate::run::run_folder::hashing_file::HashingFile;
use crate::run::run_folder::{RunFolder, WrittenTable};
use morta_engine::episode::Lesson;
use morta_engine::event::{Event, EventKind, GateTally, LifeRecord};
use morta_engine::lethe::{Bequest, Bloodstain};
use morta_engine::market::CrisisStage;
use serde::Serialize;
use std::io::Write as _;

/// The journal being written (human-readable event journal).
pub(crate) struct RunJournal {
    out: HashingFile,
    lines: u64,
}

#[derive(Serialize)]
struct Line<'a> {
    tick: u64,
    golem: Option<String>,
    cohort: Option<&'a str>,
    event: &'static str,
    text: String,
}

impl RunJournal {
    /// Begins it (creates the journal).
    pub(super) fn create(folder: &RunFolder) -> Result<Self> {
        Ok(Self { out: HashingFile::create(folder, JOURNAL)?, lines: 0 })
    }

    /// Writes a line if the event is notable (journal entry).
    pub(super) fn take(&mut self, event: &Event, cast: &Cast) -> Result<()> {
        let Some(text) = in_words(&event.kind) else { return Ok(()) };
        let line = Line {
            tick: event.tick,
            golem: event.golem.map(|golem| golem.to_string()),
            cohort: event.golem.map(|golem| cast.cohort(golem.lineage).name.as_str()),
            event: event.kind.name(),
            text,
        };
        self.lines += 1;
        self.out.write_all(&json_line(&line)).with_context(|| format!("{JOURNAL} can't be written"))
    }

    /// Brings it to the disk (flushes the journal).
    pub(super) fn finish(self) -> Result<WrittenTable> {
        self.out.finish(JOURNAL, self.lines)
    }
}

fn in_words(kind: &EventKind) -> Option<String> {
    Some(match kind {
        EventKind::ShockStarted(shock) => {
            let kinds: Vec<&str> = shock.kinds.iter().map(|kind| kind.name()).collect();
            format!(
                "{} for {} ticks, magnitude {:.2}",
                kinds.join(" + "),
                shock.duration_ticks,
                shock.magnitude
            )
        }
        EventKind::CrisisTurned(crisis) => match crisis.stage {
            CrisisStage::Signs => format!("signs of a crisis, for {} ticks", crisis.duration_ticks),
            CrisisStage::Crash if crisis.direction > 0 => "prices shoot up".to_owned(),
            CrisisStage::Crash => "prices crash".to_owned(),
            CrisisStage::FalseAlarm => "the signs of a crisis are over, and nothing follows".to_owned(),
        },
        EventKind::LawChanged(change) if change.over_ticks == 0 => {
            format!("the law is {:?}, no longer {:?}", change.law, change.from)
        }
        EventKind::LawChanged(change) => format!(
            "the law turns from {:?} to {:?} over {} ticks",
            change.from, change.law, change.over_ticks
        ),
        EventKind::Born { parent: Some(parent), endowment, .. } => {
            format!("born with ${:.2}, succeeds {parent}", endowment.dollars())
        }
        EventKind::Born { parent: None, endowment, .. } => {
            format!("born with ${:.2}, a founder", endowment.dollars())
        }
        EventKind::BloodstainDrawn { id, rank, score, .. } => {
            format!("draws bloodstain {id} of {}, rank {rank}, score {score:.3}", id.golem)
        }
        EventKind::DreamStarted { id, urgency, replayed, .. } => {
            format!("falls asleep for {id}, urgency {urgency:.2}, {} episodes to replay", replayed.len())
        }
        EventKind::DreamCompleted { id, metrics, cost, .. } => format!(
            "wakes from {id}: {} episodes replayed, {} new insights, {} claims proposed, ${:.4}",
            metrics.episodes_replayed,
            metrics.novel_insights_generated,
            metrics.playbook_revisions_proposed,
            cost.dollars()
        ),
        EventKind::DreamInterrupted { id, source, reason, wasted, .. } => {
            let by = plain(source.name());
            let why = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("is torn from {id} by {by}{why}; ${:.4} of its budget lost", wasted.dollars())
        }
        EventKind::DreamValidated(found) => format!(
            "{} has had {} insights borne out and {} refuted, and {} other conclusions borne out",
            found.id,
            found.confirmed,
            found.refuted,
            found.by_kind.confirmed() - found.by_kind.insights.confirmed
        ),
        EventKind::ProvedWrong { id, claim, found_r, .. } => {
            format!("knows {id} to be wrong: {claim} came to {found_r:+.2} R")
        }
        EventKind::LegacyReceived { from, scars, candidates, staged, defaults, anti } => format!(
            "takes over from {from}: {scars} scars, {defaults} rules in force, {staged} claims to test, {candidates} candidates, {anti} refutations"
        ),
        EventKind::RuleRejected { id, claim, .. } => format!("does not admit {id}: {claim}"),
        EventKind::ClaimStaged { id, claim, .. } => format!("tests {id}: {claim}"),
        EventKind::ClaimDecided { id, verdict, confirmed, contradicted, .. } => {
            format!("{id} {verdict}: {confirmed} outcomes for it, {contradicted} against")
        }
        EventKind::RuleAdmitted { id, claim, .. } => format!("lives by {id}: {claim}"),
        EventKind::RuleRetired { id, claim, .. } => format!("gives up {id}: {claim}"),
        EventKind::DeathInitiated { cause, balance, fitness, vitality, .. } => format!(
            "begins to die, {}: balance ${:.2}, fitness {fitness:.2}, vitality {vitality:.2}",
            cause.name(),
            balance.dollars()
        ),
        EventKind::EconomicCritical { from, to, balance, .. } => {
            format!(
                "goes from {} to {} on the credit ladder: ${:.2}",
                from.name(),
                to.name(),
                balance.dollars()
            )
        }
        EventKind::LegacyPutAside { amount } => {
            format!("puts ${:.4} aside for those who come after", amount.dollars())
        }
        EventKind::EpistemicWarning { stage, fitness, .. } => {
            format!("senescence: {stage}, fitness {fitness:.2}")
        }
        EventKind::ImmortalWouldHaveDied { cause, .. } => {
            format!("would have died now, {}", cause.name())
        }
        EventKind::ValueStranded { strategy, value, .. } => {
            format!("loses ${:.4} by {} that can't be closed", value.dollars(), plain(strategy.name()))
        }
        EventKind::Liquidated { strategy, loan, uncovered, lost_share, .. } => format!(
            "loses {:.0} % of all it has: {} on a loan of ${:.2} is liquidated, ${:.2} of it uncovered",
            100.0 * lost_share,
            plain(strategy.name()),
            loan.dollars(),
            uncovered.dollars()
        ),
        EventKind::TestamentWritten(testament) => {
            let entries: usize = testament.sections.iter().map(|section| section.entries.len()).sum();
            format!(
                "writes a {} testament of {entries} entries; the arc of its life: {}",
                testament.tier().name(),
                testament.arc.name()
            )
        }
        EventKind::BorneOut { by, claim } => format!("has taught {by} what proved right: {claim}"),
        EventKind::BloodstainLeft(left) => bequest_in_words(left),
        EventKind::GateTallied(GateTally { ticks: [looked, small, large], paid }) => format!(
            "has looked on for {looked} waking ticks and thought in {small} and {large}, for ${:.4}",
            paid.dollars()
        ),
        EventKind::LifeEnded(life) => life_in_words(life),
        _ => return None,
    })
}

fn bequest_in_words(left: &Bloodstain) -> String {
    let (id, kind) = (left.id, kind_of(&left.bequest));
    match &left.bequest {
        Bequest::Scar(episode) => format!(
            "leaves {id}, a {kind}: {} in {}, {:+.2} R",
            plain(episode.strategy.name()),
            plain(episode.context.regime.name()),
            episode.realised_r
        ),
        Bequest::Lesson(Lesson { claim, confidence, .. }) => {
            format!("leaves {id}, a {kind}: {claim}, trust {confidence:.2}")
        }
    }
}

fn life_in_words(life: &LifeRecord) -> String {
    let end = life.cause.map_or("outlives the run".to_owned(), |cause| format!("dies, {}", cause.name()));
    format!("{end}: {} ticks, {} trades, {:+.2} R in all", life.lifespan(), life.trades, life.total_r)
}
