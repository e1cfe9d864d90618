use morta_engine::golem::gate::GateConfig;

#[test]
fn bounds_out_of_order_are_named() {
    use morta_base::keys::Keys;
    let wrong = GateConfig { min_threshold: 0.9, ..GateConfig::default() }.problems("golem.gate");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].to_string().contains("golem.gate.max_threshold"), "{}", wrong[0]);
}
