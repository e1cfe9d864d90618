//! Dreaming, from falling asleep to waking (the agent's side of the sleep cycle). When to dream is decided in `sleep_pressure`.
//!
//! Costs are in dollars, times in ticks. The golem only carries messages between its dream and the services; the dream itself is a
//! state machine (`dream::cycle`) without access to either. It falls asleep when the scheduler grants its petition, steps the dream at
//! every answer or when its pace is due, and on waking hands the report to its memory, which integrates it. Below the rung `sound` of the
//! credit ladder its questions go to the middling model at most. A dying sleeper's dream is broken off.

use crate::dream::cycle::Question;
use crate::dream::{
    Circumstances, DreamCycle, DreamOrder, DreamReport, DreamRequest, DreamScope, DreamStep, DreamView,
    WakeReason,
};
use crate::episode::Context;
use crate::event::{DreamMind, DreamResult, EventKind};
use crate::golem::state::Activity;
use crate::golem::{Golem, Letter, Moment, Outbox, Rules};
use crate::llm::{OpenPosition, Tier};
use crate::market::PathPoint;
use crate::memory::{DreamOccasion, Integrated, KnowledgeCounts};
use crate::mortality::Cause;
use crate::phase::phase;
use crate::replay::config::ConfusedBy;
use crate::replay::{PadBias, ReplayContext, ReplayMode};
use morta_base::{DreamId, Purpose};

/// Accuracy of replayed claims before life has decided enough of them: none was proved wrong, so nothing confuses.
const ALL_BORNE_OUT: f64 = 1.0;

impl Golem {
    /// Makes the query of a replay selection: its situation if it began to dream now, which conditions need. A dream selects once, at its
    /// start (replay spec, "sampling rule"). A load test takes it of living golems, to score their memories by.
    pub fn replay_context<'a>(&self, moment: &Moment<'a>) -> ReplayContext<'a> {
        let rules = moment.rules;
        let (replay, pad) = (&rules.dream.replay, self.affect.pad());
        let seen = moment.view.asset(0);
        let bias = PadBias::from_pad(pad.pleasure, pad.arousal, pad.dominance, &replay.mood);
        let age = rules.mortality.age(moment.tick - self.born) as f64;
        let hayflick = age / rules.dream.clocks.hayflick_ticks as f64;
        let accuracy = match replay.confused_by {
            ConfusedBy::Classes => self.epistemics.record().accuracy(),
            ConfusedBy::Fitness => self.epistemics.fitness(&rules.mortality),
            ConfusedBy::Replays => self
                .memory
                .dreams()
                .and_then(|known| {
                    known.replay_accuracy(replay.confused_dreams as usize, replay.confused_least_decided)
                })
                .unwrap_or(ALL_BORNE_OUT),
        };
        ReplayContext {
            tick: moment.tick,
            embedding: &seen.embedding,
            regime: self.genome.regime_thresholds(&rules.golem).classify(seen),
            pad_bias: bias.filter(|_| rules.daimon.is_on()),
            affect: rules.daimon.is_on(),
            mode: ReplayMode::of_accuracy(accuracy, replay),
            legacy: replay.legacy.turn(hayflick),
        }
    }

    /// The golem's circumstances as a dream starts from them.
    fn circumstances(&self, order: &DreamOrder, moment: &Moment<'_>) -> Circumstances {
        let rules = moment.rules;
        let position = self.position.as_ref().map(|position| {
            let candidate = &position.decision.candidate;
            let now = PathPoint::from(moment.view.asset(candidate.asset));
            OpenPosition {
                asset: candidate.asset,
                strategy: candidate.strategy,
                side: candidate.side,
                stake: position.exposure.stake,
                unrealised_r: position.open_r(now),
            }
        });
        Circumstances {
            tier: order.tier,
            scope: order.scope,
            by_phase: order.by_phase,
            phase: order.behavioural_phase,
            uncertainty: order.uncertainty,
            context: Context::read(moment.view, 0, &self.genome.regime_thresholds(&rules.golem)),
            price: moment.view.asset(0).pool_price,
            gas: moment.view.gas,
            positions: position.into_iter().collect(),
            tick_seconds: rules.tick_seconds,
            smelled: self.smelled_dangers(moment),
        }
    }

    pub(super) fn fall_asleep(&mut self, order: DreamOrder, moment: &Moment<'_>, out: &mut Outbox) {
        let id = self.new_dream_id();
        let now = self.replay_context(moment);
        let circumstances = self.circumstances(&order, moment);
        let dreamer = self.memory.dreams().expect("only dreamers ask to dream");
        let view = dreamer.view(occasion(id, now, moment.rules));
        // Keyed by the dream's number, not by the tick: arms whose dreams fall on other ticks still draw alike, dream by dream. `luck` deals anew.
        let draw = u64::from(moment.rules.dream.luck) << 32 | u64::from(id.number);
        let mut stream = moment.seed.golem(self.id, Purpose::Dream, draw);
        let cycle = DreamCycle::begin(id, moment.tick, order.budget, circumstances, &view, &mut stream);
        let replayed = cycle.chosen().to_vec();
        let (urgency, budget, order) = (order.urgency, order.budget, Box::new(order));
        let ReplayContext { pad_bias: bias, mode, legacy, .. } = now;
        let mind = Box::new(DreamMind { mood: self.affect.pad(), bias, mode, legacy });
        self.tell(moment.tick, EventKind::DreamStarted { id, urgency, budget, order, mind, replayed }, out);
        self.activity = Activity::Dreaming(Box::new(cycle));
        self.dream_on(moment, out, |_, _| ());
    }

    /// Lets the dream take in an answer (`happen`), then carries out its next step.
    pub(super) fn dream_on(
        &mut self,
        moment: &Moment<'_>,
        out: &mut Outbox,
        happen: impl FnOnce(&mut DreamCycle, &DreamView<'_>),
    ) {
        let now = self.replay_context(moment);
        let (Activity::Dreaming(cycle), Some(dreamer)) = (&mut self.activity, self.memory.dreams()) else {
            unreachable!("only a dreamer dreams on");
        };
        let id = cycle.id();
        let view = dreamer.view(occasion(id, now, moment.rules));
        happen(cycle, &view);
        let step = cycle.next(&view);
        let notes = cycle.take_notes();
        notes.into_iter().for_each(|note| self.tell(moment.tick, EventKind::of_dream(id, note), out));
        match step {
            DreamStep::Wait => {}
            DreamStep::Ask(questions) => {
                for Question { task, tier, temperature } in questions {
                    // A golem too poor for the large model asks a smaller one instead of none, so that its dream still ends with findings.
                    let tier = if self.mortal.rung.affords_large_model() { tier } else { tier.min(Tier::T1) };
                    self.ask(Question { task, tier, temperature }, id, out);
                }
            }
            DreamStep::Wake(report) => self.wake(*report, moment, out),
        }
    }

    /// Passes a tick of sleep: an interrupt may wake it, or the next phase may be due.
    pub(super) fn sleep_on(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        self.check_interrupts(moment, out);
        if matches!(&self.activity, Activity::Dreaming(cycle) if cycle.goes_on_by_itself(moment.tick)) {
            self.dream_on(moment, out, |_, _| ());
        }
    }

    fn wake(&mut self, mut report: DreamReport, moment: &Moment<'_>, out: &mut Outbox) {
        phase!("dream: integration");
        let dreamt = std::mem::replace(&mut self.activity, Activity::Awake);
        self.sleep_pressure.last_dream = moment.tick;
        self.tally.dreams += 1;
        self.sleep_pressure.reset_after_dream(moment.rules.dream.urgency.emotional_load_after_dream);
        let dreamer = self.memory.dreams_mut().expect("only dreamers wake");
        if matches!(dreamt, Activity::Dreaming(cycle) if cycle.scope() == DreamScope::Emergency) {
            dreamer.draft_testament(&report.findings);
        }
        let strengthen = moment.rules.dream.replay.strength_per_replay;
        let Integrated { outcome, entry } = dreamer.integrate(&mut report, moment.tick, strengthen);
        let KnowledgeCounts { rules, staged } = dreamer.counts();
        self.appraise_dream(&report, moment, out);
        let result = DreamResult {
            episodes_replayed: report.metrics.episodes_replayed,
            counterfactuals_generated: entry.rem.counterfactuals_generated,
            insights_crystallized: outcome.novel,
            implausible: report.implausible,
            heuristics_proposed: outcome.staged.len() as u32,
            episodes_depotentiated: outcome.depotentiated,
            playbook_edits: outcome.playbook_edits,
            episodes_abstracted: outcome.abstracted,
            episodes_forgotten: outcome.forgotten,
            quality: entry.dream_quality_score,
            triage: report.triage,
        };
        let integrated = EventKind::of_integration(outcome);
        integrated.into_iter().for_each(|kind| self.tell(moment.tick, kind, out));
        self.hear_memory(moment, out);
        let DreamReport { id, batches, tried, .. } = report;
        self.tell(moment.tick, EventKind::DreamReplayed { id, batches, tried }, out);
        let kind = EventKind::DreamCompleted {
            id,
            began: report.began,
            metrics: report.metrics,
            result: Box::new(result),
            journal: Box::new(entry),
            inference_calls: report.inference_calls,
            cost: report.cost,
            cut_short: report.cut_short,
            rules,
            staged,
        };
        self.tell(moment.tick, kind, out);
        // The cost of answers still out is within the granted budget, so none of it is given back.
        let wasted = report.unheard > 0;
        self.write(Letter::Dream(DreamRequest::Awake { spent: report.cost, wasted }), out);
    }

    /// Begins to die, asleep or awake: a dream is broken off, its journal kept, its place in the dormitory freed. A golem with time to die wakes for it and
    /// takes in what waited, for the trade that ruined it may be the scar it leaves; in a sudden death that is lost.
    pub(super) fn die_in_sleep(&mut self, cause: Cause, moment: &Moment<'_>, out: &mut Outbox) {
        if self.is_dreaming() {
            self.interrupt_dream(WakeReason::Died(cause), moment, out);
        }
        self.activity = Activity::Dying(cause);
        if cause.is_sudden() {
            self.waiting.clear();
        } else {
            self.hear_what_waited(moment, out);
        }
    }
}

/// The occasion of a dream: the part of it that its memory needs.
fn occasion<'a>(dream: DreamId, now: ReplayContext<'a>, rules: &'a Rules) -> DreamOccasion<'a> {
    DreamOccasion { cycle: dream.number, now, config: &rules.dream, llm: &rules.llm }
}
