use morta_engine::dream::imagination::{ImaginationConfig, Intensity};
use morta_engine::replay::Uncertainty;

/// The dream architecture's three rows.
#[test]
fn the_intensity_table() {
    let check = |uncertainty, counts: [u32; 3], temperature: f64, depotentiation: f64| {
        let found = Intensity::for_uncertainty(uncertainty, &ImaginationConfig::default());
        let Intensity { counterfactual_depth, creative_sessions, threat_scenarios, .. } = found;
        assert_eq!([counterfactual_depth, creative_sessions, threat_scenarios], counts, "{uncertainty:?}");
        assert!((found.exploration_temperature - temperature).abs() < 1e-12);
        assert!((found.depotentiation - depotentiation).abs() < 1e-12);
    };
    check(Uncertainty::High, [3, 3, 5], 0.9, 0.5);
    check(Uncertainty::Medium, [2, 2, 3], 0.7, 0.4);
    check(Uncertainty::Low, [1, 1, 1], 0.5, 0.3);
}
