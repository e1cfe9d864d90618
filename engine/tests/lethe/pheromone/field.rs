use morta_base::{GolemId, Tick};
use morta_engine::lethe::pheromone::field::relevance;
use morta_engine::lethe::pheromone::{ConfirmationRule, PheromoneSubject};
use morta_engine::lethe::{Pheromone, PheromoneConfig, PheromoneField, PheromoneKind};
use morta_engine::market::{Regime, Strategy};

const HOUR: f64 = 90.0;

fn pheromone(kind: PheromoneKind, intensity: f64) -> Pheromone {
    let (asset, regime) = (0, Regime::Volatile);
    let subject = PheromoneSubject { kind, asset, regime, strategy: Some(Strategy::Momentum) };
    Pheromone { subject, threat: None, intensity }
}

fn strength(field: &PheromoneField, now: Tick, config: &PheromoneConfig) -> f64 {
    field.of_clade(0).first().map_or(0.0, |pheromone| pheromone.intensity_at(now, HOUR, config))
}

/// Half after 2 hours, 12 hours, 7 days; gone below .05, after log2(20) = 4.32 half-lives.
#[test]
fn scents_fade_by_half_lives() {
    let config = PheromoneConfig::default();
    for (kind, hours) in
        [(PheromoneKind::Threat, 2), (PheromoneKind::Opportunity, 12), (PheromoneKind::Wisdom, 168)]
    {
        let mut field = PheromoneField::default();
        field.deposit(0, (0, GolemId::founder(1)), &pheromone(kind, 1.0), HOUR, &config);
        let half_life = hours * 90;
        assert!((strength(&field, half_life, &config) - 0.5).abs() < 1e-12, "{kind:?}");
        assert!(strength(&field, half_life * 43 / 10, &config) > 0.05);
        field.remove_faded(half_life * 44 / 10, HOUR, &config);
        assert!(field.is_empty(), "{kind:?}");
    }
}

/// Two confirmations double the half-life, or make it 2.25 times as long.
#[test]
fn confirmation_by_others_makes_it_last() {
    let check = |confirmation, half_life_hours: f64| {
        let config = PheromoneConfig { confirmation, ..PheromoneConfig::default() };
        let mut field = PheromoneField::default();
        for golem in [1, 1, 2, 3] {
            field.deposit(
                0,
                (0, GolemId::founder(golem)),
                &pheromone(PheromoneKind::Threat, 0.8),
                HOUR,
                &config,
            );
        }
        assert_eq!(field.of_clade(0)[0].confirmations, 2, "one's own word confirms nothing");
        let half = strength(&field, (half_life_hours * HOUR) as Tick, &config);
        assert!((half - 0.4).abs() < 1e-12, "{half}");
    };
    check(ConfirmationRule::Linear, 4.0);
    check(ConfirmationRule::Geometric, 4.5);
}

#[test]
fn only_siblings_smell_it_and_other_regimes_matter_less() {
    let config = PheromoneConfig::default();
    let mut field = PheromoneField::default();
    for clade in [20, 0] {
        let pheromone = pheromone(PheromoneKind::Threat, 0.8);
        field.deposit(0, (clade, GolemId::founder(clade)), &pheromone, HOUR, &config);
    }
    assert_eq!((field.of_clade(0).len(), field.of_clade(20).len(), field.of_clade(40).len()), (1, 1, 0));
    let pheromone = &field.of_clade(20)[0];
    assert_eq!(relevance(pheromone, 0.8, (0, Regime::Volatile)), 0.8);
    assert_eq!(relevance(pheromone, 0.8, (0, Regime::RangeBound)), 0.4);
    assert_eq!(relevance(pheromone, 0.8, (1, Regime::Volatile)), 0.0);
}
