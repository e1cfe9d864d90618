use crate::common::episodes::claim;
use morta_base::{BloodstainId, GolemId};
use morta_engine::episode::standing::{HalfLifeTable, RetentionForm};
use morta_engine::episode::{
    AgeingConfig, Claim, ContextPattern, DecayClass, EntryKind, EntryNature, EntryStanding, Evidence,
    Provenance, Reinforcement,
};
use morta_engine::market::{Regime, Session};

fn nature(kind: EntryKind) -> EntryNature {
    EntryNature::for_claim(kind, &claim(0.4), Provenance::Own, Evidence { confirmed: 9, contradicted: 0 })
}

const CONFIDENCE: f64 = 0.8;

fn retention(config: &AgeingConfig, nature: &EntryNature, strength: f64, days: u64) -> f64 {
    let standing = EntryStanding { strength, ..EntryStanding::new(0) };
    config.retention(&standing, nature, CONFIDENCE, days * 2_160)
}

/// After as many days as the table says, 1/e is left; strength 2 makes it e^(−1/2).
#[test]
fn half_lives_by_kind_are_time_constants() {
    let config = AgeingConfig::default();
    let check = |kind, strength, days, expected: f64| {
        let found = retention(&config, &nature(kind), strength, days);
        assert!((found - expected).abs() < 1e-9, "{kind:?}: {found}");
    };
    check(EntryKind::Insight, 1.0, 7, 0.367_879_441);
    check(EntryKind::Heuristic, 1.0, 14, 0.367_879_441);
    check(EntryKind::Warning, 1.0, 30, 0.367_879_441);
    check(EntryKind::Heuristic, 2.0, 14, 0.606_530_660);
    check(EntryKind::Heuristic, 1.0, 0, 1.0);
}

#[test]
fn bloodstains_last_three_times_as_long_and_poor_quality_half() {
    let config = AgeingConfig::default();
    let bloodstain = Provenance::Bloodstain(BloodstainId { golem: GolemId::founder(1), number: 0 });
    let inherited = EntryNature { provenance: bloodstain, ..nature(EntryKind::Insight) };
    assert!((retention(&config, &inherited, 1.0, 21) - 0.367_879_441).abs() < 1e-9);
    // Quality .8·1/4 = .2 is below .3: 3.5 days are as long as 7.
    let evidence = Evidence { confirmed: 1, contradicted: 2 };
    let poor = EntryNature { evidence, ..nature(EntryKind::Insight) };
    assert!((evidence.quality(CONFIDENCE) - 0.2).abs() < 1e-12);
    assert!((retention(&config, &poor, 1.0, 7) - 0.135_335_283).abs() < 1e-9);
}

#[test]
fn the_other_tables() {
    let by = |half_life_table| AgeingConfig { half_life_table, ..AgeingConfig::default() };
    let (class, abc) = (by(HalfLifeTable::Class), by(HalfLifeTable::Abc));
    let regime = nature(EntryKind::Insight);
    let structural = EntryNature { class: DecayClass::Structural, ..regime };
    let tactical = EntryNature { class: DecayClass::Tactical, ..regime };
    let ephemeral = nature(EntryKind::StrategyFragment);
    let left = 0.367_879_441;
    for (config, nature, days) in [
        (&class, regime, 14),
        (&class, tactical, 7),
        (&class, ephemeral, 1),
        (&abc, tactical, 7),
        (&abc, regime, 21),
        (&abc, structural, 90),
    ] {
        assert!((retention(config, &nature, 1.0, days) - left).abs() < 1e-9, "{nature:?}");
    }
    assert_eq!(retention(&class, &structural, 1.0, 9_999), 1.0);
    let true_half = AgeingConfig { decay_form: RetentionForm::HalfLife, ..AgeingConfig::default() };
    assert_eq!(retention(&true_half, &regime, 1.0, 7), 0.5);
}

#[test]
fn the_class_follows_from_what_is_named() {
    let at = |pattern| DecayClass::for_claim(EntryKind::Insight, &Claim { pattern, ..claim(0.1) });
    assert_eq!(at(ContextPattern::default()), DecayClass::Structural);
    assert_eq!(at(ContextPattern::from_regime(Regime::Volatile)), DecayClass::Regime);
    let hours = ContextPattern { session: Some(Session::Asia), ..ContextPattern::default() };
    assert_eq!(at(hours), DecayClass::Tactical);
}

#[test]
fn time_leaves_a_floor_and_never_adds() {
    let config = AgeingConfig::default();
    let effective = |confidence| {
        config.effective(&EntryStanding::new(0), &nature(EntryKind::Insight), confidence, 1_000_000)
    };
    assert_eq!(effective(0.8), 0.05);
    assert_eq!(effective(0.02), 0.02);
}

/// Replay spec: +1 for a live success, +.75 from the clade, +.5 from a dream, nothing for a look.
#[test]
fn what_makes_an_entry_stronger() {
    let mut standing = EntryStanding::new(0);
    standing.access(5);
    assert_eq!((standing.strength, standing.last_accessed), (1.0, 5));
    standing.reinforce(Reinforcement::LiveSuccess, 6);
    standing.reinforce(Reinforcement::Clade, 7);
    standing.reinforce(Reinforcement::Dream, 8);
    assert_eq!((standing.strength, standing.last_accessed), (3.25, 8));
}
