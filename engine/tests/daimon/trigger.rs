use morta_engine::daimon::trigger::Lately;
use morta_engine::daimon::{Happening, MoodCause, Trigger};

#[test]
fn the_new_the_strong_and_the_grave_are_felt() {
    let (mut lately, trigger) = (Lately::default(), Trigger::default());
    let mut feels = |happening, intensity, now| lately.is_felt(happening, intensity, now, &trigger);
    let gain = Happening::TradeClosed { percent: 1.0 };
    assert!(feels(gain, 0.1, 0), "new");
    assert!(!feels(gain, 0.1, 9), "more of the same");
    assert!(feels(Happening::TradeClosed { percent: -1.0 }, 0.1, 9), "a loss is another kind");
    assert!(feels(gain, 0.3, 9), "strong");
    assert!(
        !feels(gain, 0.1, 18) && feels(gain, 0.1, 19),
        "the window is counted from the last that was felt"
    );
    assert!(feels(Happening::RegimeShifted, 0.0, 3) && feels(Happening::RegimeShifted, 0.0, 4), "grave");
    assert!(lately.now(MoodCause::RegimeShifted, 4) && !lately.now(MoodCause::Profit, 18));
}
