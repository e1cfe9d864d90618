//! The `[dream.imagination]` table, and the intensity of imagination by uncertainty: how many counterfactuals, creative sessions and threat
//! simulations a REM phase may have.
//!
//! Counts are numbers of questions, temperatures run from 0 to 2, shares from 0 to 1, times are in ticks. An unsure golem imagines more and
//! hotter (exploration by uncertainty; creative sessions alone are hotter, threats keep the configured temperature). These are most; the
//! phase's money may allow fewer. Dreams of the tier `core` ask for at most one counterfactual and nothing else of it. All reading, outside
//! dreams too, is at the analytic temperature (.4).

use crate::replay::Uncertainty;
use morta_base::TableChecker;
use morta_base::keys;
use serde::{Deserialize, Serialize};

keys! {
    /// The `[dream.imagination]` table.
    pub struct ImaginationConfig {
        /// Alternative branches of one decision: another strategy, staying out, leaving earlier.
        // Defaults of the dream architecture's configuration block: depth 2, sessions 2, threats 3, temperature 0.7.
        counterfactual_depth: u32 = 2, in 0..=3, "branches";
        /// Decisions that are gone through otherwise (our own key); the most regretted first.
        // Our choice, because each decision has branches of its own, and each of them is a question that is paid for.
        key_decisions: u32 = 2, in 0..=20, "decisions";
        /// Creative sessions in a cycle.
        creative_sessions: u32 = 2, in 0..=20, "sessions";
        /// Sessions in which memories come up at random (our own key).
        stochastic_sessions: u32 = 1, in 0..=20, "sessions";
        /// Threats rehearsed in a cycle.
        threat_scenarios: u32 = 3, in 0..=15, "threats";
        /// Sampling temperature of generative tasks.
        exploration_temperature: f64 = 0.7, in 0.0..=2.0, "temperature";
        /// Sampling temperature of analytic tasks (digest section 5: 0.3 to 0.5).
        analytic_temperature: f64 = 0.4, in 0.0..=2.0, "temperature";
        /// Whether the four above that the dream architecture's intensity table names follow the golem's uncertainty:
        /// unsure, one branch, one session, two threats and 0.2 more; sure, as much less, but at least one.
        scales_with_uncertainty: bool = true;
        // Dream architecture, phase 2: arousal is reduced by 0.3–0.5 per dream. Ruling 6 reads that as a share: subtracted, it
        // would clear an arousal of .8 in two dreams, and the spec wants three to five.
        /// Least share by which reappraisal lowers the arousal of an episode.
        depotentiation_min: f64 = 0.3, in 0.0..=1.0, "share";
        /// Most share, at least `depotentiation_min`; in between by uncertainty.
        depotentiation_max: f64 = 0.5, in 0.0..=1.0, "share";
        /// Whether combinational sessions are about situations that were never met though each of their parts was (replay spec, "compositional
        /// primitives"), as long as there are such.
        unmet_situations: bool = true;
        /// Whether modes of creativity follow the digest's weights by phase; otherwise all three alike.
        // Digest section 5, "creativity weights".
        weigh_modes_by_phase: bool = true;
        /// Ticks after which a threat of the lowest tier is due again (the default: a week).
        creeping_threat_ticks: u64 = 15_120, in 1..=1_000_000_000_000, "ticks";
        // Digest section 6: a matching real loss doubles a threat's category for 5 cycles.
        /// Cycles for which a threat that has struck counts double.
        struck_cycles: u32 = 5, in 0..=1_000, "cycles";
    }
    also ends_are_in_order;
}

impl ImaginationConfig {
    fn ends_are_in_order(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[
            ("depotentiation_min", self.depotentiation_min),
            ("depotentiation_max", self.depotentiation_max),
        ]);
    }
}

/// The amount of imagination in one cycle: the exploration budget of a dream, in rollouts (questions).
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
    /// Looks up the intensity by uncertainty in the dream architecture's table (high 3, 3, 5, 0.9; medium 2, 2, 3, 0.7; low 1, 1, 1, 0.5),
    /// as offsets from the configured middle row, so that a sweep of one key moves the whole table.
    pub fn for_uncertainty(uncertainty: Uncertainty, config: &ImaginationConfig) -> Self {
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
