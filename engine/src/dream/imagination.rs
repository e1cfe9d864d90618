//! The `[dream.imagination]` table, and how hard a golem imagines when it is unsure.

use crate::base::TableChecker;
use crate::replay::Uncertainty;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The `[dream.imagination]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct ImaginationConfig {
    /// Alternative branches of one decision, 0 to 3 (default 2): another strategy, staying out, leaving earlier.
    pub counterfactual_depth: u32,
    /// Decisions that are gone through otherwise, 0 to 20 (our own key, default 2); the most regretted first.
    pub key_decisions: u32,
    /// Creative sessions in a cycle, 0 to 20 (default 2).
    pub creative_sessions: u32,
    /// Sessions in which memories come up at random, 0 to 20 (our own key, default 1).
    pub stochastic_sessions: u32,
    /// Memories a session begins with, 2 to 20 (our own key, default 3).
    pub seeds: u32,
    /// Threats rehearsed in a cycle, 0 to 15 (default 3).
    pub threat_scenarios: u32,
    /// Sampling temperature of generative tasks, 0 to 2 (default 0.7).
    pub exploration_temperature: f64,
    /// Sampling temperature of analytic tasks, 0 to 2 (digest section 5: 0.3 to 0.5; default 0.4).
    pub analytic_temperature: f64,
    /// Whether the four above that the dream architecture's intensity table names follow the golem's uncertainty (default
    /// true): unsure, one branch, one session, two threats and 0.2 more; sure, as much less, but at least one.
    pub scales_with_uncertainty: bool,
    /// Least share by which reappraisal lowers the arousal of an episode, 0 to 1 (default 0.3).
    pub depotentiation_min: f64,
    /// Most, 0 to 1 (default 0.5); in between by uncertainty.
    pub depotentiation_max: f64,
    /// Whether modes of creativity follow the digest's weights by phase (default true); otherwise all three alike.
    pub weigh_modes_by_phase: bool,
    /// Ticks after which a threat of the lowest tier is due again, at least 1 (default 15,120: a week).
    pub creeping_threat_ticks: u64,
    /// How long a loss is recent for threats, in ticks, at least 1 (default 2,160: a day).
    pub recent_loss_ticks: u64,
    /// Cycles for which a threat that has struck counts double, 0 to 1,000 (default 5).
    pub struck_cycles: u32,
}

impl Default for ImaginationConfig {
    fn default() -> Self {
        Self {
            counterfactual_depth: 2,
            key_decisions: 2,
            creative_sessions: 2,
            stochastic_sessions: 1,
            seeds: 3,
            threat_scenarios: 3,
            exploration_temperature: 0.7,
            analytic_temperature: 0.4,
            scales_with_uncertainty: true,
            depotentiation_min: 0.3,
            depotentiation_max: 0.5,
            weigh_modes_by_phase: true,
            creeping_threat_ticks: 15_120,
            recent_loss_ticks: 2_160,
            struck_cycles: 5,
        }
    }
}

impl ImaginationConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        table.whole("counterfactualDepth", self.counterfactual_depth.into(), 0, 3);
        table.whole("keyDecisions", self.key_decisions.into(), 0, 20);
        table.whole("creativeSessions", self.creative_sessions.into(), 0, 20);
        table.whole("stochasticSessions", self.stochastic_sessions.into(), 0, 20);
        table.whole("seeds", self.seeds.into(), 2, 20);
        table.whole("threatScenarios", self.threat_scenarios.into(), 0, 15);
        table.within("explorationTemperature", self.exploration_temperature, 0.0, 2.0);
        table.within("analyticTemperature", self.analytic_temperature, 0.0, 2.0);
        table.share("depotentiationMin", self.depotentiation_min);
        table.within("depotentiationMax", self.depotentiation_max, self.depotentiation_min, 1.0);
        table.whole("creepingThreatTicks", self.creeping_threat_ticks, 1, 1_000_000_000_000);
        table.whole("recentLossTicks", self.recent_loss_ticks, 1, 1_000_000_000_000);
        table.whole("struckCycles", self.struck_cycles.into(), 0, 1_000);
    }
}

/// How hard one cycle imagines.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intensity {
    /// Branches of a decision.
    pub counterfactual_depth: u32,
    /// Creative sessions.
    pub creative_sessions: u32,
    /// Threats rehearsed.
    pub threat_scenarios: u32,
    /// Temperature of generative tasks.
    pub exploration_temperature: f64,
    /// Share by which arousal is lowered.
    pub depotentiation: f64,
}

impl Intensity {
    /// The dream architecture's table, as offsets from the configured middle row.
    pub fn of(uncertainty: Uncertainty, config: &ImaginationConfig) -> Self {
        let (step, place) = match uncertainty {
            _ if !config.scales_with_uncertainty => (0, 0.5),
            Uncertainty::Low => (-1, 0.0),
            Uncertainty::Medium => (0, 0.5),
            Uncertainty::High => (1, 1.0),
        };
        let shift = |count: u32, by: i32| match count {
            0 => 0,
            _ => count.saturating_add_signed(by * step).max(1),
        };
        let spread = config.depotentiation_max - config.depotentiation_min;
        Self {
            counterfactual_depth: shift(config.counterfactual_depth, 1).min(3),
            creative_sessions: shift(config.creative_sessions, 1),
            threat_scenarios: shift(config.threat_scenarios, 2).min(15),
            exploration_temperature: (config.exploration_temperature + 0.2 * f64::from(step)).clamp(0.0, 2.0),
            depotentiation: config.depotentiation_min + place * spread,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dream architecture's three rows.
    #[test]
    fn the_intensity_table() {
        let check = |uncertainty, counts: [u32; 3], temperature: f64, depotentiation: f64| {
            let found = Intensity::of(uncertainty, &ImaginationConfig::default());
            let Intensity { counterfactual_depth, creative_sessions, threat_scenarios, .. } = found;
            assert_eq!(
                [counterfactual_depth, creative_sessions, threat_scenarios],
                counts,
                "{uncertainty:?}"
            );
            assert!((found.exploration_temperature - temperature).abs() < 1e-12);
            assert!((found.depotentiation - depotentiation).abs() < 1e-12);
        };
        check(Uncertainty::High, [3, 3, 5], 0.9, 0.5);
        check(Uncertainty::Medium, [2, 2, 3], 0.7, 0.4);
        check(Uncertainty::Low, [1, 1, 1], 0.5, 0.3);
    }
}
