//! The `[daimon]` table: how moods are made, and the tables of all parts of affect (digest section 10).
//!
//! PAD coordinates run from −1 to 1, shares from 0 to 1, intervals are in ticks, the half-life of caught moods in simulated hours. Affect
//! is on by default, in mode `rule`. Each part can be switched off alone, so that an ablation can tell which of them matters. Modes are
//! interchangeable emotion models (computational models of affect), chosen like a feature flag. Readers of a mood ask `is_on` each by
//! itself (`golem::affect`, the waking gate, the action score, replay, birth, the record of a life and the legacy among them), because a
//! mood stays where a hot reload switches affect off; one that switches it on begins a new mood. The story of a life and the mark of a
//! death take the mood without asking.

use crate::daimon::behaviour::BehaviourConfig;
use crate::daimon::chain::ChainConfig;
use crate::daimon::contagion::ContagionConfig;
use crate::daimon::grief::GriefConfig;
use crate::daimon::mood::ResidualRates;
use crate::daimon::mortality_affect::MortalityAffectConfig;
use crate::daimon::personality::PersonalityConfig;
use crate::daimon::rumination::RuminationConfig;
use crate::daimon::somatic::SomaticConfig;
use crate::daimon::tick_appraisal::TickAppraisalConfig;
use crate::daimon::{ArousalTag, RuleTable, Trigger};
use morta_base::keys;

morta_base::words! {
    /// How moods are made.
    #[derive(Default)]
    pub enum AffectMode: Key {
        /// What happens is looked up in the rule table, and moves the mood by `daimon.mood_decay_rate`.
        #[default]
        Rule = "rule",
        /// As `rule`, but each coordinate follows at its own rate, faster after losses (`[daimon.residual]`).
        Residual = "residual",
        /// Every tick is appraised by how things stand (`[daimon.tick]`); what happens still stirs memories by the rule table.
        Tick = "tick",
        /// As `rule`, but what is strongly felt is put to a model, question by question, and moves the mood by its answer
        /// (`[daimon.chain]`).
        Chain = "chain",
        /// Nothing is felt; the same as `daimon.enabled = false`.
        Off = "off",
    }
}

keys! {
    /// The `[daimon]` table.
    pub struct DaimonConfig {
        /// Whether golems feel. Without, episodes carry no arousal, moods stay neutral and nothing they do is moved by
        /// them; luck is the same either way.
        enabled: bool = true;
        /// How moods are made.
        mode: AffectMode = AffectMode::Rule;
        /// How much of the old mood an event leaves.
        mood_decay_rate: f64 = 0.95, in 0.0..=1.0, "share";
        /// How far a mood must move to be told of again.
        mood_update_distance: f64 = 0.15, in 1e-6..=3.5, "PAD";
        /// What an episode's arousal is taken from: "pad" (the specs': of the feelings), "scaled" (times how strongly they are felt, which keeps
        /// it under most thresholds) or "quantile" (its rank among the golem's own trades).
        tag: ArousalTag = ArousalTag::Pad;
        /// What is felt at all.
        trigger: Trigger = Trigger::default();
        /// How it feels.
        rules: RuleTable = RuleTable::default();
        /// Moods from what happens, at rates of their own.
        residual: ResidualRates = ResidualRates::default();
        /// What is put to a model.
        chain: ChainConfig = ChainConfig::default();
        /// Moods from how things stand.
        tick: TickAppraisalConfig = TickAppraisalConfig::default();
        /// The moods golems return to.
        personality: PersonalityConfig = PersonalityConfig::default();
        /// What it does to know that one will die.
        mortality: MortalityAffectConfig = MortalityAffectConfig::default();
        /// What moods do to decisions.
        behaviour: BehaviourConfig = BehaviourConfig::default();
        /// What is caught from siblings.
        contagion: ContagionConfig = ContagionConfig::default();
        /// Gut feelings.
        somatic: SomaticConfig = SomaticConfig::default();
        /// Memories that come back.
        rumination: RuminationConfig = RuminationConfig::default();
        /// After a death in the family.
        grief: GriefConfig = GriefConfig::default();
    }
}

impl DaimonConfig {
    /// Whether golems have affect at all (a feature flag): two keys can switch it off.
    pub(crate) fn is_on(&self) -> bool {
        self.enabled && self.mode != AffectMode::Off
    }
}
