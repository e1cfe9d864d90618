//! Feelings about one's own mortality: economic anxiety, epistemic vertigo, stochastic dread, and their blend (digest section 10, M08 and
//! A04). In psychology this is death anxiety or mortality salience.
//!
//! Inputs are a golem's own clocks: money as a share of that at birth and as runway in days, fitness from 0 to 1 with its trend, hazard a
//! tick. Each gives a PAD point with an intensity from 0 to 1. A clock that can't kill gives no feeling. A waking mortal is reminded every
//! 10 ticks (`golem::affect`), and the blend moves its mood like any happening; the trigger never suppresses it. Immortals are never asked.

use crate::daimon::{Appraisal, Emotion, Pad};
use morta_base::keys;

keys! {
    /// The `[daimon.mortality]` table.
    pub struct MortalityAffectConfig {
        /// Whether golems feel their mortality at all. Each clock is only felt where it kills; immortals feel none.
        enabled: bool = true;
        /// Runway that counts as none, days: .1 in one source, 1 in another.
        runway_floor_days: f64 = 0.1, in 1e-6..=1e6, "days";
        /// Vitality below which there is a calm that overrides everything else.
        terminal_vitality: f64 = 0.1, in 0.0..=1.0, "vitality";
    }
}

/// The readings of a golem's clocks that it feels: the inputs of mortality salience. The caller makes a clock that is switched off `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Readings {
    /// Balance over the balance at birth, and the days that the money above the reserve lasts.
    pub money: Option<(f64, f64)>,
    /// Epistemic fitness in [0, 1], and its change over the trend window.
    pub knowledge: Option<(f64, f64)>,
    /// Hazard a tick.
    pub hazard: Option<f64>,
    /// Vitality in [0, 1].
    pub vitality: f64,
}

/// Economic anxiety a = clamp(.5(1 − b/b₀) + .5/max(runway, floor), 0, .9): PAD(−.5a, .6a, .1), dominance −.3 − (.5 − b/b₀) when half the
/// money is gone; fear beyond .6. The runway is money left over burn rate.
pub fn economic_anxiety(ratio: f64, runway_days: f64, floor_days: f64) -> Appraisal {
    const HALF: f64 = 0.5;
    const FEAR_ABOVE: f64 = 0.6;
    let anxiety = (0.5 * (1.0 - ratio) + 0.5 / runway_days.max(floor_days)).clamp(0.0, 0.9);
    let dominance = if ratio > HALF { 0.1 } else { -0.3 - (HALF - ratio) };
    let felt = Appraisal::new(Pad::new(-0.5 * anxiety, 0.6 * anxiety, dominance), anxiety);
    if anxiety > FEAR_ABOVE { Appraisal { emotion: Emotion::Fear, ..felt } } else { felt }
}

/// Epistemic vertigo: fitness below .2 is the worst; a decline (trend below −.01) is worse below fitness .5. The intensity of a decline
/// above it is proposed (.2): the source gives none. It is anxiety about model staleness (falling accuracy), a piecewise function of both.
pub fn epistemic_vertigo(fitness: f64, trend: f64) -> Appraisal {
    const DECLINE: f64 = -0.01;
    let steepness = 10.0 * trend.abs();
    if fitness < 0.2 {
        Appraisal::new(Pad::new(-0.7, 0.3, -0.6), 0.8)
    } else if trend < DECLINE && fitness < 0.5 {
        let intensity = (steepness + 0.3 * (1.0 - fitness)).clamp(0.3, 0.7);
        Appraisal::new(Pad::new(-0.4, 0.5 + 0.3 * steepness, -0.3), intensity)
    } else if trend < DECLINE {
        Appraisal::new(Pad::new(-0.1, 0.2, 0.1), 0.2)
    } else {
        Appraisal::new(Pad::new(0.1, -0.1, 0.2), 0.2)
    }
}

/// Stochastic dread i = clamp(1000·hazard, .05, .4): PAD(0, i, .2). It is a fear of sudden death, by the hazard rate.
pub fn stochastic_dread(hazard: f64) -> Appraisal {
    let intensity = (1_000.0 * hazard).clamp(0.05, 0.4);
    Appraisal::new(Pad::new(0.0, intensity, 0.2), intensity)
}

/// Combines all three: the average PAD, weighted by intensity, with intensity and name of the strongest. Below `terminal_vitality` (.1) it
/// is (−.1, .4, .3; .8) instead, a calm of the end (terror management). `None` when no clock can kill.
pub fn mortality_affect(readings: &Readings, config: &MortalityAffectConfig) -> Option<Appraisal> {
    let floor = config.runway_floor_days;
    let parts = [
        readings.money.map(|(ratio, runway)| economic_anxiety(ratio, runway, floor)),
        readings.knowledge.map(|(fitness, trend)| epistemic_vertigo(fitness, trend)),
        readings.hazard.map(stochastic_dread),
    ];
    let mut strongest: Option<Appraisal> = None;
    let (mut total, mut sum) = (0.0, [0.0; 3]);
    for part in parts.into_iter().flatten() {
        total += part.intensity;
        for (sum, value) in sum.iter_mut().zip([part.pad.pleasure, part.pad.arousal, part.pad.dominance]) {
            *sum += part.intensity * value;
        }
        if strongest.is_none_or(|known| part.intensity > known.intensity) {
            strongest = Some(part);
        }
    }
    let strongest = strongest?;
    if readings.vitality < config.terminal_vitality {
        return Some(Appraisal::new(Pad::new(-0.1, 0.4, 0.3), 0.8));
    }
    let [pleasure, arousal, dominance] = sum.map(|sum| if total > 0.0 { sum / total } else { 0.0 });
    Some(Appraisal { pad: Pad::new(pleasure, arousal, dominance), ..strongest })
}
