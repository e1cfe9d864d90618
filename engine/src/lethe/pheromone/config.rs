//! The `[pheromones]` table.

use crate::lethe::PheromoneKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How confirmation lengthens a pheromone's life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmationRule {
    /// Half-life × (1 + .5·c) after c confirmations.
    #[default]
    Linear,
    /// Half-life × 1.5^c.
    Geometric,
}

/// Scents that siblings leave for each other. They need `clade.enabled`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PheromoneConfig {
    /// Whether there are any.
    pub enabled: bool,
    /// Half-life of a pheromone of threat, simulated hours, above 0.
    pub threat_half_life_hours: f64,
    /// Half-life of a pheromone of opportunity.
    pub opportunity_half_life_hours: f64,
    /// Half-life of a pheromone of wisdom.
    pub wisdom_half_life_hours: f64,
    /// How confirmation by others lengthens it.
    pub confirmation: ConfirmationRule,
    /// Intensity below which a pheromone is gone, above 0 to 1.
    pub gone_below: f64,
    /// Loss from which a trade leaves a pheromone of threat, in R, above 0; a loss of twice as much is as strong as it gets.
    pub loss_r: f64,
    /// Gain from which a trade leaves a pheromone of opportunity, in R, above 0; a gain of twice as much is as strong as it gets.
    pub gain_r: f64,
    /// Price of leaving one, dollars, 0 or more.
    pub deposit_usdc: f64,
    /// Whether pheromones of threat cost nothing.
    pub threats_are_free: bool,
    /// What a pheromone is worth when the regime is another one, 0 to 1.
    pub regime_mismatch: f64,
    /// Arousal that the strongest relevant threat adds, 0 to 1.
    pub threat_arousal: f64,
    /// Pleasure that a threat which others have confirmed takes away, 0 to 1.
    pub confirmed_displeasure: f64,
    /// Confirmations that it takes, 1 to 1,000.
    pub confirmed_by: u32,
    /// Relevance above which a threat is rehearsed in the next dream, 0 to 1.
    pub rehearse_above: f64,
    /// Relevance above which a new threat wakes a dreamer, 0 to 1; 1 for never.
    pub wake_above: f64,
}

impl Default for PheromoneConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            threat_half_life_hours: 2.0,
            opportunity_half_life_hours: 12.0,
            wisdom_half_life_hours: 168.0,
            confirmation: ConfirmationRule::Linear,
            gone_below: 0.05,
            loss_r: 1.0,
            gain_r: 2.0,
            deposit_usdc: 0.0005,
            threats_are_free: false,
            regime_mismatch: 0.5,
            threat_arousal: 0.3,
            confirmed_displeasure: 0.1,
            confirmed_by: 3,
            rehearse_above: 0.5,
            wake_above: 0.8,
        }
    }
}

impl PheromoneConfig {
    /// Half-life of a pheromone nobody has confirmed, simulated hours.
    pub fn half_life_hours(&self, kind: PheromoneKind) -> f64 {
        match kind {
            PheromoneKind::Threat => self.threat_half_life_hours,
            PheromoneKind::Opportunity => self.opportunity_half_life_hours,
            PheromoneKind::Wisdom => self.wisdom_half_life_hours,
        }
    }

    /// Price of leaving one, dollars.
    pub fn price_usdc(&self, kind: PheromoneKind) -> f64 {
        if kind == PheromoneKind::Threat && self.threats_are_free { 0.0 } else { self.deposit_usdc }
    }

    /// Everything about the values that can't be.
    pub fn check(&self, has_clades: bool, check: &mut crate::base::Checker) {
        let mut table = check.table("pheromones");
        let heard = !self.enabled || has_clades;
        table.demand(heard, "enabled", true, "pheromones are for siblings: set clade.enabled = true as well");
        table.within("threat_half_life_hours", self.threat_half_life_hours, 1e-6, 1e9);
        table.within("opportunity_half_life_hours", self.opportunity_half_life_hours, 1e-6, 1e9);
        table.within("wisdom_half_life_hours", self.wisdom_half_life_hours, 1e-6, 1e9);
        table.within("gone_below", self.gone_below, 1e-6, 1.0);
        table.within("loss_r", self.loss_r, 1e-6, 1e6);
        table.within("gain_r", self.gain_r, 1e-6, 1e6);
        table.at_least("deposit_usdc", self.deposit_usdc, 0.0);
        table.share("regime_mismatch", self.regime_mismatch);
        table.share("threat_arousal", self.threat_arousal);
        table.share("confirmed_displeasure", self.confirmed_displeasure);
        table.whole("confirmed_by", self.confirmed_by.into(), 1, 1_000);
        table.share("rehearse_above", self.rehearse_above);
        table.share("wake_above", self.wake_above);
    }
}
