use morta_base::Usdc;
use morta_engine::replay::{ReplayMetrics, predictive_accuracy};

#[test]
fn accuracy_is_a_share_of_the_decided() {
    assert_eq!(predictive_accuracy(3, 1), Some(0.75));
    assert_eq!(predictive_accuracy(0, 2), Some(0.0));
    assert_eq!(predictive_accuracy(0, 0), None);
}

#[test]
fn ratios_follow_from_the_other_figures() {
    let mut session = ReplayMetrics::default();
    session.derive();
    assert_eq!((session.cost_per_insight, session.replay_predictive_accuracy), (None, None));
    session.novel_insights_generated = 4;
    session.total_inference_cost = Usdc::from_dollars(1.0);
    session.insights_confirmed_by_live_trading = 2;
    session.insights_contradicted_by_live_trading = 2;
    session.derive();
    assert_eq!((session.cost_per_insight, session.replay_predictive_accuracy), (Some(0.25), Some(0.5)));
}

#[test]
fn there_are_seventeen_figures() {
    let value = serde_json::to_value(ReplayMetrics::default()).unwrap();
    assert_eq!(value.as_object().unwrap().len(), 17);
}
