//! The mortality keys of a scenario, which configure the lifespan, hazard and death (survival) of golems. Defaults are the constants of the
//! specs, mostly digest section 11.
//!
//! Ages and intervals are in ticks, money in dollars, fitness, vitality and shares run from 0 to 1. The formulas that use the keys are in
//! the other files of this folder; here are only the two that need the whole table, the reserve floor and the time scale of age. All three
//! clocks are on by default; of immortals (`population.policy`, or a cohort's own) they are read and kill none, while kills from outside
//! strike them too. Epistemic death comes by senescence, when its grace period is over; death by model staleness has keys of its own in
//! `[mortality.epistemic]` and is off by default.

use crate::mortality::economic::EconomicConfig;
use crate::mortality::fitness::EpistemicConfig;
use crate::mortality::hazard::StochasticConfig;
use crate::mortality::kill::Kill;
use crate::mortality::phase_effects::PhaseEffects;
use crate::mortality::thanatopsis::ThanatopsisConfig;
use morta_base::TableChecker;
use morta_base::Usdc;
use morta_base::keys;

morta_base::words! {
    /// When failing knowledge kills (spec ruling 9).
    #[derive(Default)]
    pub enum EpistemicDeath: Key {
        /// When the grace period after the fall below the senescence threshold runs out without recovery.
        #[default]
        GraceExpiry = "grace_expiry",
        /// Only when vitality also falls below 0.1.
        Composite = "composite",
    }
}

keys! {
    /// The `[mortality]` table: the three clocks and what they add up to.
    pub struct MortalityConfig {
        /// Whether running out of money kills.
        economic_clock: bool = true;
        /// Whether failing knowledge of the market kills.
        epistemic_clock: bool = true;
        /// Whether chance kills.
        stochastic_clock: bool = true;
        /// Least reserve, dollars: a golem whose balance falls to its reserve dies.
        reserve_floor_usdc: f64 = 0.30, in 0.0..=1e12, "dollars";
        /// Reserve as a share of the balance at birth; the larger of both counts.
        reserve_share: f64 = 0.02, in 0.0..=1.0, "share";
        /// Epistemic fitness below which senescence begins.
        senescence_threshold: f64 = 0.35, in 0.0..=1.0, "fitness";
        /// Ticks a senescent golem has to recover.
        senescence_grace_ticks: u64 = 500, in 1..=Self::MAX_TICKS, "ticks";
        /// What failing knowledge does at the end of that time.
        epistemic_death: EpistemicDeath = EpistemicDeath::GraceExpiry;
        /// Weight of the newest outcome in the running accuracy; skill has a window of its own (`epistemic.skill`).
        fitness_alpha: f64 = 0.01, in 1e-6..=1.0, "fitness";
        /// Predictions before the accuracy counts; until then fitness is 0.5. Skill begins there by itself.
        min_predictions: u32 = 50, in 0.., "predictions";
        /// Multiplies the hazard of the stochastic clock; 100 makes lives of weeks pass in hours.
        hazard_scale: f64 = 1.0, in 0.0..=1e6, "factor";
        /// Ticks of 40 seconds that one tick ages a golem by: 90 where a tick is an hour, so that the hazard and
        /// vitality of the specs keep their shape in compressed time. The chance of dying in one tick is
        /// `hazard_scale`'s business.
        age_scale: f64 = 1.0, in 1e-3..=1e6, "ticks of 40 seconds a tick";
        /// Spread of frailty: every golem's hazard is multiplied by e^(spread·z) with its own normal z; 0 for none.
        frailty_spread: f64 = 0.0, in 0.0..=5.0, "standard deviation";
        /// Ticks at which age has its full effect on vitality.
        lifespan_ticks: u64 = 200_000, in 1..=Self::MAX_TICKS, "ticks";
        /// Effect of age on vitality.
        age_drag: f64 = 0.3, in 0.0..=1.0, "vitality";
        /// How far above its threshold vitality must rise before a better phase begins.
        phase_hysteresis: f64 = 0.05, in 0.0..=0.5, "vitality";
        /// Money.
        economic: EconomicConfig = EconomicConfig::default();
        /// Knowledge.
        epistemic: EpistemicConfig = EpistemicConfig::default();
        /// Chance.
        stochastic: StochasticConfig = StochasticConfig::default();
        /// What the phases of a life change.
        phases: PhaseEffects = PhaseEffects::default();
        /// How golems die.
        thanatopsis: ThanatopsisConfig = ThanatopsisConfig::default();
        /// Deaths from outside.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        kills: Vec<Kill> = Vec::new(), len 0..=usize::MAX;
    }
    also recovery_is_above_senescence;
}

impl MortalityConfig {
    fn recovery_is_above_senescence(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[
            ("senescence_threshold", self.senescence_threshold),
            ("epistemic.recovery_threshold", self.epistemic.recovery_threshold),
        ]);
    }

    /// The minimum reserve of a golem born with so much, in dollars: max(.30, .02·initial), the larger of a fixed sum and a share of the
    /// endowment.
    pub(crate) fn least_reserve(&self, endowment: Usdc) -> Usdc {
        Usdc::from_dollars(self.reserve_floor_usdc).max(endowment.scaled(self.reserve_share))
    }

    /// Scales an age to ticks of the specs, 40 seconds each. Hazard and vitality are functions of that unit, so that compressed time needs
    /// one key and not a constant for each formula.
    pub fn age(&self, ticks: morta_base::Tick) -> morta_base::Tick {
        (ticks as f64 * self.age_scale) as morta_base::Tick
    }

    const MAX_TICKS: u64 = 1_000_000_000_000;
}
