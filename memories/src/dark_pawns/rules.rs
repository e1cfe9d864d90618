//! What the sources leave open or contradict each other in, as keys.

use crate::base::TableChecker;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How words of speech are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WordMatching {
    /// As words of their own.
    #[default]
    WholeWord,
    /// Anywhere, so that "this" greets and "skill" kills: the original.
    Substring,
}

/// The bands of the valence of damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DamageBands {
    /// Below 5 %: −3; 5 to 15 %: −2; above: −1.
    #[default]
    Seed,
    /// Up to and with 5 % (5.99 % counts as 5): −3; to 15 %: −2; to 30 %: −1; above: 0.
    Original,
}

/// Which of the two blends of an entity's valences is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ValenceSource {
    /// The whole number, cut towards 0 at every encounter, which a later encounter can hardly raise.
    #[default]
    Integer,
    /// The mean that is kept beside it.
    Mean,
}

/// How events are found, valued, remembered and told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DreamRules {
    /// Whether events carry valence; without, everything weighs 0 (the ablation inside dreaming).
    pub valence: bool,
    /// How words of speech are found.
    pub speech: WordMatching,
    /// The bands of the valence of damage.
    pub damage_bands: DamageBands,
    /// Whether deaths are events, −2 by a monster and −3 by a player.
    pub death_events: bool,
    /// Whether somebody spoken to becomes an entity.
    pub social_links: bool,
    /// Which blend relations are told by.
    pub valence_from: ValenceSource,
    /// Salience that every memory loses in a dream, 0 to 1 (`DecayRate`).
    pub decay_rate: f64,
    /// Salience below which a memory is forgotten, 0 to 1 (`PruneThreshold`).
    pub prune_threshold: f64,
    /// Salience that an encounter adds, 0 to 1 (`ReinforceBonus`).
    pub reinforce_bonus: f64,
    /// Salience below which an event isn't told of, 0 to 1.
    pub told_from_salience: f64,
    /// Minutes without events after which another session begins, 0 to 1,000,000.
    pub session_gap_minutes: u32,
    /// Tokens of four bytes that the summary may take, 0 to 1,000,000.
    pub summary_tokens: u32,
}

impl Default for DreamRules {
    fn default() -> Self {
        Self {
            valence: true,
            speech: WordMatching::default(),
            damage_bands: DamageBands::default(),
            death_events: true,
            social_links: true,
            valence_from: ValenceSource::default(),
            decay_rate: 0.1,
            prune_threshold: 0.05,
            reinforce_bonus: 0.2,
            told_from_salience: 0.15,
            session_gap_minutes: 30,
            summary_tokens: 500,
        }
    }
}

impl DreamRules {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        table.share("decay_rate", self.decay_rate);
        table.share("prune_threshold", self.prune_threshold);
        table.share("reinforce_bonus", self.reinforce_bonus);
        table.share("told_from_salience", self.told_from_salience);
        table.whole("session_gap_minutes", self.session_gap_minutes.into(), 0, 1_000_000);
        table.whole("summary_tokens", self.summary_tokens.into(), 0, 1_000_000);
    }
}
