mod config;

use morta_engine::dream::onset::{HypnagogiaConfig, executive_loosener, thalamic_gate};
use morta_engine::mortality::Phase;

#[test]
fn the_gate_closes() {
    assert_eq!([0, 1, 2].map(|cycle| thalamic_gate(cycle, 3)), [1.0, 0.5, 0.0]);
    assert_eq!(thalamic_gate(0, 1), 0.0);
}

/// 1 → 1.5 along half a cosine; the second cycle's peak is .8 · 1.5 = 1.2; stable golems reach 1.2 in the first.
#[test]
fn the_temperature_rises_along_a_cosine() {
    let config = HypnagogiaConfig::default();
    let check = |cycle, progress, phase, expected: f64| {
        let found = executive_loosener(cycle, progress, phase, &config);
        assert!((found - expected).abs() < 1e-12, "{cycle} {progress} {phase:?}: {found}");
    };
    check(0, 0.0, Phase::Thriving, 1.0);
    check(0, 0.5, Phase::Thriving, 1.25);
    check(0, 1.0, Phase::Thriving, 1.5);
    check(1, 1.0, Phase::Thriving, 1.2);
    check(0, 1.0, Phase::Stable, 1.2);
    check(1, 1.0, Phase::Stable, 1.0);
    check(0, 1.0, Phase::Conservation, 1.0);
}
