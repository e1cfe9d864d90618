use morta_engine::daimon::mood::ResidualRates;
use morta_engine::daimon::{Happening, Mood, Pad, RuleTable, appraise};

/// One regime shift from a neutral mood: .05 · .6 = .03 of the feeling.
#[test]
fn a_mood_moves_by_intensity() {
    let mut mood = Mood::default();
    mood.feel(&appraise(Happening::RegimeShifted, &RuleTable::default()), 0.95);
    assert!(mood.pad().distance(Pad::new(-0.006, 0.021, -0.009)) < 1e-12, "{mood:?}");
}

/// A loss of 20 % (intensity .9, so .9 of (−.5, .7, −.3)) at 1.6 times .15, .20 and .08.
#[test]
fn losses_move_a_mood_faster() {
    let rates = ResidualRates::default();
    let loss = appraise(Happening::TradeClosed { percent: -20.0 }, &RuleTable::default());
    let (mut hurt, mut unhurt) = (Mood::default(), Mood::default());
    hurt.follow(&loss, true, &rates);
    unhurt.follow(&loss, false, &rates);
    assert!(hurt.pad().distance(Pad::new(-0.45 * 0.24, 0.63 * 0.32, -0.27 * 0.128)) < 1e-12, "{hurt:?}");
    assert!(unhurt.pad().distance(Pad::new(-0.0675, 0.126, -0.0216)) < 1e-12, "{unhurt:?}");
}
