use morta_base::GolemId;
use morta_engine::event::{Event, EventKind};
use morta_engine::mortality::Phase;

#[test]
fn events_come_back_as_they_were() {
    let kind = EventKind::PhaseChanged { from: Phase::Stable, to: Phase::Declining, vitality: 0.25 };
    let payload = kind.payload();
    assert_eq!(payload, r#"{"from":"stable","to":"declining","vitality":0.25}"#);
    assert_eq!(EventKind::of_payload("phase_changed", &payload).unwrap(), kind);
    assert!(EventKind::of_payload("phase_changed", "{}").is_err());
    let events = vec![Event { tick: 7, golem: Some(GolemId::founder(3)), kind }];
    assert_eq!(Event::unpack(&Event::pack(&events)).unwrap(), events);
    assert!(Event::unpack(b"no events").is_err());
}
