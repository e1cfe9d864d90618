//! How badly a golem needs to dream.

use crate::dream::schedule::DreamTrigger;
use crate::mortality::Phase;
use morta_base::keys;
use morta_base::{Tick, math};
use serde::{Deserialize, Serialize};

/// What presses, each from 0 to 1 but for the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UrgencyInputs {
    /// Recent surprise.
    pub novelty: f64,
    /// Episodes not replayed yet, over the first-dream milestone.
    pub consolidation: f64,
    /// Arousal not yet worked through.
    pub emotional: f64,
    /// Recent losses.
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
        blocked_decay: f64 = 0.1, in 0.0..=1.0, "urgency";
        /// What urgency gains when a trade is reflected on while surprise or emotional load are high.
        reflect_step: f64 = 0.02, in 0.0..=1.0, "urgency";
        /// Recent surprise from which it counts as unresolved.
        reflect_surprise: f64 = 0.5, in 0.0..=1.0, "surprise";
        /// Emotional load from which it counts as high.
        reflect_arousal: f64 = 0.5, in 0.0..=1.0, "arousal";
        /// What urgency gains in a micro-consolidation that leaves a pattern unresolved.
        micro_step: f64 = 0.02, in 0.0..=1.0, "urgency";
        /// Trades over which the emotional load is averaged.
        emotional_trades: u32 = 50, in 1..=1_000_000, "trades";
        /// Share of the emotional load that a dream leaves.
        emotional_load_after_dream: f64 = 0.3, in 0.0..=1.0, "share";
    }
}

impl UrgencyConfig {
    /// What the term of time is at the end of a dream, in a phase: by the spec's form, half of its weight. It says nothing of the time that has passed.
    pub fn time_at_rest(&self, phase: Phase) -> f64 {
        self.weights(phase).temporal * self.due(0.0)
    }

    /// How far a dream is due after so many natural periods, 0 to 1.
    fn due(&self, periods: f64) -> f64 {
        match self.temporal_form {
            TemporalForm::Sigmoid => math::logistic(periods, 0.0, 1.0),
            TemporalForm::Shifted => math::logistic(periods, 1.0, 4.0),
        }
    }

    /// The weights of a phase; a terminal golem doesn't dream, and has none.
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

/// What urgency is made of: six weighted inputs, and what has accumulated or decayed while awake.
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
    /// The weighted inputs, with a logistic of the time over the natural period (dream architecture, "urgency score
    /// threshold"). `frequency` shortens the period.
    pub fn of(
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

    /// Urgency, in [0, 1].
    pub fn score(&self) -> f64 {
        let six = [
            self.novelty, self.consolidation, self.emotional, self.threat, self.epistemic, self.temporal,
            self.carried,
        ];
        six.into_iter().sum::<f64>().clamp(0.0, 1.0)
    }

    /// The largest term, the first of several, as the reason to dream. Of time, what it adds to its [rest](UrgencyConfig::time_at_rest) counts:
    /// a term that is never below .075 would hide an emotional load, which comes to .05 where trades stir by a third.
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

/// What urgency carries from tick to tick besides its inputs, in [−1, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Carry(f64);

impl Carry {
    /// How much it is.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Something was left unresolved.
    pub fn accumulate(&mut self, step: f64) {
        self.0 = (self.0 + step).min(1.0);
    }

    /// Urgency is high enough, but a precondition prevents the dream: it decays rather than being reset.
    pub fn decay(&mut self, config: &UrgencyConfig) {
        self.0 = (self.0 - config.blocked_decay).max(-1.0);
    }

    /// Nothing prevents a dream: what decayed comes back.
    pub fn recover(&mut self, config: &UrgencyConfig) {
        if self.0 < 0.0 {
            self.0 = (self.0 + config.blocked_decay).min(0.0);
        }
    }
}
