use morta_engine::golem::scaling::ScalingConfig;

fn config() -> ScalingConfig {
    ScalingConfig { enabled: true, most: 2.0, step: 0.5 }
}

#[test]
fn a_step_that_fits_nowhere_is_refused() {
    use morta_base::keys::Keys;
    let bad = ScalingConfig { most: 1.0, step: 1.5, ..config() };
    let problems = bad.problems("scaling");
    assert!(problems.iter().any(|problem| problem.key == "scaling.step"), "{problems:?}");
    assert!(config().problems("scaling").is_empty());
}
