//! Sleep pressure: how urgently a golem needs to dream (dream architecture, "urgency score threshold").
//!
//! urgency = Σ w_i·x_i + w_t·due(t·f/P) + carried, clamped to [0, 1]. The x_i in [0, 1] are novelty, consolidation debt,
//! emotional load, threat exposure and epistemic drift; t is ticks since the last dream, f the frequency factor of the clocks, P
//! the natural period in ticks, due a logistic, carried what has accumulated or decayed while awake. The spec leaves weights and
//! periods open; the defaults are those of digest section 20. More novelty, less familiarity: Jensen et al. 2024. All terms run from 0 to
//! 1, but for `carried`, which runs from −1 to 1; times are in ticks. In the modes `autonomous` and `hybrid` the golem computes it in every
//! waking tick outside sleep windows and asks to dream at the threshold of its phase (`dream.schedule`); other petitions only quote it. In
//! sleep research this is homeostatic sleep pressure (process S). The temporal term is a logistic (sigmoid) function of elapsed time; the
//! weights are a lookup table by behavioural phase. The score is a weighted sum, with a weight vector for each phase.

use crate::dream::schedule::DreamTrigger;
use crate::mortality::Phase;
use morta_base::keys;
use morta_base::{Tick, math};
use serde::{Deserialize, Serialize};

/// The inputs of urgency (sleep pressure), each from 0 to 1 but for the time; larger ones are clamped when they are weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UrgencyInputs {
    /// Recent surprise.
    pub novelty: f64,
    /// Episodes not replayed yet, over `min_episodes`.
    pub consolidation: f64,
    /// Arousal not yet worked through, or learned helplessness if that counts for more.
    pub emotional: f64,
    /// Recent losses, or the strongest threat smelled if that is more.
    pub threat: f64,
    /// 1 − prediction accuracy.
    pub epistemic: f64,
    /// Ticks since the last dream, or since birth.
    pub ticks_since_dream: Tick,
}

keys! {
    /// Weights of the six terms and the natural period of dreaming in one phase (digest section 20, proposed there; the
    /// spec leaves them open).
    #[derive(Copy)]
    pub struct PhaseWeights {
        /// Weight of novelty.
        novelty: f64, in 0.0..=1.0, "weight";
        /// Weight of consolidation debt.
        consolidation: f64, in 0.0..=1.0, "weight";
        /// Weight of emotional load.
        emotional: f64, in 0.0..=1.0, "weight";
        /// Weight of threat exposure.
        threat: f64, in 0.0..=1.0, "weight";
        /// Weight of epistemic drift.
        epistemic: f64, in 0.0..=1.0, "weight";
        /// Weight of the time since the last dream.
        temporal: f64, in 0.0..=1.0, "weight";
        /// Ticks after which a dream is naturally due.
        natural_period: f64, in 1e-3..=1e12, "ticks";
    }
}

impl PhaseWeights {
    const fn new(w: [f64; 6], natural_period: f64) -> Self {
        let [novelty, consolidation, emotional, threat, epistemic, temporal] = w;
        Self { novelty, consolidation, emotional, threat, epistemic, temporal, natural_period }
    }
}

morta_base::words! {
    /// Shape of the temporal term, of x = ticks since the last dream over the natural period.
    #[derive(Default)]
    pub enum TemporalForm: Key {
        /// 1 / (1 + e^(−x)), as the spec has it: never below one half.
        #[default]
        Sigmoid = "sigmoid",
        /// 1 / (1 + e^(−4(x − 1))): near nothing after a dream, one half when the next is due.
        Shifted = "shifted",
    }
}

keys! {
    /// The `[dream.urgency]` table (our own: the spec leaves its numbers open).
    // Dream architecture, "urgency score threshold".
    pub struct UrgencyConfig {
        /// Weights of a thriving golem.
        thriving: PhaseWeights = PhaseWeights::new([0.25, 0.25, 0.10, 0.10, 0.15, 0.15], 540.0);
        /// Weights of a stable one.
        stable: PhaseWeights = PhaseWeights::new([0.15, 0.30, 0.15, 0.10, 0.15, 0.15], 540.0);
        /// Weights of a conserving one.
        conservation: PhaseWeights = PhaseWeights::new([0.15, 0.20, 0.15, 0.20, 0.15, 0.15], 540.0);
        /// Weights of a declining one.
        declining: PhaseWeights = PhaseWeights::new([0.25, 0.10, 0.10, 0.10, 0.15, 0.30], 270.0);
        /// Shape of the temporal term.
        temporal_form: TemporalForm = TemporalForm::default();
        /// What urgency loses in every tick in which it is high enough but a precondition prevents the dream. It comes
        /// back as fast when nothing prevents it any more.
        // Dream architecture, "urgency score threshold": decays by 0.1 per tick.
        blocked_decay: f64 = 0.1, in 0.0..=1.0, "urgency";
        /// What urgency gains when a trade is reflected on while surprise or emotional load are high.
        reflect_step: f64 = 0.02, in 0.0..=1.0, "urgency";
        /// What urgency gains in a micro-consolidation that leaves a pattern unresolved.
        // Dream architecture, "micro-consolidation fiber": 0.02 a pass; reflection gets the same, since the spec names no step
        // for it.
        micro_step: f64 = 0.02, in 0.0..=1.0, "urgency";
        /// Trades over which the emotional load is averaged.
        // Digest section 9, affect documents: mean arousal over 50 episodes, urgent above .5, ×.3 after a dream.
        emotional_trades: u32 = 50, in 1..=1_000_000, "trades";
        /// Share of the emotional load that a dream leaves.
        emotional_load_after_dream: f64 = 0.3, in 0.0..=1.0, "share";
    }
}

impl UrgencyConfig {
    /// The baseline of the term of time, at the end of a dream: by the spec's form (dream architecture, "urgency score threshold"), half of
    /// its weight, since a logistic of 0 is .5. That much says nothing of the time that has passed.
    pub fn time_at_rest(&self, phase: Phase) -> f64 {
        self.weights(phase).temporal * self.due(0.0)
    }

    /// How far a dream is due after so many natural periods, 0 to 1. The shifted form begins near 0 (e^−4/(1 + e^−4) = .018): by the spec's
    /// form (dream architecture, "urgency score threshold"), the temporal term alone gives a thriving golem .075 of urgency right after a
    /// dream.
    fn due(&self, periods: f64) -> f64 {
        match self.temporal_form {
            TemporalForm::Sigmoid => math::logistic(periods, 0.0, 1.0),
            TemporalForm::Shifted => math::logistic(periods, 1.0, 4.0),
        }
    }

    /// Looks up the weights of a phase. A terminal golem doesn't dream, and has none; its period only keeps the quotient finite.
    pub const fn weights(&self, phase: Phase) -> PhaseWeights {
        match phase {
            Phase::Thriving => self.thriving,
            Phase::Stable => self.stable,
            Phase::Conservation => self.conservation,
            Phase::Declining => self.declining,
            Phase::Terminal => PhaseWeights::new([0.0; 6], 540.0),
        }
    }
}

/// The terms of urgency (the decomposed sleep pressure): six weighted inputs, and what has accumulated or decayed while awake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UrgencyTerms {
    /// Of novelty.
    pub novelty: f64,
    /// Of consolidation debt.
    pub consolidation: f64,
    /// Of emotional load.
    pub emotional: f64,
    /// Of threat exposure.
    pub threat: f64,
    /// Of epistemic drift.
    pub epistemic: f64,
    /// Of the time since the last dream.
    pub temporal: f64,
    /// Accumulated by reflection and micro-consolidation, less what decayed; may be negative.
    pub carried: f64,
}

impl UrgencyTerms {
    /// Weights the inputs, the terms of a weighted sum. `frequency` shortens the natural period, so that a golem that is short of money
    /// dreams oftener by the same weights.
    pub fn from_inputs(
        inputs: &UrgencyInputs,
        phase: Phase,
        frequency: f64,
        carried: f64,
        config: &UrgencyConfig,
    ) -> Self {
        let weights = config.weights(phase);
        let periods = inputs.ticks_since_dream as f64 * frequency / weights.natural_period;
        Self {
            novelty: weights.novelty * inputs.novelty.clamp(0.0, 1.0),
            consolidation: weights.consolidation * inputs.consolidation.clamp(0.0, 1.0),
            emotional: weights.emotional * inputs.emotional.clamp(0.0, 1.0),
            threat: weights.threat * inputs.threat.clamp(0.0, 1.0),
            epistemic: weights.epistemic * inputs.epistemic.clamp(0.0, 1.0),
            temporal: weights.temporal * config.due(periods),
            carried,
        }
    }

    /// Total sleep pressure (urgency score), in [0, 1]: the clamped sum of the terms.
    pub fn score(&self) -> f64 {
        let six = [
            self.novelty, self.consolidation, self.emotional, self.threat, self.epistemic, self.temporal,
            self.carried,
        ];
        six.into_iter().sum::<f64>().clamp(0.0, 1.0)
    }

    /// The largest term (argmax), the first of several, as the reason to dream. Of time, only what it adds to its
    /// [rest](UrgencyConfig::time_at_rest) counts: a term that is never below .075 would hide an emotional load, which amounts to .05 where
    /// trades stir by a third.
    pub fn strongest(&self, time_at_rest: f64) -> DreamTrigger {
        let terms = [
            (self.novelty, DreamTrigger::NoveltyStreak),
            (self.consolidation, DreamTrigger::ConsolidationDebt),
            (self.emotional, DreamTrigger::EmotionalLoad),
            (self.threat, DreamTrigger::ThreatExposure),
            (self.epistemic, DreamTrigger::EpistemicDrift),
            (self.temporal - time_at_rest, DreamTrigger::Time),
            (self.carried, DreamTrigger::Accumulation),
        ];
        terms
            .into_iter()
            .reduce(|best, new| if new.0 > best.0 { new } else { best })
            .expect("there are seven")
            .1
    }
}

/// The part of urgency that is carried from tick to tick, in [−1, 1]: an accumulator (leaky integrator) of sleep pressure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Carry(f64);

impl Carry {
    /// The carried part, to be added to the weighted inputs: the state of the leaky integrator.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Adds a step for something left unresolved, saturating at 1: an increment of the leaky accumulator.
    pub fn accumulate(&mut self, step: f64) {
        self.0 = (self.0 + step).min(1.0);
    }

    /// Decays an urgency that is high enough while a precondition prevents the dream. It decays (a leak) rather than being reset, so that
    /// the golem dreams soon after the precondition is met (dream architecture, "urgency score threshold": by 0.1 a tick).
    pub fn decay(&mut self, config: &UrgencyConfig) {
        self.0 = (self.0 - config.blocked_decay).max(-1.0);
    }

    /// Recovers, when nothing prevents a dream: what decayed returns to 0 at the same rate, or a golem that was blocked for long would be
    /// asleep to its own urgency for as long.
    pub fn recover(&mut self, config: &UrgencyConfig) {
        if self.0 < 0.0 {
            self.0 = (self.0 + config.blocked_decay).min(0.0);
        }
    }
}
