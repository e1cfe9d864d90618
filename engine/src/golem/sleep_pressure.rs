//! Sleep pressure: whether a waking golem wants to dream, and what wakes a dreaming one. The golem weighs this by itself in every waking
//! tick and writes to the scheduler only when it wants to sleep. Urgency, arousal and load run from 0 to 1, times are in ticks or simulated
//! seconds. It is demand-driven scheduling with backoff after a refusal (homeostatic sleep pressure). The scheduler has the last word and
//! may refuse for money or room; the golem checks the other preconditions (`schedule::gate`) first, so that no vain letter is written; a
//! petition by the interval is written all the same, to learn the reason. Only golems whose memory dreams ask, and only with
//! `dream.enabled` (off by default); the arousal of trades is averaged for all. In a sleep window such a golem decides nothing, and in the
//! tick of asking neither where `dream.schedule.position_is_pending` is on.

use crate::dream::imagination::Intensity;
use crate::dream::schedule::clocks::ClockScale;
use crate::dream::schedule::timetable::Watch;
use crate::dream::schedule::{
    ClockUrgency, DreamOrder, DreamRefusal, DreamScope, DreamTrigger, EconomicStage, Petition, PhaseBudgets,
    ScheduleMode, ThreeClockReading, WakeReason, WakeSource, gate,
};
use crate::dream::urgency::{Carry, UrgencyInputs, UrgencyTerms};
use crate::dream::{DreamAnswer, DreamReport, DreamRequest, DreamTier};
use crate::event::EventKind;
use crate::golem::state::Activity;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::market::PathPoint;
use crate::mortality::fitness::FitnessForm;
use crate::mortality::{Compartment, Phase};
use crate::replay::Uncertainty;
use morta_base::{EpisodeId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// Recent surprise from which it counts as unresolved. The dream architecture says "unresolved surprises" and leaves the limit open; our choice, half
/// of the scale.
const UNRESOLVED_SURPRISE: f64 = 0.5;
/// Emotional load from which it counts as high (digest section 9, A06: urgent above .5).
const HIGH_LOAD: f64 = 0.5;
/// The latest dreams whose quality decides how often dreams come. Our choice: the specs have quality calibrate scheduling and name no number.
const QUALITY_DREAMS: usize = 5;

/// Ticks after which a golem asks again when the scheduler has turned it down; our choice: asking at every tick would fill the log with refusals, and
/// keep the golem from being stepped ahead.
const RETRY_TICKS: Tick = 10;
/// Loss of a directive's urgency in every tick in which a precondition prevents it: after ten it has lapsed. The specs' decay of a blocked urgency (dream
/// architecture; digest section 9).
const DIRECTIVE_DECAY: f64 = 0.1;
/// A directive below this has lapsed: ten tenths don't sum exactly in binary.
const LAPSED: f64 = 1e-9;

/// The sleep pressure of a golem: the reasons that press it to sleep, and those that have kept it from sleeping.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SleepPressure {
    carry: Carry,
    /// Mean arousal of trades since the last dream, the load that this has left counting as one; over many, a running mean.
    emotional_load: f64,
    /// Number of values it is the mean of.
    stirring: u32,
    /// Urgency left of the owner's last directive, 0 to 1.
    directive: f64,
    /// Whether it has entered its terminal phase and not dreamt since.
    emergency: bool,
    /// The window in which it last asked to dream.
    asked_window: Option<i64>,
    /// The window that has no more dreams for it.
    spent_window: Option<i64>,
    /// The window in which it was woken: for the rest of it, it stays awake.
    interrupted_window: Option<i64>,
    /// Earliest tick at which it asks again after a refusal.
    retry_at: Tick,
    /// Simulated time of the last micro-consolidation, seconds since 1970-01-01 UTC.
    last_micro_s: Option<i64>,
    /// Number of the first episode that micro-consolidation has not looked at.
    first_fresh: u32,
    watch: Watch,
    /// Tick of its last waking from a dream; its birth before the first.
    pub(super) last_dream: Tick,
    /// Tick of its last request to the scheduler; its birth before the first.
    last_asked: Tick,
}

impl SleepPressure {
    /// The pressure of a newborn: none, and growing from its birth.
    pub(super) fn newborn(born: Tick) -> Self {
        Self { last_dream: born, last_asked: born, ..Self::default() }
    }

    /// The terminal phase begins or ends.
    pub(super) fn note_phase(&mut self, phase: Phase) {
        self.emergency = phase == Phase::Terminal;
    }

    /// Forgets what an earlier memory had left unresolved; the first episode to look at is this one.
    pub(super) fn forget(&mut self, next_episode: u32) {
        (self.carry, self.emotional_load, self.stirring) = (Carry::default(), 0.0, 0);
        self.first_fresh = next_episode;
    }

    /// A dream is over.
    pub(super) fn reset_after_dream(&mut self, load_left: f64) {
        self.carry = Carry::default();
        self.emotional_load *= load_left;
        self.stirring = self.stirring.min(1);
    }

    /// Adds the arousal of a trade. A dozen trades lie between two dreams: a running mean over the specs' fifty (digest section 9), started from nothing,
    /// would be a third of their arousal. So the first ones are averaged with equal weights.
    fn be_stirred(&mut self, arousal: f64, most_trades: u32) {
        self.stirring = self.stirring.saturating_add(1);
        let alpha = (2.0 / (f64::from(most_trades) + 1.0)).max(1.0 / f64::from(self.stirring));
        self.emotional_load += alpha * (arousal - self.emotional_load);
    }
}

impl Golem {
    fn may_dream(&self, moment: &Moment<'_>) -> bool {
        moment.rules.dream.enabled && self.memory.dreams().is_some()
    }

    /// The start of the sleep window that it keeps now, in seconds since 1970-01-01 UTC; `None` outside one.
    pub(super) fn sleep_window(&self, moment: &Moment<'_>) -> Option<i64> {
        let window = moment.rules.timetable.open_window(moment.view.time_s)?;
        (self.may_dream(moment) && self.sleep_pressure.interrupted_window != Some(window)).then_some(window)
    }

    /// Reflects after a trade (the step REFLECT of the tick, digest section 1): unresolved surprise or arousal makes a dream more urgent.
    pub(super) fn reflect(&mut self, arousal: f64, moment: &Moment<'_>) {
        let urgency = &moment.rules.dream.urgency;
        self.sleep_pressure.be_stirred(arousal, urgency.emotional_trades);
        let surprised = self.tally.recent_surprise >= UNRESOLVED_SURPRISE;
        let aroused = self.sleep_pressure.emotional_load >= HIGH_LOAD;
        if (surprised || aroused) && !self.is_dreaming() {
            self.sleep_pressure.carry.accumulate(urgency.reflect_step);
        }
    }

    /// Runs micro-consolidation, when its minute has come, in waking golems only.
    pub(super) fn micro_consolidate(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let (dream, now_s) = (&moment.rules.dream, moment.view.time_s);
        let interval_s = i64::from(dream.micro.interval_seconds);
        let due = self.sleep_pressure.last_micro_s.is_none_or(|last| now_s - last >= interval_s);
        if !dream.micro.enabled || !due || !self.may_dream(moment) {
            return;
        }
        self.sleep_pressure.last_micro_s = Some(now_s);
        let first =
            self.sleep_pressure.first_fresh.max(self.next.episode.saturating_sub(dream.micro.episodes));
        let id = |number| EpisodeId { golem: self.id, number };
        let fresh: Vec<EpisodeId> = (first..self.next.episode).map(id).collect();
        if fresh.is_empty() {
            return;
        }
        self.sleep_pressure.first_fresh = self.next.episode;
        let dreamer = self.memory.dreams_mut().expect("it dreams");
        let outcome = dreamer.micro_consolidate(&fresh, &dream.micro);
        if outcome.unresolved() {
            self.sleep_pressure.carry.accumulate(dream.urgency.micro_step);
        }
        if outcome.matches + outcome.anomalies > 0 {
            let (matches, anomalies) = (outcome.matches, outcome.anomalies);
            let carried = self.sleep_pressure.carry.value();
            self.tell(moment.tick, EventKind::MicroConsolidated { matches, anomalies, carried }, out);
        }
    }

    /// Asks to dream when it wants to and no precondition prevents it. Returns whether it is waiting for the answer.
    pub(super) fn ask_to_dream(
        &mut self,
        moment: &Moment<'_>,
        window: Option<i64>,
        out: &mut Outbox,
    ) -> bool {
        if !self.may_dream(moment) {
            return false;
        }
        if moment.rules.timetable.directs(self.id.lineage, moment.tick) {
            self.sleep_pressure.directive = 1.0;
        }
        let Some(petition) = self.strongest_petition(moment, window) else { return false };
        if petition.trigger == DreamTrigger::Interval {
            // It asks once an interval, and learns from the scheduler why not; but not in the middle of a trade.
            if petition.action_pending {
                return false;
            }
        } else if gate::refusal(&petition, &moment.rules.dream).is_some() {
            self.note_blocked(petition.trigger, moment);
            return false;
        }
        self.sleep_pressure.asked_window = petition.window;
        self.sleep_pressure.last_asked = moment.tick;
        self.write(Letter::Dream(DreamRequest::MayI(Box::new(petition))), out);
        self.activity = Activity::AskedToDream;
        true
    }

    fn note_blocked(&mut self, trigger: DreamTrigger, moment: &Moment<'_>) {
        if trigger == DreamTrigger::Directive {
            let left = self.sleep_pressure.directive - DIRECTIVE_DECAY;
            self.sleep_pressure.directive = if left > LAPSED { left } else { 0.0 };
        } else if trigger.is_urgency() {
            self.sleep_pressure.carry.decay(&moment.rules.dream.urgency);
        }
    }

    /// The petition of the most pressing reason to dream, if there is one and it is due: an emergency, a directive, and then those of the schedule's mode.
    /// An emergency comes first, because a golem in its terminal phase may not live to dream again.
    fn strongest_petition(&mut self, moment: &Moment<'_>, window: Option<i64>) -> Option<Petition> {
        let dream = &moment.rules.dream;
        let (reading, stage) = self.read_clocks(moment);
        let clocks = ClockUrgency::from_reading(&reading, &dream.clocks, &dream.replay.legacy);
        let gap_at = |quality| {
            let frequency = stage.frequency(&dream.clocks)
                * clocks.pace(&dream.clocks)
                * dream.clocks.by_quality(quality);
            ((dream.dream_cycle_interval as f64 / frequency).ceil() as u64).max(1)
        };
        let since_asked = moment.tick - self.sleep_pressure.last_asked;
        // The mean quality of the latest dreams takes a walk through the journal. It is at most 1, so where the best dreams wouldn't bring the next one
        // yet, none do.
        let soonest = gap_at(Some(1.0));
        let quality = || self.memory.dreams().and_then(|dreamer| dreamer.quality(QUALITY_DREAMS));
        let has_waited = |ticks: u64| ticks >= soonest && ticks >= gap_at(quality());
        let may_retry = moment.tick >= self.sleep_pressure.retry_at;
        if self.sleep_pressure.emergency && dream.schedule.emergency_dream {
            return may_retry.then(|| self.petition(DreamTrigger::Emergency, stage, moment, window));
        }
        if self.sleep_pressure.directive > 0.0 {
            return Some(self.petition(DreamTrigger::Directive, stage, moment, window));
        }
        if dream.schedule.mode == ScheduleMode::Interval {
            return has_waited(since_asked)
                .then(|| self.petition(DreamTrigger::Interval, stage, moment, window));
        }
        if let Some(since) = window {
            let rested = self.sleep_pressure.spent_window == Some(since);
            let first = self.sleep_pressure.asked_window != Some(since);
            let due = first || dream.tier == DreamTier::Hardened || has_waited(since_asked);
            let wants = may_retry && due && !rested;
            return wants.then(|| self.petition(DreamTrigger::Window, stage, moment, window));
        }
        if !dream.schedule.mode.heeds_urgency() {
            return None;
        }
        let petition = self.petition(DreamTrigger::Time, stage, moment, window);
        if petition.urgency < petition.threshold {
            if gate::refusal(&petition, dream).is_none() {
                self.sleep_pressure.carry.recover(&dream.urgency);
            }
            return None;
        }
        let since_dreamt = moment.tick - self.sleep_pressure.last_dream;
        // A petition that a precondition prevents is handed on, so that its urgency decays; one that is merely early is not.
        let early = !may_retry || !has_waited(since_asked.min(since_dreamt));
        (!early || gate::refusal(&petition, dream).is_some()).then_some(petition)
    }

    /// The petition with everything that the gate checks. Urgency is the rest of a directive, 1 in an emergency, and the score at other
    /// times; where urgency is the reason, the trigger is its strongest term.
    fn petition(
        &self,
        trigger: DreamTrigger,
        stage: EconomicStage,
        moment: &Moment<'_>,
        window: Option<i64>,
    ) -> Petition {
        let dream = &moment.rules.dream;
        let dreamer = self.memory.dreams().expect("only dreamers ask to dream");
        let fitness = self.epistemics.fitness(&moment.rules.mortality);
        let inputs = UrgencyInputs {
            novelty: self.tally.recent_surprise,
            consolidation: f64::from(dreamer.unreplayed()) / f64::from(dream.min_episodes),
            emotional: self.sleep_pressure.emotional_load.max(self.helpless_load(moment)),
            threat: self.tally.recent_loss.max(self.smelled_threat(moment)),
            epistemic: 1.0 - fitness,
            ticks_since_dream: moment.tick - self.sleep_pressure.last_dream,
        };
        let frequency = stage.frequency(&dream.clocks);
        let carried = self.sleep_pressure.carry.value();
        let terms = UrgencyTerms::from_inputs(&inputs, self.phase, frequency, carried, &dream.urgency);
        let uncertain = fitness < dream.schedule.uncertain_below_fitness;
        let quintile = moment.view.asset(0).volatility_quintile;
        let holds = self.position.is_some() && dream.schedule.position_is_pending;
        Petition {
            trigger: if trigger == DreamTrigger::Time {
                terms.strongest(dream.urgency.time_at_rest(self.phase))
            } else {
                trigger
            },
            urgency: match trigger {
                DreamTrigger::Directive => self.sleep_pressure.directive,
                DreamTrigger::Emergency => 1.0,
                _ => terms.score(),
            },
            terms,
            threshold: dream.schedule.threshold(self.phase, uncertain, quintile),
            phase: self.phase,
            episodes: dreamer.grimoire().len() as u32,
            llm_share: self.purse.llm_share(),
            llm_left: self.purse.amount(Compartment::Llm),
            action_pending: self.order_out.is_some() || holds,
            stage,
            time_s: moment.view.time_s,
            window,
        }
    }

    /// Spending is the running rate, at least the price of compute: a newborn's rate has yet to be learned.
    fn read_clocks(&self, moment: &Moment<'_>) -> (ThreeClockReading, EconomicStage) {
        let (rules, clocks) = (moment.rules, &moment.rules.dream.clocks);
        let balance = self.balance(|asset| PathPoint::from(moment.view.asset(asset)));
        let above_reserve = (balance - self.mortal.reserve).dollars();
        let burn = self.purse.burn_per_tick().max(rules.golem.compute_usdc_per_tick);
        let scale = ClockScale { tick_seconds: rules.timetable.tick_seconds(), clocks };
        let accuracy = self.epistemics.fitness(&rules.mortality);
        let reading = ThreeClockReading::from_balance(
            above_reserve,
            burn,
            accuracy,
            moment.rules.mortality.age(moment.tick - self.born),
            scale,
        );
        (reading, reading.stage(clocks))
    }

    pub(super) fn hear_scheduler(&mut self, answer: DreamAnswer, moment: &Moment<'_>, out: &mut Outbox) {
        let asked = self.activity == Activity::AskedToDream;
        match answer {
            DreamAnswer::Refused { trigger, urgency, reason } => {
                if asked {
                    self.activity = Activity::Awake;
                }
                self.note_refusal(trigger, reason, moment);
                self.tell(moment.tick, EventKind::DreamRefused { trigger, urgency, reason }, out);
            }
            DreamAnswer::Granted { trigger, urgency, terms, budget } if asked => {
                let order = self.dream_order(trigger, urgency, terms, budget, moment);
                self.fall_asleep(order, moment, out);
            }
            // It has begun to die since it asked: the place in the dormitory is free again.
            DreamAnswer::Granted { .. } => {
                self.write(Letter::Dream(DreamRequest::Awake { spent: Usdc::ZERO, wasted: false }), out);
            }
        }
    }

    fn note_refusal(&mut self, trigger: DreamTrigger, reason: DreamRefusal, moment: &Moment<'_>) {
        let sleep_pressure = &mut self.sleep_pressure;
        sleep_pressure.retry_at = moment.tick + RETRY_TICKS;
        let spent = matches!(reason, DreamRefusal::WindowSpent | DreamRefusal::MonthSpent);
        match trigger {
            DreamTrigger::Window if spent => sleep_pressure.spent_window = sleep_pressure.asked_window,
            DreamTrigger::Directive => sleep_pressure.directive = 0.0,
            DreamTrigger::Emergency if spent => sleep_pressure.emergency = false,
            _ => {}
        }
    }

    /// The order of a dream. Clocks, uncertainty and phase are read once, when it falls asleep. A golem that has wholly turned to its legacy
    /// divides its budget like a declining one.
    fn dream_order(
        &mut self,
        trigger: DreamTrigger,
        urgency: f64,
        terms: UrgencyTerms,
        budget: Usdc,
        moment: &Moment<'_>,
    ) -> DreamOrder {
        let (rules, dream) = (moment.rules, &moment.rules.dream);
        let (reading, stage) = self.read_clocks(moment);
        let clocks = ClockUrgency::from_reading(&reading, &dream.clocks, &dream.replay.legacy);
        let uncertainty = match rules.mortality.epistemic.fitness_form {
            FitnessForm::Skill => Uncertainty::of_skill(reading.accuracy, &dream.replay),
            FitnessForm::Accuracy | FitnessForm::RSquared | FitnessForm::Pnl => {
                Uncertainty::of_fitness(reading.accuracy, &dream.replay)
            }
        };
        let legacy = clocks.stochastic;
        let divided_as = if legacy >= 1.0 { self.phase.min(Phase::Declining) } else { self.phase };
        let divided = PhaseBudgets::divide(budget, divided_as, &dream.phases);
        let scope = match (trigger, stage) {
            (DreamTrigger::Emergency, _) => DreamScope::Emergency,
            (_, EconomicStage::Consolidating | EconomicStage::OutOfTime) => DreamScope::ConsolidationOnly,
            _ => DreamScope::Full,
        };
        self.sleep_pressure.directive = 0.0;
        self.sleep_pressure.emergency &= trigger != DreamTrigger::Emergency;
        self.sleep_pressure.watch.begin(&rules.timetable, moment.view);
        DreamOrder {
            trigger,
            urgency,
            terms,
            clocks,
            dream_intensity: clocks.dream_intensity(&dream.clocks),
            legacy,
            uncertainty,
            batch_size: dream.tier.batch_size(uncertainty, &dream.replay) as u32,
            intensity: Intensity::for_uncertainty(uncertainty, &dream.imagination),
            scope,
            tier: dream.tier,
            behavioural_phase: self.phase,
            budget,
            by_phase: match dream.tier {
                DreamTier::Core => divided.without_edges(),
                DreamTier::Hardened => divided.with_creative_floor(budget, dream.replay.creative_floor),
            },
        }
    }

    /// Wakes the golem on a call, a price alarm or a sibling's alert; the rest of its budget is wasted. Where wake interrupts are disabled,
    /// none of them does.
    pub(super) fn check_interrupts(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let timetable = &moment.rules.timetable;
        let alarmed = self.sleep_pressure.watch.check_alarms(timetable, moment.view);
        let call = timetable.call(self.id.lineage, moment.tick);
        let heeds = moment.rules.dream.wake_interrupts.enabled;
        let alert = || self.alert(moment).filter(|_| heeds).map(WakeReason::Threat);
        let Some(reason) = call.or(alarmed.map(WakeReason::Price)).or_else(alert) else { return };
        self.interrupt_dream(reason, moment, out);
        self.sleep_pressure.last_asked = moment.tick;
        self.sleep_pressure.interrupted_window = timetable.open_window(moment.view.time_s);
    }

    /// Ends a dream before its time: its journal so far is kept, in the log, and for the testament when it was dreamt for
    /// that or the dreamer dies.
    pub(super) fn interrupt_dream(&mut self, reason: WakeReason, moment: &Moment<'_>, out: &mut Outbox) {
        let activity = std::mem::replace(&mut self.activity, Activity::Awake);
        let Activity::Dreaming(cycle) = activity else { unreachable!("only a dream is broken off") };
        let dreamer = self.memory.dreams_mut().expect("only dreamers dream");
        let (findings, source) = (cycle.findings_so_far(), reason.source());
        if source == WakeSource::Death || cycle.scope() == DreamScope::Emergency {
            dreamer.draft_testament(&findings);
        }
        let (id, cost) = (cycle.id(), cycle.cost());
        let wasted = (cycle.budget() - cost).max(Usdc::ZERO);
        let report = cycle.broken_off();
        let journal = Box::new(dreamer.note_broken_dream(&report, moment.tick));
        let DreamReport { batches, tried, .. } = report;
        self.tell(moment.tick, EventKind::DreamReplayed { id, batches, tried }, out);
        let reason = Some(reason);
        let kind = EventKind::DreamInterrupted { id, cost, source, reason, wasted, findings, journal };
        self.tell(moment.tick, kind, out);
        self.write(Letter::Dream(DreamRequest::Awake { spent: cost, wasted: true }), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// .6 and .4 are .5 on average; a dream leaves .15, which counts as one trade; from the fourth trade on, of three at most, half is the newest's.
    #[test]
    fn emotional_load_is_a_mean_since_the_last_dream() {
        let mut pressure = SleepPressure::newborn(0);
        let mut load_after = |arousals: &[f64]| {
            arousals.iter().for_each(|arousal| pressure.be_stirred(*arousal, 3));
            let load = pressure.emotional_load;
            pressure.reset_after_dream(0.3);
            load
        };
        assert!((load_after(&[0.6, 0.4]) - 0.5).abs() < 1e-12);
        assert!((load_after(&[0.65]) - 0.4).abs() < 1e-12);
        assert!((load_after(&[0.12, 0.12, 0.12, 0.52]) - 0.32).abs() < 1e-12);
    }
}
