use morta_base::Tick;
use morta_engine::daimon::grief::GRIEF;
use morta_engine::daimon::{Affect, DaimonConfig, Emotion, Happening, MoodCause, Pad, Rhythm, Shift};

fn feel(affect: &mut Affect, happening: Happening, now: Tick, config: &DaimonConfig) {
    let (felt, noticed) = affect.notice(happening, now, config);
    if noticed {
        affect.be_moved(&felt, happening.is_loss(), config);
    }
}

#[test]
fn a_surprise_makes_careful_for_a_while() {
    let config = DaimonConfig::default();
    let mut affect = Affect::default();
    feel(&mut affect, Happening::PredictionMissed { error: 0.9 }, 5, &config);
    assert_eq!(affect.emotion(14), Emotion::Surprise);
    assert_eq!(affect.emotion(15), Emotion::Neutral);
}

#[test]
fn a_mood_is_reported_when_it_has_moved() {
    let config = DaimonConfig::default();
    let mut affect = Affect::default();
    let mut reports = 0;
    for tick in 0..30 {
        feel(&mut affect, Happening::RegimeShifted, tick, &config);
        reports += u32::from(affect.news(&config).is_some());
    }
    // The mood has come 1 − .95³⁰ = .785 of the way of .6·.787 = .472: .371, twice .15.
    assert_eq!(reports, 2);
    assert_eq!(affect.shift(), Some(Shift { from: Emotion::Neutral, to: Emotion::Fear }));
    assert_eq!(affect.shift(), None);
}

#[test]
fn a_rhythm_is_due_at_multiples_of_its_interval() {
    let mut affect = Affect::default();
    let due: Vec<Tick> = (0..35).filter(|age| affect.is_due(Rhythm::Nature, *age, 10)).collect();
    assert_eq!(due, [10, 20, 30]);
    let late: Vec<Tick> = (25..45).filter(|age| affect.is_due(Rhythm::Curator, *age, 10)).collect();
    assert_eq!(late, [30, 40], "a missed time isn't made up for");
}

#[test]
fn its_nature_draws_a_mood_back() {
    let config = DaimonConfig::default();
    let mut affect = Affect::born(Pad::new(0.4, 0.0, 0.0), 0, false);
    affect.return_to(Pad::default(), &config);
    assert!((affect.pad().pleasure - 0.38).abs() < 1e-12, "five per cent");
}

#[test]
fn a_death_in_the_family_is_grieved() {
    let config = DaimonConfig::default();
    let mut bereft = Affect::default();
    feel(&mut bereft, Happening::SiblingDied, 10, &config);
    let mut heir = Affect::born(Pad::default(), 10, true);
    for affect in [&mut bereft, &mut heir] {
        assert_eq!(affect.pass_tick(10, 40.0, &config), MoodCause::Grief);
        for tick in 11..110 {
            affect.pass_tick(tick, 40.0, &config);
        }
        assert!(affect.pad().distance(GRIEF) < 0.05, "{affect:?}");
        assert_eq!(affect.pass_tick(110, 40.0, &config), MoodCause::Personality);
    }
}

/// Six hours are 540 ticks of 40 seconds.
#[test]
fn what_was_caught_fades() {
    let config = DaimonConfig::default();
    let mut affect = Affect::default();
    affect.catch(&[Pad::new(-1.0, 0.5, 1.0)], &config);
    assert!(affect.pad().distance(Pad::new(-0.3, 0.15, 0.0)) < 1e-12);
    assert_eq!(affect.mood().own(), Pad::default(), "and doesn't echo");
    for tick in 0..540 {
        affect.pass_tick(tick, 40.0, &config);
    }
    assert!(affect.pad().distance(Pad::new(-0.15, 0.075, 0.0)) < 1e-9);
}
