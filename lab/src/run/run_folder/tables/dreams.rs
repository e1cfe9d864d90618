//! `dreams.parquet`: one row a dream cycle, with the replay metrics (offline consolidation, experience replay). Costs are USDC, times are ticks,
//! shares are 0 to 1. Results and metrics of replay are empty unless the dream was completed. A row is written late, when the tests of its
//! claims and of those of earlier dreams are over or the life ends, because the fate of a dream's claims is known only later. Dreams are
//! off by default (`dream.enabled`); without them the table is empty.

use super::cast::{Cast, CohortEntry};
use super::{Heard, RowsOf};
use crate::io::error::Result;
use crate::io::table::{Named, table};
use crate::run::run_folder::writer::TableWriter;
use morta_base::{DreamId, GolemId, RuleId, Tick, Usdc};
use morta_engine::dream::{DreamOrder, WakeSource};
use morta_engine::event::{DreamMind, DreamResult, EventKind};
use morta_engine::replay::{LiveVerdicts, ReplayMetrics};
use std::collections::{BTreeMap, VecDeque};

/// A dream that has ended, one way or another.
pub(crate) struct EndedDream<'a> {
    golem: GolemId,
    cohort: &'a CohortEntry,
    settled: &'a Settled,
}

/// A dream that has ended, and what life has said of it so far.
struct Settled {
    begun: BegunDream,
    ended: Tick,
    ending: Ending,
    /// What life has said of its conclusions.
    live: LiveVerdicts,
    /// Claims of it that are still under test.
    open_claims: u32,
}

/// A dream in progress, with what was known at its beginning.
pub(crate) struct BegunDream {
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

/// The result of a dream that its dreamer completed.
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
    fn live<T>(&self, of: fn(&LiveVerdicts) -> T) -> Option<T> {
        self.settled.ending.completed.as_ref().map(|_| of(&self.settled.live))
    }
}

table! {
    /// One dream cycle, those that were broken off included. A golem's dreams are in the order of their ends, and are written once life can say no
    /// more of them: when the tests of all their claims are over, or the golem's life ends. Columns that are empty unless the dream was
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
    /// Questions that the model answered while it went on, by a reply of use or not; empty unless completed.
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
    /// Replay: trades whose outcome was to be traced back to what led to it, in proportion to its size.
    reverse_replays: Option<u32>, Count = dream.metrics(|metrics| metrics.reverse_replays);
    /// Replay: trajectories projected forward.
    forward_replays: Option<u32>, Count = dream.metrics(|metrics| metrics.forward_replays);
    /// Replay: episodes gone through with something changed.
    perturbed_replays: Option<u32>, Count = dream.metrics(|metrics| metrics.perturbed_replays);
    /// Replay: patterns found across episodes.
    patterns_identified: Option<u32>, Count = dream.metrics(|metrics| metrics.patterns_identified);
    /// Replay: episodes that speak against each other or against what was known.
    contradictions_found: Option<u32>, Count = dream.metrics(|metrics| metrics.contradictions_found);
    /// Replay: of these, the ones whose outcome was divided among two decisions or more, one of which turned it. The decisions of a trade that
    /// was abstracted are let go, so its outcome can't be.
    credit_assignments_completed: Option<u32>, Count =
        dream.metrics(|metrics| metrics.credit_assignments_completed);
    /// Replay: insights that were neither known, nor under test, nor known to be wrong before. Guards and what was imagined don't count.
    novel_insights_generated: Option<u32>, Count = dream.metrics(|metrics| metrics.novel_insights_generated);
    /// Findings that were known already, as an insight or a rule: the dream found them again. Life has not spoken.
    existing_insights_confirmed: Option<u32>, Count =
        dream.metrics(|metrics| metrics.existing_insights_confirmed);
    /// Findings that say the opposite of a known insight or rule.
    existing_insights_contradicted: Option<u32>, Count =
        dream.metrics(|metrics| metrics.existing_insights_contradicted);
    /// Replay: insights put to the test for the playbook. Guards and what was imagined don't count; `heuristics_proposed` has all.
    playbook_revisions_proposed: Option<u32>, Count =
        dream.metrics(|metrics| metrics.playbook_revisions_proposed);
    /// Replay: paid for the inference of its phase (NREM). `cost_usdc` has the whole cycle's.
    total_inference_cost_usdc: Option<f64>, Usdc = dream.metrics(|metrics| metrics.total_inference_cost);
    /// Replay: that over `novel_insights_generated`; also empty where there are none.
    cost_per_insight_usdc: Option<f64>, Usdc = dream.metrics(|metrics| metrics.cost_per_insight).flatten();
    /// Insights of replay that live trading bore out in the life of the dreamer.
    insights_confirmed_by_live_trading: Option<u32>, Count = dream.live(|live| live.insights.confirmed);
    /// Insights of replay that live trading refuted in that life.
    insights_contradicted_by_live_trading: Option<u32>, Count = dream.live(|live| live.insights.contradicted);
    /// The confirmed insights over both; also empty where none was decided. `tier` and `replay_mode` say of which dreams it is.
    replay_predictive_accuracy: Option<f64>, Share = dream.live(LiveVerdicts::replay_accuracy).flatten();
    /// Guards against threats that live trading bore out.
    guards_confirmed_by_live_trading: Option<u32>, Count = dream.live(|live| live.guards.confirmed);
    /// Guards that live trading refuted.
    guards_contradicted_by_live_trading: Option<u32>, Count = dream.live(|live| live.guards.contradicted);
    /// Fragments from the edge of sleep that live trading bore out.
    fragments_confirmed_by_live_trading: Option<u32>, Count = dream.live(|live| live.fragments.confirmed);
    /// Fragments that live trading refuted.
    fragments_contradicted_by_live_trading: Option<u32>, Count = dream.live(|live| live.fragments.contradicted);
    /// Hypotheses and transformations of imagination that live trading bore out.
    imagined_confirmed_by_live_trading: Option<u32>, Count = dream.live(|live| live.imagined.confirmed);
    /// Hypotheses and transformations that live trading refuted.
    imagined_contradicted_by_live_trading: Option<u32>, Count = dream.live(|live| live.imagined.contradicted);
}

/// Makes the rows; remembers who is asleep, and dreams that life may still speak of (dream table recorder).
#[derive(Default)]
pub(super) struct Dreams {
    asleep: BTreeMap<GolemId, BegunDream>,
    /// Claims under test, with the dream that drew each.
    under_test: BTreeMap<RuleId, DreamId>,
    ended: BTreeMap<GolemId, VecDeque<Settled>>,
}

impl RowsOf for Dreams {
    type Row = Dream;

    fn take(&mut self, Heard { event, cast, .. }: Heard<'_>, out: &mut TableWriter<Dream>) -> Result<()> {
        let Some(golem) = event.golem else { return Ok(()) };
        match &event.kind {
            EventKind::DreamStarted { id, order, mind, replayed, .. } => {
                let (tick, order) = (event.tick, (**order).clone());
                let begun =
                    BegunDream { id: *id, tick, order, mind: **mind, episodes_chosen: replayed.len() as u32 };
                self.asleep.insert(golem, begun);
            }
            EventKind::DreamValidated(found) => {
                if let Some(dream) = self.ended_dream(golem, found.id) {
                    dream.live = found.by_kind;
                }
            }
            EventKind::ClaimStaged { id, dream: Some(dream), .. } => {
                self.under_test.insert(*id, *dream);
            }
            // A verdict is logged after its effect on the dream.
            EventKind::ClaimDecided { id, .. } => {
                let dream = self.under_test.remove(id);
                if let Some(dream) = dream.and_then(|dream| self.ended_dream(golem, dream)) {
                    dream.open_claims = dream.open_claims.saturating_sub(1);
                }
            }
            EventKind::LifeEnded(_) => self.under_test.retain(|rule, _| rule.golem != golem),
            _ => {}
        }
        if let Some(ending) = Ending::from_kind(&event.kind)
            && let Some(begun) = self.asleep.remove(&golem)
        {
            // Its claims are staged before its end is logged.
            let open = self.under_test.values().filter(|dream| **dream == begun.id).count() as u32;
            let live = LiveVerdicts::default();
            let settled = Settled { begun, ended: event.tick, ending, live, open_claims: open };
            self.ended.entry(golem).or_default().push_back(settled);
        }
        self.write_out(golem, matches!(event.kind, EventKind::LifeEnded(_)), cast, out)
    }
}

impl Dreams {
    fn ended_dream(&mut self, golem: GolemId, id: DreamId) -> Option<&mut Settled> {
        self.ended.get_mut(&golem)?.iter_mut().find(|dream| dream.begun.id == id)
    }

    /// Writes the oldest dreams of a golem, up to the first with a claim under test; all, when its life is over.
    fn write_out(
        &mut self,
        golem: GolemId,
        is_over: bool,
        cast: &Cast,
        out: &mut TableWriter<Dream>,
    ) -> Result<()> {
        let Some(dreams) = self.ended.get_mut(&golem) else { return Ok(()) };
        let cohort = cast.cohort(golem.lineage);
        let waits = |dream: &Settled| !is_over && dream.open_claims > 0;
        let settled = dreams.iter().position(waits).unwrap_or(dreams.len());
        for settled in dreams.drain(..settled) {
            out.add(&EndedDream { golem, cohort, settled: &settled })?;
        }
        if dreams.is_empty() {
            self.ended.remove(&golem);
        }
        Ok(())
    }
}

impl Ending {
    fn from_kind(kind: &EventKind) -> Option<Self> {
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
