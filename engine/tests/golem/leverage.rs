use morta_base::keys::Keys;
use morta_engine::golem::leverage::LeverageConfig;

#[test]
fn a_margin_that_is_never_met_is_refused() {
    let of =
        |max, maintenance_margin| LeverageConfig { max, maintenance_margin, ..LeverageConfig::default() };
    assert_eq!(of(10.0, 0.05).problems("golem.leverage"), []);
    let problems = of(20.0, 0.05).problems("golem.leverage");
    assert_eq!(problems[0].key, "golem.leverage.maintenance_margin");
    for (config, key) in [
        (LeverageConfig { max: 0.5, ..LeverageConfig::default() }, "max"),
        (LeverageConfig { interest_per_tick: -0.1, ..LeverageConfig::default() }, "interest_per_tick"),
        (LeverageConfig { liquidation_fee_bps: 2e3, ..LeverageConfig::default() }, "liquidation_fee_bps"),
    ] {
        assert_eq!(config.problems("golem.leverage")[0].key, format!("golem.leverage.{key}"));
    }
}
