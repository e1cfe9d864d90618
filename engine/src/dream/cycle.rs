//! One dream, from falling asleep to the report: onset, replay, imagination, integration, return. Inference takes time, so
//! the cycle is a state machine; what one phase has to ask, it asks at once.

use crate::base::{DreamId, EpisodeId, Purpose, Stream, Tick, Usdc, WorldSeed};
use crate::curator::Insight;
use crate::dream::account::Account;
use crate::dream::imagination::Intensity;
use crate::dream::integration::playbook::Rule;
use crate::dream::journal::{DreamJournalEntry, NremSummary, RemSummary};
use crate::dream::schedule::{DreamScope, PhaseBudgets};
use crate::dream::tier::{DreamTier, Operation};
use crate::dream::{DreamConfig, nrem, onset, rem, wake};
use crate::episode::{
    Claim, Context, Episode, EpisodeKind, FindingKind, Grimoire, StagedClaim, ThreatKind, ThreatRecord,
};
use crate::llm::{Branch, CreativeMode, Fragment, LlmConfig, Pattern, Reply, Task};
use crate::mortality::Phase;
use crate::replay::{
    self, AnticipatoryTrajectory, OpenPosition, ReplayContext, ReplayMetrics, Selected, Uncertainty,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use crate::dream::account::Question;

/// What a dream may look at. There is no way from here to the market, and none to change a memory or a playbook: everything
/// is lent for reading.
///
/// It can read rules and episodes:
/// ```
/// fn look(view: &morta_engine::dream::DreamView<'_>) -> usize {
///     view.rules.len() + view.grimoire.len()
/// }
/// ```
/// but it can't place an order, for it can't name the market:
/// ```compile_fail
/// fn trade(view: &morta_engine::dream::DreamView<'_>) -> usize {
///     view.rules.len() + view.market.order()
/// }
/// ```
/// nor change a rule:
/// ```compile_fail,E0596
/// fn rewrite(view: &morta_engine::dream::DreamView<'_>) -> usize {
///     view.rules.iter_mut().count() + view.grimoire.len()
/// }
/// ```
/// nor an episode:
/// ```compile_fail,E0596
/// fn forget(view: &morta_engine::dream::DreamView<'_>) -> usize {
///     view.grimoire.remove(0);
///     view.rules.len()
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DreamView<'a> {
    /// The episodes.
    pub grimoire: &'a Grimoire,
    /// What the Curator concluded while awake.
    pub insights: &'a [Insight],
    /// The rules in force.
    pub rules: &'a [Rule],
    /// Claims under test.
    pub staged: &'a [StagedClaim],
    /// Threats met or rehearsed.
    pub threats: &'a BTreeMap<ThreatKind, ThreatRecord>,
    /// Earlier dreams, oldest first.
    pub journal: &'a [DreamJournalEntry],
    /// What was kept in mind on waking from the last one.
    pub residue: Option<Claim>,
    /// This dream's number in the golem's life.
    pub cycle: u32,
    /// Now, as replay sees it: the market's embedding and regime, and the mood.
    pub now: ReplayContext<'a>,
    /// The keys of dreaming.
    pub config: &'a DreamConfig,
    /// The tiers and their prices.
    pub llm: &'a LlmConfig,
}

impl DreamView<'_> {
    /// Everything already claimed: rules, insights, claims under test.
    pub fn known_claims(&self) -> impl Iterator<Item = Claim> {
        let rules = self.rules.iter().map(|rule| rule.claim);
        let insights = self.insights.iter().map(|insight| insight.claim);
        rules.chain(insights).chain(self.staged.iter().map(|staged| staged.claim))
    }

    /// Dreams since a tick, as far back as the journal goes.
    pub fn cycles_since(&self, tick: Tick) -> u32 {
        self.journal.iter().filter(|entry| entry.timestamp > tick).count() as u32
    }

    /// What the drift circles around: a predecessor's unfinished thought before anything else (Zeigarnik), then what was kept
    /// in mind on waking, then what last surprised most.
    fn keyword(&self) -> Option<Claim> {
        let untouched =
            |staged: &&StagedClaim| staged.unfinished && staged.confirmed + staged.contradicted == 0;
        let unfinished = self.staged.iter().find(untouched).map(|staged| staged.claim);
        unfinished.or(self.residue).or_else(|| self.surprise())
    }

    fn surprise(&self) -> Option<Claim> {
        let trades = self.grimoire.records().iter().filter(|episode| episode.kind == EpisodeKind::Trade);
        let most = trades.max_by(|a, b| a.surprise.total_cmp(&b.surprise).then(a.id.cmp(&b.id)))?;
        Some(Claim {
            strategy: most.strategy,
            pattern: crate::episode::ContextPattern::of_regime(most.context.regime),
            expected_r: most.realised_r,
        })
    }
}

/// How things stand when a golem falls asleep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Circumstances {
    /// How rich the dream is.
    pub tier: DreamTier,
    /// How much of a cycle there is.
    pub scope: DreamScope,
    /// Most each phase may spend.
    pub by_phase: PhaseBudgets,
    /// Behavioural phase.
    pub phase: Phase,
    /// How unsure the golem is of its predictions.
    pub uncertainty: Uncertainty,
    /// The first asset's circumstances.
    pub context: Context,
    /// Open positions.
    pub positions: Vec<OpenPosition>,
    /// Seconds in a tick.
    pub tick_seconds: f64,
}

/// The phases of a dream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamPhase {
    /// The edge of sleep; rich dreams only.
    Onset,
    /// Replay.
    Nrem,
    /// Imagination.
    Rem,
    /// Consolidation.
    Integration,
    /// Waking up; rich dreams only.
    Return,
}

impl DreamPhase {
    /// Its part of a cycle's budget (a lightweight dream, which has neither onset nor return, leaves theirs unspent).
    pub const fn allowance(self, budgets: &PhaseBudgets) -> Usdc {
        match self {
            Self::Onset => budgets.onset,
            Self::Nrem => budgets.nrem,
            Self::Rem => budgets.rem,
            Self::Integration => budgets.integration,
            Self::Return => budgets.hypnopompic_return,
        }
    }
}

/// An episode that was replayed, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replayed {
    /// Which.
    pub episode: EpisodeId,
    /// Its replay utility.
    pub utility: f64,
    /// What chose it.
    pub reason: replay::SelectionReason,
}

/// A finding that goes into integration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What was found.
    pub pattern: Pattern,
    /// What kind of conclusion it is.
    pub kind: FindingKind,
    /// Trust to begin with, where the kind alone doesn't say (fragments).
    pub confidence: Option<f64>,
}

/// A threat that was rehearsed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rehearsed {
    /// Which.
    pub kind: ThreatKind,
    /// What it would cost, in R, if that could be told.
    pub loss_r: Option<f64>,
    /// What guards against it, if anything was found.
    pub guard: Option<Claim>,
}

/// Something to be told of while the dream goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamNote {
    /// A phase began.
    Phase {
        /// Which.
        phase: DreamPhase,
        /// Most it may spend.
        budget: Usdc,
    },
    /// Imagination came up with something.
    Hypothesis {
        /// What.
        hypothesis: Claim,
        /// When the episode it started from had closed, if it is still remembered.
        seed_episode_tick: Option<Tick>,
    },
    /// A way not taken was gone through.
    Counterfactual {
        /// The decision.
        episode: EpisodeId,
        /// The way not taken.
        hypothesis: Branch,
        /// What it would have made, in R.
        outcome: f64,
        /// What that teaches.
        lesson: Option<Claim>,
        /// How sure the model was.
        confidence: f64,
    },
}

/// All that leaves a dream. Only integration can turn it into anything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamReport {
    /// Which cycle.
    pub id: DreamId,
    /// When it began.
    pub began: Tick,
    /// What was replayed.
    pub replayed: Vec<Replayed>,
    /// Episodes chosen to be replayed, read or not.
    pub chosen: u32,
    /// How the replayed episodes were sorted.
    pub triage: Vec<nrem::Triage>,
    /// What is worth testing awake, the strongest first.
    pub findings: Vec<Finding>,
    /// Findings dropped because memory as a whole speaks against them.
    pub implausible: u32,
    /// Threats rehearsed.
    pub threats: Vec<Rehearsed>,
    /// Episodes to be remembered with less feeling, and by what share.
    pub reappraised: Vec<EpisodeId>,
    /// That share.
    pub depotentiation: f64,
    /// What to keep in mind.
    pub residue: Option<Claim>,
    /// The journal's first two parts.
    pub nrem: NremSummary,
    /// The second.
    pub rem: RemSummary,
    /// The replay metrics so far; integration fills in what it learns.
    pub metrics: ReplayMetrics,
    /// Questions asked.
    pub inference_calls: u32,
    /// What they cost.
    pub cost: Usdc,
    /// Whether something could not be asked for want of money or of an answer.
    pub cut_short: bool,
    /// Whether the dream was broken off.
    pub is_partial: bool,
}

/// What a dream does next.
#[derive(Debug)]
pub enum DreamStep {
    /// Ask these, and wait for all the answers.
    Ask(Vec<Question>),
    /// Wait for answers that are still out.
    Wait,
    /// Wake up.
    Wake(Box<DreamReport>),
}

/// Where a cycle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    Drifting,
    Watching,
    Replaying,
    Imagining,
    Consolidating,
    Returning,
    Over,
}

/// A dream under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamCycle {
    stage: Stage,
    phase: DreamPhase,
    now: Circumstances,
    intensity: Intensity,
    budget: Usdc,
    account: Account,
    luck: u64,
    /// Questions whose answers are out.
    outstanding: u32,
    /// Nothing more is asked: the broker turned a question down.
    given_up: bool,
    selected: Vec<Selected>,
    chosen: Vec<Replayed>,
    /// The memory with outcomes dealt out anew, when the research control asks for it.
    disguise: Option<Box<Grimoire>>,
    keyword: Option<Claim>,
    caught: Vec<Fragment>,
    kept: Vec<(Fragment, f64)>,
    patterns: Vec<Pattern>,
    anticipated: Vec<Pattern>,
    hypotheses: Vec<Pattern>,
    transformations: Vec<Pattern>,
    guards: Vec<Pattern>,
    trajectories: Vec<AnticipatoryTrajectory>,
    notes: Vec<DreamNote>,
    report: DreamReport,
}

/// Parts of a dream's luck.
mod luck {
    pub(super) const ONSET: u32 = 0;
    pub(super) const NREM: u32 = 1;
    pub(super) const REM: u32 = 2;
}

impl DreamCycle {
    /// Falls asleep: chooses what to replay, once for the whole cycle. An emergency dream has a single batch; one that only
    /// consolidates goes straight to integration.
    pub fn begin(
        id: DreamId,
        began: Tick,
        budget: Usdc,
        now: Circumstances,
        view: &DreamView<'_>,
        stream: &mut Stream,
    ) -> Self {
        let config = &view.config.replay;
        let size = now.tier.batch_size(now.uncertainty, &view.config.replay);
        let most = match now.scope {
            DreamScope::Full => size * view.config.max_batches as usize,
            DreamScope::ConsolidationOnly => 0,
            DreamScope::Emergency => size,
        };
        let selection = replay::select(view.grimoire, &view.now, config, most, stream);
        let chosen: Vec<Replayed> =
            selection.selected.iter().map(|chosen| describe(view.grimoire, chosen)).collect();
        let luck = stream.word();
        let consolidates = now.scope == DreamScope::ConsolidationOnly;
        let stage = if consolidates { Stage::Consolidating } else { Stage::Drifting };
        let disguise = view.config.shuffle_outcomes.then(|| Box::new(disguise(view.grimoire, luck)));
        let intensity = Intensity::of(now.uncertainty, &view.config.imagination);
        Self {
            stage,
            phase: DreamPhase::Onset,
            report: DreamReport {
                id,
                began,
                replayed: Vec::new(),
                chosen: chosen.len() as u32,
                triage: Vec::new(),
                findings: Vec::new(),
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
                is_partial: false,
            },
            intensity,
            now,
            budget,
            account: Account::default(),
            luck,
            outstanding: 0,
            given_up: false,
            selected: selection.selected,
            chosen,
            disguise,
            keyword: view.keyword(),
            caught: Vec::new(),
            kept: Vec::new(),
            patterns: Vec::new(),
            anticipated: Vec::new(),
            hypotheses: Vec::new(),
            transformations: Vec::new(),
            guards: Vec::new(),
            trajectories: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// What it goes through, in order.
    pub fn chosen(&self) -> &[Replayed] {
        &self.chosen
    }

    /// Which cycle this is.
    pub fn id(&self) -> DreamId {
        self.report.id
    }

    /// The phase it is in.
    pub fn phase(&self) -> DreamPhase {
        self.phase
    }

    /// How much of a cycle there is.
    pub fn scope(&self) -> DreamScope {
        self.now.scope
    }

    /// Most it may spend.
    pub fn budget(&self) -> Usdc {
        self.budget
    }

    /// What it has found so far: what is consolidated already, or else everything that was read or imagined.
    pub fn findings_so_far(&self) -> Vec<Finding> {
        if !self.report.findings.is_empty() {
            return self.report.findings.clone();
        }
        let read = self.patterns.iter().chain(&self.anticipated).chain(&self.guards);
        let imagined = self.hypotheses.iter().chain(&self.transformations);
        read.chain(imagined).map(|pattern| self.finding(pattern.clone())).collect()
    }

    /// What it has cost so far.
    pub fn cost(&self) -> Usdc {
        self.account.spent()
    }

    /// What is to be told of since the last call.
    pub fn take_notes(&mut self) -> Vec<DreamNote> {
        std::mem::take(&mut self.notes)
    }

    /// The report of a dream that is broken off here: what it has found so far isn't staged, but the journal has it.
    pub fn broken_off(mut self) -> DreamReport {
        self.report.is_partial = true;
        self.close();
        self.report
    }

    /// Takes in an answer and what it cost.
    pub fn hear(&mut self, reply: Reply, cost: Usdc, view: &DreamView<'_>) {
        self.outstanding = self.outstanding.saturating_sub(1);
        self.account.book(cost);
        self.report.inference_calls += 1;
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
            Reply::Patterns(found) => {
                self.report.metrics.patterns_identified += found.len() as u32;
                self.patterns.extend(found);
            }
            Reply::Anticipated(found) => self.anticipated.extend(found),
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
            Reply::Threat { kind, loss_r, guard } => {
                summary.threats_simulated.push(kind);
                let claim = guard.as_ref().map(|guard| guard.claim);
                self.report.threats.push(Rehearsed { kind, loss_r, guard: claim });
                self.guards.extend(guard);
            }
            Reply::Reappraised(episodes) => {
                summary.emotional_episodes_processed += episodes.len() as u32;
                self.report.reappraised.extend(episodes);
            }
            Reply::Consolidated(found) => {
                let grimoire = self.disguise.as_deref().unwrap_or(view.grimoire);
                let least = view.config.consolidation.plausible_t;
                let (plausible, not): (Vec<Pattern>, Vec<Pattern>) =
                    found.into_iter().partition(|pattern| !is_denied(&pattern.claim, grimoire, least));
                self.report.implausible += not.len() as u32;
                let found: Vec<Finding> =
                    plausible.into_iter().map(|pattern| self.finding(pattern)).collect();
                self.report.findings.extend(found);
            }
            Reply::KeptInMind(claim) => self.report.residue = claim,
        }
    }

    fn imagine(&mut self, idea: Pattern, turned: bool, grimoire: &Grimoire) {
        let seed = idea.learned_from.first().and_then(|id| grimoire.slot_of(*id));
        let seed_episode_tick = seed.map(|slot| grimoire.closed()[slot]);
        self.notes.push(DreamNote::Hypothesis { hypothesis: idea.claim, seed_episode_tick });
        if turned { self.transformations.push(idea) } else { self.hypotheses.push(idea) }
    }

    /// The kind of a consolidated finding is that of what it was made from; experience counts before imagination.
    fn finding(&self, pattern: Pattern) -> Finding {
        let among =
            |patterns: &[Pattern]| patterns.iter().any(|known| known.claim.same_subject(&pattern.claim));
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
        Finding { pattern, kind, confidence }
    }

    /// The broker turned a question down: nothing more is asked, and the dream ends with what it has.
    pub fn refused(&mut self) {
        self.outstanding = self.outstanding.saturating_sub(1);
        self.given_up = true;
        self.report.cut_short = true;
    }

    /// Decides what comes next, once all answers are in.
    pub fn next(&mut self, view: &DreamView<'_>) -> DreamStep {
        if self.outstanding > 0 {
            return DreamStep::Wait;
        }
        while self.stage != Stage::Over {
            self.account.release();
            let disguise = self.disguise.take();
            let questions = self.advance(disguise.as_deref().unwrap_or(view.grimoire), view);
            self.disguise = disguise;
            if !questions.is_empty() {
                self.outstanding = questions.len() as u32;
                return DreamStep::Ask(questions);
            }
        }
        self.close();
        DreamStep::Wake(Box::new(self.report.clone()))
    }

    fn close(&mut self) {
        self.report.cost = self.account.spent();
        self.report.metrics.total_inference_cost = self.report.cost;
        self.report.nrem.episodes_replayed = self.report.metrics.episodes_replayed;
        self.report.nrem.patterns_found = self.patterns.iter().map(|pattern| pattern.claim).collect();
        if self.report.residue.is_none() {
            self.report.residue = wake::residue(&self.report.findings);
        }
    }

    /// Goes through one stage: gathers its questions and names the next.
    fn advance(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        if self.given_up {
            self.sort_memories(grimoire, view);
            self.stage = Stage::Over;
            return Vec::new();
        }
        match self.stage {
            Stage::Drifting => {
                self.stage = Stage::Watching;
                self.drift(grimoire, view)
            }
            Stage::Watching => {
                self.stage = Stage::Replaying;
                self.watch(grimoire, view)
            }
            Stage::Replaying => {
                self.stage = Stage::Imagining;
                self.enter(DreamPhase::Nrem);
                self.replay(grimoire, view)
            }
            Stage::Imagining => {
                self.stage = Stage::Consolidating;
                self.sort_memories(grimoire, view);
                self.enter(DreamPhase::Rem);
                self.wander(grimoire, view)
            }
            Stage::Consolidating => {
                self.stage = Stage::Returning;
                self.enter(DreamPhase::Integration);
                self.consolidate(view)
            }
            Stage::Returning => {
                self.stage = Stage::Over;
                self.come_back(view)
            }
            Stage::Over => Vec::new(),
        }
    }

    fn enter(&mut self, phase: DreamPhase) {
        self.phase = phase;
        let budget = phase.allowance(&self.now.by_phase);
        self.account.begin_phase(budget);
        self.notes.push(DreamNote::Phase { phase, budget });
    }

    fn stream(&self, part: u32) -> Stream {
        WorldSeed(self.luck).world(Purpose::Dream, part, 0)
    }

    /// What can be paid for within a limit, in the order given.
    fn afford(&mut self, questions: Vec<Question>, limit: Usdc, view: &DreamView<'_>) -> Vec<Question> {
        let wanted = questions.len();
        let mut afforded = questions;
        afforded.retain(|question| self.account.reserve(question.most(view.llm), limit));
        self.report.cut_short |= afforded.len() < wanted;
        afforded
    }

    fn is_rich(&self) -> bool {
        self.now.tier == DreamTier::Hardened
    }

    fn drift(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        if !self.is_rich() || view.config.hypnagogia.cycles(self.now.phase, self.now.uncertainty) == 0 {
            return Vec::new();
        }
        self.enter(DreamPhase::Onset);
        let mut stream = self.stream(luck::ONSET);
        let partials = onset::drift(view, grimoire, &self.now, self.keyword, &mut stream);
        // Half is kept back for the observer: a fragment nobody looks at is worth nothing.
        let half = self.account.allowance().scaled(0.5);
        self.afford(partials, half, view)
    }

    fn watch(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        if self.caught.is_empty() {
            return Vec::new();
        }
        let question = onset::observe(self.caught.clone(), view, grimoire, &self.now, self.keyword);
        let Task::Observe { fragments } = &question.task else { unreachable!("the observer observes") };
        self.caught.clone_from(fragments);
        self.afford(vec![question], self.account.allowance(), view)
    }

    fn replay(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        // Slots were chosen at the beginning; episodes may have come and gone since.
        let slot_now = |(selected, chosen): (&Selected, &Replayed)| {
            grimoire.slot_of(chosen.episode).map(|slot| Selected { slot: slot as u32, ..*selected })
        };
        let selected: Vec<Selected> = self.selected.iter().zip(&self.chosen).filter_map(slot_now).collect();
        let size = self.now.tier.batch_size(self.now.uncertainty, &view.config.replay);
        let mut stream = self.stream(luck::NREM);
        let plan = nrem::plan(&selected, size, grimoire, view, &self.now, &mut stream);
        let mut questions = Vec::new();
        for batch in plan.batches.iter().filter(|batch| !batch.is_empty()) {
            let question = nrem::question(batch, &plan, grimoire, view, &self.now, self.now.tier);
            let question = self.afford(vec![question], self.account.allowance(), view);
            if !question.is_empty() {
                self.note_read(batch, &plan);
            }
            questions.extend(question);
        }
        self.report.metrics.forward_replays = plan.trajectories.len() as u32;
        let by_fitness = |a: &&AnticipatoryTrajectory, b: &&AnticipatoryTrajectory| {
            a.strategy_fitness.total_cmp(&b.strategy_fitness)
        };
        self.report.nrem.worst_prospect = plan.trajectories.iter().min_by(by_fitness).cloned();
        if self.is_rich() {
            let morning = nrem::anticipate(&plan, grimoire, view, &self.now);
            questions.extend(self.afford(vec![morning], self.account.allowance(), view));
        }
        self.trajectories = plan.trajectories;
        questions
    }

    fn note_read(&mut self, batch: &[EpisodeId], plan: &nrem::ReplayPlan) {
        let metrics = &mut self.report.metrics;
        metrics.batches_processed += 1;
        metrics.episodes_replayed += batch.len() as u32;
        self.report.replayed.extend(self.chosen.iter().filter(|r| batch.contains(&r.episode)).cloned());
        let traced = plan.credits.iter().filter(|credit| batch.contains(&credit.episode));
        self.report.nrem.credit_assignments.extend(traced.cloned());
        metrics.reverse_replays = self.report.nrem.credit_assignments.len() as u32;
        metrics.credit_assignments_completed = metrics.reverse_replays;
        let what_ifs = || plan.what_ifs.iter().filter(|what_if| batch.contains(&what_if.episode));
        metrics.perturbed_replays += what_ifs().count() as u32;
        self.report.nrem.broken_by_perturbation += what_ifs().filter(|what_if| what_if.breaks).count() as u32;
    }

    fn sort_memories(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) {
        let rules = view.rules.iter().map(|rule| rule.claim);
        let config = &view.config.consolidation.triage;
        self.report.triage =
            nrem::triage::triage(&self.report.replayed, &self.patterns, rules, grimoire, config);
        let count = |verdict| self.report.triage.iter().filter(|t| t.verdict == verdict).count() as u32;
        let decisions = &mut self.report.nrem.triage_decisions;
        decisions.preserve = count(nrem::Verdict::Preserve);
        decisions.r#abstract = count(nrem::Verdict::Abstract);
        decisions.forget = count(nrem::Verdict::Forget);
        self.report.metrics.contradictions_found = disagreements(&self.report.replayed, grimoire);
    }

    fn wander(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        let all = self.account.allowance();
        let config = &view.config.imagination;
        let replayed = std::mem::take(&mut self.report.replayed);
        let ways =
            |decisions| rem::counterfactuals(&replayed, grimoire, view, decisions, self.now.tier, &self.now);
        let questions = if self.is_rich() {
            // Ideas come first, up to their part of the money, which is at least the creative floor.
            let share = self.now.by_phase.rem.dollars() / self.budget.dollars().max(f64::MIN_POSITIVE);
            let creative = self.budget.scaled(replay::creative_share(0.5 * share, &view.config.replay));
            let mut stream = self.stream(luck::REM);
            let worst = self.report.nrem.worst_prospect.as_ref().map(|worst| worst.terminal_state.regime);
            let ideas =
                rem::creative::sessions(grimoire, view, &self.now, &self.intensity, worst, &mut stream);
            let ways = ways((config.key_decisions, self.intensity.counterfactual_depth));
            let threats = rem::threat::rehearsals(grimoire, view, &self.now, self.intensity.threat_scenarios);
            let threats =
                threats.into_iter().map(|due| rem::threat::question(due.kind, grimoire, view, &self.now));
            let rest = ways
                .into_iter()
                .chain(threats)
                .chain(rem::reappraisal(&replayed, grimoire, view, &self.now))
                .collect();
            let mut questions = self.afford(ideas, creative, view);
            questions.extend(self.afford(rest, all, view));
            questions
        } else {
            let one = ways((1, config.counterfactual_depth.min(1)));
            self.afford(one, all, view)
        };
        self.report.replayed = replayed;
        questions
    }

    /// What was read, what was imagined and what guards are put in order apart from each other, so that a strong memory doesn't
    /// crowd out a new idea.
    fn consolidate(&mut self, view: &DreamView<'_>) -> Vec<Question> {
        let read: Vec<Pattern> = self.patterns.iter().chain(&self.anticipated).cloned().collect();
        let fragments = self.kept.iter().map(|(fragment, _)| Pattern {
            claim: fragment.claim,
            learned_from: vec![fragment.context_from, fragment.action_from, fragment.outcome_from],
        });
        let imagined: Vec<Pattern> =
            self.hypotheses.iter().chain(&self.transformations).cloned().chain(fragments).collect();
        let groups = [read, imagined, self.guards.clone()];
        let ask = |patterns| Question {
            task: Task::Consolidate { patterns },
            tier: self.now.tier.model(Operation::Reading, self.now.uncertainty),
            temperature: view.config.imagination.analytic_temperature,
        };
        let questions = groups.into_iter().filter(|patterns| !patterns.is_empty()).map(ask).collect();
        self.afford(questions, self.account.allowance(), view)
    }

    fn come_back(&mut self, view: &DreamView<'_>) -> Vec<Question> {
        if !self.is_rich() {
            return Vec::new();
        }
        self.enter(DreamPhase::Return);
        let question = wake::question(&self.report.findings, view, &self.now);
        self.afford(question.into_iter().collect(), self.account.allowance(), view)
    }
}

fn describe(grimoire: &Grimoire, chosen: &Selected) -> Replayed {
    Replayed {
        episode: grimoire.record(chosen.slot as usize).id,
        utility: chosen.terms.utility,
        reason: chosen.reason,
    }
}

/// The plausibility test before staging: memory denies a claim when the remembered trades it speaks of, three or more, have a
/// mean on the other side of zero by more than `least` of its standard errors. (The specs ask for such a test and leave it
/// open.)
fn is_denied(claim: &Claim, grimoire: &Grimoire, least: f64) -> bool {
    const FEWEST: usize = 3;
    let told = |e: &&Episode| e.kind == EpisodeKind::Trade && claim.applies(e.strategy, &e.context);
    let results: Vec<f64> = grimoire.records().iter().filter(told).map(|e| e.realised_r).collect();
    if results.len() < FEWEST {
        return false;
    }
    let n = results.len() as f64;
    let mean = results.iter().sum::<f64>() / n;
    let variance = results.iter().map(|r| (r - mean) * (r - mean)).sum::<f64>() / (n - 1.0);
    let against = if claim.expected_r > 0.0 { -mean } else { mean };
    against > least * (variance / n).sqrt()
}

/// Replayed trades of one strategy in one regime of which some gained and some lost: the smaller number of the two, summed.
fn disagreements(replayed: &[Replayed], grimoire: &Grimoire) -> u32 {
    let slots = replayed.iter().filter_map(|replayed| grimoire.slot_of(replayed.episode));
    let mut subjects: BTreeMap<_, (u32, u32)> = BTreeMap::new();
    let trades = slots.map(|slot| grimoire.record(slot)).filter(|e: &&Episode| e.kind == EpisodeKind::Trade);
    for episode in trades {
        let (gains, losses) = subjects.entry((episode.strategy, episode.context.regime)).or_default();
        *(if episode.realised_r > 0.0 { gains } else { losses }) += 1;
    }
    subjects.values().map(|(gains, losses)| gains.min(losses)).sum()
}

/// The memory with the outcomes of its trades dealt out among them at random.
fn disguise(grimoire: &Grimoire, luck: u64) -> Grimoire {
    let mut stream = WorldSeed(luck).world(Purpose::Permutation, 0, 0);
    let is_trade = |slot: &usize| grimoire.record(*slot).kind == EpisodeKind::Trade;
    let trades: Vec<usize> = (0..grimoire.len()).filter(is_trade).collect();
    let mut order: Vec<usize> = (0..trades.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, stream.below(last + 1));
    }
    grimoire.with_dealt_outcomes(&trades, &order)
}
