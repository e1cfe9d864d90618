//! How intensely a golem dreams, by how unsure it is of its predictions.

use crate::dream::schedule::DreamTier;
use crate::llm::{LlmConfig, Tier};
use crate::replay::{ReplayConfig, Uncertainty, batch_size};
use serde::{Deserialize, Serialize};

/// A row of the dream architecture's table ("dream intensity modulation").
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intensity {
    /// Which row.
    pub uncertainty: Uncertainty,
    /// Episodes in a replay batch: 15, 10, 5 with the defaults.
    pub batch_size: u32,
    /// Alternative branches at a decision: 3, 2, 1.
    pub counterfactual_depth: u32,
    /// Creative sessions: 3, 2, 1.
    pub creative_sessions: u32,
    /// Threats rehearsed: 5, 3, 1.
    pub threat_scenarios: u32,
    /// Temperature of what is imagined: .9, .7, .5.
    pub exploration_temperature: f64,
}

impl Intensity {
    /// The row of an uncertainty.
    pub fn of(uncertainty: Uncertainty, config: &ReplayConfig) -> Self {
        let (depth, creative, threats, temperature) = match uncertainty {
            Uncertainty::High => (3, 3, 5, 0.9),
            Uncertainty::Medium => (2, 2, 3, 0.7),
            Uncertainty::Low => (1, 1, 1, 0.5),
        };
        Self {
            uncertainty,
            batch_size: batch_size(uncertainty, config) as u32,
            counterfactual_depth: depth,
            creative_sessions: creative,
            threat_scenarios: threats,
            exploration_temperature: temperature,
        }
    }

    /// Who answers: at core the tier of the scenario's `llm.dream_tier` whatever happens; hardened T2 at high uncertainty,
    /// else T1.
    pub fn grade(&self, tier: DreamTier, llm: &LlmConfig) -> Tier {
        match (tier, self.uncertainty) {
            (DreamTier::Core, _) => llm.dream_tier,
            (DreamTier::Hardened, Uncertainty::High) => Tier::T2,
            (DreamTier::Hardened, Uncertainty::Medium | Uncertainty::Low) => Tier::T1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_rows() {
        let (replay, llm) = (ReplayConfig::default(), LlmConfig::default());
        for (fitness, expected, grade) in [
            (0.49, (15, 3, 3, 5, 0.9), Tier::T2),
            (0.50, (10, 2, 2, 3, 0.7), Tier::T1),
            (0.70, (5, 1, 1, 1, 0.5), Tier::T1),
        ] {
            let row = Intensity::of(Uncertainty::of_fitness(fitness, &replay), &replay);
            let found = (
                row.batch_size,
                row.counterfactual_depth,
                row.creative_sessions,
                row.threat_scenarios,
                row.exploration_temperature,
            );
            assert_eq!(found, expected, "{fitness}");
            assert_eq!(row.grade(DreamTier::Hardened, &llm), grade);
            assert_eq!(row.grade(DreamTier::Core, &llm), Tier::T0);
        }
    }
}
