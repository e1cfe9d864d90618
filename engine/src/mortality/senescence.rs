//! Senescence: the stages that follow when knowledge fails (digest section 11, M02), a state machine of model decay under concept drift.
//!
//! Fitness, vitality and accuracy run from 0 to 1, time is in ticks. Three stages are kept: sound, first and second; the third and last
//! is death. The second is left only above a recovery threshold that is higher than the one it began below (hysteresis). A grace period
//! stands before death, so that a passing change of the market kills no golem that can still learn the new law. By the default rule the
//! second stage kills at once; golems live on in it only under "composite", as immortals, or with the epistemic clock off, and its
//! effects show there. Stages advance in sleep too.

use crate::mortality::{Cause, EpistemicDeath, MortalityConfig};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The stages of senescence, states of the ageing state machine.
    #[derive(Default)]
    pub enum Stage {
        /// Fitness is at or above the threshold.
        #[default]
        Sound = "sound",
        /// Below it, within the time of grace.
        First = "first",
        /// The grace has run out: exploration is halted, knowledge is shared freely.
        Second = "second",
    }
}

/// Vitality below which the second stage becomes the third, and last (digest section 11, M02). It rarely comes: by fitness alone it takes a fitness below
/// .125, so the default rule kills when the grace has run out.
const LAST_VITALITY: f64 = 0.1;

/// The state of one golem's senescence: a state machine with a grace period, and counters of ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Senescence {
    /// The present stage.
    stage: Stage,
    /// Ticks since it began, this one included.
    ticks_in_stage: u64,
    /// Ticks of the life in the first or second stage.
    ticks_in_all: u64,
    /// Ticks in a row with an accuracy below `epistemic.staleness_threshold`.
    stale_ticks: u64,
}

impl Senescence {
    /// Passes one tick at this fitness and accuracy: the first stage begins below the threshold (.35) and ends at once when it is
    /// regained, or in the second after the grace (500 ticks); that ends above the recovery threshold (.45), higher than the first, so that a golem at the
    /// threshold doesn't go back and forth.
    pub(super) fn step(&mut self, fitness: f64, accuracy: f64, config: &MortalityConfig) {
        let next = match self.stage {
            Stage::Sound | Stage::First if fitness >= config.senescence_threshold => Stage::Sound,
            Stage::Sound => Stage::First,
            Stage::First if self.ticks_in_stage >= config.senescence_grace_ticks => Stage::Second,
            Stage::First => Stage::First,
            Stage::Second if fitness > config.epistemic.recovery_threshold => Stage::Sound,
            Stage::Second => Stage::Second,
        };
        self.ticks_in_stage = if next == self.stage { self.ticks_in_stage + 1 } else { 1 };
        self.stage = next;
        self.ticks_in_all += u64::from(next != Stage::Sound);
        let stale = accuracy < config.epistemic.staleness_threshold;
        self.stale_ticks = if stale { self.stale_ticks + 1 } else { 0 };
    }

    /// The present life stage, the state of the state machine.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Ticks of the life spent in the first or second stage: a cumulative duration, written to the record of the life.
    pub(crate) fn ticks_in_all(&self) -> u64 {
        self.ticks_in_all
    }

    /// The cause of death, if knowledge kills: staleness, where that kills (not by default); then senescence in its second stage, by the
    /// scenario's rule at once or only with a vitality below .1 besides. The death criterion, a termination condition, is `None` within the
    /// grace period. The caller drops the answer where the epistemic clock is off.
    pub fn kills(&self, vitality: f64, config: &MortalityConfig) -> Option<Cause> {
        let epistemic = &config.epistemic;
        if epistemic.staleness_kills && self.stale_ticks >= epistemic.staleness_ticks {
            return Some(Cause::ModelStaleness);
        }
        let dies = match config.epistemic_death {
            EpistemicDeath::GraceExpiry => true,
            EpistemicDeath::Composite => vitality < LAST_VITALITY,
        };
        (dies && self.stage == Stage::Second).then_some(Cause::EpistemicSenescence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(senescence: &mut Senescence, fitness: f64, ticks: u64, config: &MortalityConfig) -> Stage {
        (0..ticks).for_each(|_| senescence.step(fitness, fitness, config));
        senescence.stage()
    }

    /// 500 ticks of grace; .35 is enough to recover in the first stage, .45 is not in the second.
    #[test]
    fn stages_and_their_ways_back() {
        let config = MortalityConfig::default();
        let mut senescence = Senescence::default();
        assert_eq!(live(&mut senescence, 0.34, 500, &config), Stage::First);
        assert_eq!(live(&mut senescence, 0.35, 1, &config), Stage::Sound);
        assert_eq!(live(&mut senescence, 0.34, 501, &config), Stage::Second);
        assert_eq!(live(&mut senescence, 0.45, 10, &config), Stage::Second);
        assert_eq!(live(&mut senescence, 0.46, 1, &config), Stage::Sound);
        assert_eq!(senescence.ticks_in_all(), 500 + 501 + 10);
    }

    #[test]
    fn two_rules_of_death_and_staleness() {
        let grace = MortalityConfig::default();
        let composite =
            MortalityConfig { epistemic_death: EpistemicDeath::Composite, ..MortalityConfig::default() };
        let mut senescence = Senescence::default();
        live(&mut senescence, 0.31, 501, &grace);
        assert_eq!(senescence.kills(0.4, &grace), Some(Cause::EpistemicSenescence));
        assert_eq!(senescence.kills(0.1, &composite), None);
        assert_eq!(senescence.kills(0.09, &composite), Some(Cause::EpistemicSenescence));
        let mut stale = composite.clone();
        stale.epistemic.staleness_kills = true;
        assert_eq!(senescence.kills(0.4, &stale), None, ".31 is above .30");
        live(&mut senescence, 0.29, 500, &stale);
        assert_eq!(senescence.kills(0.4, &stale), Some(Cause::ModelStaleness));
    }
}
