//! `morta inspect RUN dream ID`: one cycle as a story. A cycle has its phases, its budget and costs in USDC, token counts, its claims and
//! their later fate. The story is made from the event log, so a run without one (`record.events = false`) is refused; the episodes it
//! replayed are from `replays.parquet`, and with `--prompts` the words to and from a real model from the run's cassette. A charge names no
//! dream, so those that fall within it are listed as its own; the sum is that of the event of its end, 0 for a dream that never ended. The
//! page of a golem in `morta watch` shows the text of its last dream once the run has ended.

use crate::io::error::{Error, Result};
use crate::io::table::TableRow as _;
use crate::io::text::{View, plain, printable};
use crate::run::inspect::leads_on::{LeadsOn, Next};
use crate::run::inspect::prompts::{self, Exchange};
use crate::run::inspect::replays::{self, ReplayView};
use crate::run::inspect::{no_events, register};
use crate::run::run_folder::events::{EventFilter, collect_events};
use crate::run::run_folder::{FinishedRun, ReplayRow};
use morta_base::{DreamId, RuleId, Tick, Usdc};
use morta_engine::dream::DreamOrder;
use morta_engine::event::{Event, EventKind};
use morta_engine::memory::DreamValidation;
use morta_engine::replay::LiveVerdicts;
use serde::Serialize;

/// The trace of one dream: its order, replayed episodes, a timeline of events, and the fate of its claims.
#[derive(Default, Serialize)]
pub struct DreamView {
    dream: String,
    golem: String,
    began_tick: Tick,
    ended_tick: Option<Tick>,
    ended_by: &'static str,
    order: Option<DreamOrder>,
    episodes_chosen: usize,
    /// Episodes that it chose, in order; none in runs of earlier builds, which kept no such table.
    replayed: Option<Vec<ReplayView>>,
    /// Its events, in order.
    course: Vec<Step>,
    cost_usdc: f64,
    /// The figures it woke with.
    result: Option<serde_json::Value>,
    /// The fates of the claims that it tested.
    claims: Vec<ClaimStory>,
    /// Validation of its conclusions by the end of the life: borne out, refuted, accuracy, quality.
    validated: Option<DreamValidation>,
    /// Its calls to a real model, if they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exchanges: Vec<Exchange>,
}

#[derive(Serialize)]
struct Step {
    tick: Tick,
    text: String,
}

#[derive(Serialize)]
struct ClaimStory {
    rule: String,
    claim: String,
    kind: String,
    confidence: f64,
    learned_from: Vec<String>,
    /// Its later fate, in order.
    fate: Vec<Step>,
}

/// Looks at a dream; `prompts` asks for every word to and from a real model too (dream query).
///
/// # Errors
/// When there is no such dream, the event log wasn't kept, or the prompts of a simulated model are asked for.
pub fn look(run: &FinishedRun, id: DreamId, prompts: bool) -> Result<DreamView> {
    register::life(run, id.golem)?;
    if !run.has_events() {
        return Err(no_events(run, "a dream"));
    }
    let events = collect_events(run, EventFilter::for_golem(id.golem, &[]))?;
    let begun = events
        .iter()
        .find(|event| matches!(&event.kind, EventKind::DreamStarted { id: own, .. } if *own == id));
    let Some(begun) = begun else {
        let number = |event: &Event| match &event.kind {
            EventKind::DreamStarted { id, .. } => Some(id.number),
            _ => None,
        };
        let last = events.iter().filter_map(number).max();
        let has = last
            .map_or("it never dreamt".to_owned(), |last| format!("it has {0}.D0 to {0}.D{last}", id.golem));
        return Err(Error::invalid(format!("there is no dream {id}: {has}")));
    };
    let mut view = DreamView {
        dream: id.to_string(),
        golem: id.golem.to_string(),
        began_tick: begun.tick,
        ended_by: "the end of the run",
        replayed: replays::of_dream(run, id, &events)?,
        exchanges: if prompts { prompts::of_dream(run, id, &events)? } else { Vec::new() },
        ..DreamView::default()
    };
    for event in &events {
        view.take(id, event);
    }
    Ok(view)
}

impl DreamView {
    fn take(&mut self, id: DreamId, event: &Event) {
        let under_way = event.tick >= self.began_tick && self.ended_tick.is_none();
        let mut note = |text: String| self.course.push(Step { tick: event.tick, text });
        match &event.kind {
            EventKind::DreamStarted { id: own, order, replayed, .. } if *own == id => {
                self.order = Some((**order).clone());
                self.episodes_chosen = replayed.len();
            }
            EventKind::DreamPhase { id: own, phase, budget, budget_tokens } if *own == id => {
                let tokens = budget_tokens.map_or(String::new(), |tokens| format!(" ({tokens} tokens)"));
                note(format!("{phase} begins, ${:.6} to spend{tokens}", budget.dollars()));
            }
            // A charge names no dream, so those between its start and its end are taken for its own. A late reply to a dream that was broken off is charged
            // too, and would be listed here if it arrived within the next dream.
            EventKind::InferenceCharged { task, tier, input_tokens, output_tokens, cost } if under_way => {
                note(format!(
                    "asks {tier} to {}: {input_tokens} tokens read, {output_tokens} written, ${:.6}",
                    plain(task),
                    cost.dollars()
                ))
            }
            EventKind::ModelCalled(call) if call.dream == id => {
                if let Some((_, why)) = &call.unusable {
                    let next = if call.attempt == 1 { "asks again" } else { "goes on without" };
                    note(format!("can't use what it was told ({}), and {next}", printable(why)));
                }
            }
            EventKind::DreamHypothesis { id: own, hypothesis, .. } if *own == id => {
                note(format!("imagines: {hypothesis}"));
            }
            EventKind::DreamCounterfactual { id: own, episode, outcome, lesson, .. } if *own == id => {
                let lesson = lesson.as_ref().map_or("no lesson".to_owned(), ToString::to_string);
                note(format!(
                    "goes back over {episode}: another way would have made {outcome:+.2} R; {lesson}"
                ));
            }
            EventKind::DreamCompleted { id: own, cost, result, .. } if *own == id => {
                self.end(event.tick, "waking up by itself", *cost);
                self.result = serde_json::to_value(result).ok();
            }
            EventKind::DreamInterrupted { id: own, cost, source, reason, wasted, .. } if *own == id => {
                note(format!(
                    "torn from sleep by {}{}; ${:.6} of its budget lost",
                    plain(source.name()),
                    reason.map(|reason| format!(": {reason}")).unwrap_or_default(),
                    wasted.dollars()
                ));
                self.end(event.tick, "being woken", *cost);
            }
            EventKind::ClaimStaged {
                id: rule,
                claim,
                confidence,
                kind,
                dream: Some(dream),
                learned_from,
                ..
            } if *dream == id => {
                self.claims.push(ClaimStory {
                    rule: rule.to_string(),
                    claim: claim.to_string(),
                    kind: kind.to_string(),
                    confidence: *confidence,
                    learned_from: learned_from.iter().map(ToString::to_string).collect(),
                    fate: Vec::new(),
                });
            }
            EventKind::DreamValidated(found) if found.id == id => {
                self.validated = Some(*found);
            }
            other => self.follow(event.tick, other),
        }
    }

    fn end(&mut self, tick: Tick, by: &'static str, cost: Usdc) {
        self.ended_tick = Some(tick);
        self.ended_by = by;
        self.cost_usdc = cost.dollars();
    }

    /// Follows its claims in later events. One pass is enough, because a claim's fate is logged after it was staged; claims of other dreams
    /// aren't found by their id and are passed over.
    fn follow(&mut self, tick: Tick, kind: &EventKind) {
        let (rule, text): (RuleId, String) = match kind {
            EventKind::ClaimDecided { id, verdict, confirmed, contradicted, .. } => {
                (*id, format!("{verdict}: {confirmed} outcomes for it, {contradicted} against"))
            }
            EventKind::RuleAdmitted { id, confidence, .. } => {
                (*id, format!("enters the playbook at confidence {confidence:.2}"))
            }
            EventKind::RuleRejected { id, .. } => (*id, "is turned away at the admission gate".to_owned()),
            EventKind::RuleRetired { id, confirmed, contradicted, .. } => {
                (*id, format!("leaves the playbook: {confirmed} outcomes for it, {contradicted} against"))
            }
            _ => return,
        };
        let rule = rule.to_string();
        if let Some(story) = self.claims.iter_mut().find(|story| story.rule == rule) {
            story.fate.push(Step { tick, text });
        }
    }

    fn why(&self) -> Vec<String> {
        let Some(order) = &self.order else { return Vec::new() };
        let t = &order.terms;
        vec![
            String::new(),
            "why it slept:".to_owned(),
            format!("  trigger {}, urgency {:.2}", plain(order.trigger.name()), order.urgency),
            format!(
                "  urgency by term: novelty {:.2}, consolidation {:.2}, emotional {:.2}, threat {:.2}, epistemic {:.2}, time {:.2}, carried {:+.2}",
                t.novelty, t.consolidation, t.emotional, t.threat, t.epistemic, t.temporal, t.carried
            ),
            format!(
                "  {} dream, {}, in its {} phase; intensity {:.2}; ${:.6} at most",
                order.tier,
                plain(order.scope.name()),
                order.behavioural_phase,
                order.dream_intensity,
                order.budget.dollars()
            ),
        ]
    }

    fn replay_lines(&self) -> Vec<String> {
        let chosen = self.replayed.as_ref().map_or_else(
            || {
                vec![format!(
                    "it chose {} episodes to replay; the build that made this run kept no {}",
                    self.episodes_chosen,
                    ReplayRow::TABLE.file
                )]
            },
            |chosen| replays::lines(chosen),
        );
        [vec![String::new()], chosen].concat()
    }

    fn outcome_lines(&self) -> Vec<String> {
        let mut lines = vec![String::new()];
        if self.claims.is_empty() {
            lines.push("it put no claim to the test".to_owned());
            return lines;
        }
        lines.push("what it put to the test, and what became of that:".to_owned());
        for story in &self.claims {
            lines.push(format!(
                "  {}, {}: {} (confidence {:.2}, from {} episodes)",
                story.rule,
                story.kind,
                story.claim,
                story.confidence,
                story.learned_from.len()
            ));
            // A claim that was decided has at least that step, so an empty fate means that its test was cut off.
            if story.fate.is_empty() {
                lines.push("    still under test when the life or the run ended".to_owned());
            }
            lines.extend(story.fate.iter().map(|step| format!("    tick {}: {}", step.tick, step.text)));
        }
        if let Some(found) = &self.validated {
            let accuracy = found.replay_predictive_accuracy;
            let accuracy = accuracy.map_or("unknown".to_owned(), |accuracy| format!("{accuracy:.2}"));
            let LiveVerdicts { guards, fragments, imagined, .. } = found.by_kind;
            lines.push(format!(
                "  of replay: {} insights borne out, {} refuted; predictive accuracy {accuracy}",
                found.confirmed, found.refuted
            ));
            let beside: Vec<String> = [("guards", guards), ("fragments", fragments), ("imagined", imagined)]
                .iter()
                .filter(|(_, said)| said.tests() > 0)
                .map(|(kind, said)| {
                    format!("{kind} {} borne out, {} refuted", said.confirmed, said.contradicted)
                })
                .collect();
            if !beside.is_empty() {
                lines.push(format!("  beside it: {}", beside.join("; ")));
            }
            lines.push(format!("  quality {:.2}", found.quality));
        }
        lines
    }
}

impl LeadsOn for DreamView {
    fn next(&self, _: &FinishedRun) -> Vec<Next> {
        vec![
            Next::new("what became of what it learned", format!("playbook {}", self.golem)),
            Next::new("its life, and how it decided", format!("golem {}", self.golem)),
        ]
    }
}

impl View for DreamView {
    fn lines(&self) -> Vec<String> {
        let end = self.ended_tick.map_or("the end of the run".to_owned(), |tick| format!("tick {tick}"));
        let mut lines = vec![format!(
            "{} of {}: from tick {} to {end}, ended by {}; ${:.6} of inference",
            self.dream, self.golem, self.began_tick, self.ended_by, self.cost_usdc
        )];
        lines.extend(self.why());
        lines.extend(self.replay_lines());
        lines.extend([String::new(), "what happened in it:".to_owned()]);
        lines.extend(self.course.iter().map(|step| format!("  tick {}: {}", step.tick, step.text)));
        lines.extend(self.outcome_lines());
        if !self.exchanges.is_empty() {
            lines.extend(prompts::lines(&self.exchanges));
        }
        lines
    }
}
