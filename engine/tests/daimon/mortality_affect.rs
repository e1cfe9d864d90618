use morta_engine::daimon::mortality_affect::{
    MortalityAffectConfig, Readings, economic_anxiety, epistemic_vertigo, stochastic_dread,
};
use morta_engine::daimon::{Appraisal, Emotion, Pad, mortality_affect};

fn check(found: Appraisal, (p, a, d): (f64, f64, f64), intensity: f64) {
    assert!(found.pad.distance(Pad::new(p, a, d)) < 1e-12, "{found:?}");
    assert!((found.intensity - intensity).abs() < 1e-12, "{found:?}");
}

/// By hand from M08: half the money and ten days left are a = .25 + .05.
#[test]
fn money_running_out_is_felt() {
    check(economic_anxiety(0.5, 10.0, 0.1), (-0.15, 0.18, -0.3), 0.3);
    check(economic_anxiety(1.0, 5.0, 0.1), (-0.05, 0.06, 0.1), 0.1);
    check(economic_anxiety(0.1, 0.05, 0.1), (-0.45, 0.54, -0.7), 0.9);
    assert_eq!(economic_anxiety(0.1, 0.05, 0.1).emotion, Emotion::Fear);
    // The other source's floor of a day: .2 + .5.
    check(economic_anxiety(0.6, 0.05, 1.0), (-0.35, 0.42, 0.1), 0.7);
}

#[test]
fn knowledge_running_out_is_felt() {
    check(epistemic_vertigo(0.1, 0.0), (-0.7, 0.3, -0.6), 0.8);
    check(epistemic_vertigo(0.4, -0.02), (-0.4, 0.56, -0.3), 0.38);
    check(epistemic_vertigo(0.4, -0.09), (-0.4, 0.77, -0.3), 0.7);
    check(epistemic_vertigo(0.6, -0.02), (-0.1, 0.2, 0.1), 0.2);
    check(epistemic_vertigo(0.6, 0.0), (0.1, -0.1, 0.2), 0.2);
}

#[test]
fn chance_is_dreaded_within_bounds() {
    check(stochastic_dread(1e-6), (0.0, 0.05, 0.2), 0.05);
    check(stochastic_dread(2e-4), (0.0, 0.2, 0.2), 0.2);
    check(stochastic_dread(1e-3), (0.0, 0.4, 0.2), 0.4);
}

#[test]
fn the_strongest_names_the_blend() {
    let config = MortalityAffectConfig::default();
    let readings =
        Readings { money: Some((1.0, 5.0)), knowledge: Some((0.1, 0.0)), hazard: Some(1e-4), vitality: 0.5 };
    // Intensities .1, .8, .1: pleasure −.005 − .56 + 0.
    let found = mortality_affect(&readings, &config).unwrap();
    check(found, (-0.565, 0.256, -0.45), 0.8);
    assert_eq!(found.emotion, Emotion::Fear);
    let last = mortality_affect(&Readings { vitality: 0.09, ..readings }, &config).unwrap();
    check(last, (-0.1, 0.4, 0.3), 0.8);
    let immortal = Readings { money: None, knowledge: None, hazard: None, vitality: 0.05 };
    assert_eq!(mortality_affect(&immortal, &config), None);
}
