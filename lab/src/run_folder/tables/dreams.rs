//! `dreams.parquet`: one row a dream cycle, with the replay metrics.

use super::cast::{Cast, CohortEntry};
use super::{RowsOf, name_of};
use crate::run_folder::writer::TableWriter;
use crate::table::{Named, table};
use morta_engine::base::{Digest, DreamId, GolemId, Tick, Usdc};
use morta_engine::dream::{DreamOrder, WakeSource};
use morta_engine::event::{DreamMind, DreamResult, Event, EventKind};
use morta_engine::replay::ReplayMetrics;
use std::collections::BTreeMap;

/// A dream that has ended, one way or another.
pub struct EndedDream<'a> {
    golem: GolemId,
    cohort: &'a CohortEntry,
    begun: &'a BegunDream,
    ended: Tick,
    ending: Ending<'a>,
}

/// A dream under way.
pub struct BegunDream {
    id: DreamId,
    tick: Tick,
    order: DreamOrder,
    mind: DreamMind,
    episodes_chosen: u32,
}

/// How a dream ended, and what is known of it then.
#[derive(Default)]
pub struct Ending<'a> {
    outcome: &'static str,
    cost: Option<Usdc>,
    completed: Option<Completed<'a>>,
    woken_by: Option<WakeSource>,
    wasted: Option<Usdc>,
}

/// What a dream came to that its dreamer woke from by itself.
#[derive(Clone, Copy)]
struct Completed<'a> {
    inference_calls: u32,
    cut_short: bool,
    rules: u32,
    staged: u32,
    result: &'a DreamResult,
    metrics: &'a ReplayMetrics,
}

impl EndedDream<'_> {
    fn completed<T>(&self, of: fn(Completed<'_>) -> T) -> Option<T> {
        self.ending.completed.map(of)
    }

    fn result<T>(&self, of: fn(&DreamResult) -> T) -> Option<T> {
        self.ending.completed.map(|completed| of(completed.result))
    }

    fn metrics<T>(&self, of: fn(&ReplayMetrics) -> T) -> Option<T> {
        self.ending.completed.map(|completed| of(completed.metrics))
    }
}

table! {
    /// One dream cycle, in the order of their ends, those that were broken off included. Columns that are empty unless the dream was
    /// completed say so; all others always have a value.
    pub struct Dream in "dreams.parquet" at ended_tick from dream: EndedDream<'_>;

    /// Lineage of the dreamer.
    lineage: u32, Number = dream.golem.slot();
    /// Generation of the dreamer.
    generation: u32, Number = dream.golem.generation;
    /// The dreamer.
    golem: String, Id = Named(dream.golem);
    /// Its cohort.
    cohort: String, Name = &dream.cohort.name;
    /// The memory architecture of its cohort.
    memory: String, Word = &dream.cohort.memory;
    /// The dream.
    dream: String, Id = Named(dream.begun.id);
    /// How it ended: `completed` (the dreamer woke by itself), `interrupted` (it was woken, or died) or `unfinished` (the run ended, or the
    /// dreamer failed).
    outcome: String, Word = dream.ending.outcome;
    /// When the dreamer fell asleep.
    began_tick: u64, Tick = dream.begun.tick;
    /// When the dream ended.
    ended_tick: u64, Tick = dream.ended;
    /// `ended_tick` less `began_tick`.
    duration_ticks: u64, Ticks = dream.ended - dream.begun.tick;
    /// What made it dream: `interval` (it was due), `window` (a sleep window was open), `directive` (its owner said so), `emergency` (its
    /// terminal phase), or the largest term of its urgency: `time`, `emotional_load`, `novelty_streak`, `consolidation_debt`,
    /// `threat_exposure`, `epistemic_drift` or `accumulation`.
    trigger: String, Word = name_of(dream.begun.order.trigger);
    /// How much its dreams may take: `core` or `hardened`.
    tier: String, Word = name_of(dream.begun.order.tier);
    /// How much of a cycle it was: `full`, `consolidation_only` (money was running out) or `emergency` (one compressed cycle before death).
    scope: String, Word = name_of(dream.begun.order.scope);
    /// Behavioural phase of the dreamer, by the words of `phase` in `lives.parquet`.
    phase: String, Word = name_of(dream.begun.order.behavioural_phase);
    /// Urgency when it fell asleep; 1 for directives and emergencies.
    urgency: f64, Share = dream.begun.order.urgency;
    /// Intensity: the scenario's base times 1 + 0.5·economic + 0.3·epistemic + 0.2·stochastic urgency of its clocks.
    dream_intensity: f64, Ratio = dream.begun.order.dream_intensity;
    /// Pleasure of the dreamer's mood when it fell asleep, -1 to 1.
    mood_pleasure: f64, Signed = dream.begun.mind.mood.pleasure;
    /// Arousal of that mood, -1 to 1.
    mood_arousal: f64, Signed = dream.begun.mind.mood.arousal;
    /// Dominance of that mood, -1 to 1.
    mood_dominance: f64, Signed = dream.begun.mind.mood.dominance;
    /// What that mood was drawn to: `anxious` (warnings, changes of regime), `confident` (what is novel), `depleted` (what is known to work),
    /// `despairing` (what can be passed on), `hostile` (recent failures) or `disdainful` (other regimes); empty where nothing.
    mood_bias: Option<String>, Word = dream.begun.mind.bias.map(name_of);
    /// What the dream went after: `normal` (what prioritization puts first) or `confused` (what was most surprising).
    replay_mode: String, Word = name_of(dream.begun.mind.mode);
    /// How far the dreamer had turned to what it can pass on, by its age over the Hayflick limit.
    legacy_turn: f64, Share = dream.begun.mind.legacy;
    /// Most the cycle might spend on inference.
    budget_usdc: f64, Usdc = dream.begun.order.budget;
    /// Episodes that were chosen for replay.
    episodes_chosen: u32, Count = dream.begun.episodes_chosen;
    /// Questions put to the model; empty unless completed.
    inference_calls: Option<u32>, Count = dream.completed(|done| done.inference_calls);
    /// Paid for inference until it ended; empty for the unfinished.
    cost_usdc: Option<f64>, Usdc = dream.ending.cost;
    /// Whether money or answers ran out before it was through; empty unless completed.
    cut_short: Option<bool>, Flag = dream.completed(|done| done.cut_short);
    /// Rules in force afterwards; empty unless completed.
    rules_after: Option<u32>, Count = dream.completed(|done| done.rules);
    /// Claims under test afterwards; empty unless completed.
    staged_after: Option<u32>, Count = dream.completed(|done| done.staged);
    /// How good the golem itself judged the dream; empty unless completed.
    quality: Option<f64>, Share = dream.result(|result| result.quality);
    /// Ways not taken that were gone through; empty unless completed.
    counterfactuals_generated: Option<u32>, Count = dream.result(|result| result.counterfactuals_generated);
    /// Findings that were new; empty unless completed.
    insights_crystallized: Option<u32>, Count = dream.result(|result| result.insights_crystallized);
    /// Claims put to the test; empty unless completed.
    heuristics_proposed: Option<u32>, Count = dream.result(|result| result.heuristics_proposed);
    /// Episodes remembered with less feeling than before; empty unless completed.
    episodes_depotentiated: Option<u32>, Count = dream.result(|result| result.episodes_depotentiated);
    /// Episodes let go; empty unless completed.
    episodes_forgotten: Option<u32>, Count = dream.result(|result| result.episodes_forgotten);
    /// Changes of the playbook: rules admitted and retired; empty unless completed.
    playbook_edits: Option<u32>, Count = dream.result(|result| result.playbook_edits);
    /// What broke it off: `owner`, `clade_alert`, `market_threshold` or `death`; empty unless interrupted.
    woken_by: Option<String>, Word = dream.ending.woken_by.map(name_of);
    /// What was left of its budget and is lost; empty unless interrupted.
    wasted_usdc: Option<f64>, Usdc = dream.ending.wasted;
    /// Replay: episodes gone through again. This and all columns after it are empty unless completed.
    episodes_replayed: Option<u32>, Count = dream.metrics(|metrics| metrics.episodes_replayed);
    /// Replay: batches read.
    batches_processed: Option<u32>, Count = dream.metrics(|metrics| metrics.batches_processed);
    /// Replay: outcomes traced back to what led to them.
    reverse_replays: Option<u32>, Count = dream.metrics(|metrics| metrics.reverse_replays);
    /// Replay: trajectories projected forward.
    forward_replays: Option<u32>, Count = dream.metrics(|metrics| metrics.forward_replays);
    /// Replay: episodes gone through with something changed.
    perturbed_replays: Option<u32>, Count = dream.metrics(|metrics| metrics.perturbed_replays);
    /// Replay: patterns found across episodes.
    patterns_identified: Option<u32>, Count = dream.metrics(|metrics| metrics.patterns_identified);
    /// Replay: episodes that speak against each other or against what was known.
    contradictions_found: Option<u32>, Count = dream.metrics(|metrics| metrics.contradictions_found);
    /// Replay: outcomes assigned to the decisions behind them.
    credit_assignments_completed: Option<u32>, Count =
        dream.metrics(|metrics| metrics.credit_assignments_completed);
    /// Replay: insights that were not known before.
    novel_insights_generated: Option<u32>, Count = dream.metrics(|metrics| metrics.novel_insights_generated);
    /// Replay: known insights borne out.
    existing_insights_confirmed: Option<u32>, Count =
        dream.metrics(|metrics| metrics.existing_insights_confirmed);
    /// Replay: known insights spoken against.
    existing_insights_contradicted: Option<u32>, Count =
        dream.metrics(|metrics| metrics.existing_insights_contradicted);
    /// Replay: claims proposed for the playbook.
    playbook_revisions_proposed: Option<u32>, Count =
        dream.metrics(|metrics| metrics.playbook_revisions_proposed);
    /// Replay: paid for inference.
    total_inference_cost_usdc: Option<f64>, Usdc = dream.metrics(|metrics| metrics.total_inference_cost);
    /// Replay: that over the novel insights; 0 without any.
    cost_per_insight_usdc: Option<f64>, Usdc = dream.metrics(|metrics| metrics.cost_per_insight);
    /// Conclusions of replay that live trading had borne out when the dream ended.
    insights_confirmed_by_live_trading: Option<u32>, Count =
        dream.metrics(|metrics| metrics.insights_confirmed_by_live_trading);
    /// Conclusions of replay that live trading had refuted when the dream ended.
    insights_contradicted_by_live_trading: Option<u32>, Count =
        dream.metrics(|metrics| metrics.insights_contradicted_by_live_trading);
    /// The confirmed over both; 0 before any was decided.
    replay_predictive_accuracy: Option<f64>, Share = dream.metrics(|metrics| metrics.replay_predictive_accuracy);
}

/// Makes the rows; remembers who is asleep.
#[derive(Default)]
pub struct Dreams {
    asleep: BTreeMap<GolemId, BegunDream>,
}

impl RowsOf for Dreams {
    type Row = Dream;

    fn take(
        &mut self,
        event: &Event,
        cast: &Cast,
        _: &Digest,
        out: &mut TableWriter<Dream>,
    ) -> crate::Result<()> {
        let Some(golem) = event.golem else { return Ok(()) };
        if let EventKind::DreamStarted { id, order, mind, replayed, .. } = &event.kind {
            let (tick, order) = (event.tick, (**order).clone());
            let begun =
                BegunDream { id: *id, tick, order, mind: **mind, episodes_chosen: replayed.len() as u32 };
            self.asleep.insert(golem, begun);
            return Ok(());
        }
        let Some(ending) = Ending::told_by(&event.kind) else { return Ok(()) };
        let Some(begun) = self.asleep.remove(&golem) else { return Ok(()) };
        let cohort = cast.cohort(golem.lineage);
        out.add(&EndedDream { golem, cohort, begun: &begun, ended: event.tick, ending })
    }
}

impl<'a> Ending<'a> {
    fn told_by(kind: &'a EventKind) -> Option<Self> {
        Some(match kind {
            EventKind::DreamCompleted {
                metrics,
                inference_calls,
                cost,
                cut_short,
                rules,
                staged,
                result,
                ..
            } => Self {
                outcome: "completed",
                cost: Some(*cost),
                completed: Some(Completed {
                    inference_calls: *inference_calls,
                    cut_short: *cut_short,
                    rules: *rules,
                    staged: *staged,
                    result,
                    metrics,
                }),
                ..Self::default()
            },
            EventKind::DreamInterrupted { cost, source, wasted, .. } => Self {
                outcome: "interrupted",
                cost: Some(*cost),
                woken_by: Some(*source),
                wasted: Some(*wasted),
                ..Self::default()
            },
            EventKind::LifeEnded(_) => Self { outcome: "unfinished", ..Self::default() },
            _ => return None,
        })
    }
}
