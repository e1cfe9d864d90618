use morta_engine::daimon::summary::AffectSums;
use morta_engine::daimon::{Emotion, Pad};

#[test]
fn a_life_is_averaged_over_its_ticks() {
    let mut sums = AffectSums::default();
    assert_eq!(sums.summary(), None);
    sums.note(Pad::new(0.5, 0.5, 0.5), Emotion::Joy);
    sums.note(Pad::new(-0.5, 0.5, 0.5), Emotion::Anger);
    sums.note(Pad::new(0.75, -0.25, 0.5), Emotion::Anticipation);
    sums.note(Pad::new(0.25, 0.25, 0.5), Emotion::Joy);
    let found = sums.summary().unwrap();
    assert_eq!((found.mean_pleasure, found.mean_arousal, found.mean_dominance), (0.25, 0.25, 0.5));
    assert_eq!(found.share_by_mood, [0.0, 0.5, 0.0, 0.25, 0.25, 0.0, 0.0, 0.0]);
}
