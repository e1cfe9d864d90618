//! The `[daimon]` table.

use crate::base::Checker;
use crate::daimon::behaviour::BehaviourConfig;
use crate::daimon::contagion::ContagionConfig;
use crate::daimon::grief::GriefConfig;
use crate::daimon::mood::ResidualRates;
use crate::daimon::mortality_affect::MortalityAffectConfig;
use crate::daimon::personality::PersonalityConfig;
use crate::daimon::rumination::RuminationConfig;
use crate::daimon::somatic::SomaticConfig;
use crate::daimon::tick_appraisal::TickAppraisalConfig;
use crate::daimon::{RuleTable, Trigger};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How moods are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AffectMode {
    /// What happens is looked up in the rule table, and moves the mood by `daimon.mood_decay_rate`.
    #[default]
    Rule,
    /// As `rule`, but each coordinate follows at its own rate, faster after losses (`[daimon.residual]`).
    Residual,
    /// Every tick is appraised by how things stand (`[daimon.tick]`); what happens still stirs memories by the rule table.
    Tick,
    /// Nothing is felt; the same as `daimon.enabled = false`.
    Off,
}

/// The `[daimon]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DaimonConfig {
    /// Whether golems feel. Without, episodes carry no arousal, moods stay neutral and nothing they do is moved by them; luck is the
    /// same either way.
    pub enabled: bool,
    /// How moods are made.
    pub mode: AffectMode,
    /// How much of the old mood an event leaves, 0 to 1.
    pub mood_decay_rate: f64,
    /// Length of a mood (of at most 1.73) up to which it counts as neutral (proposed), 0 to 1.
    pub faint: f64,
    /// How far a mood must move to be told of again, above 0 to 3.5.
    pub mood_update_distance: f64,
    /// Ticks for which a surprise makes a golem careful (proposed).
    pub surprise_ticks: u64,
    /// What is felt at all.
    pub trigger: Trigger,
    /// How it feels.
    pub rules: RuleTable,
    /// Moods from what happens, at rates of their own.
    pub residual: ResidualRates,
    /// Moods from how things stand.
    pub tick: TickAppraisalConfig,
    /// The moods golems return to.
    pub personality: PersonalityConfig,
    /// What it does to know that one will die.
    pub mortality: MortalityAffectConfig,
    /// What moods do to decisions.
    pub behaviour: BehaviourConfig,
    /// What is caught from siblings.
    pub contagion: ContagionConfig,
    /// Gut feelings.
    pub somatic: SomaticConfig,
    /// Memories that come back.
    pub rumination: RuminationConfig,
    /// After a death in the family.
    pub grief: GriefConfig,
}

impl Default for DaimonConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            mode: AffectMode::Rule,
            mood_decay_rate: 0.95,
            faint: 0.05,
            mood_update_distance: 0.15,
            surprise_ticks: 10,
            trigger: Trigger::default(),
            rules: RuleTable::default(),
            residual: ResidualRates::default(),
            tick: TickAppraisalConfig::default(),
            personality: PersonalityConfig::default(),
            mortality: MortalityAffectConfig::default(),
            behaviour: BehaviourConfig::default(),
            contagion: ContagionConfig::default(),
            somatic: SomaticConfig::default(),
            rumination: RuminationConfig::default(),
            grief: GriefConfig::default(),
        }
    }
}

impl DaimonConfig {
    /// Whether golems feel anything.
    pub fn is_on(&self) -> bool {
        self.enabled && self.mode != AffectMode::Off
    }

    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut Checker) {
        let mut table = check.table("daimon");
        table.share("mood_decay_rate", self.mood_decay_rate);
        table.share("faint", self.faint);
        table.within("mood_update_distance", self.mood_update_distance, 1e-6, 3.5);
        table.whole("surprise_ticks", self.surprise_ticks, 0, 1_000_000_000);
        self.trigger.check(&mut table.table("trigger"));
        self.rules.check(&mut table.table("rules"));
        self.residual.check(&mut table.table("residual"));
        self.tick.check(&mut table.table("tick"));
        self.personality.check(&mut table.table("personality"));
        self.mortality.check(&mut table.table("mortality"));
        self.behaviour.check(&mut table.table("behaviour"));
        self.contagion.check(&mut table.table("contagion"));
        self.somatic.check(&mut table.table("somatic"));
        self.rumination.check(&mut table.table("rumination"));
        self.grief.check(&mut table.table("grief"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(change: impl FnOnce(&mut DaimonConfig)) -> Vec<String> {
        let mut config = DaimonConfig::default();
        change(&mut config);
        let mut check = Checker::default();
        config.check(&mut check);
        check.into_problems().into_iter().map(|problem| problem.key).collect()
    }

    #[test]
    fn values_that_cannot_be_are_named() {
        assert_eq!(problems(|_| ()), [""; 0]);
        assert_eq!(problems(|c| c.rules.loss[1] = -2.0), ["daimon.rules.loss"]);
        assert_eq!(
            problems(|c| c.behaviour.risk_medium_intensity = 0.9),
            ["daimon.behaviour.risk_medium_intensity"]
        );
        assert_eq!(problems(|c| c.somatic.neighbours = 9), ["daimon.somatic.neighbours"]);
        assert_eq!(problems(|c| c.rumination.times_max = 0), ["daimon.rumination.times_max"]);
        assert_eq!(problems(|c| c.contagion.half_life_hours = 0.0), ["daimon.contagion.half_life_hours"]);
    }
}
