//! Candidate → advice → gate → order.

use crate::base::{Purpose, Stream, Usdc, math};
use crate::episode::Context;
use crate::event::EventKind;
use crate::golem::body::OrderOut;
use crate::golem::position::{Abstention, Decision, Shadows};
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::market::view::predicted_round_trip_bps;
use crate::market::{AssetIndex, Order, OrderKind, PathPoint, Strategy, round_trip_cost_bps};
use crate::memory::{Advice, Candidate, DecisionContext};
use crate::mortality::Compartment;

/// A candidate with its advice.
struct Weighed {
    candidate: Candidate,
    advice: Advice,
    context: Context,
    passes: bool,
}

impl Golem {
    pub(super) fn decide(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let rules = &moment.rules.golem;
        if !(moment.tick - self.born).is_multiple_of(rules.decision_interval_ticks) {
            return;
        }
        let equity = self.balance(|asset| PathPoint::from(moment.view.asset(asset)));
        let reckoned = equity.scaled(rules.max_position_share).max(Usdc(1));
        let mut options = Vec::new();
        for asset in 0..moment.view.assets.len() as AssetIndex {
            self.weigh_asset(asset, reckoned, moment, &mut options);
        }
        if options.is_empty() {
            return;
        }
        let mut stream = moment.seed.golem(self.id, Purpose::Choice, moment.tick);
        let (chosen, explored) = self.choose(&options, moment, &mut stream);
        match chosen {
            Some(index) => self.order_open(options.swap_remove(index), explored, equity, moment, out),
            None => self.abstain(&options, reckoned, moment),
        }
    }

    fn weigh_asset(
        &self,
        asset: AssetIndex,
        reckoned: Usdc,
        moment: &Moment<'_>,
        options: &mut Vec<Weighed>,
    ) {
        let rules = &moment.rules.golem;
        let seen = moment.view.asset(asset);
        let candidates: Vec<Candidate> = Strategy::ALL
            .into_iter()
            .filter_map(|strategy| {
                let signal = seen.signals[strategy.index()];
                let side = signal.side(strategy)?;
                let cost = round_trip_cost_bps(seen, side, reckoned, moment.view.gas) * 1e-4;
                let cost_r = cost / signal.stop_distance;
                let prior_r = rules.prior_edge_r * signal.strength.abs() - cost_r;
                (cost_r <= rules.max_cost_r).then_some(Candidate { strategy, asset, side, signal, prior_r })
            })
            .collect();
        if candidates.is_empty() {
            return;
        }
        let context = Context::read(moment.view, asset, &self.genome.regime_thresholds(rules));
        let true_regime = moment.true_regimes[usize::from(asset)];
        let about = DecisionContext { tick: moment.tick, context, embedding: &seen.embedding, true_regime };
        let mut advice = Vec::with_capacity(candidates.len());
        self.memory.advise(&about, &candidates, &mut advice);
        options.extend(candidates.into_iter().zip(advice).map(|(candidate, advice)| {
            let passes = !advice.veto && advice.expected_r > rules.min_expected_r;
            Weighed { candidate, advice, context, passes }
        }));
    }

    /// Mostly among what passes the gate, in proportion to e^(expected R / temperature); now and then anything, to explore.
    /// Draws the same numbers whatever is chosen.
    fn choose(&self, options: &[Weighed], moment: &Moment<'_>, stream: &mut Stream) -> (Option<usize>, bool) {
        let rules = &moment.rules.golem;
        let curiosity = self.genome.curiosity(rules);
        let explores = stream.chance(rules.exploration_rate * curiosity + self.youthful_curiosity(moment));
        let anything = stream.below(options.len());
        if explores {
            return (Some(anything), true);
        }
        let temperature = rules.choice_temperature_r * curiosity;
        let best = options
            .iter()
            .filter(|option| option.passes)
            .map(|option| option.advice.expected_r)
            .fold(f64::NEG_INFINITY, f64::max);
        if best == f64::NEG_INFINITY {
            return (None, false);
        }
        let weight = |option: &Weighed| match option.passes {
            true if temperature > 0.0 => math::exp((option.advice.expected_r - best) / temperature),
            true => f64::from(u8::from(option.advice.expected_r == best)),
            false => 0.0,
        };
        let weights: Vec<f64> = options.iter().map(weight).collect();
        (stream.weighted(&weights), false)
    }

    fn order_open(
        &mut self,
        option: Weighed,
        explored: bool,
        equity: Usdc,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let Weighed { candidate, advice, context, .. } = option;
        let rules = &moment.rules.golem;
        let risk = rules.risk_per_trade * self.genome.risk(rules) * advice.size_multiplier;
        let stake = equity
            .scaled(risk / candidate.signal.stop_distance)
            .min(equity.scaled(rules.max_position_share))
            .min(self.purse.amount(Compartment::Trading));
        if stake < Usdc::from_dollars(rules.min_stake_usdc) {
            return;
        }
        let decision = self.decision(&candidate, &advice, context, stake, explored, moment);
        let kind = EventKind::Decided {
            strategy: candidate.strategy,
            asset: candidate.asset,
            side: candidate.side,
            stake,
            context,
            expected_r: advice.expected_r,
            prior_r: candidate.prior_r,
            confidence: advice.confidence,
            explored,
            why: advice.why,
        };
        self.tell(moment.tick, kind, out);
        self.abstention = None;
        self.purse.stake(stake);
        self.order_out = Some(OrderOut::Open(Box::new(decision)));
        let order = Order { asset: candidate.asset, side: candidate.side, kind: OrderKind::Open { stake } };
        self.write(Letter::Order(order), out);
    }

    fn abstain(&mut self, options: &[Weighed], reckoned: Usdc, moment: &Moment<'_>) {
        if self.abstention.is_some() {
            return;
        }
        let best = options.iter().max_by(|a, b| a.advice.expected_r.total_cmp(&b.advice.expected_r));
        let Weighed { candidate, advice, context, .. } = best.expect("there was something to turn down");
        let decision = self.decision(candidate, advice, *context, reckoned, false, moment);
        self.abstention = Some(Box::new(Abstention { decision }));
    }

    fn decision(
        &self,
        candidate: &Candidate,
        advice: &Advice,
        context: Context,
        stake: Usdc,
        explored: bool,
        moment: &Moment<'_>,
    ) -> Decision {
        let seen = moment.view.asset(candidate.asset);
        Decision {
            candidate: *candidate,
            tick: moment.tick,
            stake,
            context,
            true_regime: moment.true_regimes[usize::from(candidate.asset)],
            embedding: seen.embedding.clone(),
            expected_r: advice.expected_r,
            explored,
            why: advice.why.clone(),
            shadows: Shadows::open(seen, &seen.signals, stake, moment.view.gas),
            predicted_slippage_bps: predicted_round_trip_bps(seen, stake),
            predicted_gas: moment.view.gas + moment.view.gas,
        }
    }
}
