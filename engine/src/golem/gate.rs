//! The waking gate: a golem looks at every tick and thinks only when surprised (digest section 1, B02).
//!
//! ```text
//! PE = min(1, .3·miss of the price + .4·[regime changed] + .2·change of health + .15·threat
//!             + .1·interventions + .05·anomalies)
//! θ  = clamp(.3·(1 + .5·confidence)·(1 − .3·(1 − vitality))·(1 − .2·|arousal|), .05, .8)
//! T0 if PE < θ, T1 if θ ≤ PE < 2θ, else T2
//! ```
//!
//! An owner's call, or a phase about to change, makes a tick T2 whatever PE is (in the form `surprise`; `random` only counts it). The gate
//! is off by default: then every tick is T1 and costs nothing. In T0 a golem perceives, recalls the advice on its candidates, and follows
//! them on paper, but neither opens nor reviews a position; in T1 and T2 it pays (`t1_usdc`, `t2_usdc`, and for the tokens that its memory
//! reads) and decides by the rules of any golem, no model being asked. T2 differs from T1 by its price alone; a tier that the inference
//! purse can't pay falls to the next lower. No golem expects another price than the last one, so the prediction is persistence: the price
//! at its last waking tick. Prediction errors, confidence, vitality and thresholds run from 0 to 1, prices are in dollars. In the field:
//! event-triggered computation, or metareasoning (when to think) by prediction error. Its form is a wake-up policy: by surprise, or for a
//! control group always on or at random; the error table has the weights of the prediction error. It saves inference cost.

mod surprise;

use crate::daimon::Pad;
use crate::dream::WakeReason;
use crate::event::{EventKind, GateTally, WakingTier};
use crate::golem::state::Golem;
use crate::golem::{Moment, Outbox};
use crate::llm::Tier;
use crate::market::{PathPoint, Regime};
use crate::mortality::{Compartment, Phase};
use morta_base::keys;
use morta_base::{Purpose, TableChecker, Tick, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};
use surprise::Surprise;

morta_base::words! {
    /// What opens the gate.
    #[derive(Default)]
    pub(crate) enum GateForm: Key {
        /// Surprise.
        #[default]
        Surprise = "surprise",
        /// Chance, at the rates at which the golem's own surprises would have: a research control. Each of its waking ticks so far, this one
        /// included, is as likely to be followed; ticks in a position are drawn from those in a position, the others from the others.
        Random = "random",
        /// Every tick, in T1: a research control.
        Always = "always",
    }
}

keys! {
    /// The `[golem.gate]` table. The constants are those of the specs.
    // Digest section 1, B02.
    pub struct GateConfig {
        /// Whether there is a gate; without one golems think at every tick, and nothing is paid for that.
        enabled: bool = false;
        /// What opens it. `surprise`; `random`, a research control: as often, at random; `always`, another: at every tick, in T1.
        form: GateForm = GateForm::Surprise;
        /// Price of a tick in T1, thought over by a small model, dollars. (Specs: .001 to .003.)
        t1_usdc: f64 = 0.002, in 0.0..=1e6, "dollars";
        /// Price of a tick in T2, thought over by a large model, dollars. (Specs: .01 to .25.)
        t2_usdc: f64 = 0.03, in 0.0..=1e6, "dollars";
        /// θ of who has no confidence, full vitality and no arousal: the prediction error from which a golem thinks.
        threshold: f64 = 0.3, in 0.0..=1.0, "prediction error";
        /// How much full confidence raises θ: that of memory's advice, the mean over the candidates it last spoke of.
        confidence_weight: f64 = 0.5, in 0.0..=10.0, "share";
        /// How much θ falls when vitality falls from 1 to 0.
        vitality_weight: f64 = 0.3, in 0.0..=1.0, "share";
        /// How much full arousal, of either sign, lowers θ.
        arousal_weight: f64 = 0.2, in 0.0..=1.0, "share";
        /// θ is never below this.
        min_threshold: f64 = 0.05, in 0.0..=1.0, "prediction error";
        /// θ is never above this.
        max_threshold: f64 = 0.8, in 0.0..=1.0, "prediction error";
        /// Prediction error over θ from which it is T2.
        large_from: f64 = 2.0, in 1.0..=100.0, "factor";
        /// What surprises.
        error: ErrorConfig = ErrorConfig::default();
    }
    also bounds_are_in_order;
}

keys! {
    /// The `[golem.gate.error]` table: what a prediction error is made of.
    pub struct ErrorConfig {
        /// Weight of the largest miss of a price.
        price: f64 = 0.3, in 0.0..=1.0, "weight";
        /// Change of a price since the last waking tick that counts as a miss of 1, as a share of the price. By the specs, 1: a price
        /// that has doubled. Where prices move by half a percent a tick, that leaves the term without any say.
        price_full_miss: f64 = 1.0, in above(0.0).to(10.0), "share";
        /// Weight of a change of regime, of any asset, as the golem reads it.
        regime: f64 = 0.4, in 0.0..=1.0, "weight";
        /// Weight of a change in the health of its position beyond .1, up to .5. Health is 1 at entry and 0 at the stop, so it changes by
        /// as much as the open result does, in R.
        health: f64 = 0.2, in 0.0..=1.0, "weight";
        /// Weight of the strongest threat in the air.
        threat: f64 = 0.15, in 0.0..=1.0, "weight";
        /// Weight of each call that reaches it (`dream.interrupts`), up to three. One of its owner's makes it T2.
        intervention: f64 = 0.1, in 0.0..=1.0, "weight";
        /// Weight of each odd thing about the market, up to five: a gas spike, a liquidity crisis, the highest fifth of volatility.
        anomaly: f64 = 0.05, in 0.0..=1.0, "weight";
    }
}

impl GateConfig {
    fn bounds_are_in_order(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[("min_threshold", self.min_threshold), ("max_threshold", self.max_threshold)]);
    }

    fn price(&self, tier: WakingTier) -> Usdc {
        match tier {
            WakingTier::T0 => Usdc::ZERO,
            WakingTier::T1 => Usdc::from_dollars(self.t1_usdc),
            WakingTier::T2 => Usdc::from_dollars(self.t2_usdc),
        }
    }

    /// The highest tier up to `called` that `left` pays for.
    fn affordable(&self, called: WakingTier, left: Usdc) -> WakingTier {
        let paid_for = |tier: &WakingTier| *tier <= called && self.price(*tier) <= left.max(Usdc::ZERO);
        WakingTier::ALL.into_iter().rev().find(paid_for).expect("T0 is free")
    }
}

/// The state of the waking gate: a golem's expectations of the next waking tick, and a tally.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Gate {
    /// Price and regime of each asset when it was last awake; none before the first tick.
    seen: Vec<(f64, Regime)>,
    /// The position it held then, by the tick of its decision, and the open result, in R.
    held: Option<(Tick, f64)>,
    /// Its vitality then.
    vitality: f64,
    /// Mean confidence of the advice that it last got.
    confidence: f64,
    /// Ticks by the tier that surprise called for, out of a position and in one; counted for [`GateForm::Random`] alone.
    called: [[u32; WakingTier::ALL.len()]; 2],
    tally: GateTally,
}

impl Gate {
    /// Notes an input of the adaptive threshold, the mean confidence of memory's advice on candidates; 0 when there were none.
    pub(super) fn note_confidence(&mut self, confidences: impl ExactSizeIterator<Item = f64>) {
        let count = confidences.len().max(1) as f64;
        self.confidence = confidences.sum::<f64>() / count;
    }

    /// A tier drawn from those that surprise has called for so far, this tick included: the control opens the gate as often as surprise, at
    /// random times. Positions are counted apart, because one more term can surprise in one, and the control must spend as much there.
    fn draw(&mut self, called: WakingTier, holds: bool, golem: &Golem, tick: Tick) -> WakingTier {
        let counts = &mut self.called[usize::from(holds)];
        counts[called as usize] += 1;
        let stream = &mut WorldSeed::CONTROL.golem(golem.id, Purpose::GateControl, tick);
        let drawn = stream.weighted(&counts.map(f64::from)).expect("this tick has been counted");
        WakingTier::ALL[drawn]
    }
}

impl Golem {
    /// Looks at a waking tick and pays for thinking it over, if that is called for and can be paid. Returns with how much thought; without a gate,
    /// T1, and nothing is paid.
    pub(super) fn pass_gate(&mut self, moment: &Moment<'_>, out: &mut Outbox) -> WakingTier {
        let config = &moment.rules.golem.gate;
        if !config.enabled {
            return WakingTier::T1;
        }
        let mut gate = self.gate.take().unwrap_or_default();
        let called = self.tier_called(&gate, moment);
        let called = match config.form {
            GateForm::Surprise => called,
            GateForm::Random => gate.draw(called, self.position.is_some(), self, moment.tick),
            GateForm::Always => WakingTier::T1,
        };
        let tier = config.affordable(called, self.purse.amount(Compartment::Llm));
        let price = config.price(tier);
        gate.tally.ticks[tier as usize] += 1;
        gate.tally.paid += price;
        self.look(&mut gate, moment);
        self.gate = Some(gate);
        self.pay_inference(price, out);
        tier
    }

    /// Pays for what it reads of its memory to think a decision over, at the price of the tier's model; without a gate, reading is free as
    /// thinking is.
    pub(super) fn pay_reading(
        &mut self,
        tokens: u32,
        tier: WakingTier,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let model = match tier {
            WakingTier::T0 => return,
            WakingTier::T1 => Tier::T1,
            WakingTier::T2 => Tier::T2,
        };
        let Some(gate) = self.gate.as_mut().filter(|_| tokens > 0) else { return };
        let price = moment.rules.llm.tier(model).price(tokens, 0);
        gate.tally.paid += price;
        self.pay_inference(price, out);
    }

    /// The tier that surprise calls for; T2 when its owner calls or its phase is about to change (digest section 1, B02).
    fn tier_called(&self, gate: &Gate, moment: &Moment<'_>) -> WakingTier {
        let config = &moment.rules.golem.gate;
        let call = moment.rules.timetable.call(self.id.lineage, moment.tick);
        let steered = call == Some(WakeReason::OwnersCall);
        if steered || self.phase_is_about_to_change(gate) {
            return WakingTier::T2;
        }
        let arousal = if moment.rules.daimon.is_on() { self.affect.pad() } else { Pad::default() }.arousal;
        let theta = config.theta(gate.confidence, self.vitality, arousal);
        config.tier(self.surprise(gate, u32::from(call.is_some()), moment).error(&config.error), theta)
    }

    fn surprise(&self, gate: &Gate, interventions: u32, moment: &Moment<'_>) -> Surprise {
        let thresholds = self.genome.regime_thresholds(&moment.rules.golem);
        let (mut price_miss, mut regime_changed) = (0.0_f64, false);
        for (seen, &(price, regime)) in moment.view.assets.iter().zip(&gate.seen) {
            price_miss = price_miss.max((seen.pool_price - price).abs() / price);
            regime_changed |= thresholds.classify(seen) != regime;
        }
        let before = self.open_result(moment).zip(gate.held);
        let same_position = before.filter(|((decided, _), (known, _))| decided == known);
        Surprise {
            price_miss,
            regime_changed,
            health_change: same_position.map_or(0.0, |((_, now), (_, then))| (now - then).abs()),
            threat: self.smelled_threat(moment),
            interventions,
            anomalies: self.anomalies(moment),
        }
    }

    /// Whether the next tick would be one of another phase if vitality went on as it did since the last waking tick. Immortals have one
    /// phase. The specs say "imminent" without a measure; the extrapolation of one tick is our choice, because it needs no key and no
    /// history.
    fn phase_is_about_to_change(&self, gate: &Gate) -> bool {
        let next = self.vitality + (self.vitality - gate.vitality);
        !gate.seen.is_empty() && Phase::from_vitality(next) != Phase::from_vitality(self.vitality)
    }

    /// The position by the tick of its decision, and its open result, in R.
    fn open_result(&self, moment: &Moment<'_>) -> Option<(Tick, f64)> {
        self.position.as_ref().map(|position| {
            let seen = moment.view.asset(position.decision.candidate.asset);
            (position.decision.tick, position.open_r(PathPoint::from(seen)))
        })
    }

    /// Keeps this tick's view as the expectation of its next waking tick.
    fn look(&self, gate: &mut Gate, moment: &Moment<'_>) {
        let thresholds = self.genome.regime_thresholds(&moment.rules.golem);
        gate.seen.clear();
        gate.seen.extend(moment.view.assets.iter().map(|seen| (seen.pool_price, thresholds.classify(seen))));
        gate.held = self.open_result(moment);
        gate.vitality = self.vitality;
    }

    /// Writes the tally of its waking ticks at the end of its life, if it kept a gate.
    pub(super) fn report_gate(&self, tick: Tick, out: &mut Outbox) {
        if let Some(gate) = &self.gate {
            self.tell(tick, EventKind::GateTallied(gate.tally), out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unaffordable_tier_falls_back_to_the_highest_affordable_one() {
        let config = GateConfig { t1_usdc: 0.002, t2_usdc: 0.03, ..GateConfig::default() };
        let check = |called, left, expected| assert_eq!(config.affordable(called, Usdc(left)), expected);
        check(WakingTier::T2, 30_000, WakingTier::T2);
        check(WakingTier::T2, 29_999, WakingTier::T1);
        check(WakingTier::T1, 1_000_000, WakingTier::T1);
        check(WakingTier::T2, 1_999, WakingTier::T0);
        check(WakingTier::T0, 1_000_000, WakingTier::T0);
        // A compartment may be overdrawn for a moment; what costs nothing is done all the same.
        let free = GateConfig { t1_usdc: 0.0, ..config };
        assert_eq!(free.affordable(WakingTier::T2, Usdc(-5)), WakingTier::T1);
    }

    #[test]
    fn confidence_is_that_of_the_last_advice() {
        let mut gate = Gate::default();
        gate.note_confidence([0.2, 0.6].into_iter());
        assert!((gate.confidence - 0.4).abs() < 1e-12);
        gate.note_confidence([0.0_f64; 0].into_iter());
        assert_eq!(gate.confidence, 0.0);
    }
}
