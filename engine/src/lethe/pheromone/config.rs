//! The `[pheromones]` table: half-lives in simulated hours, intensities from 0 to 1, thresholds of results in R, prices in dollars (digest
//! section 15, M10).
//!
//! Pheromones are stigmergy, as in ant colony optimisation: a trace in the environment that fades unless others confirm it. Confirmation
//! lengthens the half-life, linearly or geometrically, and adds no intensity; fading is evaporation. They are off by default and need
//! `clade.enabled`, which the scenario's check demands.

use crate::lethe::PheromoneKind;
use morta_base::TableChecker;
use morta_base::keys;

morta_base::words! {
    /// How confirmation lengthens a pheromone's life.
    #[derive(Default)]
    pub enum ConfirmationRule: Key {
        /// Half-life × (1 + .5·c) after c confirmations.
        #[default]
        Linear = "linear",
        /// Half-life × 1.5^c.
        Geometric = "geometric",
    }
}

keys! {
    /// Scents that siblings leave for each other. They need `clade.enabled`.
    pub struct PheromoneConfig {
        /// Whether there are any.
        enabled: bool = false;
        /// Half-life of a pheromone of threat, simulated hours.
        threat_half_life_hours: f64 = 2.0, in 1e-6..=1e9, "hours";
        /// How confirmation by others lengthens it.
        confirmation: ConfirmationRule = ConfirmationRule::Linear;
        /// Intensity below which a pheromone is gone.
        gone_below: f64 = 0.05, in 1e-6..=1.0, "intensity";
        /// Gain from which a trade leaves a pheromone of opportunity, in R; a gain of twice as much is as strong as it
        /// gets.
        gain_r: f64 = 2.0, in 1e-6..=1e6, "R";
        /// Price of leaving one, dollars.
        deposit_usdc: f64 = 0.0005, in 0.0..=1e12, "dollars";
        /// Whether pheromones of threat cost nothing.
        threats_are_free: bool = false;
        /// Arousal that the strongest relevant threat adds.
        threat_arousal: f64 = 0.3, in 0.0..=1.0, "PAD";
        /// Pleasure that a threat which others have confirmed takes away.
        confirmed_displeasure: f64 = 0.1, in 0.0..=1.0, "PAD";
        /// Confirmations that it takes.
        confirmed_by: u32 = 3, in 1..=1_000, "confirmations";
        /// Relevance above which a threat is rehearsed in the next dream.
        rehearse_above: f64 = 0.5, in 0.0..=1.0, "intensity";
    }
}

/// Loss from which a trade leaves a pheromone of threat, in R; a loss of twice as much is as strong as it gets. Our choice, a stop; no consequence was found
/// of half and twice as much (`scenarios/sensitivity/knobs.toml`).
pub const LOSS_R: f64 = 1.0;
/// Half-life of an opportunity (digest section 15, M10). No key, because no golem acts on one: golems respond to threats alone.
const OPPORTUNITY_HALF_LIFE_HOURS: f64 = 12.0;
/// Half-life of wisdom, a week (digest section 15, M10); no key for the same reason.
const WISDOM_HALF_LIFE_HOURS: f64 = 168.0;

impl PheromoneConfig {
    /// Half-life of an unconfirmed pheromone, simulated hours (evaporation): 2 for threats by default, 12 and 168 for the other two kinds.
    pub fn half_life_hours(&self, kind: PheromoneKind) -> f64 {
        match kind {
            PheromoneKind::Threat => self.threat_half_life_hours,
            PheromoneKind::Opportunity => OPPORTUNITY_HALF_LIFE_HOURS,
            PheromoneKind::Wisdom => WISDOM_HALF_LIFE_HOURS,
        }
    }

    /// Price of leaving one, dollars (deposit fee). A golem that can't pay it leaves none.
    pub fn price_usdc(&self, kind: PheromoneKind) -> f64 {
        if kind == PheromoneKind::Threat && self.threats_are_free { 0.0 } else { self.deposit_usdc }
    }

    /// Checks across tables that pheromones have receivers: without clades they would be paid for and reach no golem.
    pub(crate) fn check_siblings(&self, has_clades: bool, table: &mut TableChecker<'_>) {
        let reaches_siblings = !self.enabled || has_clades;
        table.demand(
            reaches_siblings,
            "enabled",
            true,
            "pheromones are for siblings: set clade.enabled = true as well",
        );
    }
}
