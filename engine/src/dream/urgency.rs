//! How badly a golem needs to dream.

use crate::base::{Tick, math};
use crate::mortality::Phase;
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

/// Weights of the six terms and the natural period of dreaming in one phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseWeights {
    /// Weight of novelty.
    pub novelty: f64,
    /// Weight of consolidation debt.
    pub consolidation: f64,
    /// Weight of emotional load.
    pub emotional: f64,
    /// Weight of threat exposure.
    pub threat: f64,
    /// Weight of epistemic drift.
    pub epistemic: f64,
    /// Weight of the time since the last dream.
    pub temporal: f64,
    /// Ticks after which a dream is naturally due.
    pub natural_period: f64,
}

/// The weights of a phase (digest section 20, proposed there; the spec leaves them open). A terminal golem doesn't dream.
pub const fn phase_weights(phase: Phase) -> PhaseWeights {
    let (w, natural_period) = match phase {
        Phase::Thriving => ([0.25, 0.25, 0.10, 0.10, 0.15, 0.15], 540.0),
        Phase::Stable => ([0.15, 0.30, 0.15, 0.10, 0.15, 0.15], 540.0),
        Phase::Conservation => ([0.15, 0.20, 0.15, 0.20, 0.15, 0.15], 540.0),
        Phase::Declining => ([0.25, 0.10, 0.10, 0.10, 0.15, 0.30], 270.0),
        Phase::Terminal => ([0.0; 6], 540.0),
    };
    let [novelty, consolidation, emotional, threat, epistemic, temporal] = w;
    PhaseWeights { novelty, consolidation, emotional, threat, epistemic, temporal, natural_period }
}

/// Urgency in [0, 1]: the weighted sum of the inputs, with a logistic of the time over the natural period
/// (dream architecture, "urgency score threshold").
pub fn dream_urgency(inputs: &UrgencyInputs, phase: Phase) -> f64 {
    let weights = phase_weights(phase);
    let due = math::logistic(inputs.ticks_since_dream as f64 / weights.natural_period, 0.0, 1.0);
    weights.novelty * inputs.novelty.clamp(0.0, 1.0)
        + weights.consolidation * inputs.consolidation.clamp(0.0, 1.0)
        + weights.emotional * inputs.emotional.clamp(0.0, 1.0)
        + weights.threat * inputs.threat.clamp(0.0, 1.0)
        + weights.epistemic * inputs.epistemic.clamp(0.0, 1.0)
        + weights.temporal * due
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_a_living_phase_add_up_to_one() {
        for phase in &Phase::ALL[1..] {
            let w = phase_weights(*phase);
            let sum = w.novelty + w.consolidation + w.emotional + w.threat + w.epistemic + w.temporal;
            assert!((sum - 1.0).abs() < 1e-12, "{phase:?}");
        }
    }

    /// Thriving: .25·.4 + .25·.8 + .10·.2 + .10·.5 + .15·.4 + .15·σ(1) = .43 + .15·.731059 = .539659.
    #[test]
    fn a_worked_example() {
        let inputs = UrgencyInputs {
            novelty: 0.4,
            consolidation: 0.8,
            emotional: 0.2,
            threat: 0.5,
            epistemic: 0.4,
            ticks_since_dream: 540,
        };
        assert!((dream_urgency(&inputs, Phase::Thriving) - 0.539_658_79).abs() < 1e-8);
        assert_eq!(dream_urgency(&inputs, Phase::Terminal), 0.0);
    }
}
