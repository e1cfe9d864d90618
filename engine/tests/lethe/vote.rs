use morta_base::{BloodstainId, GolemId};
use morta_engine::lethe::{LetheConfig, Vote, Votes};

/// Three votes or one in dying make a quorum; 1 of 3 in favour is (1 + 1)/(3 + 2) = .4.
#[test]
fn three_heirs_or_one_in_dying_decide() {
    let config = LetheConfig::default();
    let bloodstain = BloodstainId { golem: GolemId::founder(0), number: 0 };
    let vote = |worked, in_dying| Vote { bloodstain, worked, in_dying };
    let mut votes = Votes::default();
    votes.count(&vote(true, false));
    votes.count(&vote(false, false));
    assert!(!votes.is_quorate(&config) && !votes.is_refuted(&config));
    assert_eq!(votes.quality(&config), None);
    votes.count(&vote(false, false));
    assert!(votes.is_refuted(&config));
    assert!((votes.quality(&config).unwrap() - 0.4).abs() < 1e-12);
    let mut last_word = Votes::default();
    last_word.count(&vote(true, true));
    assert!(last_word.is_quorate(&config) && !last_word.is_refuted(&config));
}
