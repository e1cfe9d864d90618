use morta_base::{GolemId, WorldSeed};
use morta_engine::daimon::Pad;
use morta_engine::daimon::personality::PersonalityConfig;
use morta_engine::golem::{Genome, GolemConfig};

#[test]
fn what_life_did_to_a_nature_is_passed_on() {
    let (config, personality) = (GolemConfig::default(), PersonalityConfig::default());
    let (seed, parent) = (WorldSeed(3), GolemId::founder(1));
    let mut genome = Genome::founder(parent, seed);
    let untouched = genome.child(parent.successor(), seed);
    for _ in 0..10_000 {
        genome.bend(Pad::new(-1.0, 0.0, 0.0), &config, &personality);
    }
    let heir = genome.child(parent.successor(), seed);
    let natures = [heir, untouched].map(|genome| genome.nature(&config, &personality));
    let inherited = natures[0].pleasure - natures[1].pleasure;
    assert!((inherited + 0.3 * 0.7_f64.sqrt()).abs() < 1e-12, "{natures:?}");
}
