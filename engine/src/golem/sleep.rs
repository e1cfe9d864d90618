//! Turning inward: the Curator's hour, dreaming, waking. When to dream is decided in [`super::drowse`].

use crate::base::Purpose;
use crate::dream::{DreamCycle, DreamOrder, DreamReport, DreamRequest, DreamScope, DreamStep, WakeSource};
use crate::event::EventKind;
use crate::golem::body::Activity;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::llm::InferenceRequest;
use crate::mortality::Cause;
use crate::replay::{PadBias, ReplayContext, ReplayMode};

impl Golem {
    /// Hands its recent trades to the Curator when they are due. Waking golems only.
    pub(super) fn see_the_curator(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let curator = &moment.rules.curator;
        let age = moment.tick - self.born;
        if !curator.enabled || age == 0 || !age.is_multiple_of(curator.interval_ticks) {
            return;
        }
        let Some(bardo) = self.memory.dreamer_mut() else { return };
        let request = bardo.curator_request();
        if !request.episodes.is_empty() {
            self.write(Letter::Curate(request), out);
        }
    }

    /// Mood and market are read once, at the start (replay spec, "sampling rule").
    fn replay_context<'a>(&self, moment: &Moment<'a>) -> ReplayContext<'a> {
        let rules = moment.rules;
        let (replay, pad) = (&rules.dream.replay, self.mood.pad());
        let seen = moment.view.asset(0);
        let bias = PadBias::of(pad.pleasure, pad.arousal, pad.dominance, &replay.mood);
        let hayflick = (moment.tick - self.born) as f64 / rules.dream.clocks.hayflick_ticks as f64;
        ReplayContext {
            tick: moment.tick,
            embedding: &seen.embedding,
            regime: self.genome.regime_thresholds(&rules.golem).classify(seen),
            pad_bias: bias.filter(|_| rules.daimon.enabled),
            affect: rules.daimon.enabled,
            mode: ReplayMode::of_accuracy(self.epistemics.fitness(&rules.mortality), replay),
            legacy: replay.legacy.turn(hayflick),
        }
    }

    pub(super) fn fall_asleep(&mut self, order: DreamOrder, moment: &Moment<'_>, out: &mut Outbox) {
        let id = self.new_dream_id();
        let now = self.replay_context(moment);
        let bardo = self.memory.dreamer().expect("only dreamers ask to dream");
        let view = bardo.dream_view(now, &moment.rules.dream, &moment.rules.llm);
        let mut stream = moment.seed.golem(self.id, Purpose::Dream, u64::from(id.number));
        let cycle = DreamCycle::begin(id, moment.tick, order.clone(), &view, &mut stream);
        let replayed = cycle.replayed().to_vec();
        let (urgency, budget, order) = (order.urgency, order.budget, Box::new(order));
        self.tell(moment.tick, EventKind::DreamStarted { id, urgency, budget, order, replayed }, out);
        self.activity = Activity::Dreaming(Box::new(cycle));
        self.dream_on(moment, out, |_| ());
    }

    /// Lets something happen in the dream, then does what comes next in it.
    pub(super) fn dream_on(
        &mut self,
        moment: &Moment<'_>,
        out: &mut Outbox,
        happen: impl FnOnce(&mut DreamCycle),
    ) {
        let now = self.replay_context(moment);
        let (Activity::Dreaming(cycle), Some(bardo)) = (&mut self.activity, self.memory.dreamer()) else {
            unreachable!("only a dreamer dreams on");
        };
        happen(cycle);
        let view = bardo.dream_view(now, &moment.rules.dream, &moment.rules.llm);
        match cycle.next(&view) {
            DreamStep::Ask(task) => {
                let tier = cycle.order().grade;
                self.write(Letter::Inference(InferenceRequest { task, tier }), out);
            }
            DreamStep::Wake(report) => self.wake(*report, moment, out),
        }
    }

    fn wake(&mut self, mut report: DreamReport, moment: &Moment<'_>, out: &mut Outbox) {
        let dreamt = std::mem::replace(&mut self.activity, Activity::Awake);
        self.last_dream = moment.tick;
        self.tally.dreams += 1;
        self.drowse.refresh(moment.rules.dream.urgency.emotional_load_after_dream);
        let bardo = self.memory.dreamer_mut().expect("only dreamers wake");
        if matches!(dreamt, Activity::Dreaming(cycle) if cycle.order().scope == DreamScope::Emergency) {
            bardo.draft_testament(&report.findings);
        }
        let strengthen = moment.rules.dream.replay.strength_per_replay;
        let outcome = bardo.integrate(&mut report, moment.tick, strengthen);
        let (rules, staged) = (bardo.playbook().rules().len() as u32, bardo.staging().claims().len() as u32);
        let retired = outcome.retired.into_iter().map(|rule| EventKind::RuleRetired {
            id: rule.id,
            claim: rule.claim,
            confidence: rule.confidence,
            confirmed: rule.confirmed,
            contradicted: rule.contradicted,
        });
        let admitted = outcome.admitted.into_iter().map(|rule| EventKind::RuleAdmitted {
            id: rule.id,
            claim: rule.claim,
            confidence: rule.confidence,
            provenance: rule.provenance,
            learned_from: rule.learned_from,
        });
        let contradictions =
            outcome.contradictions.into_iter().map(|claim| EventKind::Contradiction { claim });
        let stagings = outcome.staged.into_iter().map(|staged| EventKind::ClaimStaged {
            id: staged.id,
            claim: staged.claim,
            confidence: staged.confidence,
            provenance: staged.provenance,
            learned_from: staged.learned_from,
        });
        let displaced = outcome.displaced.into_iter().map(|staged| EventKind::ClaimDecided {
            id: staged.id,
            claim: staged.claim,
            verdict: crate::episode::StagingVerdict::Displaced,
            confirmed: staged.confirmed,
            contradicted: staged.contradicted,
        });
        let all: Vec<EventKind> =
            retired.chain(admitted).chain(contradictions).chain(stagings).chain(displaced).collect();
        all.into_iter().for_each(|kind| self.tell(moment.tick, kind, out));
        let kind = EventKind::DreamCompleted {
            id: report.id,
            began: report.began,
            metrics: report.metrics,
            inference_calls: report.inference_calls,
            cost: report.cost,
            cut_short: report.cut_short,
            rules,
            staged,
        };
        self.tell(moment.tick, kind, out);
        self.write(Letter::Dream(DreamRequest::Awake { spent: report.cost, wasted: false }), out);
    }

    /// Death comes to a sleeper: what it had found goes into the testament, the dormitory's place is free.
    pub(super) fn die_in_sleep(&mut self, cause: Cause, moment: &Moment<'_>, out: &mut Outbox) {
        if self.is_dreaming() {
            self.break_off(WakeSource::Death, moment, out);
        }
        self.activity = Activity::Dying(cause);
    }
}
