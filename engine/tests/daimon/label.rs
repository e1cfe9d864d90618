use morta_engine::daimon::{Emotion, Pad};

/// Digest section 10: +++ joy, ++− trust, +−± anticipation, −++ anger, −+− fear, −−+ disgust, −−− sadness.
#[test]
fn octants_have_their_names() {
    let check = |p, a, d, expected| assert_eq!(Emotion::from_pad(Pad::new(p, a, d), 0.05), expected);
    check(0.5, 0.5, 0.5, Emotion::Joy);
    check(0.5, 0.5, -0.5, Emotion::Trust);
    check(0.5, -0.5, 0.5, Emotion::Anticipation);
    check(0.5, -0.5, -0.5, Emotion::Anticipation);
    check(-0.5, 0.5, 0.5, Emotion::Anger);
    check(-0.5, 0.5, -0.5, Emotion::Fear);
    check(-0.5, -0.5, 0.5, Emotion::Disgust);
    check(-0.5, -0.5, -0.5, Emotion::Sadness);
    check(0.03, -0.03, 0.02, Emotion::Neutral);
    for (place, emotion) in Emotion::OF_MOODS.into_iter().enumerate() {
        assert_eq!(emotion.index(), place);
    }
}
