//! How a cycle's budget is divided among its five phases (budget allocation, sleep architecture).
//!
//! Shares run from 0 to 1 and are of the whole budget, except in the configuration, where they are of the core that onset and return leave.
//! Amounts are in whole micro-dollars. A golem that is near its end spends more on integration, since what it has learned is all that it
//! can leave (dream architecture). The golem divides the granted budget when it falls asleep: a `core` dream then gives onset and return to
//! integration, a `hardened` one raises imagination to `dream.replay.creative_floor`. Phases stand for sleep stages (NREM and REM sleep),
//! and each has a budget share.

use crate::mortality::Phase;
use morta_base::keys;
use morta_base::{TableChecker, Usdc};
use serde::{Deserialize, Serialize};

keys! {
    /// The `[dream.phases]` table: shares of the core, which is what onset (10 %) and return (5 %) leave. Without it
    /// the table by behavioural phase holds; as soon as one key is given, all three count, the others at the spec's
    /// values.
    // Dream architecture, "budget allocation by behavioral phase".
    pub struct PhasesConfig {
        /// Share of replay.
        #[serde(skip_serializing_if = "Option::is_none")]
        nrem_allocation: Option<f64> = None, in 0.0..=1.0, "share";
        /// Share of imagination.
        #[serde(skip_serializing_if = "Option::is_none")]
        rem_allocation: Option<f64> = None, in 0.0..=1.0, "share";
        /// Share of integration. The three add up to 1 at most.
        #[serde(skip_serializing_if = "Option::is_none")]
        integration_allocation: Option<f64> = None, in 0.0..=1.0, "share";
    }
    also shares_add_up;
}

/// Share of falling asleep, in every behavioural phase.
const ONSET_SHARE: f64 = 0.10;
/// Share of waking up, in every behavioural phase.
const RETURN_SHARE: f64 = 0.05;
/// What is left for the three core phases.
const CORE_SHARE: f64 = 0.85;

impl PhasesConfig {
    /// The override, as shares of the core: NREM, REM, integration.
    fn given(&self) -> Option<[f64; 3]> {
        let keys = [self.nrem_allocation, self.rem_allocation, self.integration_allocation];
        let spec = [0.45, 0.35, 0.20];
        let any = keys.iter().any(Option::is_some);
        any.then(|| std::array::from_fn(|place| keys[place].unwrap_or(spec[place])))
    }

    fn shares_add_up(&self, table: &mut TableChecker<'_>) {
        let sum: f64 = self.given().iter().flatten().sum();
        let remedy = "the three allocations may add up to 1 at most";
        table.demand(sum <= 1.0 + 1e-9, "nrem_allocation", sum, remedy);
    }
}

/// Looks up the shares of a whole budget: NREM, REM, integration (dream architecture, "budget allocation by behavioral phase").
pub const fn table(phase: Phase) -> [f64; 3] {
    match phase {
        Phase::Thriving => [0.34, 0.30, 0.21],
        Phase::Stable => [0.30, 0.30, 0.25],
        Phase::Conservation => [0.25, 0.20, 0.40],
        Phase::Declining => [0.20, 0.16, 0.49],
        Phase::Terminal => [0.16, 0.12, 0.57],
    }
}

/// A dream's budget, divided over the sleep stages (budget allocation). Invariant: the parts never add up to more than the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseBudgets {
    /// Falling asleep.
    pub onset: Usdc,
    /// Replay.
    pub nrem: Usdc,
    /// Imagination.
    pub rem: Usdc,
    /// Integration.
    pub integration: Usdc,
    /// Waking up.
    pub hypnopompic_return: Usdc,
}

impl PhaseBudgets {
    /// Divides a budget; each part is rounded down to the micro-dollar, which keeps the sum within the budget.
    pub fn divide(budget: Usdc, phase: Phase, config: &PhasesConfig) -> Self {
        let core = config.given().map_or(table(phase), |given| given.map(|share| CORE_SHARE * share));
        let part = |share: f64| Usdc((budget.0 as f64 * share + ROUNDING).floor() as i64);
        let divided = Self {
            onset: part(ONSET_SHARE),
            nrem: part(core[0]),
            rem: part(core[1]),
            integration: part(core[2]),
            hypnopompic_return: part(RETURN_SHARE),
        };
        assert!(divided.total() <= budget, "the parts are within the whole");
        divided
    }

    /// The budgets of a lightweight cycle, which neither drifts off nor comes back: what is put by for that is reallocated to integration.
    pub fn without_edges(self) -> Self {
        let integration = self.integration + self.onset + self.hypnopompic_return;
        Self { onset: Usdc::ZERO, hypnopompic_return: Usdc::ZERO, integration, ..self }
    }

    /// The same with at least that share of a budget for imagination, which is where creative work is done; what is missing is
    /// integration's. (The table by phase has less for the declining and the terminal, and the replay spec's floor for creative work,
    /// "minimum creative allocation", goes before it.) A minimum share constraint.
    pub(crate) fn with_creative_floor(self, budget: Usdc, floor: f64) -> Self {
        let missing = (budget.scaled(floor) - self.rem).max(Usdc::ZERO).min(self.integration);
        Self { rem: self.rem + missing, integration: self.integration - missing, ..self }
    }

    /// The total of all phases' budgets.
    pub fn total(&self) -> Usdc {
        [self.onset, self.nrem, self.rem, self.integration, self.hypnopompic_return].into_iter().sum()
    }
}

/// Shares like .34 are not exact in binary: a part that should be a whole number of micro-dollars is not rounded down by it.
const ROUNDING: f64 = 1e-7;

#[cfg(test)]
mod tests {
    use super::*;

    /// A declining golem's tenth of a dollar: .16 for imagination by the table, .2 with the floor, the rest integration's.
    #[test]
    fn the_creative_floor_goes_before_the_table() {
        let budget = Usdc(100_000);
        let by_table = PhaseBudgets::divide(budget, Phase::Declining, &PhasesConfig::default());
        let floored = by_table.with_creative_floor(budget, 0.2);
        assert_eq!((by_table.rem, by_table.integration), (Usdc(16_000), Usdc(49_000)));
        assert_eq!((floored.rem, floored.integration), (Usdc(20_000), Usdc(45_000)));
        assert_eq!(floored.total(), by_table.total());
        let thriving = PhaseBudgets::divide(budget, Phase::Thriving, &PhasesConfig::default());
        assert_eq!(thriving.with_creative_floor(budget, 0.2), thriving);
    }
}
