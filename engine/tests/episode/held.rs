use morta_engine::episode::HeldPattern;
use morta_engine::market::{Held, SignalNow};

#[test]
fn a_pattern_has_to_fit_in_all_it_names() {
    let held = Held::read(9, 24, 0.2, SignalNow::Stands);
    let whole = HeldPattern::from_held(held);
    assert!(whole.matches(&held) && whole.specificity() == 3);
    assert_eq!(whole.to_string(), "half-way, ahead, its signal standing");
    let turned = Held { signal: SignalNow::Turned, ..held };
    assert!(!whole.matches(&turned) && HeldPattern { signal: None, ..whole }.matches(&turned));
    assert_eq!(whole.shared(&HeldPattern::from_held(turned)), 2);
    assert!(HeldPattern::default().matches(&held));
}
