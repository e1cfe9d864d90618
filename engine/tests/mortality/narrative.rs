use morta_base::Tick;
use morta_engine::daimon::Pad;
use morta_engine::mortality::narrative::{Landmark, Landmarks, NarrativeArc, Story};

/// Thirds of four samples each, just beyond each limit of the digest and just within.
#[test]
fn arcs_at_their_limits() {
    let check = |(early, middle, late): (f32, f32, f32), expected| {
        let samples = [[early; 4], [middle; 4], [late; 4]].concat();
        assert_eq!(NarrativeArc::from_samples(&samples), expected, "{early} {middle} {late}");
    };
    check((0.0, -0.21, -0.05), NarrativeArc::Redemptive);
    check((0.0, -0.19, 0.0), NarrativeArc::Stable);
    check((0.0, -0.21, -0.07), NarrativeArc::Stable);
    check((0.0, 0.21, 0.05), NarrativeArc::Contaminating);
    check((0.0, 0.1, 0.21), NarrativeArc::Progressive);
    check((0.0, -0.1, -0.31), NarrativeArc::Tragic);
    check((0.0, -0.1, -0.29), NarrativeArc::Stable);
    assert_eq!(
        NarrativeArc::from_samples(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
        NarrativeArc::Stable
    );
}

#[test]
fn the_five_sharpest_turns_are_kept() {
    let mut story = Story::default();
    for tick in 0..12 {
        let side = if tick % 2 == 0 { 1.0 } else { -1.0 };
        story.note(tick, tick, Pad::new(side * (0.3 + 0.05 * tick as f64), 0.0, 0.0));
    }
    let ticks: Vec<Tick> = story.turns().iter().map(|turn| turn.tick).collect();
    assert_eq!(ticks, [7, 8, 9, 10, 11]);
}

#[test]
fn firsts_stay_and_records_are_broken() {
    let mut landmarks = Landmarks::default();
    for (tick, r) in [(3, -0.5), (5, 1.0), (8, 0.4), (9, -2.0), (11, -1.0)] {
        landmarks.trade(tick, r);
    }
    landmarks.first(Landmark::FirstContact, 1, 4.0);
    landmarks.first(Landmark::FirstContact, 2, 9.0);
    let moments: Vec<(Landmark, Tick)> =
        landmarks.moments().iter().map(|moment| (moment.landmark, moment.tick)).collect();
    let expected = [
        (Landmark::FirstTrade, 3),
        (Landmark::BiggestProfit, 5),
        (Landmark::BiggestLoss, 9),
        (Landmark::FirstContact, 1),
    ];
    assert_eq!(moments, expected);
}
