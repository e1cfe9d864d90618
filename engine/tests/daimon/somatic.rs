use morta_engine::daimon::somatic::{SomaticConfig, SomaticMarkers, SomaticSituation, valence};

fn place(strategy: u8, regime: u8, volatility: f64) -> SomaticSituation {
    SomaticSituation { strategy, regime, features: [volatility, 0.0, 0.0] }
}

/// Digest section 10: 1.2(win − .5) + .4·clamp(pnl, ±1).
#[test]
fn valence_of_trades() {
    for (r, expected) in [(2.0, 1.0), (0.5, 0.8), (0.0, -0.6), (-0.5, -0.8), (-3.0, -1.0)] {
        assert!((valence(r) - expected).abs() < 1e-12, "{r}");
    }
}

#[test]
fn a_marker_moves_by_fifteen_per_cent() {
    let config = SomaticConfig::default();
    let (mut markers, here) = (SomaticMarkers::default(), place(1, 2, 0.5));
    for _ in 0..3 {
        assert_eq!(markers.note(here, 1.0, &config), None, "it is reported from .4 on");
    }
    // 1 − .85⁴, then .15 of the way to −1.
    let fourth = markers.note(here, 1.0, &config).expect("it has moved by .478");
    assert!((fourth.valence - 0.477_993_75).abs() < 1e-12 && fourth.trades == 4);
    assert_eq!(markers.note(here, -1.0, &config), None, "by .222 since");
    let sixth = markers.note(here, -1.0, &config).expect("by .41 since");
    assert!((sixth.valence - (0.722_5 * 0.477_993_75 - 0.277_5)).abs() < 1e-12 && sixth.trades == 6);
}

#[test]
fn the_nearest_speak_loudest() {
    let (mut markers, config) = (SomaticMarkers::default(), SomaticConfig::default());
    markers.note(place(1, 2, 0.0), 1.0, &config);
    markers.note(place(1, 3, 0.0), -1.0, &config);
    markers.note(place(4, 2, 0.0), -1.0, &config);
    // Weights 1/.1 and 1/1.1 of .15 and −.15.
    let expected = 0.15 * (10.0 - 1.0 / 1.1) / (10.0 + 1.0 / 1.1);
    assert!((markers.gut(&place(1, 2, 0.0), &config).unwrap() - expected).abs() < 1e-12);
    assert_eq!(markers.gut(&place(0, 2, 0.0), &config), None);
    let one = SomaticConfig { neighbours: 1, ..config };
    assert!((markers.gut(&place(1, 2, 0.9), &one).unwrap() - 0.15).abs() < 1e-12);
}
