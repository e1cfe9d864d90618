use morta_engine::mortality::{MortalityConfig, Phase, urgency, vitality};

/// Digest section 11: a newborn at cold-start fitness .5 has V = .69; Thriving needs fitness ≥ .506; fitness .35
/// gives .40; Terminal by fitness alone needs fitness below .125, by funds alone econ below .080 (.0812 at fitness 1).
#[test]
fn vitality_matches_the_digest() {
    let config = MortalityConfig::default();
    let at = |economic, fitness| vitality(economic, fitness, 0, &config);
    assert!((at(1.0, 0.5) - 0.69).abs() < 0.005, "{}", at(1.0, 0.5));
    assert!(at(1.0, 0.505) < 0.7 && at(1.0, 0.507) >= 0.7);
    assert!((at(1.0, 0.35) - 0.40).abs() < 0.005);
    assert!(at(1.0, 0.124) < 0.1 && at(1.0, 0.126) > 0.1);
    assert!(at(0.080, 1.0) < 0.1 && at(0.082, 1.0) > 0.1);
}

/// Digest section 1: V = .8 gives .08.
#[test]
fn urgency_matches_the_digest() {
    assert!((urgency(0.8) - 0.0832).abs() < 5e-5, "{}", urgency(0.8));
    assert!((urgency(0.5) - 0.5).abs() < 1e-12 && urgency(0.1) > 0.95);
}

#[test]
fn age_takes_thirty_per_cent_over_a_lifespan() {
    let config = MortalityConfig::default();
    let ratio = vitality(1.0, 1.0, 200_000, &config) / vitality(1.0, 1.0, 0, &config);
    assert!((ratio - 0.7).abs() < 1e-12);
}

#[test]
fn phases_rise_late_and_fall_at_once() {
    let check =
        |from: Phase, vitality, expected| assert_eq!(from.next(vitality, 0.05), expected, "{vitality}");
    check(Phase::Stable, 0.72, Phase::Stable);
    check(Phase::Stable, 0.75, Phase::Thriving);
    check(Phase::Thriving, 0.69, Phase::Stable);
    check(Phase::Terminal, 0.32, Phase::Declining);
    check(Phase::Terminal, 0.36, Phase::Conservation);
    check(Phase::Thriving, 0.0, Phase::Terminal);
    assert_eq!(Phase::from_vitality(0.69), Phase::Stable);
}
