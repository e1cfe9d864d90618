//! One dream, from falling asleep to the report: replay, a counterfactual, consolidation. Inference takes time,
//! so the cycle is a state machine that asks one question at a time.

use crate::base::{DreamId, EpisodeId, Stream, Tick, Usdc};
use crate::curator::Insight;
use crate::dream::DreamConfig;
use crate::dream::schedule::{DreamOrder, DreamScope, PhaseBudgets};
use crate::episode::Grimoire;
use crate::llm::{EpisodeBrief, LlmConfig, Pattern, Reply, Task, prompt};
use crate::replay::{self, ReplayContext, ReplayMetrics, Selected};
use serde::{Deserialize, Serialize};

/// What a dream may look at. There is no way from here to the market or to the playbook.
///
/// ```compile_fail
/// fn trade(view: &morta_engine::dream::DreamView<'_>) {
///     let order = view.market.order();
/// }
/// ```
/// ```compile_fail
/// fn rewrite(view: &morta_engine::dream::DreamView<'_>) {
///     view.playbook.clear();
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DreamView<'a> {
    /// The episodes.
    pub grimoire: &'a Grimoire,
    /// What the Curator concluded while awake.
    pub insights: &'a [Insight],
    /// Now, as replay sees it: the market's embedding and regime, and the mood.
    pub now: ReplayContext<'a>,
    /// The keys of dreaming.
    pub config: &'a DreamConfig,
    /// The tiers and their prices.
    pub llm: &'a LlmConfig,
}

/// The three phases of a lightweight dream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamPhase {
    /// Replay.
    Nrem,
    /// Imagination.
    Rem,
    /// Consolidation.
    Integration,
}

impl DreamPhase {
    /// Its part of a cycle's budget.
    pub const fn allowance(self, budgets: &PhaseBudgets) -> Usdc {
        match self {
            Self::Nrem => budgets.nrem,
            Self::Rem => budgets.rem,
            Self::Integration => budgets.integration,
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
    /// Whether it is a counterfactual hypothesis rather than read from experience.
    pub hypothesis: bool,
}

/// All that leaves a dream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamReport {
    /// Which cycle.
    pub id: DreamId,
    /// When it began.
    pub began: Tick,
    /// What was replayed.
    pub replayed: Vec<Replayed>,
    /// What is worth testing awake, the strongest first.
    pub findings: Vec<Finding>,
    /// The replay metrics so far; integration fills in what it learns.
    pub metrics: ReplayMetrics,
    /// Questions asked.
    pub inference_calls: u32,
    /// What they cost.
    pub cost: Usdc,
    /// Whether the last question could not be asked for want of money or of an answer.
    pub cut_short: bool,
}

/// What a dream does next.
#[derive(Debug)]
pub enum DreamStep {
    /// Ask this and wait.
    Ask(Task),
    /// Wake up.
    Wake(Box<DreamReport>),
}

/// A dream under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamCycle {
    phase: DreamPhase,
    order: DreamOrder,
    spent_in_phase: Usdc,
    batches: Vec<Vec<EpisodeId>>,
    patterns: Vec<Pattern>,
    hypotheses: Vec<Pattern>,
    report: DreamReport,
}

/// Tokens a reply is reckoned at before it is known.
const EXPECTED_REPLY_TOKENS: u32 = 150;

impl DreamCycle {
    /// Falls asleep: chooses what to replay, once for the whole cycle. An emergency dream has a single batch; one that only
    /// consolidates replays and imagines nothing.
    pub fn begin(
        id: DreamId,
        began: Tick,
        order: DreamOrder,
        view: &DreamView<'_>,
        stream: &mut Stream,
    ) -> Self {
        let config = &view.config.replay;
        let batch_size = order.intensity.batch_size as usize;
        let batches = match order.scope {
            DreamScope::Full => view.config.max_batches as usize,
            DreamScope::ConsolidationOnly => 0,
            DreamScope::Emergency => 1,
        };
        let most = batch_size * batches;
        let selection = replay::select(view.grimoire, &view.now, config, most, stream);
        let replayed: Vec<Replayed> =
            selection.selected.iter().map(|chosen| describe(view.grimoire, chosen)).collect();
        let batches = replayed.chunks(batch_size).map(|batch| batch.iter().map(|r| r.episode).collect());
        Self {
            phase: DreamPhase::Nrem,
            order,
            spent_in_phase: Usdc::ZERO,
            // Asked from the back, so that the strongest batch comes first.
            batches: batches.rev().collect(),
            patterns: Vec::new(),
            hypotheses: Vec::new(),
            report: DreamReport {
                id,
                began,
                replayed: Vec::new(),
                findings: Vec::new(),
                metrics: ReplayMetrics::default(),
                inference_calls: 0,
                cost: Usdc::ZERO,
                cut_short: false,
            },
        }
        .with_selection(replayed)
    }

    fn with_selection(mut self, replayed: Vec<Replayed>) -> Self {
        self.report.replayed = replayed;
        self
    }

    /// What it goes through, in order.
    pub fn replayed(&self) -> &[Replayed] {
        &self.report.replayed
    }

    /// What it was begun with.
    pub fn order(&self) -> &DreamOrder {
        &self.order
    }

    /// What it has found so far, for a journal that is never finished: patterns read, then hypotheses.
    pub fn partial_findings(&self) -> Vec<Finding> {
        let finding = |pattern: &Pattern, hypothesis| Finding { pattern: pattern.clone(), hypothesis };
        let read = self.patterns.iter().map(|pattern| finding(pattern, false));
        read.chain(self.hypotheses.iter().map(|pattern| finding(pattern, true))).collect()
    }

    /// Which cycle this is.
    pub fn id(&self) -> DreamId {
        self.report.id
    }

    /// The phase it is in.
    pub fn phase(&self) -> DreamPhase {
        self.phase
    }

    /// What it has cost so far.
    pub fn cost(&self) -> Usdc {
        self.report.cost
    }

    /// Takes in an answer and what it cost.
    pub fn hear(&mut self, reply: Reply, cost: Usdc) {
        self.spent_in_phase += cost;
        self.report.cost += cost;
        self.report.inference_calls += 1;
        match reply {
            Reply::Patterns(found) => {
                self.report.metrics.patterns_identified += found.len() as u32;
                self.patterns.extend(found);
            }
            Reply::Lesson(found) => self.hypotheses.extend(found),
            Reply::Consolidated(found) => {
                self.report.findings = found.into_iter().map(|pattern| self.finding(pattern)).collect();
            }
        }
    }

    fn finding(&self, pattern: Pattern) -> Finding {
        let read = self.patterns.iter().any(|known| known.claim.same_subject(&pattern.claim));
        Finding { pattern, hypothesis: !read }
    }

    /// The broker turned the last question down: the dream ends with what it has.
    pub fn refused(&mut self) {
        self.report.cut_short = true;
        self.batches.clear();
        self.phase = DreamPhase::Integration;
        self.spent_in_phase = self.order.budget;
    }

    /// Decides what comes next.
    pub fn next(&mut self, view: &DreamView<'_>) -> DreamStep {
        if self.phase == DreamPhase::Nrem {
            while let Some(batch) = self.batches.pop() {
                let episodes: Vec<EpisodeBrief> =
                    batch.iter().filter_map(|id| brief(view.grimoire, *id)).collect();
                let count = episodes.len() as u32;
                let task = Task::FindPatterns { episodes };
                if count > 0 && self.affords(&task, view) {
                    self.report.metrics.batches_processed += 1;
                    self.report.metrics.episodes_replayed += count;
                    return DreamStep::Ask(task);
                }
            }
            self.enter(DreamPhase::Rem);
            if let Some(episode) = self.most_regretted(view.grimoire) {
                let task = Task::Counterfactual { episode };
                if self.affords(&task, view) {
                    return DreamStep::Ask(task);
                }
            }
        }
        if self.phase == DreamPhase::Rem {
            self.enter(DreamPhase::Integration);
            let patterns: Vec<Pattern> = self.patterns.iter().chain(&self.hypotheses).cloned().collect();
            let task = Task::Consolidate { patterns };
            let Task::Consolidate { patterns } = &task else { unreachable!("made one line above") };
            if !patterns.is_empty() && self.affords(&task, view) {
                return DreamStep::Ask(task);
            }
        }
        self.report.metrics.total_inference_cost = self.report.cost;
        DreamStep::Wake(Box::new(self.report.clone()))
    }

    fn enter(&mut self, phase: DreamPhase) {
        self.phase = phase;
        self.spent_in_phase = Usdc::ZERO;
    }

    fn affords(&mut self, task: &Task, view: &DreamView<'_>) -> bool {
        let tier = view.llm.tier(self.order.grade);
        let price = tier.price(prompt::tokens(&prompt::render(task)), EXPECTED_REPLY_TOKENS);
        let allowance = self.phase.allowance(&self.order.by_phase);
        let affords = self.spent_in_phase + price <= allowance;
        self.report.cut_short |= !affords;
        affords
    }

    fn most_regretted(&self, grimoire: &Grimoire) -> Option<EpisodeBrief> {
        let briefs = self.report.replayed.iter().filter_map(|replayed| brief(grimoire, replayed.episode));
        briefs.filter(|brief| brief.better_strategy.is_some()).max_by(|a, b| a.regret.total_cmp(&b.regret))
    }
}

fn brief(grimoire: &Grimoire, id: EpisodeId) -> Option<EpisodeBrief> {
    grimoire.slot_of(id).map(|slot| EpisodeBrief::from(grimoire.record(slot)))
}

fn describe(grimoire: &Grimoire, chosen: &Selected) -> Replayed {
    Replayed {
        episode: grimoire.record(chosen.slot as usize).id,
        utility: chosen.terms.utility,
        reason: chosen.reason,
    }
}
