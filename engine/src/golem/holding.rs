//! Decisions inside a trade: a position is reviewed at intervals, and left if memory expects that holding it isn't worth its time.
//!
//! Every position is followed to its stop or the end of its horizon, on paper after it was left, because the price would have moved the same way
//! with it. So memory learns the further course of every position that was reviewed at least once, without holding losing ones; one that a
//! death closes teaches nothing more. Results and thresholds are in R before costs, intervals in ticks. Reviews are off by default
//! (`review_ticks` 0): then a trade ends by its stop, its horizon, its lender or a death. At a review the memory's advice decides: below
//! `leave_below_r` the position is closed, else it may be scaled; a memory without advice holds on. Asleep, in a sleep window or at an idle
//! tick (T0) a review is left out. It is an exit rule (early exit at a review period) by optimal stopping, with counterfactual follow-up.

use crate::episode::{Conditions, Context, Course, Review};
use crate::event::{EventKind, ExitReason};
use crate::golem::position::Position;
use crate::golem::scaling::ScalingConfig;
use crate::golem::state::Activity;
use crate::golem::{Golem, Moment, Outbox};
use crate::market::{Held, PaperTrade, PathPoint, SignalNow};
use crate::memory::{Candidate, DecisionContext, Holding};
use crate::phase::phase;
use morta_base::keys;
use morta_base::{EpisodeId, Tick};
use serde::{Deserialize, Serialize};

keys! {
    /// The `[golem.holding]` table.
    pub struct HoldingConfig {
        /// Ticks between two moments in which a position is thought over while its golem is awake; 0 for never: then it is held to its stop or
        /// the end of its horizon.
        review_ticks: u32 = 0, in 0..=10_000, "ticks";
        /// A position is left when staying in is expected to add less than this, its time taken off, in R.
        leave_below_r: f64 = 0.0, in -100.0..=100.0, "R";
        /// Positions that are made smaller and larger.
        scaling: ScalingConfig = ScalingConfig::default();
    }
}

impl HoldingConfig {
    /// Whether a position entered by a decision at `decided` is reviewed at a tick.
    fn is_due(&self, decided: Tick, now: Tick) -> bool {
        self.review_ticks > 0 && now > decided && (now - decided).is_multiple_of(u64::from(self.review_ticks))
    }
}

/// A position that was left, followed on paper after the exit: a counterfactual position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OnPaper {
    candidate: Candidate,
    /// The tick of the decision to enter: the horizon counts from it.
    decided: Tick,
    trade: PaperTrade,
    /// Reviews so far, on paper since it was left.
    course: Course,
    /// Whether its stop or horizon is reached. A sleeping golem hands it to memory when it wakes.
    is_over: bool,
}

impl OnPaper {
    /// The paper record of a position that is left, with the episode of its trade.
    pub(super) fn for_position(
        position: &Position,
        episode: EpisodeId,
        left_at: Option<u32>,
    ) -> Option<Self> {
        let decision = &position.decision;
        let candidate = decision.candidate;
        let course = Course {
            episode,
            strategy: candidate.strategy,
            context: decision.context,
            reviews: position.reviews.clone(),
            ended: decision.tick,
            end_r: 0.0,
            left_at,
        };
        let trade = decision.own_trade()?;
        Some(Self { candidate, decided: decision.tick, trade, course, is_over: false })
    }

    fn open_r(&self, now: PathPoint) -> f64 {
        self.trade.gain(now) / self.trade.stop_distance
    }

    /// Notes the result at a tick; returns whether its stop or horizon is reached.
    fn ends(&mut self, tick: Tick, now: PathPoint) -> bool {
        let r = self.open_r(now);
        let over = r <= -1.0 || tick - self.decided >= u64::from(self.candidate.signal.horizon_ticks);
        (self.course.ended, self.course.end_r) = (tick, r);
        over
    }
}

fn review(candidate: &Candidate, decided: Tick, open_r: f64, rho: f64, moment: &Moment<'_>) -> Review {
    let signals = moment.view.asset(candidate.asset).signals;
    let signal =
        SignalNow::from_signal(signals[candidate.strategy.index()], candidate.strategy, candidate.side);
    let held = Held::read(moment.tick - decided, candidate.signal.horizon_ticks, open_r, signal);
    Review { tick: moment.tick, held, open_r, rho }
}

impl Golem {
    /// Reviews the position, if the golem holds one, no order is under way and a review is due.
    pub(super) fn review_position(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let rules = &moment.rules.golem;
        let Some(position) = &self.position else { return };
        if self.order_out.is_some() || !rules.holding.is_due(position.decision.tick, moment.tick) {
            return;
        }
        phase!("decide");
        let (candidate, decided) = (position.decision.candidate, position.decision.tick);
        let seen = moment.view.asset(candidate.asset);
        let open_r = position.open_r(PathPoint::from(seen));
        let rho = self.average_reward.rho(rules.rank);
        let review = review(&candidate, decided, open_r, rho, moment);
        let context = Context::read(moment.view, candidate.asset, &self.genome.regime_thresholds(rules));
        let about = DecisionContext {
            tick: moment.tick,
            context: Context { held: Some(review.held), ..context },
            conditions: Conditions::read(moment.view, candidate.asset, self.upkeep.drawdown),
            time_s: moment.view.time_s,
            embedding: &seen.embedding,
            true_regime: moment.true_regimes[usize::from(candidate.asset)],
            law: moment.law,
        };
        // Costs are added back: `open_r` and the rest of the position are before costs, and the plan is compared with them.
        let planned_r = position.decision.expected_r + candidate.cost_r;
        let held_ticks = moment.tick - decided;
        let holding = Holding { candidate: &candidate, held_ticks, open_r, planned_r, rho };
        let advice = self.memory.holds().and_then(|memory| memory.advise_holding(&about, &holding));
        let position = self.position.as_mut().expect("it is held");
        position.reviews.push(review);
        let Some(advice) = advice else { return };
        if advice.stay_r >= rules.holding.leave_below_r {
            if rules.holding.scaling.enabled {
                self.scale_position(review.held, &holding, advice, moment, out);
            }
            return;
        }
        let kind = EventKind::PositionLeft {
            strategy: candidate.strategy,
            asset: candidate.asset,
            held: review.held,
            open_r,
            stay_r: advice.stay_r,
            why: advice.why,
        };
        self.tell(moment.tick, kind, out);
        self.order_close(ExitReason::Left, moment, out);
    }

    /// Follows positions that were left, and hands those that are over to memory. A sleeping golem follows them too, and hands them over only when it
    /// wakes.
    pub(super) fn follow_left(&mut self, moment: &Moment<'_>) {
        if self.left.is_empty() {
            return;
        }
        let rules = &moment.rules.golem;
        let rho = self.average_reward.rho(rules.rank);
        let asleep = matches!(self.activity, Activity::Dreaming(_));
        let ended = self.left.extract_if(.., |left| {
            let now = PathPoint::from(moment.view.asset(left.candidate.asset));
            left.is_over = left.is_over || left.ends(moment.tick, now);
            if left.is_over || asleep {
                return left.is_over && !asleep;
            }
            if rules.holding.is_due(left.decided, moment.tick) {
                let open_r = left.open_r(now);
                left.course.reviews.push(review(&left.candidate, left.decided, open_r, rho, moment));
            }
            false
        });
        for OnPaper { course, .. } in ended {
            if let Some(memory) = self.memory.holds_mut() {
                memory.observe_course(&course, moment.tick);
            }
        }
    }

    /// Notes the course of a position that was closed, at `closed`: complete if it was held to its end, followed further if it was left.
    pub(super) fn note_course(
        &mut self,
        position: &Position,
        (episode, closed): (EpisodeId, Tick),
        exit: ExitReason,
        moment: &Moment<'_>,
    ) {
        if position.reviews.is_empty() {
            return;
        }
        let left_at = (exit == ExitReason::Left).then(|| position.reviews.len() as u32 - 1);
        let Some(mut on_paper) = OnPaper::for_position(position, episode, left_at) else { return };
        let end = position.exit.expect("a position is closed after its exit was decided");
        match exit {
            ExitReason::Left => self.left.push(on_paper),
            ExitReason::Stop | ExitReason::Horizon | ExitReason::Liquidated => {
                // At the price at which the exit was decided: reviews are read from the same prices, without the slippage of the fill.
                on_paper.ends(closed, end);
                if let Some(memory) = self.memory.holds_mut() {
                    memory.observe_course(&on_paper.course, moment.tick);
                }
            }
            // A dying golem holds no position again, so the course would be of no use.
            ExitReason::Death => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_thought_over_at_intervals() {
        let every_four = HoldingConfig { review_ticks: 4, ..HoldingConfig::default() };
        let due: Vec<Tick> = (10..20).filter(|now| every_four.is_due(10, *now)).collect();
        assert_eq!(due, [14, 18]);
        assert!((0..50).all(|now| !HoldingConfig::default().is_due(0, now)), "not unless it is asked for");
    }
}
