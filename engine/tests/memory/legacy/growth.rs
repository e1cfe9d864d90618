use crate::common::episodes::claim;
use morta_engine::market::Strategy;
use morta_engine::memory::Growth;
use morta_engine::memory::legacy::HeldRule;
use morta_engine::memory::legacy::growth::playbook_distance;

const GROWN: Growth =
    Growth { inherited: 20, novel: 5, validated: 8, contradicted: 3, questioned: 2, playbook_distance: 0.15 };

/// (.5·5 + .3·8 − .2·3)/20 = .215; with nothing inherited the divisor is 1.
#[test]
fn the_ratchet_turns_on_what_is_new_and_what_holds() {
    assert!((GROWN.ratchet() - 0.215).abs() < 1e-12);
    let orphan = Growth { inherited: 0, novel: 4, validated: 0, contradicted: 0, ..GROWN };
    assert_eq!(orphan.ratchet(), 2.0);
}

#[test]
fn all_four_measures_must_hold() {
    assert!(!GROWN.low_divergence());
    for close in [
        Growth { playbook_distance: 0.149, ..GROWN },
        Growth { novel: 4, ..GROWN },
        Growth { contradicted: 2, ..GROWN },
        Growth { questioned: 1, ..GROWN },
    ] {
        assert!(close.low_divergence(), "{close:?}");
    }
}

#[test]
fn playbooks_are_compared_by_what_their_rules_are_worth() {
    let rule = |strategy, expected_r, confidence| {
        let mut claim = claim(expected_r);
        claim.strategy = strategy;
        HeldRule { claim, confidence }
    };
    let (a, b) = (rule(Strategy::Momentum, 0.6, 0.5), rule(Strategy::Breakout, 0.4, 1.0));
    // (.3, .4) against (.3, 0): cosine .6.
    assert!((playbook_distance(&[a, b], &[a]) - 0.4).abs() < 1e-12);
    assert_eq!(playbook_distance(&[a], &[]), 1.0);
    assert_eq!(playbook_distance(&[], &[]), 0.0);
    assert!((playbook_distance(&[a], &[rule(Strategy::Momentum, -0.6, 0.5)]) - 2.0).abs() < 1e-12);
}
