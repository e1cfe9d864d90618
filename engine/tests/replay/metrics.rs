use morta_base::Usdc;
use morta_engine::replay::{ReplayMetrics, predictive_accuracy};

#[test]
fn accuracy_is_a_share_of_the_decided() {
    assert_eq!(predictive_accuracy(3, 1), Some(0.75));
    assert_eq!(predictive_accuracy(0, 2), Some(0.0));
    assert_eq!(predictive_accuracy(0, 0), None);
}

#[test]
fn sessions_add_up() {
    let mut total = ReplayMetrics::default();
    total.derive();
    assert_eq!((total.cost_per_insight, total.replay_predictive_accuracy), (None, None));
    let session = ReplayMetrics {
        episodes_replayed: 10,
        novel_insights_generated: 2,
        total_inference_cost: Usdc::from_dollars(0.5),
        insights_confirmed_by_live_trading: 1,
        insights_contradicted_by_live_trading: 1,
        ..ReplayMetrics::default()
    };
    total.add(&session);
    total.add(&session);
    assert_eq!((total.episodes_replayed, total.cost_per_insight), (20, Some(0.25)));
    assert_eq!(total.replay_predictive_accuracy, Some(0.5));
}

#[test]
fn there_are_seventeen_figures() {
    let value = serde_json::to_value(ReplayMetrics::default()).unwrap();
    assert_eq!(value.as_object().unwrap().len(), 17);
}
