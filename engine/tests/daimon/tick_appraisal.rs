use morta_engine::daimon::Pad;
use morta_engine::daimon::tick_appraisal::{TickStanding, appraise_tick};

#[test]
fn a_tick_is_appraised_by_the_formula() {
    let standing = TickStanding {
        desirability: 0.5,
        pnl: -0.01,
        anomalies: 2.0,
        prediction_error: 0.4,
        coping: 0.2,
        vitality: 0.7,
        nature: Pad::new(0.9, 0.2, -0.5),
    };
    let found = appraise_tick(&standing);
    assert!(found.distance(Pad::new(-0.1, 0.57, 0.21)) < 1e-12, "{found:?}");
    let wild = appraise_tick(&TickStanding { anomalies: 9.0, pnl: 0.0, ..standing });
    assert_eq!((wild.pleasure, wild.arousal), (0.3, 1.0));
}
