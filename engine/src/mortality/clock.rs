//! The stochastic clock, and the causes of death.

use crate::base::{Tick, math};
use serde::{Deserialize, Serialize};

/// What ended a life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The balance fell to the reserve.
    Economic,
    /// Knowledge of the market failed and didn't recover.
    EpistemicSenescence,
    /// Chance.
    Stochastic,
    /// The golem's own step failed; the engine's fault, recorded so that the run can go on.
    Fault,
}

impl Cause {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Economic, Self::EpistemicSenescence, Self::Stochastic, Self::Fault];

    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Economic => "economic",
            Self::EpistemicSenescence => "epistemic_senescence",
            Self::Stochastic => "stochastic",
            Self::Fault => "fault",
        }
    }
}

/// Hazard that age doesn't change, a tick.
const MAKEHAM: f64 = 1e-6;
/// Hazard of age at tick 0, a tick.
const GOMPERTZ: f64 = 1e-8;
/// Growth of the hazard of age, a tick.
const GOMPERTZ_RATE: f64 = 5e-5;
/// How much failing knowledge adds: at fitness 0 the hazard is three times as high.
const UNFITNESS_WEIGHT: f64 = 2.0;
/// Most hazard a tick.
const HAZARD_CAP: f64 = 1e-3;

/// Probability of dying by chance in one tick: Gompertz–Makeham mortality, raised by failing knowledge, capped.
///
/// h = min((10⁻⁶ + 10⁻⁸·e^(5·10⁻⁵·age))·(1 + 2(1 − fitness)), 10⁻³), age in ticks, fitness in [0, 1]
/// (digest section 11, formula M03 and its computed table; ruling 9).
pub fn hazard(age: Tick, fitness: f64) -> f64 {
    let age_hazard = MAKEHAM + GOMPERTZ * math::exp(GOMPERTZ_RATE * age as f64);
    (age_hazard * (1.0 + UNFITNESS_WEIGHT * (1.0 - fitness))).min(HAZARD_CAP)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ticks in a day of 40-second ticks.
    const DAY: u64 = 2_160;

    /// Digest section 11, the formula columns: hazard at fitness 1 and survival in per cent at fitness 1, .5 and 0.
    #[test]
    fn hazard_and_survival_match_the_digest() {
        for (days, expected_hazard, survival) in [
            (7, 1.02e-6, [98.48, 96.98, 95.50]),
            (30, 1.26e-6, [93.27, 86.99, 81.13]),
            (60, 7.5e-6, [77.12, 59.48, 45.87]),
            (90, 1.67e-4, [2.95, 0.09, 0.00]),
        ] {
            let found = hazard(days * DAY, 1.0);
            assert!((found / expected_hazard - 1.0).abs() < 0.01, "day {days}: {found}");
            for (fitness, expected) in [1.0, 0.5, 0.0].into_iter().zip(survival) {
                let log_survival: f64 = (0..days * DAY).map(|t| libm::log1p(-hazard(t, fitness))).sum();
                let found = 100.0 * math::exp(log_survival);
                assert!((found - expected).abs() < 0.006, "day {days}, fitness {fitness}: {found}");
            }
        }
    }

    /// Digest: median lives of 73.1, 64.3 and 58.1 days; the cap is reached at tick 230,238.
    #[test]
    fn medians_and_cap_match_the_digest() {
        for (fitness, expected_days) in [(1.0, 73.1), (0.5, 64.3), (0.0, 58.1)] {
            let (mut alive, mut tick) = (1.0, 0);
            while alive > 0.5 {
                alive *= 1.0 - hazard(tick, fitness);
                tick += 1;
            }
            let days = tick as f64 / DAY as f64;
            assert!((days - expected_days).abs() < 0.06, "fitness {fitness}: {days}");
        }
        assert!(hazard(230_237, 1.0) < HAZARD_CAP && hazard(230_239, 1.0) >= HAZARD_CAP);
    }
}
