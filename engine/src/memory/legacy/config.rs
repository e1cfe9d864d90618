//! The `[succession]` table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who follows, and with what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuccessionPolicy {
    /// A successor that gets its predecessor's legacy and traits.
    #[default]
    Continue,
    /// A new golem that gets nothing from its predecessor, and to which that one's bloodstains are a stranger's.
    Fresh,
    /// Nobody. `population.policy` has to say so too: "extinction".
    None,
}

/// How an inherited confidence is reckoned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfidenceForm {
    /// c · decay^g, g being the generations since it was first learned.
    #[default]
    Geometric,
    /// The same for all.
    Flat,
    /// Half of it.
    Half,
    /// One value for what the predecessor's waking life bore out, another for the rest.
    DreamSplit,
    /// All of it.
    None,
}

/// The `[succession]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SuccessionConfig {
    /// Who follows, and with what: "continue", "fresh" or "none".
    pub policy: SuccessionPolicy,
    /// Most entries handed over, 1 to 100,000 (default 2,048): a quarter for scars and what three generations have proved,
    /// half in equal parts for the domains, a quarter for the best of the rest. What proved wrong comes on top.
    pub max_entries: u32,
    /// How an inherited confidence is reckoned: "geometric", "flat", "half", "dream_split" or "none".
    pub confidence_form: ConfidenceForm,
    /// What is left for each generation under "geometric", 0 to 1 (default 0.85).
    pub confidence_decay: f64,
    /// Confidence of everything under "flat", 0 to 1 (default 0.4).
    pub flat_confidence: f64,
    /// Confidence, under "dream_split", of what waking life bore out, 0 to 1 (default 0.25).
    pub lived_confidence: f64,
    /// Confidence, under "dream_split", of what only dreams said, 0 to 1 (default 0.15).
    pub dreamt_confidence: f64,
    /// Most confidence an inherited entry starts from, 0 to 1 (default 0.7).
    pub confidence_ceiling: f64,
    /// Confidence of a dream's conclusion that was never tested, 0 to 1 (default 0.15).
    pub untested_confidence: f64,
    /// Confidence of a causal link in its own regime, and elsewhere, 0 to 1 (default 0.5 and 0.3).
    pub causal_confidence: [f64; 2],
    /// What is added for an entry that speaks of the regime the heir is born into, 0 to 1 (default 0.1); never beyond the
    /// predecessor's own confidence.
    pub regime_bonus: f64,
    /// What is added for what the predecessor left to the world too, 0 to 1 (default 0.03).
    pub testament_bonus: f64,
    /// What is added, times the diversity of the predecessor's feelings, 0 to 1 (default 0.1).
    pub diversity_bonus: f64,
    /// What is added after a life that took a turn for the better, 0 to 1 (default 0.05).
    pub redemptive_bonus: f64,
    /// Generations an entry must have crossed to become a default, at least 1 (default 3).
    pub default_generations: u32,
    /// Confidence it must have had, 0 to 1 (default 0.7). A default is in force from birth if the admission gate lets it.
    pub default_confidence: f64,
    /// What is added to an heir's rate of exploration, 0 to 1 (default 0.2).
    pub exploration_bonus: f64,
    /// For how many ticks (default 100).
    pub exploration_ticks: u64,
    /// Gravity from which a scar is among the first an heir dreams of, 0 to 1 (default 0.65); gravity is its surprise over 3 R.
    pub priority_scar_gravity: f64,
    /// How many of these there are at most, 0 to 100 (default 5).
    pub priority_scars: u32,
    /// Hypotheses that take precedence in the staging buffer and in the first dream, 0 to 100 (default 3).
    pub priority_hypotheses: u32,
}

impl Default for SuccessionConfig {
    fn default() -> Self {
        Self {
            policy: SuccessionPolicy::default(),
            max_entries: 2_048,
            confidence_form: ConfidenceForm::default(),
            confidence_decay: 0.85,
            flat_confidence: 0.4,
            lived_confidence: 0.25,
            dreamt_confidence: 0.15,
            confidence_ceiling: 0.7,
            untested_confidence: 0.15,
            causal_confidence: [0.5, 0.3],
            regime_bonus: 0.1,
            testament_bonus: 0.03,
            diversity_bonus: 0.1,
            redemptive_bonus: 0.05,
            default_generations: 3,
            default_confidence: 0.7,
            exploration_bonus: 0.2,
            exploration_ticks: 100,
            priority_scar_gravity: 0.65,
            priority_scars: 5,
            priority_hypotheses: 3,
        }
    }
}

impl SuccessionConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("succession");
        table.whole("max_entries", self.max_entries.into(), 1, 100_000);
        table.share("confidence_decay", self.confidence_decay);
        table.share("flat_confidence", self.flat_confidence);
        table.share("lived_confidence", self.lived_confidence);
        table.share("dreamt_confidence", self.dreamt_confidence);
        table.share("confidence_ceiling", self.confidence_ceiling);
        table.share("untested_confidence", self.untested_confidence);
        for confidence in self.causal_confidence {
            table.share("causal_confidence", confidence);
        }
        table.share("regime_bonus", self.regime_bonus);
        table.share("testament_bonus", self.testament_bonus);
        table.share("diversity_bonus", self.diversity_bonus);
        table.share("redemptive_bonus", self.redemptive_bonus);
        table.whole("default_generations", self.default_generations.into(), 1, 1_000_000);
        table.share("default_confidence", self.default_confidence);
        table.share("exploration_bonus", self.exploration_bonus);
        table.whole("exploration_ticks", self.exploration_ticks, 0, 1_000_000_000);
        table.share("priority_scar_gravity", self.priority_scar_gravity);
        table.whole("priority_scars", self.priority_scars.into(), 0, 100);
        table.whole("priority_hypotheses", self.priority_hypotheses.into(), 0, 100);
    }
}
