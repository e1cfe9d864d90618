//! Couplings of moods to decisions (digest section 10, A01 and A03; the action score of section 1). Every coupling has its switch;
//! switched off, and in a neutral mood, its factor is exactly 1.
//!
//! Spreads of choices go by T/T₀ or β₀/β and not by T itself, so that a neutral mood leaves the scenario's temperature as it is, whatever
//! T₀ is. Moods are PAD points from −1 to 1; factors multiply the scenario's temperature, exploration rate or stake (`golem::decide`); the
//! probe shift is in R and is added to `golem.min_expected_r`. Grief (`golem::affect`) lowers the exploration factor further, by up to a
//! half. The share threshold counts only under `clade.sharing = "affect"`. Terms of the field: softmax temperature, affect-modulated risk
//! taking, exploration-exploitation trade-off; the two forms are temperature and inverse temperature of Boltzmann exploration.

use crate::daimon::{Emotion, Pad};
use morta_base::keys;

morta_base::words! {
    /// How mood becomes a spread of choices.
    #[derive(Default)]
    pub enum ExplorationForm: Key {
        /// T = clamp(T₀ − .3P + .2A, .1, 2); choices spread by T/T₀.
        #[default]
        Temperature = "temperature",
        /// β = clamp(β₀ + .3P − .2A + .1D, .1, 2); choices spread by β₀/β.
        InverseTemperature = "inverse_temperature",
    }
}

keys! {
    /// The `[daimon.behaviour]` table.
    pub struct BehaviourConfig {
        /// Whether mood widens and narrows the spread of choices and the exploration rate.
        exploration: bool = true;
        /// By which formula.
        exploration_form: ExplorationForm = ExplorationForm::Temperature;
        /// T₀ or β₀ of that formula (proposed).
        base_temperature: f64 = 1.0, in 0.1..=2.0, "temperature";
        /// Whether fear and sadness make stakes smaller, and anger makes them larger. The largest stake stays what it
        /// is.
        risk: bool = true;
        /// Whether the anxious try more, and the content fewer, of the candidates near the gate.
        probing: bool = true;
        /// The R of which the probing factor is taken to move the gate (proposed): at a factor of .8 the least expected
        /// R for which a golem acts falls by a fifth of this.
        probe_scale_r: f64 = 0.1, in 0.0..=10.0, "R";
        /// Whether mood changes what a golem shares with its clade.
        sharing: bool = true;
        /// Whether having lost control for long makes a dream more urgent.
        helplessness: bool = true;
        /// Ticks over which dominance is averaged for that.
        helplessness_ticks: u64 = 200, in 20..=1_000_000_000, "ticks";
        /// Mean dominance below which it is learned helplessness.
        helplessness_dominance: f64 = -0.3, in -1.0..=1.0, "PAD";
        /// Emotional load that it counts as at least (proposed).
        helplessness_load: f64 = 0.7, in 0.0..=1.0, "share";
        /// Whether gut feelings speak in decisions.
        gut: bool = true;
        /// Whether grief makes a golem explore less.
        grief: bool = true;
        /// Whether candidates are ranked by the action score, (1 − u)·merit + u·expected R + .1·P, rather than by
        /// expected R: urgency u from vitality, merit what memory vouches for, P the gut feeling.
        // Digest section 1, A03.
        action_score: bool = false;
    }
}

impl BehaviourConfig {
    /// Factor on the spread of choices and the exploration rate, .05 to 20 by the clamps. It multiplies the softmax temperature and
    /// epsilon; 1 when switched off.
    pub fn exploration_factor(&self, mood: Pad) -> f64 {
        let base = self.base_temperature;
        if !self.exploration {
            return 1.0;
        }
        match self.exploration_form {
            ExplorationForm::Temperature => exploration_temperature(base, mood) / base,
            ExplorationForm::InverseTemperature => base / inverse_temperature(base, mood),
        }
    }

    /// Factor on the stake, .6 to 1.15 (and never above 1.2), by emotion and intensity, 0 to 1 (digest section 10, A03). In position sizing
    /// by affect it multiplies the share of the balance at risk, so `golem.max_position_share` still caps the stake.
    pub fn risk_factor(&self, emotion: Emotion, intensity: f64) -> f64 {
        let degree = usize::from(intensity >= MEDIUM_INTENSITY) + usize::from(intensity >= HIGH_INTENSITY);
        let change: f64 = match emotion {
            _ if !self.risk => 0.0,
            Emotion::Fear | Emotion::Sadness => [-0.10, -0.20, -0.40][degree],
            Emotion::Anger => [0.05, 0.10, 0.15][degree],
            Emotion::Surprise => -0.10,
            Emotion::Neutral | Emotion::Joy | Emotion::Trust | Emotion::Anticipation | Emotion::Disgust => {
                0.0
            }
        };
        1.0 + change.min(ANGER_CAP)
    }

    /// The shift of the least expected R for which a golem acts: (factor − 1) · the probe scale, in R (an offset of the acceptance
    /// threshold).
    pub fn gate_shift_r(&self, mood: Pad) -> f64 {
        if self.probing { (probe_factor(mood) - 1.0) * self.probe_scale_r } else { 0.0 }
    }
}

/// Intensity of a mood from which its effect on stakes is the middle one, and from which it is the full one. Our choice: a quarter and half
/// of the scale; the digest names degrees without limits.
const MEDIUM_INTENSITY: f64 = 0.25;
const HIGH_INTENSITY: f64 = 0.5;

/// Most that anger adds to a stake (digest section 10, A03). The table above stays below it; the cap is the specs' promise for other tables.
const ANGER_CAP: f64 = 0.20;

/// The softmax temperature, T = clamp(T₀ − .3P + .2A, .1, 2).
pub fn exploration_temperature(base: f64, mood: Pad) -> f64 {
    (base - 0.3 * mood.pleasure + 0.2 * mood.arousal).clamp(0.1, 2.0)
}

/// The inverse softmax temperature, β = clamp(β₀ + .3P − .2A + .1D, .1, 2); the bounds are those of the temperature.
pub fn inverse_temperature(base: f64, mood: Pad) -> f64 {
    (base + 0.3 * mood.pleasure - 0.2 * mood.arousal + 0.1 * mood.dominance).clamp(0.1, 2.0)
}

/// Factor on the threshold of probing (information seeking, vigilance): .8 for the anxious (P < −.3, A > .3), 1.1 for the content (P > .3,
/// A < −.2), else 1. The factors are the digest's (section 10).
pub(crate) fn probe_factor(mood: Pad) -> f64 {
    if mood.pleasure < -0.3 && mood.arousal > 0.3 {
        0.8
    } else if mood.pleasure > 0.3 && mood.arousal < -0.2 {
        1.1
    } else {
        1.0
    }
}

/// The sharing threshold of `clade.sharing = "affect"`: clamp(.6 − .15·min(1, h/5·10⁻⁴) − e, .1, .8), h the hazard a tick; e = .25 in the
/// terminal phase, else .1 if P > .3, −.05 if P < −.5 and D < −.3, else 0. The formula is the digest's (section 10). A confidence threshold
/// for communication (disclosure threshold): thresholds by kind of knowledge are shifted by its distance from .6
/// (`CladeConfig::threshold`).
pub fn share_threshold(hazard: f64, mood: Pad, phase_is_terminal: bool) -> f64 {
    let eagerness = if phase_is_terminal {
        0.25
    } else if mood.pleasure > 0.3 {
        0.1
    } else if mood.pleasure < -0.5 && mood.dominance < -0.3 {
        -0.05
    } else {
        0.0
    };
    (0.6 - 0.15 * (hazard / 5e-4).min(1.0) - eagerness).clamp(0.1, 0.8)
}

/// Weight of pleasure in the action score (digest section 1, A03).
pub(crate) const PLEASURE_WEIGHT: f64 = 0.1;

/// The action score (1 − u)·merit + u·expected return + .1·P: a healthy golem acts by what it trusts, a dying one by what it hopes for.
/// This action value is a convex combination of exploitation merit and hoped return.
pub fn action_score(urgency: f64, merit: f64, expected_return: f64, pleasure: f64) -> f64 {
    (1.0 - urgency) * merit + urgency * expected_return + PLEASURE_WEIGHT * pleasure
}
