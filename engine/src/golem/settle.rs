//! Positions are followed and closed, and become episodes.
//!
//! R = profit / (largest size · stop distance), net of costs. Surprise is |expected R − R|, significance |profit| / money paid in, regret
//! as in `position`. Results are in R, surprise in R in the episode and, halved and held to 1, from 0 to 1 as appraised; money is in
//! dollars. It is trade settlement with profit and loss, followed by learning. R divides by the largest size, so that a golem that doubled
//! its positions doesn't look twice as good. The position is followed in every tick and settled when its closing order is filled; money is
//! booked at once, but a sleeper feels and learns on waking. An abstention becomes an episode of 0 R, with its surprise by what the
//! candidate made on paper; weak and dying golems don't remember all of them.

use crate::episode::{After, DecisionStep, Episode, EpisodeKind, OutcomeVerification, Provenance, StepKind};
use crate::event::{EventKind, ExitReason};
use crate::golem::exposure::Exposure;
use crate::golem::position::{Decision, Position};
use crate::golem::state::{LastTrade, OrderOut};
use crate::golem::waiting::{ClosedTrade, Waiting};
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::market::{Fill, Order, OrderKind, PathPoint, Strategy};
use crate::memory::Experience;
use morta_base::Usdc;

/// Weight of the newest trade in the running surprise and loss: about the last five count; our choice, because sleep pressure is about recent trades.
const RECENT: f64 = 0.2;
/// Surprise that counts as 1, in R; our choice: an expected gain of 1 R that ends at the stop.
const FULL_SURPRISE_R: f64 = 2.0;

/// The result (proceeds) of the closing order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settlement {
    cash_back: Usdc,
    gas: Usdc,
    price: f64,
    slippage_bps: f64,
    uncovered: Usdc,
}

impl From<&Fill> for Settlement {
    fn from(fill: &Fill) -> Self {
        let Fill { cash_back, gas, price, slippage_bps, uncovered, .. } = *fill;
        Self { cash_back, gas, price, slippage_bps, uncovered }
    }
}

impl Settlement {
    /// The settlement of a position hedged in full, which has nothing to close: no order, no gas.
    const fn of_nothing(price: f64) -> Self {
        Self { cash_back: Usdc::ZERO, gas: Usdc::ZERO, price, slippage_bps: 0.0, uncovered: Usdc::ZERO }
    }
}

/// The surprise of a trade, 0 to 1.
fn surprise_of(episode: &Episode) -> f64 {
    (episode.surprise / FULL_SURPRISE_R).min(1.0)
}

impl Golem {
    /// Follows the price, and closes the position at its stop or at the end of its time. Stops are resting orders: they
    /// work while the golem sleeps. The lender looks at every tick's price as well, so that a gap goes through its margin too. The end of its time is
    /// the golem's own will: a sleeper closes when it wakes.
    pub(super) fn follow_position(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let asleep = self.is_dreaming();
        let Some(position) = &mut self.position else { return };
        let candidate = position.decision.candidate;
        let now = PathPoint::from(moment.view.asset(candidate.asset));
        // The alternatives on paper have stops too, which rest with the venue while the golem sleeps.
        position.decision.shadows.follow(now);
        let r = position.open_r(now);
        if !asleep {
            position.note_hold(moment.tick, r);
        }
        if self.order_out.is_some() {
            return;
        }
        let held = moment.tick - position.decision.tick;
        // The lender comes first: at a price beyond both, a venue would not wait for the golem's own stop.
        if moment.rules.golem.leverage.liquidates(position, now, moment.tick) {
            self.order_close(ExitReason::Liquidated, moment, out);
        } else if r <= -1.0 {
            self.order_close(ExitReason::Stop, moment, out);
        } else if !asleep && held >= u64::from(candidate.signal.horizon_ticks) {
            self.order_close(ExitReason::Horizon, moment, out);
        }
    }

    pub(super) fn order_close(&mut self, exit: ExitReason, moment: &Moment<'_>, out: &mut Outbox) {
        let position = self.position.as_mut().expect("there is something to close");
        let candidate = position.decision.candidate;
        let now = PathPoint::from(moment.view.asset(candidate.asset));
        position.exit = Some(now);
        if position.quantity.0 == 0 {
            let hedged = self.position.take().expect("it was there just now");
            self.close_trade(*hedged, Settlement::of_nothing(now.price), exit, moment, out);
            return;
        }
        let Exposure { stake, loan, .. } = position.exposure;
        let leverage = &moment.rules.golem.leverage;
        let interest = leverage.interest(loan, moment.tick - position.decision.tick);
        let fee = match exit {
            ExitReason::Liquidated => leverage.liquidation_fee(stake + loan),
            ExitReason::Stop | ExitReason::Horizon | ExitReason::Left | ExitReason::Death => Usdc::ZERO,
        };
        let kind = OrderKind::Close {
            stake,
            loan,
            charges: interest + fee,
            quantity: position.quantity,
            proceeds: position.proceeds,
            fee_growth: position.fee_growth,
        };
        self.order_out = Some(OrderOut::Close(exit));
        self.write(Letter::Order(Order { asset: candidate.asset, side: candidate.side, kind }), out);
    }

    /// Books the end of a trade. A golem that is awake appraises it and learns from it at once, a sleeper on waking.
    pub(super) fn close_trade(
        &mut self,
        mut position: Position,
        end: Settlement,
        exit: ExitReason,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let (decision, exposure) = (&position.decision, &position.exposure);
        let gas = position.gas + end.gas;
        let pnl = exposure.profit(end.cash_back, gas);
        // By the most that was ever at risk in it. By the size at entry, a golem that doubled its positions would look twice as good.
        let at_risk = exposure.largest.dollars() * decision.candidate.signal.stop_distance;
        let realised_r = pnl.dollars() / at_risk;
        position.chain.push(DecisionStep { kind: StepKind::Exit, tick: moment.tick, r: realised_r });
        let exit_point = position.exit.expect("a position is closed after its exit was decided");
        let verification = OutcomeVerification {
            predicted_slippage_bps: decision.predicted_slippage_bps,
            realised_slippage_bps: position.entry_slippage_bps + end.slippage_bps,
            predicted_gas: decision.predicted_gas,
            realised_gas: gas,
        };
        let own = decision.candidate.strategy;
        let mut episode =
            self.experience(decision, EpisodeKind::Trade, realised_r, Some(own), exit_point, moment);
        episode.pnl = pnl;
        episode.stake = exposure.largest;
        episode.significance = pnl.dollars().abs() / exposure.paid_in.dollars();
        episode.chain = std::mem::take(&mut position.chain);
        episode.verification = Some(verification);
        let asleep = self.is_dreaming();
        if !asleep {
            self.feel_trade(&mut episode, moment, out);
        }
        self.note_outcome(decision, pnl, end.uncovered, exit, moment, out);
        self.tally.trades += 1;
        self.tally.wins += u32::from(realised_r > 0.0);
        self.tally.total_r += realised_r;
        self.tally.pnl += pnl;
        self.tally.total_regret_r += episode.regret;
        out.totals.trades += 1;

        let trade = ClosedTrade { position, episode, exit };
        if asleep {
            self.waiting.push(Waiting::Trade(Box::new(trade.clone())));
        } else {
            self.learn_from_trade(&trade, moment, out);
        }
        let ClosedTrade { position, episode, .. } = trade;
        let kind = EventKind::TradeClosed {
            episode: Box::new(episode),
            exit,
            entry_price: position.entry_price,
            exit_price: end.price,
            gas,
            true_regime: position.decision.true_regime,
            explored: position.decision.explored,
            asleep,
        };
        self.tell(moment.tick, kind, out);
        self.hear_memory(moment, out);
    }

    /// Appraises the end of a trade; the episode keeps the arousal.
    pub(super) fn feel_trade(&mut self, episode: &mut Episode, moment: &Moment<'_>, out: &mut Outbox) {
        episode.arousal = self.appraise_trade(episode, surprise_of(episode), moment, out);
    }

    /// Learns from a trade: running means, memory, threats, sleep pressure, and a pheromone for its clade.
    pub(super) fn learn_from_trade(&mut self, trade: &ClosedTrade, moment: &Moment<'_>, out: &mut Outbox) {
        let ClosedTrade { position, episode, exit } = trade;
        let decision = &position.decision;
        let (signal, realised_r) = (&decision.candidate.signal, episode.realised_r);
        let held_ticks = episode.closed - decision.tick;
        self.average_reward.note_trade(episode.strategy, signal, realised_r, held_ticks);
        self.tally.recent_surprise += RECENT * (surprise_of(episode) - self.tally.recent_surprise);
        self.tally.recent_loss += RECENT * ((-realised_r).clamp(0.0, 1.0) - self.tally.recent_loss);
        self.memory.observe(&Experience {
            episode,
            why: &decision.why,
            influential: &decision.influential,
            now: moment.tick,
        });
        self.note_course(position, (episode.id, episode.closed), *exit, moment);
        self.appraise_threats(moment, out);
        self.reflect(episode.arousal, moment);
        self.leave_pheromone(episode, moment, out);
        self.note_experience();
    }

    /// Notes the share of all its money that a trade took, and whether the lender ended it: a death can be put down to the trade.
    fn note_outcome(
        &mut self,
        decision: &Decision,
        pnl: Usdc,
        uncovered: Usdc,
        exit: ExitReason,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let before = (self.purse.total() - pnl).dollars();
        let lost_share = if before > 0.0 { (-pnl.dollars() / before).clamp(0.0, 1.0) } else { 0.0 };
        let liquidated = exit == ExitReason::Liquidated;
        let trade = After { strategy: decision.candidate.strategy, gained: pnl.is_positive() };
        self.tally.last_trade =
            LastTrade { closed: moment.tick, lost_share: lost_share as f32, liquidated, trade: Some(trade) };
        if liquidated {
            self.tally.liquidations += 1;
            let kind = EventKind::Liquidated {
                strategy: decision.candidate.strategy,
                asset: decision.candidate.asset,
                side: decision.candidate.side,
                loan: decision.loan,
                uncovered,
                lost_share,
            };
            self.tell(moment.tick, kind, out);
        }
    }

    /// Makes an episode of an abstention after its time, with a result of 0 R and its surprise by what the best candidate made on paper. It
    /// is always recorded, but remembered only as the phase of life allows (`encodes_abstention`). In sleep it waits, as a position beyond
    /// its horizon would have: the candidate is compared with what the golem could have made of it, and a sleeper can't close.
    pub(super) fn follow_abstention(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let asleep = self.is_dreaming();
        let Some(decision) = &mut self.abstention else { return };
        let now = PathPoint::from(moment.view.asset(decision.candidate.asset));
        decision.shadows.follow(now);
        if asleep || moment.tick - decision.tick < moment.rules.golem.abstention_ticks {
            return;
        }
        let decision = &self.abstention.take().expect("it is there");
        let missed = decision.shadows.result(decision.candidate.strategy, now).unwrap_or(0.0);
        let mut episode = self.experience(decision, EpisodeKind::StayedOut, 0.0, None, now, moment);
        episode.surprise = (decision.expected_r - missed).abs();
        self.tally.stayed_out += 1;
        if moment.rules.mortality.phases.encodes_abstention(self.phase, episode.surprise) {
            let (episode, now) = (&episode, moment.tick);
            self.memory.observe(&Experience { episode, why: &[], influential: &[], now });
        }
        self.tell(moment.tick, EventKind::StayedOut { episode: Box::new(episode) }, out);
    }

    /// The parts of an episode that trades and abstentions share.
    fn experience(
        &mut self,
        decision: &Decision,
        kind: EpisodeKind,
        realised_r: f64,
        own: Option<Strategy>,
        end: PathPoint,
        moment: &Moment<'_>,
    ) -> Episode {
        let better = decision.shadows.best_other(own, end).filter(|(_, r)| *r > realised_r);
        Episode {
            id: self.new_episode_id(),
            kind,
            provenance: Provenance::Own,
            opened: decision.tick,
            closed: moment.tick,
            asset: decision.candidate.asset,
            strategy: decision.candidate.strategy,
            side: decision.candidate.side,
            context: decision.context,
            conditions: decision.conditions,
            stake: decision.size(),
            pnl: Usdc::ZERO,
            expected_r: decision.expected_r,
            realised_r,
            surprise: (decision.expected_r - realised_r).abs(),
            significance: 0.0,
            regret: better.map_or(0.0, |(_, r)| r - realised_r),
            better_strategy: better.map(|(strategy, _)| strategy),
            arousal: 0.0,
            embedding: decision.embedding.clone(),
            chain: Vec::new(),
            verification: None,
        }
    }
}
