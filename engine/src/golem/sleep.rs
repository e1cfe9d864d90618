//! Turning inward: the Curator's hour, dreaming, waking. When to dream is decided in `drowse`.

use crate::base::Purpose;
use crate::base::phase::phase;
use crate::curator::{CuratorReport, age_discount};
use crate::dream::cycle::Question;
use crate::dream::{
    Circumstances, DreamCycle, DreamOrder, DreamReport, DreamRequest, DreamScope, DreamStep, DreamView,
    WakeSource,
};
use crate::episode::Context;
use crate::event::{DreamResult, EventKind};
use crate::golem::body::Activity;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::llm::Tier;
use crate::market::PathPoint;
use crate::memory::bardo::ClockSigns;
use crate::mortality::Cause;
use crate::replay::{OpenPosition, PadBias, ReplayContext, ReplayMode};

/// Ticks between two rounds of housekeeping; demurrage is paid by the interval whatever this is.
const HOUSEKEEPING_TICKS: u64 = 50;

impl Golem {
    /// Hands its recent trades to the Curator when they are due, which depends on the phase of life. Waking golems only.
    pub(super) fn see_the_curator(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let curator = &moment.rules.curator;
        let age = moment.tick - self.born;
        let phases = &moment.rules.mortality.phases;
        let Some(interval) = phases.curator_interval(self.phase, curator.interval_ticks) else { return };
        if !curator.enabled || age == 0 || !age.is_multiple_of(interval) {
            return;
        }
        let mortality = &moment.rules.mortality;
        let discount = age_discount(self.epistemics.fitness(mortality), mortality.senescence_threshold);
        // The first cycle in every stretch of that many ticks is a deep one.
        let deep = age / curator.deep_ticks != (age - interval) / curator.deep_ticks;
        let Some(bardo) = self.memory.dreamer_mut() else { return };
        let request = bardo.curator_request(age / curator.interval_ticks, deep, discount, curator);
        if !request.is_empty() {
            self.write(Letter::Curate(request), out);
        }
    }

    /// Does what the Curator says, and tells of it.
    pub(super) fn hear_curator(&mut self, report: CuratorReport, moment: &Moment<'_>, out: &mut Outbox) {
        let Some(bardo) = self.memory.dreamer_mut() else { return };
        let cycle = report.cycle;
        let done = bardo.hear_curator(report, moment.rules.curator.low_below, moment.tick);
        let (insights, counts) = (done.counts.added, Box::new(done.counts));
        self.tell(moment.tick, EventKind::Curated { cycle, insights, counts, tags: done.tags }, out);
        let staged = done.staged.into_iter().map(EventKind::of_staged);
        let displaced = done.displaced.into_iter().map(EventKind::of_displaced);
        staged.chain(displaced).for_each(|kind| self.tell(moment.tick, kind, out));
        self.tell_of_knowledge(moment, out);
    }

    /// Knowledge pays demurrage and makes room, whether there is a Curator or not.
    pub(super) fn keep_house(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let age = moment.tick - self.born;
        if age == 0 || !age.is_multiple_of(HOUSEKEEPING_TICKS) || self.memory.dreamer().is_none() {
            return;
        }
        let balance = self.balance(|asset| PathPoint::from(moment.view.asset(asset)));
        let signs = ClockSigns {
            economic: balance.dollars() / self.endowment.dollars(),
            fitness: self.epistemics.fitness(&moment.rules.mortality),
            phase: self.phase,
        };
        let Some(bardo) = self.memory.dreamer_mut() else { return };
        let rules = bardo.keep_house(signs, moment.tick);
        rules.into_iter().map(EventKind::of_retired).for_each(|kind| self.tell(moment.tick, kind, out));
        self.tell_of_knowledge(moment, out);
    }

    /// Tells what proved wrong, left or came back since it last told.
    pub(super) fn tell_of_knowledge(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let Some(bardo) = self.memory.dreamer_mut() else { return };
        let (proofs, moves) = (bardo.take_proofs(), bardo.take_moves());
        for (id, claim, found_r, confidence) in proofs {
            self.tell(moment.tick, EventKind::ProvedWrong { id, claim, found_r, confidence }, out);
        }
        moves.into_iter().for_each(|one| self.tell(moment.tick, EventKind::EntryMoved(one), out));
    }

    /// Its situation if it began to dream now. Mood and market are read once, at the start (replay spec, "sampling rule").
    pub fn replay_context<'a>(&self, moment: &Moment<'a>) -> ReplayContext<'a> {
        let rules = moment.rules;
        let (replay, pad) = (&rules.dream.replay, self.affect.pad());
        let seen = moment.view.asset(0);
        let bias = PadBias::of(pad.pleasure, pad.arousal, pad.dominance, &replay.mood);
        let hayflick = (moment.tick - self.born) as f64 / rules.dream.clocks.hayflick_ticks as f64;
        ReplayContext {
            tick: moment.tick,
            embedding: &seen.embedding,
            regime: self.genome.regime_thresholds(&rules.golem).classify(seen),
            pad_bias: bias.filter(|_| rules.daimon.is_on()),
            affect: rules.daimon.is_on(),
            mode: ReplayMode::of_accuracy(self.epistemics.fitness(&rules.mortality), replay),
            legacy: replay.legacy.turn(hayflick),
        }
    }

    /// How things stand, for a dream.
    fn circumstances(&self, order: &DreamOrder, moment: &Moment<'_>) -> Circumstances {
        let rules = moment.rules;
        let position = self.position.as_ref().map(|position| {
            let candidate = &position.decision.candidate;
            let now = PathPoint::from(moment.view.asset(candidate.asset));
            OpenPosition {
                asset: candidate.asset,
                strategy: candidate.strategy,
                side: candidate.side,
                stake: position.decision.stake,
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
            positions: position.into_iter().collect(),
            tick_seconds: rules.tick_seconds,
            smelled: self.smelled_dangers(moment),
        }
    }

    pub(super) fn fall_asleep(&mut self, order: DreamOrder, moment: &Moment<'_>, out: &mut Outbox) {
        let id = self.new_dream_id();
        let now = self.replay_context(moment);
        let circumstances = self.circumstances(&order, moment);
        let bardo = self.memory.dreamer().expect("only dreamers ask to dream");
        let view = bardo.dream_view(id.number, now, &moment.rules.dream, &moment.rules.llm);
        let mut stream = moment.seed.golem(self.id, Purpose::Dream, u64::from(id.number));
        let cycle = DreamCycle::begin(id, moment.tick, order.budget, circumstances, &view, &mut stream);
        let replayed = cycle.chosen().to_vec();
        let (urgency, budget, order) = (order.urgency, order.budget, Box::new(order));
        self.tell(moment.tick, EventKind::DreamStarted { id, urgency, budget, order, replayed }, out);
        self.activity = Activity::Dreaming(Box::new(cycle));
        self.dream_on(moment, out, |_, _| ());
    }

    /// Lets something happen in the dream, then does what comes next in it.
    pub(super) fn dream_on(
        &mut self,
        moment: &Moment<'_>,
        out: &mut Outbox,
        happen: impl FnOnce(&mut DreamCycle, &DreamView<'_>),
    ) {
        let now = self.replay_context(moment);
        let (Activity::Dreaming(cycle), Some(bardo)) = (&mut self.activity, self.memory.dreamer()) else {
            unreachable!("only a dreamer dreams on");
        };
        let id = cycle.id();
        let view = bardo.dream_view(id.number, now, &moment.rules.dream, &moment.rules.llm);
        happen(cycle, &view);
        let step = cycle.next(&view);
        let notes = cycle.take_notes();
        notes.into_iter().for_each(|note| self.tell(moment.tick, EventKind::of_dream(id, note), out));
        match step {
            DreamStep::Wait => {}
            DreamStep::Ask(questions) => {
                for Question { task, tier, temperature } in questions {
                    let tier = if self.mortal.rung.affords_large_model() { tier } else { tier.min(Tier::T1) };
                    self.ask(Question { task, tier, temperature }, id, out);
                }
            }
            DreamStep::Wake(report) => self.wake(*report, moment, out),
        }
    }

    fn wake(&mut self, mut report: DreamReport, moment: &Moment<'_>, out: &mut Outbox) {
        phase!("dream: integration");
        let dreamt = std::mem::replace(&mut self.activity, Activity::Awake);
        self.last_dream = moment.tick;
        self.tally.dreams += 1;
        self.drowse.refresh(moment.rules.dream.urgency.emotional_load_after_dream);
        let bardo = self.memory.dreamer_mut().expect("only dreamers wake");
        if matches!(dreamt, Activity::Dreaming(cycle) if cycle.scope() == DreamScope::Emergency) {
            bardo.draft_testament(&report.findings);
        }
        let strengthen = moment.rules.dream.replay.strength_per_replay;
        let (outcome, entry) = bardo.integrate(&mut report, moment.tick, strengthen);
        let beliefs = bardo.beliefs();
        let (rules, staged) = (beliefs.rules().len() as u32, beliefs.under_test().len() as u32);
        self.feel_dream(&report, moment, out);
        let result = DreamResult {
            episodes_replayed: report.metrics.episodes_replayed,
            counterfactuals_generated: entry.rem.counterfactuals_generated,
            insights_crystallized: report.metrics.novel_insights_generated,
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
        self.tell_of_knowledge(moment, out);
        let kind = EventKind::DreamCompleted {
            id: report.id,
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
        self.write(Letter::Dream(DreamRequest::Awake { spent: report.cost, wasted: false }), out);
    }

    /// Death comes to a sleeper: the dream is broken off, its journal is kept, the dormitory's place is free.
    pub(super) fn die_in_sleep(&mut self, cause: Cause, moment: &Moment<'_>, out: &mut Outbox) {
        if self.is_dreaming() {
            self.break_off(WakeSource::Death, moment, out);
        }
        self.activity = Activity::Dying(cause);
    }
}
