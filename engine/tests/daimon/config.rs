use morta_base::keys::Keys;
use morta_engine::daimon::DaimonConfig;

fn problems(change: impl FnOnce(&mut DaimonConfig)) -> Vec<String> {
    let mut config = DaimonConfig::default();
    change(&mut config);
    config.problems("daimon").into_iter().map(|problem| problem.key).collect()
}

#[test]
fn values_that_cannot_be_are_named() {
    assert_eq!(problems(|_| ()), [""; 0]);
    assert_eq!(problems(|c| c.rules.loss[1] = -2.0), ["daimon.rules.loss.1"]);
    assert_eq!(problems(|c| c.somatic.neighbours = 9), ["daimon.somatic.neighbours"]);
    assert_eq!(problems(|c| c.rumination.interval_ticks = 0), ["daimon.rumination.interval_ticks"]);
    assert_eq!(problems(|c| c.contagion.half_life_hours = 0.0), ["daimon.contagion.half_life_hours"]);
}
