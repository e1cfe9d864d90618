//! The replay settings (`[dream.replay]` of a scenario).

use crate::base::Problem;
use crate::replay::check::Checker;
use crate::replay::{
    DecayForm, Prioritization, bias, causal, forward, legacy, perturbed, primitive, reverse,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Shares of the three things there are to learn from an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct GainWeights {
    /// Weight of how wrong the prediction was, 0 to 1 (default 0.4).
    pub surprise: f64,
    /// Weight of how much was at stake, 0 to 1 (default 0.3).
    pub significance: f64,
    /// Weight of what the best other strategy would have made beyond it, 0 to 1 (default 0.3).
    pub regret: f64,
}

impl Default for GainWeights {
    fn default() -> Self {
        Self { surprise: 0.4, significance: 0.3, regret: 0.3 }
    }
}

/// Shares of the three signs that an episode's circumstances will come again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct NeedWeights {
    /// Weight of the likeness of the market then and now, 0 to 1 (default 0.4).
    pub similarity: f64,
    /// Weight of the regime being the same, 0 to 1 (default 0.3).
    pub regime: f64,
    /// Weight of how recent it is, 0 to 1 (default 0.3).
    pub recency: f64,
}

impl Default for NeedWeights {
    fn default() -> Self {
        Self { similarity: 0.4, regime: 0.3, recency: 0.3 }
    }
}

/// How a dream's uncertainty scales the batch size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct IntensityConfig {
    /// Whether it does; otherwise every batch has `batchSize` (default true).
    pub scales_batch: bool,
    /// Factor on `batchSize` when the golem predicts well, above 0 to 10 (default 0.5).
    pub low: f64,
    /// Factor on `batchSize` in between, above 0 to 10 (default 1.0).
    pub medium: f64,
    /// Factor on `batchSize` when it predicts badly, above 0 to 10 (default 1.5).
    pub high: f64,
    /// Epistemic fitness below which uncertainty is high, 0 to 1 (default 0.5).
    pub high_below_fitness: f64,
    /// Epistemic fitness below which it is at least medium, 0 to 1 (default 0.7).
    pub medium_below_fitness: f64,
}

impl Default for IntensityConfig {
    fn default() -> Self {
        Self {
            scales_batch: true,
            low: 0.5,
            medium: 1.0,
            high: 1.5,
            high_below_fitness: 0.5,
            medium_below_fitness: 0.7,
        }
    }
}

/// Every constant of replay. All of them may be swept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct ReplayConfig {
    /// Episodes in one batch, 1 to 1,000; 5 to 15 is the useful range (default 10).
    pub batch_size: u32,
    /// How the batch size follows the dream's uncertainty.
    pub intensity: IntensityConfig,
    /// What decides which episodes come first (default `utility`).
    pub prioritization: Prioritization,
    /// α of proportional and rank-based sampling, 0 (uniform) to 2 (default 0.6).
    pub priority_exponent: f64,
    /// β of the importance weights, 0 (none) to 1 (full correction) (default 0.4).
    pub importance_exponent: f64,
    /// Added to every priority before proportional sampling, so that nothing is out of reach; 0 to 1 (default 0.001).
    pub priority_floor: f64,
    /// Share of replays that are perturbed, 0 to 1 (default 0.3).
    pub perturbation_rate: f64,
    /// Share of the places kept for diversity, 0 to 1 (default 0.2).
    pub diversity_share: f64,
    /// Utility an episode must exceed to be chosen for its utility, 0 to 10 (default 0.1).
    pub min_utility: f64,
    /// Ticks in which the recency of an episode halves, above 0 (default 2,160: a day of 40-second ticks).
    pub recency_half_life_ticks: f64,
    /// Ticks in which the penalty for a recent replay halves, above 0 (default 500).
    pub spacing_half_life_ticks: f64,
    /// Whether those two are half-lives or time constants (default `half-life`).
    pub decay_form: DecayForm,
    /// Factor on gain for each earlier replay, 0 to 1 (default 0.85).
    pub replay_decay: f64,
    /// Factor on the gain of an inherited episode, 0 to 10 (default 1.2).
    pub bloodstain_boost: f64,
    /// Factor on the utility of an episode the Curator tagged high, 0 to 10 (default 2.0).
    pub curator_boost: f64,
    /// Weights of gain.
    pub gain_weights: GainWeights,
    /// Weights of need.
    pub need_weights: NeedWeights,
    /// Quantile of the golem's own buffer that counts as 1 in surprise, significance and regret, above 0 to 1
    /// (default 0.95).
    pub normalization_quantile: f64,
    /// Regime term of an episode from another regime, 0 to 1 (default 0.3).
    pub regime_mismatch: f64,
    /// Share of utility a replay of this very tick takes away, 0 to 1 (default 0.5).
    pub spacing_weight: f64,
    /// How long ago a regime may have been met for diversity to ask for it, in ticks, at least 1 (default 64,800: 30
    /// days of 40-second ticks).
    pub regime_window_ticks: u64,
    /// Share of the episodes that count as the oldest, 0 to 1 (default 1/3).
    pub oldest_share: f64,
    /// Arousal from which an episode counts as emotional, 0 to 1 (default 0.5).
    pub high_arousal: f64,
    /// Factor on the utility of episodes the mood is drawn to, 0 to 10 (default 2.0).
    pub bias_weight: f64,
    /// When the mood is drawn to what.
    pub mood: bias::MoodConfig,
    /// Least share of a dream's budget for creative work in any mood, 0 to 1 (default 0.2).
    pub creative_floor: f64,
    /// Prediction accuracy below which replay goes after what confused the golem most, 0 to 1 (default 0.5).
    pub confused_below_accuracy: f64,
    /// How old golems turn to what they can pass on.
    pub legacy: legacy::LegacyConfig,
    /// Memory strength gained by being replayed, 0 to 10 (default 0.5).
    pub strength_per_replay: f64,
    /// Most ticks between the end of one episode and the start of the next for both to belong to one lifecycle
    /// (default 15: ten minutes).
    pub lifecycle_gap_ticks: u64,
    /// Credit assignment.
    pub reverse: reverse::ReverseConfig,
    /// The causal graph.
    pub causal: causal::CausalConfig,
    /// Anticipation.
    pub forward: forward::ForwardConfig,
    /// Sizes of the perturbations.
    pub perturbations: perturbed::PerturbationConfig,
    /// What-ifs as multiples of the deviation that was measured, each 0 to 1,000, 1 to 16 of them (default 10/3, 20/3
    /// and 40/3: fifteen basis points become 50, 100 and 200).
    pub deviation_multiples: Vec<f64>,
    /// Recognising and recombining market primitives.
    pub primitives: primitive::PrimitiveConfig,
}

impl Default for ReplayConfig {
    fn default() -> Self {
        Self {
            batch_size: 10,
            intensity: IntensityConfig::default(),
            prioritization: Prioritization::Utility,
            priority_exponent: 0.6,
            importance_exponent: 0.4,
            priority_floor: 0.001,
            perturbation_rate: 0.3,
            diversity_share: 0.2,
            min_utility: 0.1,
            recency_half_life_ticks: 2_160.0,
            spacing_half_life_ticks: 500.0,
            decay_form: DecayForm::HalfLife,
            replay_decay: 0.85,
            bloodstain_boost: 1.2,
            curator_boost: 2.0,
            gain_weights: GainWeights::default(),
            need_weights: NeedWeights::default(),
            normalization_quantile: 0.95,
            regime_mismatch: 0.3,
            spacing_weight: 0.5,
            regime_window_ticks: 64_800,
            oldest_share: 1.0 / 3.0,
            high_arousal: 0.5,
            bias_weight: 2.0,
            mood: bias::MoodConfig::default(),
            creative_floor: 0.2,
            confused_below_accuracy: 0.5,
            legacy: legacy::LegacyConfig::default(),
            strength_per_replay: 0.5,
            lifecycle_gap_ticks: 15,
            reverse: reverse::ReverseConfig::default(),
            causal: causal::CausalConfig::default(),
            forward: forward::ForwardConfig::default(),
            perturbations: perturbed::PerturbationConfig::default(),
            deviation_multiples: vec![10.0 / 3.0, 20.0 / 3.0, 40.0 / 3.0],
            primitives: primitive::PrimitiveConfig::default(),
        }
    }
}

/// Largest batch: far beyond any prompt, small enough that selection stays linear in the buffer.
pub const MAX_BATCH_SIZE: u32 = 1_000;

/// Most what-ifs drawn from one deviation.
pub const MAX_DEVIATION_MULTIPLES: usize = 16;

impl ReplayConfig {
    /// Everything that can't be used, each with its full key (under `prefix`, as in `dream.replay`) and a remedy.
    pub fn check(&self, prefix: &str) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut check = Checker::new(prefix, &mut problems);
        check.count("batchSize", u64::from(self.batch_size), 1, u64::from(MAX_BATCH_SIZE));
        self.check_utility(&mut check);
        self.check_selection(&mut check);
        self.mood.check(&mut check.under("mood"));
        self.legacy.check(&mut check.under("legacy"));
        self.reverse.check(&mut check.under("reverse"));
        self.causal.check(&mut check.under("causal"));
        self.forward.check(&mut check.under("forward"));
        self.perturbations.check(&mut check.under("perturbations"));
        self.primitives.check(&mut check.under("primitives"));
        problems
    }

    fn check_utility(&self, check: &mut Checker<'_>) {
        let (gain, need) = (&self.gain_weights, &self.need_weights);
        check.within("gainWeights.surprise", gain.surprise, 0.0, 1.0);
        check.within("gainWeights.significance", gain.significance, 0.0, 1.0);
        check.within("gainWeights.regret", gain.regret, 0.0, 1.0);
        check.within("needWeights.similarity", need.similarity, 0.0, 1.0);
        check.within("needWeights.regime", need.regime, 0.0, 1.0);
        check.within("needWeights.recency", need.recency, 0.0, 1.0);
        check.above("recencyHalfLifeTicks", self.recency_half_life_ticks, 0.0, f64::MAX);
        check.above("spacingHalfLifeTicks", self.spacing_half_life_ticks, 0.0, f64::MAX);
        check.within("replayDecay", self.replay_decay, 0.0, 1.0);
        check.within("bloodstainBoost", self.bloodstain_boost, 0.0, 10.0);
        check.within("curatorBoost", self.curator_boost, 0.0, 10.0);
        check.above("normalizationQuantile", self.normalization_quantile, 0.0, 1.0);
        check.within("regimeMismatch", self.regime_mismatch, 0.0, 1.0);
        check.within("spacingWeight", self.spacing_weight, 0.0, 1.0);
        check.within("biasWeight", self.bias_weight, 0.0, 10.0);
    }

    fn check_selection(&self, check: &mut Checker<'_>) {
        let intensity = &self.intensity;
        check.above("intensity.low", intensity.low, 0.0, 10.0);
        check.above("intensity.medium", intensity.medium, 0.0, 10.0);
        check.above("intensity.high", intensity.high, 0.0, 10.0);
        check.within("intensity.highBelowFitness", intensity.high_below_fitness, 0.0, 1.0);
        let at_least = intensity.high_below_fitness;
        check.within("intensity.mediumBelowFitness", intensity.medium_below_fitness, at_least, 1.0);
        check.within("priorityExponent", self.priority_exponent, 0.0, 2.0);
        check.within("importanceExponent", self.importance_exponent, 0.0, 1.0);
        check.within("priorityFloor", self.priority_floor, 0.0, 1.0);
        check.within("perturbationRate", self.perturbation_rate, 0.0, 1.0);
        check.within("diversityShare", self.diversity_share, 0.0, 1.0);
        check.within("minUtility", self.min_utility, 0.0, 10.0);
        check.count("regimeWindowTicks", self.regime_window_ticks, 1, u64::MAX);
        check.within("oldestShare", self.oldest_share, 0.0, 1.0);
        check.within("highArousal", self.high_arousal, 0.0, 1.0);
        check.within("creativeFloor", self.creative_floor, 0.0, 1.0);
        check.within("confusedBelowAccuracy", self.confused_below_accuracy, 0.0, 1.0);
        check.within("strengthPerReplay", self.strength_per_replay, 0.0, 10.0);
        let multiples = self.deviation_multiples.len() as u64;
        check.count("deviationMultiples.length", multiples, 1, MAX_DEVIATION_MULTIPLES as u64);
        for (place, &multiple) in self.deviation_multiples.iter().enumerate() {
            check.within(&format!("deviationMultiples.{place}"), multiple, 0.0, 1_000.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(ReplayConfig::default().check("dream.replay"), []);
    }

    #[test]
    fn a_problem_names_key_value_and_remedy() {
        let mut config = ReplayConfig { batch_size: 0, ..ReplayConfig::default() };
        config.gain_weights.regret = -0.1;
        config.spacing_half_life_ticks = f64::NAN;
        config.deviation_multiples.clear();
        let problems = config.check("dream.replay");
        let keys: Vec<_> = problems.iter().map(|problem| problem.key.as_str()).collect();
        assert_eq!(
            keys,
            [
                "dream.replay.batchSize",
                "dream.replay.gainWeights.regret",
                "dream.replay.spacingHalfLifeTicks",
                "dream.replay.deviationMultiples.length",
            ]
        );
        assert_eq!((problems[0].value.as_str(), problems[0].remedy.as_str()), ("0", "use 1 to 1000"));
    }

    #[test]
    fn keys_are_spelled_as_in_scenarios() {
        let text = r#"{"batchSize": 12, "prioritization": "rank", "decayForm": "e-fold",
            "gainWeights": {"regret": 0.0}, "mood": {"threshold": 0.2}}"#;
        let config: ReplayConfig = serde_json::from_str(text).unwrap();
        assert_eq!(config.batch_size, 12);
        assert_eq!(config.prioritization, Prioritization::Rank);
        assert_eq!(config.gain_weights, GainWeights { regret: 0.0, ..GainWeights::default() });
        assert!(serde_json::from_str::<ReplayConfig>(r#"{"batch_size": 12}"#).is_err());
    }

    /// `morta schema` shows what every key means.
    #[test]
    fn every_key_is_described() {
        fn undescribed(schema: &serde_json::Value) -> Vec<String> {
            let Some(schema) = schema.as_object() else { return Vec::new() };
            let properties = schema.get("properties").and_then(|p| p.as_object());
            let bare = properties.into_iter().flatten().filter(|(_, p)| p.get("description").is_none());
            let bare: Vec<String> = bare.map(|(key, _)| key.clone()).collect();
            schema.values().flat_map(undescribed).chain(bare).collect()
        }
        let schema = schemars::schema_for!(ReplayConfig).to_value();
        assert_eq!(undescribed(&schema), Vec::<String>::new());
        assert!(schema.to_string().contains("recencyHalfLifeTicks"));
    }
}
