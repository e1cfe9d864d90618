//! The stochastic clock: the probability of dying by chance in one tick, a random death as survival analysis has it.
//!
//! Gompertz–Makeham, h = (A + B e^(G a)) (1 + 2 (1 − f)), capped: a is the age in ticks of the specs, 40 seconds each, f the fitness from
//! 0 to 1, A, B and G as below (digest section 11, M03). The source's own table doesn't follow its formula; the tests hold the digest's,
//! computed from the formula. The term of age equals the constant term at ln(A/B)/G = 92,103 ticks, and the hazard of a golem of fitness
//! 1 reaches the cap at 230,238. The result is a probability a tick. The golem multiplies it by `hazard_scale` (default 1) and by its own
//! frailty, holds it to 1, and draws against it in every tick; the draw kills only where the stochastic clock is on. The other two forms,
//! linear in age, are there because the sources disagree (digest section 11). Frailty is a random effect on the hazard (log-normal
//! frailty), off by default. The hazard is a hazard rate (mortality rate) by age.

use morta_base::keys;
use morta_base::{Tick, math};

/// A, the hazard that age doesn't change, a tick (digest section 11, M03, as the four below).
const MAKEHAM: f64 = 1e-6;
/// B, the hazard of age at tick 0, a tick.
const GOMPERTZ: f64 = 1e-8;
/// G, the growth of the hazard of age, a tick.
const GOMPERTZ_RATE: f64 = 5e-5;
/// Weight of failing knowledge: at fitness 0 the hazard is three times as high.
const UNFITNESS_WEIGHT: f64 = 2.0;
/// Largest hazard a tick; in a day of 2,160 ticks it kills 88.5 %, where the source says 8.6 (digest section 11).
const HAZARD_CAP: f64 = 1e-3;

morta_base::words! {
    /// How the hazard grows with age (the sources disagree; digest section 11).
    #[derive(Default)]
    pub(crate) enum HazardForm: Key {
        /// 10⁻⁶ + 10⁻⁸·e^(5·10⁻⁵·age), times 1 + 2(1 − fitness) (M03).
        #[default]
        GompertzMakeham = "gompertz_makeham",
        /// 10⁻⁶ + 10⁻⁵·age, doubled below a fitness of .5 (M13). The source gives age no unit; here it is the share of
        /// `lifespan_ticks`.
        LinearAge = "linear_age",
        /// 10⁻⁴·(1 + age), age again as a share of `lifespan_ticks`; fitness doesn't matter (M01).
        LinearBase = "linear_base",
    }
}

keys! {
    /// The `[mortality.stochastic]` table.
    pub struct StochasticConfig {
        /// How the hazard grows with age.
        hazard_form: HazardForm = HazardForm::GompertzMakeham;
        /// Most hazard a tick before `hazard_scale` and frailty.
        hazard_cap: f64 = HAZARD_CAP, in 1e-12..=1.0, "probability a tick";
    }
}

impl StochasticConfig {
    /// Probability of dying by chance in one tick, before the caller's `hazard_scale` and frailty; `lifespan` in ticks is the unit of age
    /// in the linear forms. It is the hazard rate (mortality rate) of survival analysis in discrete time.
    pub fn hazard(&self, age: Tick, fitness: f64, lifespan: Tick) -> f64 {
        let share = age as f64 / lifespan as f64;
        let raw = match self.hazard_form {
            HazardForm::GompertzMakeham => uncapped(age, fitness),
            HazardForm::LinearAge => {
                let weak = if fitness < WEAK_FITNESS { 2.0 } else { 1.0 };
                (MAKEHAM + LINEAR_GROWTH * share) * weak
            }
            HazardForm::LinearBase => LINEAR_BASE * (1.0 + share),
        };
        raw.min(self.hazard_cap)
    }
}

/// The factor on a golem's hazard, e^(spread·z) by its own standard normal z, drawn with its genome: the median golem is as frail as
/// without. 1 for a spread of 0, the default. This is a frailty model of survival analysis: unobserved heterogeneity, log-normal,
/// multiplicative on the hazard rate. No consequence was found of a gamma's spread instead (`scenarios/sensitivity/knobs.toml`).
pub fn frailty(spread: f64, z: f64) -> f64 {
    if spread == 0.0 { 1.0 } else { math::exp(spread * z) }
}

/// Fitness below which the linear form doubles.
const WEAK_FITNESS: f64 = 0.5;
/// Growth of the hazard over a lifespan in the linear form of M13.
const LINEAR_GROWTH: f64 = 1e-5;
/// Hazard of a newborn in the linear form of M01.
const LINEAR_BASE: f64 = 1e-4;

fn uncapped(age: Tick, fitness: f64) -> f64 {
    let age_hazard = MAKEHAM + GOMPERTZ * math::exp(GOMPERTZ_RATE * age as f64);
    age_hazard * (1.0 + UNFITNESS_WEIGHT * (1.0 - fitness))
}

/// The default form of the hazard: Gompertz–Makeham mortality (Gompertz law), raised by failing knowledge, capped. Golems live by
/// `StochasticConfig::hazard`, which has the configured form and cap; this one is the reference for examples and tests.
///
/// h = min((10⁻⁶ + 10⁻⁸·e^(5·10⁻⁵·age))·(1 + 2(1 − fitness)), 10⁻³), age in ticks, fitness in [0, 1] (digest section 11, formula M03 and
/// its computed table; ruling 9).
pub fn hazard(age: Tick, fitness: f64) -> f64 {
    uncapped(age, fitness).min(HAZARD_CAP)
}

/// The survival function S(age), 1 at age 0: the probability of outliving an age under the default form at a constant fitness: Π(1 − h)
/// over the ticks lived, as the sum of ln(1 − h). It is the expectation that simulated lives are compared with; no golem reads it.
pub fn survival(age: Tick, fitness: f64) -> f64 {
    math::exp((0..age).map(|tick| math::ln_1p(-hazard(tick, fitness))).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ticks in a day of 40-second ticks.
    const DAY: u64 = 2_160;

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

    /// M13: 10⁻⁶ + 10⁻⁵·½ at half a lifespan, doubled below .5; M01: 10⁻⁴ at birth, twice that after a lifespan.
    #[test]
    fn the_linear_forms_by_hand() {
        let of = |form, age, fitness| {
            let config = StochasticConfig { hazard_form: form, ..StochasticConfig::default() };
            config.hazard(age, fitness, 200_000)
        };
        let check = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-12, "{found}");
        check(of(HazardForm::LinearAge, 100_000, 0.5), 6e-6);
        check(of(HazardForm::LinearAge, 100_000, 0.49), 1.2e-5);
        check(of(HazardForm::LinearBase, 0, 0.0), 1e-4);
        check(of(HazardForm::LinearBase, 200_000, 1.0), 2e-4);
        check(of(HazardForm::GompertzMakeham, 10_000_000, 1.0), HAZARD_CAP);
    }
}
