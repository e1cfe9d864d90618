use morta_engine::episode::{ThreatKind, ThreatRecord, ThreatTier};

#[test]
fn five_rehearsals_halve_the_arousal() {
    let mut record = ThreatRecord::new(ThreatKind::FlashCrash);
    (0..5).for_each(|cycle| record.rehearse(cycle, 0, None));
    assert!((record.arousal - 0.4).abs() < 1e-12);
}

#[test]
fn five_threats_a_tier() {
    for tier in [ThreatTier::Acute, ThreatTier::Wearing, ThreatTier::Creeping] {
        assert_eq!(ThreatKind::ALL.iter().filter(|kind| kind.tier() == tier).count(), 5);
    }
    assert_eq!(ThreatKind::CorrelationShift.tier(), ThreatTier::Creeping);
    assert_eq!(ThreatKind::OracleManipulation.tier(), ThreatTier::Acute);
}
