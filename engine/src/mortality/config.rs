//! The mortality keys of a scenario. Defaults are the constants of the specs.

use crate::base::Usdc;
use crate::mortality::economic::EconomicConfig;
use crate::mortality::fitness::EpistemicConfig;
use crate::mortality::hazard::StochasticConfig;
use crate::mortality::kill::Kill;
use crate::mortality::phase_effects::PhaseEffects;
use crate::mortality::thanatopsis::ThanatopsisConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When failing knowledge kills (spec ruling 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EpistemicDeath {
    /// When the grace period after the fall below the senescence threshold runs out without recovery.
    #[default]
    GraceExpiry,
    /// Only when vitality also falls below 0.1.
    Composite,
}

/// The `[mortality]` table: the three clocks and what they add up to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MortalityConfig {
    /// Whether running out of money kills.
    pub economic_clock: bool,
    /// Whether failing knowledge of the market kills.
    pub epistemic_clock: bool,
    /// Whether chance kills.
    pub stochastic_clock: bool,
    /// Least reserve, dollars: a golem whose balance falls to its reserve dies. 0 or more.
    pub reserve_floor_usdc: f64,
    /// Reserve as a share of the balance at birth, 0 to 1; the larger of both counts.
    pub reserve_share: f64,
    /// Epistemic fitness below which senescence begins, 0 to 1.
    pub senescence_threshold: f64,
    /// Ticks a senescent golem has to recover, at least 1.
    pub senescence_grace_ticks: u64,
    /// What failing knowledge does at the end of that time.
    pub epistemic_death: EpistemicDeath,
    /// Weight of the newest outcome in the running accuracy, above 0 to 1.
    pub fitness_alpha: f64,
    /// Predictions before the fitness counts; until then it is 0.5.
    pub min_predictions: u32,
    /// Multiplies the hazard of the stochastic clock, 0 or more; 100 makes lives of weeks pass in hours.
    pub hazard_scale: f64,
    /// Ticks of 40 seconds that one tick ages a golem by, above 0: 90 where a tick is an hour, so that the hazard and vitality
    /// of the specs keep their shape in compressed time. The chance of dying in one tick is `hazard_scale`'s business.
    pub age_scale: f64,
    /// Spread of frailty: every golem's hazard is multiplied by e^(spread·z) with its own normal z; 0 for none.
    pub frailty_spread: f64,
    /// Ticks at which age has its full effect on vitality, at least 1.
    pub lifespan_ticks: u64,
    /// Effect of age on vitality, 0 to 1.
    pub age_drag: f64,
    /// How far above its threshold vitality must rise before a better phase begins, 0 to 0.5.
    pub phase_hysteresis: f64,
    /// How far vitality must move before it is told again, above 0 to 1.
    pub vitality_step: f64,
    /// Money.
    pub economic: EconomicConfig,
    /// Knowledge.
    pub epistemic: EpistemicConfig,
    /// Chance.
    pub stochastic: StochasticConfig,
    /// What the phases of a life change.
    pub phases: PhaseEffects,
    /// How golems die.
    pub thanatopsis: ThanatopsisConfig,
    /// Deaths from outside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kills: Vec<Kill>,
}

impl Default for MortalityConfig {
    fn default() -> Self {
        Self {
            economic_clock: true,
            epistemic_clock: true,
            stochastic_clock: true,
            reserve_floor_usdc: 0.30,
            reserve_share: 0.02,
            senescence_threshold: 0.35,
            senescence_grace_ticks: 500,
            epistemic_death: EpistemicDeath::GraceExpiry,
            fitness_alpha: 0.01,
            min_predictions: 50,
            hazard_scale: 1.0,
            age_scale: 1.0,
            frailty_spread: 0.0,
            lifespan_ticks: 200_000,
            age_drag: 0.3,
            phase_hysteresis: 0.05,
            vitality_step: 0.05,
            economic: EconomicConfig::default(),
            epistemic: EpistemicConfig::default(),
            stochastic: StochasticConfig::default(),
            phases: PhaseEffects::default(),
            thanatopsis: ThanatopsisConfig::default(),
            kills: Vec::new(),
        }
    }
}

impl MortalityConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("mortality");
        table.at_least("reserve_floor_usdc", self.reserve_floor_usdc, 0.0);
        table.share("reserve_share", self.reserve_share);
        table.share("senescence_threshold", self.senescence_threshold);
        table.whole("senescence_grace_ticks", self.senescence_grace_ticks, 1, Self::MAX_TICKS);
        table.within("fitness_alpha", self.fitness_alpha, 1e-6, 1.0);
        table.within("hazard_scale", self.hazard_scale, 0.0, 1e6);
        table.within("age_scale", self.age_scale, 1e-3, 1e6);
        table.within("frailty_spread", self.frailty_spread, 0.0, 5.0);
        table.whole("lifespan_ticks", self.lifespan_ticks, 1, Self::MAX_TICKS);
        table.share("age_drag", self.age_drag);
        table.within("phase_hysteresis", self.phase_hysteresis, 0.0, 0.5);
        table.within("vitality_step", self.vitality_step, 1e-3, 1.0);
        self.economic.check(&mut table.table("economic"));
        self.epistemic.check(&mut table.table("epistemic"), self.senescence_threshold);
        self.stochastic.check(&mut table.table("stochastic"));
        self.phases.check(&mut table.table("phases"));
        self.thanatopsis.check(&mut table.table("thanatopsis"));
    }

    /// The least reserve of a golem born with so much: max(.30, .02·initial).
    pub fn least_reserve(&self, endowment: Usdc) -> Usdc {
        Usdc::from_dollars(self.reserve_floor_usdc).max(endowment.scaled(self.reserve_share))
    }

    /// An age in ticks of the specs.
    pub fn age(&self, ticks: crate::base::Tick) -> crate::base::Tick {
        (ticks as f64 * self.age_scale) as crate::base::Tick
    }

    const MAX_TICKS: u64 = 1_000_000_000_000;
}
