//! Skill: the worth of a golem's forecasts beyond those of forecasters that don't know the circumstances.
//!
//! A forecast is the R, before costs, that memory expects of a candidate. Three forecasters without any memory of circumstances forecast
//! the same:
//!
//! | forecaster | forecast of a candidate | hypothesis |
//! |---|---|---|
//! | persistence | the running mean outcome of its strategy on paper, taken or not | the next outcome is like the last ones |
//! | nothing | 0 | no signal is worth anything |
//! | prior | `golem.prior_edge_r` times the signal's strength | the signal says all, and memory nothing |
//!
//! Each forecast is scaled by the share of the forecaster's earlier forecasts that has come true, x = b·f, and skill is the
//! mean squared error skill score (Murphy, *Monthly Weather Review* 116, 1988, eq. 4) of memory, so scaled, against the best of the
//! three:
//!
//! b = Σ f·o / (Σ f² + λ), within 0 and 1,  s = max(−1, 1 − MSE(memory) / min(MSE(persistence), MSE(nothing), MSE(prior)))
//!
//! | symbol | meaning | unit, range |
//! |---|---|---|
//! | f, o | forecast and outcome | R before costs |
//! | b | slope through the origin of outcomes on forecasts (Mincer & Zarnowitz 1969), over those due before this one, the older the less | 0 to 1 |
//! | λ | 20, doubt: the ridge (Hoerl & Kennard 1970) that makes b begin at 0 | R² |
//! | MSE | mean of (b·f − o)², over the same candidates | R², 0 and more |
//! | s | skill: 0 no better than the best of the three, 1 foreseen exactly | −1 to 1 |
//!
//! *Why against three.* The last outcomes of a martingale foretell nothing, their mean over n has an error of σ²(1 + 1/n), and a
//! forecaster that always says 0 would beat persistence alone. That is no knowledge, so "nothing" is a reference too; so is the prior,
//! without which a scenario that writes the truth into `golem.prior_edge_r` would make golems wise.
//!
//! *Why at the share that came true.* Unscaled, the shipped memories have no skill where they earn most: they expect two to
//! four times too much, and a squared error punishes the scale more than it rewards the discrimination. A golem learns to discount exaggeration, so
//! skill measures discrimination. The share is learnt from the past alone (prequentially), so hindsight flatters no forecaster; it is
//! never negative, for a forecaster that must be read the wrong way round knows nothing.
//!
//! Errors are of R *before* costs, because costs are known to all. Degenerate: where the best reference is never wrong, skill is 0 for a forecaster
//! that is never wrong either, and −1 for all others. The configuration has the window size of the moving average of squared errors and the
//! span of skill; the ridge λ is fixed. Skill is epistemic fitness where `epistemic.fitness_form` is "skill", the default; under the other
//! forms it is only recorded.

use morta_base::keys;
use serde::{Deserialize, Serialize};

keys! {
    /// The `[mortality.epistemic.skill]` table.
    pub struct SkillConfig {
        /// Forecasts over which squared errors are averaged and shares learnt, each counting 1/window; at birth all forecasters count as
        /// having been wrong by 1 R, so that a newborn has no skill and gains or loses it by degrees.
        window: u32 = 200, in 2..=1_000_000_000, "forecasts";
        /// Skill at which fitness is 1; skill of as much below 0 makes it 0.
        span: f64 = 0.5, in 1e-4..=1.0, "skill";
    }
}

/// Doubt: how large the sum of the squares of a forecaster's forecasts must be before half of the share that came true counts. Our
/// choice: as much as twenty forecasts of 1 R, because fewer would let a single lucky one speak.
const DOUBT_R2: f64 = 20.0;

impl SkillConfig {
    /// Epistemic fitness of a skill: ½ + skill / (2·span), within 0 and 1, a linear rescaling that is clamped. No skill gives ½, the
    /// fitness of a newborn.
    pub fn fitness(&self, skill: f64) -> f64 {
        (0.5 + skill / (2.0 * self.span)).clamp(0.0, 1.0)
    }
}

/// The competing forecasts of one candidate, the prediction of memory and those of two benchmarks (benchmark forecasts), in R before costs;
/// the third is always 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    /// By memory.
    pub memory: f64,
    /// By persistence.
    pub persistence: f64,
    /// By the prior.
    pub prior: f64,
}

/// Squared errors of memory and of the three references: of one forecast, their sum or their mean; R². The loss function of forecast
/// verification is the mean squared error (MSE).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SquaredErrors {
    /// Of memory.
    pub memory: f64,
    /// Of persistence.
    pub persistence: f64,
    /// Of the forecast 0.
    pub nothing: f64,
    /// Of the prior.
    pub prior: f64,
}

impl SquaredErrors {
    fn map2(&self, other: &Self, by: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            memory: by(self.memory, other.memory),
            persistence: by(self.persistence, other.persistence),
            nothing: by(self.nothing, other.nothing),
            prior: by(self.prior, other.prior),
        }
    }

    /// The skill score by these errors, 1 − MSE over the reference's MSE, −1 to 1. Held to −1, because the ratio has no lower bound.
    pub fn skill(&self) -> f64 {
        let reference = self.persistence.min(self.nothing).min(self.prior);
        if reference > 0.0 {
            (1.0 - self.memory / reference).max(-1.0)
        } else if self.memory > 0.0 {
            -1.0
        } else {
            0.0
        }
    }
}

impl std::ops::AddAssign for SquaredErrors {
    fn add_assign(&mut self, other: Self) {
        *self = self.map2(&other, |a, b| a + b);
    }
}

/// The number of scored forecasts of a life, and the sums of their squared errors: an accumulator without forgetting. It stands in the
/// record of the life; sweeps add up those of all lives for their measure of skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ForecastTally {
    /// Number of scored forecasts.
    pub forecasts: u64,
    /// Sums of their squared errors.
    pub errors: SquaredErrors,
}

impl ForecastTally {
    /// Skill score over all of them, without forgetting, −1 to 1; `None` without any.
    pub fn skill(&self) -> Option<f64> {
        (self.forecasts > 0).then(|| self.errors.skill())
    }
}

impl std::ops::AddAssign for ForecastTally {
    fn add_assign(&mut self, other: Self) {
        self.forecasts = self.forecasts.saturating_add(other.forecasts);
        self.errors += other.errors;
    }
}

/// The share of a forecaster's forecasts that has come true, b of the formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Credence {
    /// Running Σ f·o, R².
    products: f64,
    /// Running Σ f², R².
    squares: f64,
}

impl Credence {
    fn share(self) -> f64 {
        (self.products / (self.squares + DOUBT_R2)).clamp(0.0, 1.0)
    }

    /// Takes in a forecast and its outcome, and returns the squared error at the share known before: learnt first, the share would know the outcome.
    fn score(&mut self, forecast_r: f64, outcome_r: f64, config: &SkillConfig) -> f64 {
        let error = self.share() * forecast_r - outcome_r;
        let kept = 1.0 - 1.0 / f64::from(config.window);
        self.products = self.products * kept + forecast_r * outcome_r;
        self.squares = self.squares * kept + forecast_r * forecast_r;
        error * error
    }
}

/// A golem's skill so far: exponentially weighted squared errors (EWMA), and the slopes of an online ridge regression through the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// How far memory's forecasts have come true.
    memory: Credence,
    /// The same of persistence.
    persistence: Credence,
    /// The same of the prior; the forecast 0 has nothing to scale.
    prior: Credence,
    /// Running means of squared errors over `window` forecasts, by which the clock is read.
    recent: SquaredErrors,
    /// Sums over the whole life, for its record.
    life: ForecastTally,
}

impl Default for Skill {
    fn default() -> Self {
        let unscored = Credence::default();
        // Errors of 1 R for all: a newborn has no skill, and a first lucky or unlucky forecast moves it by a window's share only.
        let recent = SquaredErrors { memory: 1.0, persistence: 1.0, nothing: 1.0, prior: 1.0 };
        Self {
            memory: unscored,
            persistence: unscored,
            prior: unscored,
            recent,
            life: ForecastTally::default(),
        }
    }
}

impl Skill {
    /// Takes in a forecast that has come due: an online update of moving averages (EWMA) of squared errors and of the slopes.
    pub(super) fn note(&mut self, expected: &Expected, came_r: f64, config: &SkillConfig) {
        let errors = SquaredErrors {
            memory: self.memory.score(expected.memory, came_r, config),
            persistence: self.persistence.score(expected.persistence, came_r, config),
            nothing: came_r * came_r,
            prior: self.prior.score(expected.prior, came_r, config),
        };
        let alpha = 1.0 / f64::from(config.window);
        self.recent = self.recent.map2(&errors, |running, newest| running + alpha * (newest - running));
        self.life.forecasts += 1;
        self.life.errors += errors;
    }

    /// The skill of the last forecasts, by which the clock is read; −1 to 1, 0 at birth. It weights errors exponentially (moving average).
    pub fn recent(&self) -> f64 {
        self.recent.skill()
    }

    /// The cumulative forecast errors of the life, for its record; the clock reads `recent` instead.
    pub fn life(&self) -> ForecastTally {
        self.life
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY_HAND: SkillConfig = SkillConfig { window: 2, span: 0.4 };

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    /// 1 R comes twice. Memory says .5 both times, persistence .3, the prior 1 and then −1. At first no source has a share, so all errors are
    /// 1 R. Then the share of memory is .5 / (.25 + 20) = 2/81: wrong by 80/81, squared .97546; persistence at .3 / 20.09, squared .99106; the prior
    /// at 1/21: wrong by 22/21, squared 1.09751. Sums 1.97546, 1.99106, 2 and 2.09751: skill 1 − 1.97546 / 1.99106 = .00783. Running means, halfway
    /// from 1 each time, are in the same ratio. Fitness .5 + .00783 / .8.
    #[test]
    fn skill_by_hand() {
        let mut skill = Skill::default();
        let expected = Expected { memory: 0.5, persistence: 0.3, prior: 1.0 };
        skill.note(&expected, 1.0, &BY_HAND);
        assert_eq!((skill.recent(), skill.life().skill()), (0.0, Some(0.0)));
        skill.note(&Expected { prior: -1.0, ..expected }, 1.0, &BY_HAND);
        let SquaredErrors { memory, persistence, nothing, prior } = skill.life().errors;
        close(memory, 1.0 + (80.0 / 81.0) * (80.0 / 81.0));
        close(persistence, 1.0 + (20.0 / 20.09) * (20.0 / 20.09));
        close(nothing, 2.0);
        close(prior, 1.0 + (22.0 / 21.0) * (22.0 / 21.0));
        close(skill.life().skill().expect("two came due"), 0.007_834_684_4);
        close(skill.recent(), 0.007_834_684_4);
        close(BY_HAND.fitness(skill.recent()), 0.5 + 0.007_834_684_4 / 0.8);
        // Half of the old and all of the new: .75 / (.375 + 20). The prior has pointed the wrong way of late: its share is 0.
        close(skill.memory.share(), 0.75 / 20.375);
        assert_eq!(skill.prior.share(), 0.0);
        assert_eq!([0.0, 0.4, -1.0].map(|skill| BY_HAND.fitness(skill)), [0.5, 1.0, 0.0]);
    }

    /// A memory that repeats persistence, zero or the prior has no skill, whichever outcomes follow.
    #[test]
    fn repeating_a_reference_has_no_skill() {
        let config = SkillConfig::default();
        for memory in [0.2, 0.0, 0.7] {
            let expected = Expected { memory, persistence: 0.2, prior: 0.7 };
            let mut skill = Skill::default();
            for came_r in [0.7, -0.3, 2.0, -0.4, 0.1, 1.2] {
                skill.note(&expected, came_r, &config);
                assert!(skill.recent() <= 0.0 && skill.life().skill() <= Some(0.0), "{memory}: {skill:?}");
            }
        }
    }

    /// A memory that forecasts ten times the outcomes has as much skill, in the end, as one that forecasts them exactly; one that forecasts the
    /// opposite has none.
    #[test]
    fn tone_is_discounted_and_the_contrary_is_not_read_backwards() {
        let after = |times: f64| {
            let mut skill = Skill::default();
            for tick in 0..2_000 {
                let came_r = if tick % 2 == 0 { 1.0 } else { -1.0 };
                let expected = Expected { memory: times * came_r, persistence: 0.0, prior: 0.0 };
                skill.note(&expected, came_r, &SkillConfig::default());
            }
            skill.recent()
        };
        assert!(after(10.0) > 0.99, "{}", after(10.0));
        // Heard at 200 / (200 + 20), it is wrong by 1/11.
        assert!((after(1.0) - (1.0 - 1.0 / 121.0)).abs() < 1e-3, "{}", after(1.0));
        assert_eq!(after(-1.0), 0.0);
    }
}
