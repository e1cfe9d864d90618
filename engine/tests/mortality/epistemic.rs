use morta_engine::mortality::epistemic::{COLD_START_FITNESS, DOMAINS};
use morta_engine::mortality::fitness::{EpistemicConfig, FitnessForm};
use morta_engine::mortality::{Epistemics, MortalityConfig, Observed};

fn by_accuracy() -> MortalityConfig {
    let epistemic = EpistemicConfig { fitness_form: FitnessForm::Accuracy, ..EpistemicConfig::default() };
    MortalityConfig { epistemic, ..MortalityConfig::default() }
}

fn live(classes: impl Iterator<Item = u8>) -> Epistemics {
    let config = by_accuracy();
    let mut epistemics = Epistemics::default();
    for class in classes {
        epistemics.learn(Observed([class; DOMAINS]), 1.0, None, &config);
    }
    epistemics
}

#[test]
fn a_regular_market_is_learned_and_a_changed_one_is_not_forgiven() {
    let config = by_accuracy();
    let learned = live((0..1_000).map(|t| (t % 3) as u8));
    assert!(learned.fitness(&config) > 0.99, "{}", learned.fitness(&config));
    // The cycle turns round: 300 ticks of the new way are not enough against 1,000 of the old.
    let entrenched = live((0..1_000).map(|t| (t % 3) as u8).chain((0..300).map(|t| 2 - (t % 3) as u8)));
    assert!(entrenched.fitness(&config) < 0.1, "{}", entrenched.fitness(&config));
    let young = live((0..300).map(|t| 2 - (t % 3) as u8));
    assert!(young.fitness(&config) > 0.9, "{}", young.fitness(&config));
}

#[test]
fn a_newborn_has_the_cold_start_fitness() {
    let config = by_accuracy();
    assert_eq!(live((0..50).map(|_| 1)).fitness(&config), COLD_START_FITNESS);
    assert!(live((0..51).map(|_| 1)).fitness(&config) > COLD_START_FITNESS);
}
