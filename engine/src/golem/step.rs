//! The golem's step: one tick of one life.
//!
//! The order matters. Answers come first, because fills decide what is held; then perception, with which the tick is paid for; positions
//! are settled before the clocks are read, so that a ruinous price kills in the tick in which it comes; decisions come after these, by the
//! state that they left, and the exchange with siblings comes last. A step is a pure function of state, moment and inbox; the outbox has
//! its effects (sense, think, act loop). The world calls `step_guarded` once a tick for each living golem: a panic then costs one life, by
//! the cause `Fault`, and not the run. `outlive_the_run` is called once, after the last tick.

use crate::dream::DreamRequest;
use crate::event::{Event, EventKind, WakingTier};
use crate::golem::state::Activity;
use crate::golem::{Answer, Golem, Letter, Moment, Outbox, Rules};
use crate::lethe::LetheQuery;
use crate::market::AssetView;
use crate::mortality::Cause;
use crate::phase::phase;
use morta_base::{Tick, Usdc};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Ticks over which a golem's mean reward a tick forgets by the factor e; ticks count in which it is awake and trades or could. Our choice: long
/// against a trade, so that one lucky trade hardly moves it.
const REWARD_WINDOW_TICKS: u64 = 1_000;

impl Golem {
    /// Steps once, one turn of the agent loop: receives its answers, pays for the tick, learns, settles, reads its clocks, and then sleeps,
    /// closes its affairs or decides; in a sleep window it doesn't decide. Asleep, it pays, its clocks go on and its stops rest with the
    /// venue; it perceives, feels, learns and exchanges nothing. Letters and events are added to the outbox, and a departure when it is
    /// gone.
    pub fn step(&mut self, moment: &Moment<'_>, inbox: Vec<Answer>, out: &mut Outbox) {
        let before = self.purse.total();
        self.genome.express(&moment.rules.golem);
        if !inbox.is_empty() || !self.waiting.is_empty() {
            phase!("hear answers");
            for answer in inbox {
                self.receive(answer, moment, out);
            }
            self.hear_what_waited(moment, out);
        }
        self.perceive(moment, out);
        {
            phase!("settle");
            self.follow_position(moment, out);
            self.follow_left(moment);
            self.follow_abstention(moment, out);
            self.follow_forecasts(moment, out);
        }
        {
            phase!("clocks and moods");
            self.check_clocks(moment, out);
            self.update_affect(moment, out);
        }
        self.act(moment, out);
        // After acting: before it, a lesson of this tick would be offered in a later one.
        self.sync_with_clade(moment, out);
        self.purse.end_tick(moment.tick, &moment.rules.golem.purse);
        out.totals.purse_change += self.purse.total() - before;
        out.totals.dreaming += u32::from(self.is_dreaming());
        out.totals.condition.add(self.epistemics.fitness(&moment.rules.mortality), self.vitality);
    }

    /// Pays for the tick and, awake, learns from the observed classes.
    fn perceive(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        phase!("perceive");
        self.pay_compute(Usdc::from_dollars(moment.rules.golem.compute_usdc_per_tick), out);
        if self.is_dreaming() {
            self.epistemics.sleep(&moment.rules.mortality);
            return;
        }
        let plasticity = self.genome.plasticity(&moment.rules.golem) as f32;
        let right =
            self.epistemics.learn(moment.observed, plasticity, self.last_regime, &moment.rules.mortality);
        if let Some([price_was_right, ..]) = right {
            self.note_prediction(moment.tick, price_was_right);
        }
        if moment.tick == self.born {
            self.receive_legacy(moment, out);
            self.draw_bloodstains(moment, out);
        }
        self.appraise_pheromones(moment, out);
    }

    /// Sleeps, closes its affairs or decides.
    fn act(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        match &self.activity {
            Activity::Dying(_) => self.close_affairs(moment, out),
            Activity::Awake => {
                let (asleep, window) = self.maintain_memory(moment, out);
                // The answer comes in the next tick. Where a position is no obstacle to sleep, an order of this tick isn't either: it is filled by
                // then, so asking costs no tick of trading.
                let asked = self.ask_to_dream(moment, window, out);
                let waits = asked && moment.rules.dream.schedule.position_is_pending;
                if asleep || waits || window.is_some() {
                    return;
                }
                let idle = self.position.is_none() && self.order_out.is_none();
                // Ticks in which it may open nothing are no time spent on trading, unless it holds something.
                if !idle || self.stake_factor(&moment.rules.mortality) > 0.0 {
                    self.average_reward.note_tick(REWARD_WINDOW_TICKS);
                }
                let tier = self.pass_gate(moment, out);
                if idle {
                    self.decide(tier, moment, out);
                } else if tier != WakingTier::T0 {
                    self.review_position(moment, out);
                }
            }
            Activity::AskedToDream => {}
            Activity::Dreaming(_) => self.sleep_on(moment, out),
        }
    }

    /// Maintains a waking golem's memory. Returns whether it sleeps by itself, and the sleep window it is in, if any (see `sleep_window`).
    fn maintain_memory(&mut self, moment: &Moment<'_>, out: &mut Outbox) -> (bool, Option<i64>) {
        phase!("mind memory");
        let asleep = self.attend_memory(moment, out);
        let window = self.sleep_window(moment);
        self.housekeeping(moment, out);
        if window.is_none() {
            self.ask_curator(moment, out);
            self.micro_consolidate(moment, out);
        }
        (asleep, window)
    }

    /// Steps, and survives a panic in the step: a golem whose step fails leaves no event from that tick but its death by fault, and no
    /// letter but, asleep or asking to dream, the notice to the scheduler that its place is free. Its money, as it was before the tick,
    /// goes to its estate. The run goes on. This is fault isolation with rollback: the panic is caught by `catch_unwind`.
    pub fn step_guarded(&mut self, moment: &Moment<'_>, inbox: Vec<Answer>, fault: bool, out: &mut Outbox) {
        // Only the purse is kept for a failure, because the ledger must add up. The record of a life that ends by fault may count a step that was half done.
        let money = self.purse.clone();
        let in_flight = inbox.iter().map(Answer::money_in_flight).sum();
        let marks = out.marks();
        let step = AssertUnwindSafe(|| {
            assert!(!fault, "fault injected by the scenario into {}", self.id);
            self.step(moment, inbox, out);
        });
        if catch_unwind(step).is_err() {
            out.rewind(marks);
            self.purse = money;
            self.depart_by_fault(moment, in_flight, out);
        }
    }

    /// Draws bloodstains at birth. Only golems whose memory can use them pay for the query.
    fn draw_bloodstains(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let lethe = &moment.rules.lethe;
        if !lethe.enabled || !self.draws_bloodstains() || lethe.draws_at_birth == 0 {
            return;
        }
        self.pay_lethe(Usdc::from_dollars(lethe.query_usdc), out);
        let (embedding, kin) =
            (moment.view.asset(0).embedding.clone(), self.kin(moment.rules.succession.policy));
        self.write(Letter::Draw(LetheQuery { embedding, limit: lethe.draws_at_birth, kin }), out);
    }

    /// Writes the events of a life that the end of the run cuts off: a right-censored one, since leaving it out would bias every life table
    /// towards early deaths.
    pub fn outlive_the_run(&self, tick: Tick, rules: &Rules, now: &[AssetView]) -> Vec<Event> {
        let mut out = Outbox::default();
        for inheritance in self.inheritance() {
            self.tell(tick, EventKind::InheritanceSettled(*inheritance), &mut out);
        }
        self.report_gate(tick, &mut out);
        let record = self.record(tick, None, rules, now);
        self.tell(tick, EventKind::LifeEnded(Box::new(record)), &mut out);
        out.events
    }

    /// Ends a life whose step panicked. Money in flight goes to its estate: the market has paid it out already, and the ledger must add up.
    fn depart_by_fault(&mut self, moment: &Moment<'_>, in_flight: Usdc, out: &mut Outbox) {
        let before = self.purse.total();
        let spent = match &self.activity {
            Activity::AskedToDream => Some(Usdc::ZERO),
            Activity::Dreaming(cycle) => Some(cycle.cost()),
            Activity::Awake | Activity::Dying(_) => None,
        };
        if let Some(spent) = spent {
            self.write(Letter::Dream(DreamRequest::Awake { spent, wasted: true }), out);
        }
        let record = self.record(moment.tick, Some(Cause::Fault), moment.rules, &moment.view.assets);
        let estate = self.purse.empty();
        out.totals.purse_change += Usdc::ZERO - before;
        self.tell(moment.tick, EventKind::LifeEnded(Box::new(record)), out);
        out.departures.push(self.departure(estate + in_flight, Cause::Fault, moment));
    }
}
