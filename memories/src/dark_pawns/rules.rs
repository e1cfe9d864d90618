//! What the sources leave open or contradict each other in, as keys.

use crate::base::keys::{Free, KeyValue};
use crate::keys;
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

impl KeyValue for WordMatching {
    type Rule = Free;
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

impl KeyValue for DamageBands {
    type Rule = Free;
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

impl KeyValue for ValenceSource {
    type Rule = Free;
}

keys! {
    /// How events are found, valued, remembered and told.
    pub struct DreamRules {
        /// Whether events carry valence; without, everything weighs 0 (the ablation inside dreaming).
        valence: bool = true;
        /// How words of speech are found.
        speech: WordMatching = WordMatching::default();
        /// The bands of the valence of damage.
        damage_bands: DamageBands = DamageBands::default();
        /// Whether deaths are events, −2 by a monster and −3 by a player.
        death_events: bool = true;
        /// Whether somebody spoken to becomes an entity, and a dealing an event whatever the verb.
        social_links: bool = true;
        /// Which blend relations are told by.
        valence_from: ValenceSource = ValenceSource::default();
        /// Salience that every memory loses in a dream (`DecayRate`).
        decay_rate: f64 = 0.1, in 0.0..=1.0, "salience";
        /// Salience below which a memory is forgotten (`PruneThreshold`).
        prune_threshold: f64 = 0.05, in 0.0..=1.0, "salience";
        /// Salience that an encounter adds (`ReinforceBonus`).
        reinforce_bonus: f64 = 0.2, in 0.0..=1.0, "salience";
        /// Salience below which an event isn't told of.
        told_from_salience: f64 = 0.15, in 0.0..=1.0, "salience";
        /// Minutes without events after which another session begins.
        session_gap_minutes: u32 = 30, in 0..=1_000_000, "minutes";
        /// Tokens of four bytes that the summary may take.
        summary_tokens: u32 = 500, in 0..=1_000_000, "tokens";
    }
}
