use crate::common::episodes::claim;
use morta_base::{GolemId, Tick};
use morta_engine::episode::demurrage::DemurrageVariant;
use morta_engine::episode::{
    DemurrageConfig, EntryKind, EntryNature, EntryStanding, Evidence, KnowledgeDomain, Provenance,
};
use proptest::prelude::*;

fn nature(kind: EntryKind, domain: KnowledgeDomain) -> EntryNature {
    EntryNature { domain, ..EntryNature::for_claim(kind, &claim(0.4), Provenance::Own, Evidence::NONE) }
}

/// First tick at which an entry of confidence .6 is archived, looked at every 250 ticks.
fn archived_at(config: &DemurrageConfig, nature: &EntryNature) -> Tick {
    let (mut standing, mut confidence) = (EntryStanding::new(0), 0.6);
    (1..1_000)
        .map(|step| step * 250)
        .find(|now| {
            config.levy(&mut standing, nature, &mut confidence, *now, false);
            config.archives(confidence)
        })
        .expect("it is archived at last")
}

/// Digest section 12: from .6, a gas insight is archived after 1,500 ticks, one on price after 3,000, on protocol
/// after 14,000.
#[test]
fn variant_a_archives_when_the_digest_says() {
    let config = DemurrageConfig::default();
    let check = |domain, expected| {
        assert_eq!(archived_at(&config, &nature(EntryKind::Insight, domain)), expected, "{domain:?}");
    };
    check(KnowledgeDomain::Gas, 1_500);
    check(KnowledgeDomain::Price, 3_000);
    check(KnowledgeDomain::Protocol, 14_000);
}

/// Due for one interval under every variant.
#[test]
fn rates_by_domain_and_kind() {
    let due = |variant, kind, domain| {
        let config = DemurrageConfig { variant, ..DemurrageConfig::default() };
        config.due(&EntryStanding::new(0), &nature(kind, domain), false)
    };
    use DemurrageVariant::{A, APrime, B, Off};
    use EntryKind::{AntiKnowledge, Heuristic, Insight, Question, StrategyFragment, Warning};
    use KnowledgeDomain::{Gas, General, Price, Protocol, Structure, Volatility, Yield};
    for (variant, kind, domain, expected) in [
        (A, Insight, Gas, 0.09),
        (A, Insight, Price, 0.045),
        (A, Insight, Volatility, 0.024),
        (A, Insight, Yield, 0.015),
        (A, Insight, Protocol, 0.009),
        (A, Insight, Structure, 0.021),
        (A, Heuristic, General, 0.025),
        (A, Warning, General, 0.02),
        (A, StrategyFragment, General, 0.03 / 0.7),
        (A, Question, General, 0.015),
        (A, AntiKnowledge, General, 0.015),
        (APrime, Warning, Gas, 0.06),
        (APrime, Insight, Price, 0.045),
        (APrime, Insight, Volatility, 0.03),
        (APrime, Insight, Yield, 0.024),
        (APrime, Insight, Protocol, 0.015),
        (B, Insight, Gas, 0.05),
        (Off, Insight, Gas, 0.0),
    ] {
        let found = due(variant, kind, domain);
        assert!((found - expected).abs() < 1e-12, "{variant:?} {kind:?} {domain:?}: {found}");
    }
    let b = DemurrageConfig { variant: B, ..DemurrageConfig::default() };
    assert_eq!((b.interval(), DemurrageConfig::default().interval()), (Some(5_000), Some(250)));
}

#[test]
fn dreams_halve_it_and_untested_inheritance_doubles_it() {
    let config = DemurrageConfig::default();
    let own = nature(EntryKind::Insight, KnowledgeDomain::General);
    let dreamt = EntryStanding { dream_validated: true, ..EntryStanding::new(0) };
    assert!((config.due(&dreamt, &own, false) - 0.015).abs() < 1e-12);
    let inherited = EntryNature { provenance: Provenance::Predecessor(GolemId::founder(0)), ..own };
    assert!((config.due(&EntryStanding::new(0), &inherited, false) - 0.06).abs() < 1e-12);
    let evidence = Evidence { confirmed: 1, contradicted: 0 };
    let tested = EntryNature { evidence, ..inherited };
    assert!((config.due(&EntryStanding::new(0), &tested, false) - 0.03).abs() < 1e-12);
    assert!((config.due(&EntryStanding::new(0), &own, true) - 0.06).abs() < 1e-12);
}

#[test]
fn validation_starts_the_clock_anew() {
    let (config, nature) = (DemurrageConfig::default(), nature(EntryKind::Insight, KnowledgeDomain::General));
    let (mut standing, mut confidence) = (EntryStanding::new(0), 0.6);
    config.levy(&mut standing, &nature, &mut confidence, 249, false);
    standing.validate(249);
    config.levy(&mut standing, &nature, &mut confidence, 498, false);
    assert_eq!(confidence, 0.6);
    config.levy(&mut standing, &nature, &mut confidence, 499, false);
    assert!((confidence - 0.57).abs() < 1e-12 && (standing.before_demurrage(confidence) - 0.6).abs() < 1e-12);
}

#[test]
fn what_is_known_to_be_wrong_keeps_its_floor() {
    let anti = nature(EntryKind::AntiKnowledge, KnowledgeDomain::Gas);
    let config = DemurrageConfig::default();
    for (before, after) in [(0.9, 0.3), (0.2, 0.2)] {
        let (mut standing, mut confidence) = (EntryStanding::new(0), before);
        config.levy(&mut standing, &anti, &mut confidence, 1_000_000, false);
        assert_eq!(confidence, after);
    }
}

proptest! {
    /// However often one looks, an interval is paid for once; confidence stays in [0, 1].
    #[test]
    fn an_interval_is_paid_for_once(steps in prop::collection::vec(1_u64..900, 1..40), first in 0.0_f64..=1.0) {
        let (config, nature) = (DemurrageConfig::default(), nature(EntryKind::Insight, KnowledgeDomain::Yield));
        let (mut often, mut confidence, mut now) = (EntryStanding::new(0), first, 0);
        for step in steps {
            now += step;
            for _ in 0..2 {
                config.levy(&mut often, &nature, &mut confidence, now, false);
            }
            prop_assert!((0.0..=1.0).contains(&confidence));
            prop_assert!(now - often.paid_until < 250 && often.paid_until.is_multiple_of(250));
        }
        let (mut once, mut at_once) = (EntryStanding::new(0), first);
        config.levy(&mut once, &nature, &mut at_once, now, false);
        prop_assert!((confidence - at_once).abs() < 1e-9, "{confidence} against {at_once}");
        prop_assert!((often.before_demurrage(confidence) - first).abs() < 1e-9);
    }
}
