use crate::common::undescribed;
use morta_base::keys::Keys;
use morta_engine::replay::{GainWeights, Prioritization, ReplayConfig};

#[test]
fn the_defaults_are_valid() {
    assert_eq!(ReplayConfig::default().problems("dream.replay"), []);
}

#[test]
fn a_problem_names_key_value_and_remedy() {
    let mut config = ReplayConfig { batch_size: 0, ..ReplayConfig::default() };
    config.gain_weights.regret = -0.1;
    config.spacing_half_life_ticks = f64::NAN;
    config.deviation_multiples.clear();
    let problems = config.problems("dream.replay");
    let keys: Vec<_> = problems.iter().map(|problem| problem.key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "dream.replay.batch_size",
            "dream.replay.spacing_half_life_ticks",
            "dream.replay.gain_weights.regret",
            "dream.replay.deviation_multiples",
        ]
    );
    assert_eq!(
        (problems[0].value.as_str(), problems[0].remedy.as_str()),
        ("0", "must be a whole number from 1 to 1000 (episodes)")
    );
}

#[test]
fn keys_are_spelled_as_in_scenarios() {
    let text = r#"{"batch_size": 12, "prioritization": "rank", "decay_form": "e-fold",
        "gain_weights": {"regret": 0.0}, "mood": {"threshold": 0.2}}"#;
    let config: ReplayConfig = serde_json::from_str(text).unwrap();
    assert_eq!(config.batch_size, 12);
    assert_eq!(config.prioritization, Prioritization::Rank);
    assert_eq!(config.gain_weights, GainWeights { regret: 0.0, ..GainWeights::default() });
    assert!(serde_json::from_str::<ReplayConfig>(r#"{"batchsize": 12}"#).is_err());
}

/// `morta schema` shows what every key means.
#[test]
fn every_key_is_described() {
    let schema = schemars::schema_for!(ReplayConfig).to_value();
    assert_eq!(undescribed(&schema), Vec::<String>::new());
    assert!(schema.to_string().contains("recency_half_life_ticks"));
}
