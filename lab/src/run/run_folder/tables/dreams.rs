//! `dreams.parquet`: one row a dream cycle, with the replay metrics.

use super::RowsOf;
use super::cast::{Cast, CohortEntry};
use crate::io::error::Result;
use crate::io::table::{Named, table};
use crate::run::run_folder::writer::TableWriter;
use morta_base::{Digest, DreamId, GolemId, Tick, Usdc};
use morta_engine::dream::{DreamOrder, WakeSource};
use morta_engine::event::{DreamMind, DreamResult, Event, EventKind};
use morta_engine::replay::{ReplayMetrics, predictive_accuracy};
use std::collections::{BTreeMap, VecDeque};

/// A dream that has ended, one way or another.
pub struct EndedDream<'a> {
    golem: GolemId,
    cohort: &'a CohortEntry,
    settled: &'a Settled,
}

/// A dream that has ended, and what life has said of it so far.
struct Settled {
    begun: BegunDream,
    ended: Tick,
    ending: Ending,
    /// Conclusions borne out, and refuted, by live trading.
    live: (u32, u32),
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
struct Ending {
    outcome: &'static str,
    cost: Option<Usdc>,
    completed: Option<Box<Completed>>,
    woken_by: Option<WakeSource>,
    wasted: Option<Usdc>,
}

/// What a dream came to that its dreamer woke from by itself.
struct Completed {
    inference_calls: u32,
    cut_short: bool,
    rules: u32,
    staged: u32,
    result: DreamResult,
    metrics: ReplayMetrics,
}

impl EndedDream<'_> {
    fn completed<T>(&self, of: fn(&Completed) -> T) -> Option<T> {
        self.settled.ending.completed.as_deref().map(of)
    }

    fn result<T>(&self, of: fn(&DreamResult) -> T) -> Option<T> {
        self.settled.ending.completed.as_deref().map(|completed| of(&completed.result))
    }

    fn metrics<T>(&self, of: fn(&ReplayMetrics) -> T) -> Option<T> {
        self.settled.ending.completed.as_deref().map(|completed| of(&completed.metrics))
    }

    /// What life said of a dream that was completed.
    fn live<T>(&self, of: fn((u32, u32)) -> T) -> Option<T> {
        self.settled.ending.completed.as_ref().map(|_| of(self.settled.live))
    }
}

table! {
    /// One dream cycle, those that were broken off included. A golem's dreams are in the order of their ends, and are written once life can say no
    /// more of them: when the golem's life ends, or thirty-two of its dreams later. Columns that are empty unless the dream was
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
    dream: String, Id = Named(dream.settled.begun.id);
    /// How it ended: `completed` (the dreamer woke by itself), `interrupted` (it was woken, or died) or `unfinished` (the run ended, or the
    /// dreamer failed).
    outcome: String, Word = dream.settled.ending.outcome;
    /// When the dreamer fell asleep.
    began_tick: u64, Tick = dream.settled.begun.tick;
    /// When the dream ended.
    ended_tick: u64, Tick = dream.settled.ended;
    /// `ended_tick` less `began_tick`.
    duration_ticks: u64, Ticks = dream.settled.ended - dream.settled.begun.tick;
    /// What made it dream: `interval` (it was due), `window` (a sleep window was open), `directive` (its owner said so), `emergency` (its
    /// terminal phase), or the largest term of its urgency: `time`, `emotional_load`, `novelty_streak`, `consolidation_debt`,
    /// `threat_exposure`, `epistemic_drift` or `accumulation`.
    trigger: String, Word = dream.settled.begun.order.trigger.to_string();
    /// How much its dreams may take: `core` or `hardened`.
    tier: String, Word = dream.settled.begun.order.tier.to_string();
    /// How much of a cycle it was: `full`, `consolidation_only` (money was running out) or `emergency` (one compressed cycle before death).
    scope: String, Word = dream.settled.begun.order.scope.to_string();
    /// Behavioural phase of the dreamer, by the words of `phase` in `lives.parquet`.
    phase: String, Word = dream.settled.begun.order.behavioural_phase.to_string();
    /// Urgency when it fell asleep; 1 for directives and emergencies.
    urgency: f64, Share = dream.settled.begun.order.urgency;
    /// Intensity: the scenario's base times 1 + 0.5·economic + 0.3·epistemic + 0.2·stochastic urgency of its clocks.
    dream_intensity: f64, Ratio = dream.settled.begun.order.dream_intensity;
    /// Pleasure of the dreamer's mood when it fell asleep, -1 to 1.
    mood_pleasure: f64, Signed = dream.settled.begun.mind.mood.pleasure;
    /// Arousal of that mood, -1 to 1.
    mood_arousal: f64, Signed = dream.settled.begun.mind.mood.arousal;
    /// Dominance of that mood, -1 to 1.
    mood_dominance: f64, Signed = dream.settled.begun.mind.mood.dominance;
    /// What that mood was drawn to: `anxious` (warnings, changes of regime), `confident` (what is novel), `depleted` (what is known to work),
    /// `despairing` (what can be passed on), `hostile` (recent failures) or `disdainful` (other regimes); empty where nothing.
    mood_bias: Option<String>, Word = dream.settled.begun.mind.bias.map(|word| word.to_string());
    /// What the dream went after: `normal` (what prioritization puts first) or `confused` (what was most surprising).
    replay_mode: String, Word = dream.settled.begun.mind.mode.to_string();
    /// How far the dreamer had turned to what it can pass on, by its age over the Hayflick limit.
    legacy_turn: f64, Share = dream.settled.begun.mind.legacy;
    /// Most the cycle might spend on inference.
    budget_usdc: f64, Usdc = dream.settled.begun.order.budget;
    /// Episodes that were chosen for replay.
    episodes_chosen: u32, Count = dream.settled.begun.episodes_chosen;
    /// Questions put to the model; empty unless completed.
    inference_calls: Option<u32>, Count = dream.completed(|done| done.inference_calls);
    /// Paid for inference until it ended; empty for the unfinished.
    cost_usdc: Option<f64>, Usdc = dream.settled.ending.cost;
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
    woken_by: Option<String>, Word = dream.settled.ending.woken_by.map(|word| word.to_string());
    /// What was left of its budget and is lost; empty unless interrupted.
    wasted_usdc: Option<f64>, Usdc = dream.settled.ending.wasted;
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
    /// Conclusions of the dream that live trading bore out in the life of the dreamer.
    insights_confirmed_by_live_trading: Option<u32>, Count = dream.live(|(confirmed, _)| confirmed);
    /// Conclusions of the dream that live trading refuted in that life.
    insights_contradicted_by_live_trading: Option<u32>, Count = dream.live(|(_, refuted)| refuted);
    /// The confirmed over both; empty where none was decided.
    replay_predictive_accuracy: Option<f64>, Share =
        dream.live(|(confirmed, refuted)| predictive_accuracy(confirmed, refuted)).flatten();
}

/// Dreams of a golem that life may still speak of.
const HELD_BACK: usize = 32;

/// Makes the rows; remembers who is asleep, and dreams that life may still speak of.
#[derive(Default)]
pub struct Dreams {
    asleep: BTreeMap<GolemId, BegunDream>,
    ended: BTreeMap<GolemId, VecDeque<Settled>>,
}

impl RowsOf for Dreams {
    type Row = Dream;

    fn take(&mut self, event: &Event, cast: &Cast, _: &Digest, out: &mut TableWriter<Dream>) -> Result<()> {
        let Some(golem) = event.golem else { return Ok(()) };
        match &event.kind {
            EventKind::DreamStarted { id, order, mind, replayed, .. } => {
                let (tick, order) = (event.tick, (**order).clone());
                let begun =
                    BegunDream { id: *id, tick, order, mind: **mind, episodes_chosen: replayed.len() as u32 };
                self.asleep.insert(golem, begun);
            }
            EventKind::DreamValidated(found) => {
                let dreams = self.ended.get_mut(&golem).into_iter().flatten();
                for dream in dreams.filter(|dream| dream.begun.id == found.id) {
                    dream.live = (found.confirmed, found.refuted);
                }
            }
            _ => {}
        }
        if let Some(ending) = Ending::told_by(&event.kind)
            && let Some(begun) = self.asleep.remove(&golem)
        {
            let settled = Settled { begun, ended: event.tick, ending, live: (0, 0) };
            self.ended.entry(golem).or_default().push_back(settled);
        }
        let kept = if matches!(event.kind, EventKind::LifeEnded(_)) { 0 } else { HELD_BACK };
        self.write_out(golem, kept, cast, out)
    }
}

impl Dreams {
    /// Writes the oldest dreams of a golem, until so many are left.
    fn write_out(
        &mut self,
        golem: GolemId,
        kept: usize,
        cast: &Cast,
        out: &mut TableWriter<Dream>,
    ) -> Result<()> {
        let Some(dreams) = self.ended.get_mut(&golem) else { return Ok(()) };
        let cohort = cast.cohort(golem.lineage);
        for settled in dreams.drain(..dreams.len().saturating_sub(kept)) {
            out.add(&EndedDream { golem, cohort, settled: &settled })?;
        }
        if dreams.is_empty() {
            self.ended.remove(&golem);
        }
        Ok(())
    }
}

impl Ending {
    fn told_by(kind: &EventKind) -> Option<Self> {
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
                completed: Some(Box::new(Completed {
                    inference_calls: *inference_calls,
                    cut_short: *cut_short,
                    rules: *rules,
                    staged: *staged,
                    result: DreamResult { triage: Vec::new(), ..(**result).clone() },
                    metrics: *metrics,
                })),
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
