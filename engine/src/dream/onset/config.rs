//! The `[dream.hypnagogia]` table.

use crate::base::TableChecker;
use crate::mortality::Phase;
use crate::replay::Uncertainty;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The `[dream.hypnagogia]` table: what happens at the edge of sleep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct HypnagogiaConfig {
    /// Whether rich dreams begin at the edge of sleep (default true); lightweight ones never do.
    pub enabled: bool,
    /// Dalí cycles of an onset, 0 to 20; left out, by behavioural phase and uncertainty: thriving 3 to 5, stable 2 or 3,
    /// conservation 1, else none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dali_cycles: Option<u32>,
    /// Fragments caught in a cycle, 1 to 20 (default 4).
    pub partials: u32,
    /// Memories that a fragment is made from, 2 to 20 (our own key, default 6).
    pub memories: u32,
    /// Temperature at which the drift begins, 0 to 2 (default 1.0).
    pub temperature_low: f64,
    /// Temperature of the deepest drift, 0 to 2 (default 1.5).
    pub temperature_high: f64,
    /// What is left of the depth in each cycle after the first, 0 to 1 (default 0.8).
    pub reanneal: f64,
    /// Temperature of the observer, 0 to 2 (default 0.4).
    pub observer_temperature: f64,
    /// Score above which a fragment is kept, 0 to 1 (default 0.10).
    pub floor: f64,
    /// Factor on every score, 0 to 10 (default 1): above 1 for an observer known to be too strict.
    pub observer_bias: f64,
    /// What likeness to the keyword adds to a memory's rank, 0 to 1 (default 0.2).
    pub incubation_bias: f64,
    /// Exponent of surprise in the choice of memories, 0 to 4 (default 0.6).
    pub surprise_exponent: f64,
    /// Latest episodes among which memories are looked for, 2 to 100,000 (default 200).
    pub recent_pool: u32,
    /// Episodes felt strongly that are added to them, 0 to 100,000 (default 50).
    pub salient_pool: u32,
    /// Episodes about to be forgotten that are added, 0 to 100,000 (default 20).
    pub fading_pool: u32,
    /// Arousal from which an episode counts as felt strongly here, 0 to 1 (default 0.7).
    pub salience: f64,
    /// Confidence of the weakest fragment kept, 0 to 1 (default 0.10).
    pub fragment_confidence_min: f64,
    /// Confidence of the strongest, 0 to 1 (default 0.20).
    pub fragment_confidence_max: f64,
}

impl Default for HypnagogiaConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            dali_cycles: None,
            partials: 4,
            memories: 6,
            temperature_low: 1.0,
            temperature_high: 1.5,
            reanneal: 0.8,
            observer_temperature: 0.4,
            floor: 0.10,
            observer_bias: 1.0,
            incubation_bias: 0.2,
            surprise_exponent: 0.6,
            recent_pool: 200,
            salient_pool: 50,
            fading_pool: 20,
            salience: 0.7,
            fragment_confidence_min: 0.10,
            fragment_confidence_max: 0.20,
        }
    }
}

impl HypnagogiaConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        if let Some(cycles) = self.dali_cycles {
            table.whole("daliCycles", cycles.into(), 0, 20);
        }
        table.whole("partials", self.partials.into(), 1, 20);
        table.whole("memories", self.memories.into(), 2, 20);
        table.within("temperatureLow", self.temperature_low, 0.0, 2.0);
        table.within("temperatureHigh", self.temperature_high, self.temperature_low, 2.0);
        table.share("reanneal", self.reanneal);
        table.within("observerTemperature", self.observer_temperature, 0.0, 2.0);
        table.share("floor", self.floor);
        table.within("observerBias", self.observer_bias, 0.0, 10.0);
        table.share("incubationBias", self.incubation_bias);
        table.within("surpriseExponent", self.surprise_exponent, 0.0, 4.0);
        table.whole("recentPool", self.recent_pool.into(), 2, 100_000);
        table.whole("salientPool", self.salient_pool.into(), 0, 100_000);
        table.whole("fadingPool", self.fading_pool.into(), 0, 100_000);
        table.share("salience", self.salience);
        table.share("fragmentConfidenceMin", self.fragment_confidence_min);
        table.within(
            "fragmentConfidenceMax",
            self.fragment_confidence_max,
            self.fragment_confidence_min,
            1.0,
        );
    }

    /// Dalí cycles of an onset (digest section 8, table of H00, as offsets by uncertainty).
    pub fn cycles(&self, phase: Phase, uncertainty: Uncertainty) -> u32 {
        let place = match uncertainty {
            Uncertainty::Low => 0,
            Uncertainty::Medium => 1,
            Uncertainty::High => 2,
        };
        match (self.enabled, self.dali_cycles, phase) {
            (false, ..) | (_, _, Phase::Terminal) => 0,
            (_, Some(cycles), _) => cycles,
            (_, None, Phase::Thriving) => [3, 4, 5][place],
            (_, None, Phase::Stable) => [2, 2, 3][place],
            (_, None, Phase::Conservation) => 1,
            (_, None, Phase::Declining) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_depth_table() {
        let cycles = |phase, uncertainty| HypnagogiaConfig::default().cycles(phase, uncertainty);
        assert_eq!(cycles(Phase::Thriving, Uncertainty::Low), 3);
        assert_eq!(cycles(Phase::Thriving, Uncertainty::High), 5);
        assert_eq!(cycles(Phase::Stable, Uncertainty::Medium), 2);
        assert_eq!(cycles(Phase::Conservation, Uncertainty::High), 1);
        assert_eq!(cycles(Phase::Declining, Uncertainty::High), 0);
        assert_eq!(cycles(Phase::Terminal, Uncertainty::High), 0);
    }
}
