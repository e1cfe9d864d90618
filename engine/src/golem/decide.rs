//! Decisions: candidates, advice, gate, order.
//!
//! For each strategy with a signal on each asset, expected R (net of costs) is memory's advice, whose starting point is the prior
//!
//! ```text
//! prior = prior_edge · |strength| − cost        in R
//! ```
//!
//! A candidate passes, unless memory vetoes it, when E[R] + gut − (its time − the time of waiting) > gate, and is chosen among those that
//! pass with probability proportional to e^(rank / temperature), its rank being E[R] + gut − ρ·ticks (see `average_reward`). At temperature
//! 0 the best is taken. To explore, now and then any candidate is taken, past gate and veto, if the memory lets it. The stake risks a share
//! of the balance at the stop: stake = balance · risk / stop distance, at most a share of the balance. A golem decides only awake, outside
//! a sleep window, while it holds no position and has no order out and its phase and rung let it open one, once every decision interval.
//! Candidates whose round trip costs more than `max_cost_r` are dropped before memory is asked. In the field: a contextual bandit policy
//! with a gate, softmax choice and epsilon-greedy exploration, and position sizing by fixed fractional risk.

use crate::daimon::behaviour::{PLEASURE_WEIGHT, action_score};
use crate::daimon::somatic::GUT_WEIGHT_R;
use crate::episode::{Conditions, Context, Provenance};
use crate::event::{EventKind, WakingTier};
use crate::golem::affect::AffectModulation;
use crate::golem::average_reward::TimeValue;
use crate::golem::config::MIN_STAKE;
use crate::golem::exposure::Sizing;
use crate::golem::position::{Decision, Shadows};
use crate::golem::state::OrderOut;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::market::view::predicted_round_trip_bps;
use crate::market::{AssetIndex, Order, OrderKind, PathPoint, Strategy, round_trip_cost_bps};
use crate::memory::{Advice, Candidate, DecisionContext, Outlook, Voice, VoiceSource};
use crate::mortality::urgency;
use crate::phase::phase;
use morta_base::{Purpose, Usdc, math};

/// A scored candidate: an action with its advice.
pub(super) struct Weighed {
    pub candidate: Candidate,
    pub advice: Advice,
    pub context: Context,
    conditions: Conditions,
    pub standing: CandidateStanding,
    /// Memory's expectation, R net of costs, without the gut's. Forecasts are made of it, so that a mood moves no epistemic clock.
    pub memory_r: f64,
    /// The voice of the gut, if it has one; kept apart from memory's voices until the candidate is acted on.
    gut: Option<Voice>,
}

/// The standing of a candidate in the ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CandidateStanding {
    pub passes: bool,
    /// The rank by which it is chosen, in R.
    pub rank: f64,
    /// Expected R beyond the worth of its time, without the action score of a mood: the yardstick of an abstention.
    pub net_r: f64,
}

impl Golem {
    /// Weighs all candidates. At a thinking tick a golem orders one of them or abstains; at an idle tick (T0) their forecasts are noted and nothing else, so
    /// that the epistemic clock runs alike with a gate and without.
    pub(super) fn decide(&mut self, tier: WakingTier, moment: &Moment<'_>, out: &mut Outbox) {
        let rules = &moment.rules.golem;
        let mortality = &moment.rules.mortality;
        let interval = self.decision_interval(moment);
        if !(moment.tick - self.born).is_multiple_of(interval) || self.stake_factor(mortality) <= 0.0 {
            return;
        }
        phase!("decide");
        let equity = self.balance(|asset| PathPoint::from(moment.view.asset(asset)));
        self.note_equity(equity);
        // Costs in R depend on the stake, and the stake on memory's advice, which needs the costs: all candidates are costed at the largest stake.
        let reckoned = equity.scaled(rules.max_position_share).max(Usdc(1));
        let modulation = self.affect_modulation(moment);
        let mut options = Vec::new();
        for asset in 0..moment.view.assets.len() as AssetIndex {
            self.weigh_asset(asset, reckoned, &modulation, moment, &mut options);
        }
        if options.is_empty() {
            return;
        }
        self.forecast(&options, moment);
        if let Some(gate) = &mut self.gate {
            gate.note_confidence(options.iter().map(|option| option.advice.confidence));
        }
        if tier == WakingTier::T0 {
            return;
        }
        let read_tokens =
            options.iter().fold(0, |sum: u32, option| sum.saturating_add(option.advice.read_tokens));
        self.pay_reading(read_tokens, tier, moment, out);
        let standings: Vec<CandidateStanding> = options.iter().map(|option| option.standing).collect();
        let (chosen, explored) = self.choose(&standings, &modulation, moment);
        match chosen {
            Some(index) => {
                // An explored candidate was drawn by lot, so no item of memory has tipped the choice.
                let influential = if explored {
                    Vec::new()
                } else {
                    self.influential_items(&options, index, &modulation, equity, moment)
                };
                let risk = modulation.risk;
                self.order_open(
                    options.swap_remove(index),
                    explored,
                    influential,
                    (equity, risk),
                    moment,
                    out,
                );
            }
            None => self.abstain(&options, reckoned, moment),
        }
    }

    fn decision_interval(&self, moment: &Moment<'_>) -> u64 {
        let (rules, ladder) = (&moment.rules.golem, &moment.rules.mortality.economic.ladder);
        ladder.decision_interval(self.mortal.rung, rules.decision_interval_ticks)
    }

    /// The value of time at this decision.
    fn time_value(&self, moment: &Moment<'_>) -> TimeValue {
        let rho = self.average_reward.rho(moment.rules.golem.rank);
        TimeValue { rho, wait_ticks: self.decision_interval(moment) as f64 }
    }

    fn weigh_asset(
        &self,
        asset: AssetIndex,
        reckoned: Usdc,
        modulation: &AffectModulation,
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
                let candidate = Candidate { strategy, asset, side, signal, prior_r, cost_r };
                (cost_r <= rules.max_cost_r).then_some(candidate)
            })
            .collect();
        if candidates.is_empty() {
            return;
        }
        let context = Context {
            after: self.tally.last_trade.trade,
            ..Context::read(moment.view, asset, &self.genome.regime_thresholds(rules))
        };
        let true_regime = moment.true_regimes[usize::from(asset)];
        let conditions = Conditions::read(moment.view, asset, self.upkeep.drawdown);
        let about = DecisionContext {
            tick: moment.tick,
            context,
            conditions,
            time_s: moment.view.time_s,
            embedding: &seen.embedding,
            true_regime,
            law: moment.law,
        };
        let mut advice = Vec::with_capacity(candidates.len());
        {
            phase!("advise");
            self.memory.advise(&about, &candidates, &mut advice);
        }
        options.extend(candidates.into_iter().zip(advice).map(|(candidate, mut advice)| {
            let memory_r = advice.expected_r;
            let (standing, gut) = self.stand(&candidate, &mut advice, &context, modulation, moment);
            Weighed { candidate, advice, context, conditions, standing, memory_r, gut }
        }));
    }

    /// The standing of a candidate by some advice, to whose expectation the gut's R is added.
    pub(super) fn stand(
        &self,
        candidate: &Candidate,
        advice: &mut Advice,
        context: &Context,
        modulation: &AffectModulation,
        moment: &Moment<'_>,
    ) -> (CandidateStanding, Option<Voice>) {
        let time = self.time_value(moment);
        let cost_r = |outlook: &Outlook| {
            let known = outlook.held_ticks;
            let learnt = || self.average_reward.held_ticks(candidate.strategy, &candidate.signal);
            time.cost_r(known.unwrap_or_else(learnt))
        };
        let gate_r = moment.rules.golem.min_expected_r + modulation.gate_shift_r;
        let (score, added_r, gut) = self.score(candidate, advice, context, moment);
        let (gate, choice) = (advice.gate(), advice.choice());
        advice.expected_r += added_r;
        let chosen_cost_r = cost_r(&choice);
        let beats_waiting = gate.expected_r + added_r - (cost_r(&gate) - time.wait_cost_r()) > gate_r;
        let standing = CandidateStanding {
            passes: !advice.veto && beats_waiting,
            rank: score - chosen_cost_r,
            net_r: choice.expected_r + added_r - chosen_cost_r,
        };
        (standing, gut)
    }

    /// The score of a candidate, its time aside, and the R that a gut feeling adds to its expectation. By the action score (digest section 1, A03), the gut
    /// feeling is the promised pleasure instead (the mood's pleasure is the same for all candidates and ranks none), and merit is the
    /// prior, moved to the expectation as far as memory is confident of it. The value of time is taken off
    /// afterwards, in full: the score weighs merit and expectation with weights that add up to 1, so it would be taken off of both.
    fn score(
        &self,
        candidate: &Candidate,
        advice: &Advice,
        context: &Context,
        moment: &Moment<'_>,
    ) -> (f64, f64, Option<Voice>) {
        let daimon = &moment.rules.daimon;
        let gut = self.gut_feeling(candidate.strategy, context, moment);
        let scored = daimon.is_on() && daimon.behaviour.action_score;
        let weight = if scored { PLEASURE_WEIGHT } else { GUT_WEIGHT_R };
        let added_r = if scored { 0.0 } else { weight * gut };
        let mut voice = Voice::new(VoiceSource::Gut, Provenance::Own, weight, gut);
        voice.note_moved(added_r);
        let voice = (gut != 0.0 && weight > 0.0).then_some(voice);
        let expected_r = advice.choice().expected_r;
        if !scored {
            return (expected_r + added_r, added_r, voice);
        }
        let merit = candidate.prior_r + advice.confidence * (expected_r - candidate.prior_r);
        (action_score(urgency(self.vitality), merit, expected_r, gut), added_r, voice)
    }

    /// Chooses: mostly among candidates that pass the gate, in proportion to e^(rank / temperature), both in R; now and then any of them, to explore.
    /// Draws the same numbers whatever is chosen, and whenever it is called again at this moment: influence is measured by choosing again without one voice,
    /// and with fresh draws every item would seem to tip decisions.
    pub(super) fn choose(
        &self,
        options: &[CandidateStanding],
        modulation: &AffectModulation,
        moment: &Moment<'_>,
    ) -> (Option<usize>, bool) {
        let stream = &mut moment.seed.golem(self.id, Purpose::Choice, moment.tick);
        let rules = &moment.rules.golem;
        let curiosity = self.genome.curiosity(rules) * modulation.exploration;
        let by_nature = rules.exploration_rate * curiosity + self.exploration_bonus(moment);
        let explores = stream.chance(by_nature * self.exploration_factor());
        let anything = stream.below(options.len());
        if explores && self.memory.explores() {
            return (Some(anything), true);
        }
        let temperature = rules.choice_temperature_r * curiosity;
        // Ranks are taken relative to the best, so that e^(rank / temperature) can't overflow and at least one weight is 1.
        let best = options
            .iter()
            .filter(|option| option.passes)
            .map(|option| option.rank)
            .fold(f64::NEG_INFINITY, f64::max);
        if best == f64::NEG_INFINITY {
            return (None, false);
        }
        let weight = |option: &CandidateStanding| match option.passes {
            true if temperature > 0.0 => math::exp((option.rank - best) / temperature),
            true => f64::from(u8::from(option.rank == best)),
            false => 0.0,
        };
        let weights: Vec<f64> = options.iter().map(weight).collect();
        (stream.weighted(&weights), false)
    }

    fn order_open(
        &mut self,
        option: Weighed,
        explored: bool,
        influential: Vec<VoiceSource>,
        (equity, risk_factor): (Usdc, f64),
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let Weighed { candidate, mut advice, context, conditions, gut, .. } = option;
        advice.why.extend(gut);
        let Some(sizing) = self.stake(&candidate, advice.size_multiplier, (equity, risk_factor), moment)
        else {
            return;
        };
        let about = (context, conditions);
        let decision =
            Decision { influential, ..self.decision(&candidate, &advice, about, sizing, explored, moment) };
        let Sizing { stake, loan } = sizing;
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
        if loan > Usdc::ZERO {
            let leverage = sizing.size().dollars() / stake.dollars();
            self.tell(moment.tick, EventKind::Leveraged { loan, leverage }, out);
        }
        self.abstention = None;
        self.purse.stake(stake);
        self.order_out = Some(OrderOut::Open(Box::new(decision)));
        let kind = OrderKind::Open { stake, loan };
        self.write(Letter::Order(Order { asset: candidate.asset, side: candidate.side, kind }), out);
    }

    /// The money to put into a position, and the loan besides; `None` if the former is below the least stake.
    pub(super) fn stake(
        &self,
        candidate: &Candidate,
        size_multiplier: f64,
        (equity, risk_factor): (Usdc, f64),
        moment: &Moment<'_>,
    ) -> Option<Sizing> {
        let rules = &moment.rules.golem;
        let careful = self.stake_factor(&moment.rules.mortality) * risk_factor;
        let risk = rules.risk_per_trade * self.genome.risk(rules) * size_multiplier * careful;
        let wanted = equity.scaled(risk / candidate.signal.stop_distance);
        let stake =
            wanted.min(equity.scaled(rules.max_position_share)).min(self.stakeable(moment.rules.mortal));
        let sizing = Sizing { stake, loan: rules.leverage.loan(wanted, stake) };
        (stake >= MIN_STAKE).then_some(sizing)
    }

    fn abstain(&mut self, options: &[Weighed], reckoned: Usdc, moment: &Moment<'_>) {
        // One abstention at a time: otherwise a golem that abstains at every decision would remember one stretch of the market many times over.
        if self.abstention.is_some() {
            return;
        }
        let best = options.iter().max_by(|a, b| a.standing.net_r.total_cmp(&b.standing.net_r));
        let Weighed { candidate, advice, context, conditions, .. } =
            best.expect("there was something to turn down");
        let decision =
            self.decision(candidate, advice, (*context, *conditions), Sizing::own(reckoned), false, moment);
        self.abstention = Some(Box::new(decision));
    }

    fn decision(
        &self,
        candidate: &Candidate,
        advice: &Advice,
        (context, conditions): (Context, Conditions),
        sizing: Sizing,
        explored: bool,
        moment: &Moment<'_>,
    ) -> Decision {
        let seen = moment.view.asset(candidate.asset);
        let size = sizing.size();
        Decision {
            candidate: *candidate,
            tick: moment.tick,
            stake: sizing.stake,
            loan: sizing.loan,
            context,
            conditions,
            true_regime: moment.true_regimes[usize::from(candidate.asset)],
            embedding: seen.embedding.clone(),
            expected_r: advice.expected_r,
            explored,
            why: advice.why.clone(),
            influential: Vec::new(),
            shadows: Shadows::open(seen, &seen.signals, size, moment.view.gas),
            predicted_slippage_bps: predicted_round_trip_bps(seen, size),
            predicted_gas: moment.view.gas + moment.view.gas,
        }
    }
}
