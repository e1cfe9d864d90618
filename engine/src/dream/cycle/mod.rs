//! One dream, from falling asleep to the report: onset, replay, imagination, integration, return.
//!
//! Inference takes ticks, so the cycle is a state machine. The questions of a stage are asked all at once: one after the other, a dream
//! would last as many latencies as it has questions. It is a state machine with asynchronous requests (fan-out and join at each stage).
//! Costs are in dollars, times in ticks, claims in R. The golem drives it (`golem::sleep`): it passes answers in and calls `next`. A
//! refused question, or the end of its time, makes it stop asking and report what it has. An interrupt breaks it off; what it had not
//! processed is taken up by the next dream. The report changes nothing by itself; integration does. On the tier `core` no question is asked
//! about onset, prospects, ideas, threats, reappraisal and return; prospects are computed all the same.

use crate::dream::account::Account;
use crate::dream::circumstances::Circumstances;
use crate::dream::imagination::Intensity;
use crate::dream::journal::{NremSummary, RemSummary};
use crate::dream::nrem::{self, ReadingMeans, ReplayPlan, Replayed, TriageVerdict};
use crate::dream::pace::Pace;
use crate::dream::phase::DreamPhase;
use crate::dream::report::{DreamFinding, DreamNote, DreamReport, Rehearsed};
use crate::dream::schedule::DreamScope;
use crate::dream::view::DreamView;
use crate::dream::{onset, wake};
use crate::episode::{Claim, FindingKind, Grimoire};
use crate::llm::{BatchAnswers, CreativeMode, Fragment, Reply, SourcedClaim};
use crate::phase::phase;
use crate::replay::{self, AnticipatoryTrajectory, ReplayMetrics};
use morta_base::{DreamId, EpisodeId, Purpose, Stream, Tick, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use crate::dream::account::Question;

mod stages;

use stages::{disguise, is_denied};

/// The next step of a dream: an effect of the state machine (command to the caller).
#[derive(Debug)]
pub enum DreamStep {
    /// Ask these questions, and wait for all the answers.
    Ask(Vec<Question>),
    /// Wait, for answers that are still out or for the time of the next phase.
    Wait,
    /// Wake up.
    Wake(Box<DreamReport>),
}

morta_base::words! {
    /// The stage of a cycle.
    enum Stage {
        /// Memories run together into fragments (hypnagogia).
        Drifting = "drifting",
        /// Fragments are rated, and the best are kept.
        Watching = "watching",
        /// Batches of episodes are read for patterns (NREM).
        Replaying = "replaying",
        /// The morning's prospects are asked about, for what reading has left of its money (the end of NREM).
        Planning = "planning",
        /// Counterfactuals, ideas, threats and reappraisals (REM).
        Imagining = "imagining",
        /// Findings about one subject are put together; implausible ones are left out.
        Consolidating = "consolidating",
        /// One finding is kept in mind while it wakes up.
        Returning = "returning",
        /// Nothing is left to ask.
        Over = "over",
    }
}

impl Stage {
    /// The phase that it is part of; none when the cycle is over.
    const fn phase(self) -> Option<DreamPhase> {
        match self {
            Self::Drifting | Self::Watching => Some(DreamPhase::Onset),
            Self::Replaying | Self::Planning => Some(DreamPhase::Nrem),
            Self::Imagining => Some(DreamPhase::Rem),
            Self::Consolidating => Some(DreamPhase::Integration),
            Self::Returning => Some(DreamPhase::Return),
            Self::Over => None,
        }
    }
}

/// A dream in progress: a sleep cycle as a resumable state machine (coroutine). It is part of the golem's state and of every checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamCycle {
    /// What is asked next.
    stage: Stage,
    /// The phase whose money is being spent.
    phase: DreamPhase,
    /// The golem's circumstances when it fell asleep.
    now: Circumstances,
    /// How much imagination the phase REM may have.
    intensity: Intensity,
    /// Most it may spend, by the scheduler's grant.
    budget: Usdc,
    /// Money spent and reserved.
    account: Account,
    /// When phases begin, and the deadline.
    pace: Pace,
    /// Questions that it may still ask.
    turns_left: u32,
    /// Seed of its streams, drawn once when it began.
    luck: u64,
    /// Questions whose answers are out.
    outstanding: u32,
    /// No further question is asked: the broker refused one, or the time has run out.
    given_up: bool,
    /// The episodes to replay.
    chosen: Vec<Replayed>,
    /// How they are to be read, until they are.
    plan: Option<ReplayPlan>,
    /// Prospects of the market, until they are asked about.
    prospects: Vec<AnticipatoryTrajectory>,
    /// The memory with outcomes dealt out anew, for the research control.
    disguise: Option<Box<Grimoire>>,
    /// The claim that the onset circles around (targeted incubation).
    keyword: Option<Claim>,
    /// Fragments of the onset, before the observer has rated them.
    caught: Vec<Fragment>,
    /// Those that passed, each with its first confidence.
    kept: Vec<(Fragment, f64)>,
    /// Patterns read in the batches.
    patterns: Vec<SourcedClaim>,
    /// Best responses to the morning's prospects.
    anticipated: Vec<SourcedClaim>,
    /// Lessons of counterfactuals, and ideas.
    hypotheses: Vec<SourcedClaim>,
    /// Ideas that turn an assumption around.
    transformations: Vec<SourcedClaim>,
    /// Guards against rehearsed threats, against what trades don't bear, and drawn from scars.
    guards: Vec<SourcedClaim>,
    /// Number of patterns taken over from a dream that ended before consolidation; they come first in the list.
    taken_up: usize,
    /// Number of groups of findings that aren't consolidated yet; 1 for all of them until they are asked about.
    open_groups: u32,
    /// Claims about stakes.
    stakes: Vec<SourcedClaim>,
    /// Fates of episodes by a model's word.
    sorted: BTreeMap<EpisodeId, TriageVerdict>,
    /// Pairs of episodes that a model called contradictory; none where it wasn't asked.
    contradictory: Option<u32>,
    /// Events that the golem hasn't fetched yet.
    notes: Vec<DreamNote>,
    /// The report so far.
    report: DreamReport,
}

/// Numbers of a dream's streams of luck, one for each phase, so that a phase that draws more or fewer numbers leaves the luck of
/// the others as it was.
mod luck {
    pub(super) const ONSET: u32 = 0;
    pub(super) const NREM: u32 = 1;
    pub(super) const REM: u32 = 2;
    pub(super) const CREDIT: u32 = 3;
}

impl DreamCycle {
    /// Falls asleep. Chooses the replay batch, once for the whole cycle, and no more than there is money to read. An emergency dream has a
    /// single batch; one that only consolidates goes straight to integration.
    pub fn begin(
        id: DreamId,
        began: Tick,
        budget: Usdc,
        now: Circumstances,
        view: &DreamView<'_>,
        stream: &mut Stream,
    ) -> Self {
        phase!("dream: selection");
        let config = &view.config.replay;
        let size = now.tier.batch_size(now.uncertainty, &view.config.replay);
        let batches = match now.scope {
            DreamScope::Full => view.config.max_batches.min(view.config.pace.max_turns) as usize,
            DreamScope::ConsolidationOnly => 0,
            DreamScope::Emergency => 1,
        };
        let selection = replay::select(view.grimoire, &view.now, config, size * batches, stream);
        let described = |selected| Replayed::from_selected(selected, view.grimoire);
        let chosen: Vec<Replayed> = selection.selected.iter().map(described).collect();
        let luck = stream.word();
        let consolidates = now.scope == DreamScope::ConsolidationOnly;
        let stage = if consolidates { Stage::Consolidating } else { Stage::Drifting };
        let disguise = view.config.shuffle_outcomes.then(|| Box::new(disguise(view.grimoire, luck)));
        let intensity = Intensity::for_uncertainty(now.uncertainty, &view.config.imagination);
        let mut draws = WorldSeed(luck).world(Purpose::Dream, luck::NREM, 0);
        let means = ReadingMeans { size, batches, money: now.by_phase.nrem };
        let seen = disguise.as_deref().unwrap_or(view.grimoire);
        let (chosen, plan) = nrem::plan(id.golem, chosen, &means, seen, view, &now, &mut draws);
        let taken_up = |kinds: &[FindingKind]| -> Vec<SourcedClaim> {
            let of_kind = view.unfinished.iter().filter(|finding| kinds.contains(&finding.kind));
            of_kind.map(|finding| finding.pattern.clone()).collect()
        };
        let patterns = taken_up(&[FindingKind::Insight]);
        Self {
            stage,
            phase: DreamPhase::Onset,
            report: DreamReport {
                id,
                began,
                replayed: Vec::new(),
                chosen: chosen.len() as u32,
                batches: Vec::new(),
                tried: Vec::new(),
                triage: Vec::new(),
                findings: Vec::new(),
                unfinished: Vec::new(),
                credit: None,
                causal: None,
                primitives: None,
                implausible: 0,
                threats: Vec::new(),
                reappraised: Vec::new(),
                depotentiation: intensity.depotentiation,
                residue: None,
                nrem: NremSummary::default(),
                rem: RemSummary::default(),
                metrics: ReplayMetrics::default(),
                inference_calls: 0,
                cost: Usdc::ZERO,
                cut_short: false,
                unheard: 0,
                is_partial: false,
            },
            intensity,
            pace: Pace::new(began, &now, &view.config.pace),
            turns_left: view.config.pace.max_turns,
            now,
            budget,
            account: Account::default(),
            luck,
            outstanding: 0,
            given_up: false,
            chosen,
            plan: Some(plan),
            prospects: Vec::new(),
            disguise,
            keyword: view.keyword(),
            caught: Vec::new(),
            kept: Vec::new(),
            taken_up: patterns.len(),
            patterns,
            anticipated: Vec::new(),
            hypotheses: taken_up(&[FindingKind::Hypothesis, FindingKind::Lesson]),
            transformations: taken_up(&[FindingKind::Transformation]),
            guards: taken_up(&[FindingKind::Guard]),
            open_groups: 1,
            stakes: Vec::new(),
            sorted: BTreeMap::new(),
            contradictory: None,
            notes: Vec::new(),
        }
    }

    /// The episodes it replays, in order (the replay batch).
    pub fn chosen(&self) -> &[Replayed] {
        &self.chosen
    }

    /// The number of the cycle: the correlation id by which answers are matched.
    pub fn id(&self) -> DreamId {
        self.report.id
    }

    /// The phase (sleep stage) it is in.
    pub fn phase(&self) -> DreamPhase {
        self.phase
    }

    /// The extent of the cycle: a full, partial or emergency sleep cycle.
    pub fn scope(&self) -> DreamScope {
        self.now.scope
    }

    /// The budget: the most it may spend on inference, as the scheduler granted it, in dollars.
    pub fn budget(&self) -> Usdc {
        self.budget
    }

    /// Its findings so far, a partial result if the cycle is interrupted: consolidated ones, claims that need no model, and what was read
    /// or imagined and isn't consolidated yet.
    pub(crate) fn findings_so_far(&self) -> Vec<DreamFinding> {
        self.report.findings.iter().cloned().chain(self.in_disorder()).collect()
    }

    /// What was read or imagined and isn't consolidated yet, subjects of findings left out; none once all groups are consolidated.
    /// Fragments of the onset are left out.
    fn in_disorder(&self) -> Vec<DreamFinding> {
        if self.open_groups == 0 {
            return Vec::new();
        }
        let read = self.patterns.iter().chain(&self.anticipated).chain(&self.guards);
        let imagined = self.hypotheses.iter().chain(&self.transformations);
        let is_found = |pattern: &SourcedClaim| {
            self.report.findings.iter().any(|found| found.pattern.claim.same_subject(&pattern.claim))
        };
        let open = read.chain(imagined).filter(|pattern| !is_found(pattern));
        open.map(|pattern| self.finding(pattern.clone())).collect()
    }

    /// Its cost so far: accrued inference spending, in dollars.
    pub fn cost(&self) -> Usdc {
        self.account.spent()
    }

    /// Drains the events since the last call (progress events).
    pub(crate) fn take_notes(&mut self) -> Vec<DreamNote> {
        std::mem::take(&mut self.notes)
    }

    /// Cancels the dream, which is interrupted here, and returns a partial report: its findings aren't staged, but the journal has them.
    pub fn broken_off(mut self) -> DreamReport {
        self.report.is_partial = true;
        self.close();
        self.report
    }

    /// Takes in an answer and its cost from a model. The golem has paid for it already.
    pub(crate) fn take_answer(&mut self, reply: Reply, cost: Usdc, view: &DreamView<'_>) {
        phase!("dream: answers");
        self.outstanding = self.outstanding.saturating_sub(1);
        self.book(cost);
        let summary = &mut self.report.rem;
        match reply {
            Reply::Fragment(fragment) => {
                summary.fragments_caught += u32::from(fragment.is_some());
                self.caught.extend(fragment);
            }
            Reply::Observed(scores) => {
                self.kept = onset::keep(&self.caught, &scores, &view.config.hypnagogia);
                summary.fragments_kept = self.kept.len() as u32;
            }
            Reply::Patterns { batch, patterns: found, answers } => {
                self.sort_by_answers(*answers, view);
                if let Some(batch) = self.report.batches.get_mut(batch as usize) {
                    batch.answered = true;
                }
                self.report.metrics.patterns_identified += found.len() as u32;
                self.patterns.extend(found);
            }
            Reply::Anticipated { responses, guards } => {
                self.anticipated.extend(responses);
                self.take_guards(guards, view);
            }
            Reply::Lesson { episode, branch, outcome_r, lesson, confidence } => {
                summary.counterfactuals_generated += 1;
                self.notes.push(DreamNote::Counterfactual {
                    episode,
                    hypothesis: branch,
                    outcome: outcome_r,
                    lesson: lesson.as_ref().map(|lesson| lesson.claim),
                    confidence,
                });
                lesson.into_iter().for_each(|lesson| self.imagine(lesson, false, view.grimoire));
            }
            Reply::Imagined { mode, ideas } => {
                summary.creative_hypotheses.extend(ideas.iter().map(|idea| idea.claim));
                let turned = mode == CreativeMode::Transformational;
                ideas.into_iter().for_each(|idea| self.imagine(idea, turned, view.grimoire));
            }
            Reply::Threat { kind, loss_r, responses } => {
                summary.threats_simulated.push(kind);
                let (losing, instead): (Vec<SourcedClaim>, Vec<SourcedClaim>) =
                    responses.into_iter().partition(|response| response.claim.expected_r < 0.0);
                let known = self.guards.len();
                self.take_guards(losing, view);
                let responses = self.guards[known..].iter().chain(&instead).map(|response| response.claim);
                self.report.threats.push(Rehearsed { kind, loss_r, responses: responses.collect() });
                // What would serve under a threat was lived through by parts alone, so it is an idea like others.
                instead.into_iter().for_each(|idea| self.imagine(idea, false, view.grimoire));
            }
            Reply::Reappraised(episodes) => {
                summary.emotional_episodes_processed += episodes.len() as u32;
                self.report.reappraised.extend(episodes);
            }
            Reply::Consolidated(found) => {
                self.open_groups = self.open_groups.saturating_sub(1);
                let grimoire = self.disguise.as_deref().unwrap_or(view.grimoire);
                let least = view.config.consolidation.plausible_t;
                let (plausible, not): (Vec<SourcedClaim>, Vec<SourcedClaim>) =
                    found.into_iter().partition(|pattern| !is_denied(&pattern.claim, grimoire, least));
                self.report.implausible += not.len() as u32;
                let found: Vec<DreamFinding> =
                    plausible.into_iter().map(|pattern| self.finding(pattern)).collect();
                self.report.findings.extend(found);
            }
            Reply::KeptInMind(claim) => self.report.residue = claim,
            Reply::Stances(_) | Reply::Appraised { .. } | Reply::Reflected(_) => {
                unreachable!("dreams ask no such thing")
            }
        }
    }

    /// A model's answers about a batch, besides its findings, override the formulas.
    fn sort_by_answers(&mut self, answers: BatchAnswers, view: &DreamView<'_>) {
        let BatchAnswers { keep, forget, contradictory, turned_on, guards } = answers;
        self.sorted.extend(forget.into_iter().map(|episode| (episode, TriageVerdict::Forget)));
        // Where it says both, the episode is kept: forgetting can't be undone.
        self.sorted.extend(keep.into_iter().map(|episode| (episode, TriageVerdict::Preserve)));
        if let Some(pairs) = contradictory {
            *self.contradictory.get_or_insert(0) += pairs.len() as u32;
        }
        for (episode, kind) in turned_on {
            let credits = self.report.nrem.credit_assignments.iter_mut();
            credits.filter(|credit| credit.episode == episode).for_each(|credit| credit.turn_on(kind));
        }
        self.take_guards(guards, view);
    }

    fn take_guards(&mut self, guards: Vec<SourcedClaim>, view: &DreamView<'_>) {
        let usual = view.config.consolidation.staging.usual_risk;
        let guard = |found: SourcedClaim| SourcedClaim { claim: found.claim.as_guard(usual), ..found };
        self.guards.extend(guards.into_iter().map(guard));
    }

    fn book(&mut self, cost: Usdc) {
        self.account.book(cost);
        self.report.inference_calls += 1;
        // Only what replay cost: the cycle's whole cost over replay's insights would charge them with imagination.
        if self.phase == DreamPhase::Nrem {
            self.report.metrics.total_inference_cost += cost;
        }
    }

    fn imagine(&mut self, idea: SourcedClaim, turned: bool, grimoire: &Grimoire) {
        let seed = idea.learned_from.first().and_then(|id| grimoire.get(*id));
        let seed_episode_tick = seed.map(|seed| seed.closed);
        self.notes.push(DreamNote::Hypothesis { hypothesis: idea.claim, seed_episode_tick });
        if turned { self.transformations.push(idea) } else { self.hypotheses.push(idea) }
    }

    /// The kind of a consolidated finding is that of its source; experience comes before imagination, since a claim that was also
    /// lived through is no mere idea.
    fn finding(&self, pattern: SourcedClaim) -> DreamFinding {
        let among =
            |patterns: &[SourcedClaim]| patterns.iter().any(|known| known.claim.same_subject(&pattern.claim));
        let fragment = self.kept.iter().find(|(fragment, _)| fragment.claim.same_subject(&pattern.claim));
        let (kind, confidence) = if among(&self.patterns) || among(&self.anticipated) {
            (FindingKind::Insight, None)
        } else if among(&self.guards) {
            (FindingKind::Guard, None)
        } else if among(&self.hypotheses) {
            (FindingKind::Hypothesis, None)
        } else if among(&self.transformations) {
            (FindingKind::Transformation, None)
        } else {
            (FindingKind::Fragment, fragment.map(|(_, confidence)| *confidence))
        };
        DreamFinding { pattern, kind, confidence }
    }

    /// Handles a model's reply that couldn't be used (parse failure): it is paid for, and the dream goes on without it.
    pub fn unreadable(&mut self, cost: Usdc) {
        self.outstanding = self.outstanding.saturating_sub(1);
        self.book(cost);
    }

    /// Notes that the broker refused a question: none is asked any more, and the dream ends with what it has (graceful degradation).
    pub fn refused(&mut self) {
        self.outstanding = self.outstanding.saturating_sub(1);
        self.give_up();
    }

    fn give_up(&mut self) {
        self.given_up = true;
        self.report.cut_short = true;
    }

    /// Whether it goes on by the clock alone: no answer is out, or none is waited for any longer.
    pub(crate) fn goes_on_by_itself(&self, now: Tick) -> bool {
        self.outstanding == 0 || self.pace.is_over(now)
    }

    /// Decides the next step, once all answers are in and its time has come: a state transition (poll) to ask, wait or finish.
    pub fn next(&mut self, view: &DreamView<'_>) -> DreamStep {
        let now = view.now.tick;
        if self.pace.is_over(now) && self.stage != Stage::Over {
            self.report.unheard = std::mem::take(&mut self.outstanding);
            self.give_up();
        }
        if self.outstanding > 0 {
            return DreamStep::Wait;
        }
        while self.stage != Stage::Over {
            if !self.given_up && now < self.pace.opens(self.stage.phase(), &self.now.by_phase) {
                return DreamStep::Wait;
            }
            self.account.release();
            let disguise = self.disguise.take();
            let questions = self.advance(disguise.as_deref().unwrap_or(view.grimoire), view);
            self.disguise = disguise;
            if !questions.is_empty() {
                self.outstanding = questions.len() as u32;
                return DreamStep::Ask(questions);
            }
        }
        if !self.given_up && now < self.pace.opens(None, &self.now.by_phase) {
            return DreamStep::Wait;
        }
        self.close();
        DreamStep::Wake(Box::new(self.report.clone()))
    }

    fn close(&mut self) {
        self.report.cost = self.account.spent();
        self.report.nrem.episodes_replayed = self.report.metrics.episodes_replayed;
        let found = self.patterns.iter().skip(self.taken_up);
        self.report.nrem.patterns_found = found.map(|pattern| pattern.claim).collect();
        self.report.unfinished = self.in_disorder();
        if self.report.residue.is_none() {
            self.report.residue = wake::residue(&self.report.findings);
        }
    }
}
