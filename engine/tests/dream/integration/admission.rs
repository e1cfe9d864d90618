use morta_base::{GolemId, RuleId, Tick};
use morta_engine::dream::integration::admission::{Admission, AdmissionScore};
use morta_engine::dream::integration::beliefs::Trial;
use morta_engine::dream::integration::config::AdmissionConfig;
use morta_engine::dream::{Belief, Beliefs};
use morta_engine::episode::{Claim, ContextPattern, Evidence};
use morta_engine::market::{Regime, Strategy};

/// A claim on breakouts with its tests, the last of them at tick 0, held against an empty playbook.
fn score(expected_r: f64, outcomes: Evidence, total_r: f64, now: Tick) -> AdmissionScore {
    let pattern = ContextPattern::from_regime(Regime::Volatile);
    let claim = Claim::of_worth(Strategy::Breakout, pattern, expected_r);
    let id = RuleId { golem: GolemId::founder(0), number: 0 };
    let belief = Belief { evidence: outcomes, ..Belief::new(id, claim, 0.7, 0) };
    let trial = Trial { total_r, ..Trial::new(false, 0) };
    AdmissionScore::from_trial(&belief, &trial, &Beliefs::default(), now, &AdmissionConfig::default())
}

fn outcomes(confirmed: u32, contradicted: u32) -> Evidence {
    Evidence { confirmed, contradicted }
}

/// .25·1 + .25·(6/8) + .20·1 + .15·½ + .15·.5 = .7875 a day after the last of five confirmations and one contradiction.
#[test]
fn a_worked_example() {
    let found = score(0.4, outcomes(5, 1), 2.0, 2_160);
    assert!((found.total() - 0.7875).abs() < 1e-12, "{found:?}");
    assert_eq!(found.verdict(&AdmissionConfig::default()), Admission::Normal);
}

/// .45 and .55 are the borders; a total between them, .55 included, is admitted with little trust.
#[test]
fn the_borders_of_the_gate() {
    let config = AdmissionConfig::default();
    let at = |type_prior| {
        let score = AdmissionScore { utility: 0.5, factual: 0.5, novelty: 0.25, recency: 0.5, type_prior };
        score.verdict(&config)
    };
    // .25 + .05 + .075 = .375, and .15 of the prior.
    assert_eq!(at(0.49), Admission::Rejected);
    assert_eq!(at(0.51), Admission::Cautious);
    assert_eq!(at(1.0), Admission::Cautious);
    assert_eq!(at(1.2), Admission::Normal);
    assert_eq!(config.cautious_confidence, 0.3);
}

#[test]
fn small_stale_and_denied_claims_are_rejected() {
    let config = AdmissionConfig::default();
    assert_eq!(score(0.1, outcomes(5, 0), 2.0, 0).verdict(&config), Admission::Rejected);
    assert_eq!(score(0.4, outcomes(5, 0), 2.0, 6_000).verdict(&config), Admission::Rejected);
    // Confirmed a little more often than not, but what was made of it points the other way: 9/16 halved.
    assert_eq!(score(0.4, outcomes(8, 6), -1.0, 0).verdict(&config), Admission::Rejected);
}
