use morta_engine::dream::DreamTrigger;
use morta_engine::dream::urgency::{Carry, TemporalForm, UrgencyConfig, UrgencyInputs, UrgencyTerms};
use morta_engine::mortality::Phase;

const INPUTS: UrgencyInputs = UrgencyInputs {
    novelty: 0.4,
    consolidation: 0.8,
    emotional: 0.2,
    threat: 0.5,
    epistemic: 0.4,
    ticks_since_dream: 540,
};

fn score(phase: Phase, frequency: f64, config: &UrgencyConfig) -> f64 {
    UrgencyTerms::from_inputs(&INPUTS, phase, frequency, 0.0, config).score()
}

#[test]
fn weights_of_a_living_phase_add_up_to_one() {
    for phase in &Phase::ALL[1..] {
        let w = UrgencyConfig::default().weights(*phase);
        let sum = w.novelty + w.consolidation + w.emotional + w.threat + w.epistemic + w.temporal;
        assert!((sum - 1.0).abs() < 1e-12, "{phase:?}");
    }
}

/// Thriving: .25·.4 + .25·.8 + .10·.2 + .10·.5 + .15·.4 + .15·σ(1) = .43 + .15·.731059 = .539659.
#[test]
fn a_worked_example() {
    let config = UrgencyConfig::default();
    assert!((score(Phase::Thriving, 1.0, &config) - 0.539_658_79).abs() < 1e-8);
    assert_eq!(score(Phase::Terminal, 1.0, &config), 0.0);
    // Twice as often: σ(2) = .880797.
    assert!((score(Phase::Thriving, 2.0, &config) - (0.43 + 0.15 * 0.880_797_08)).abs() < 1e-8);
}

/// Declining: .25·.4 + .10·(.8 + .2 + .5) + .15·.4 = .31, and .30·σ(2) of its shorter period.
#[test]
fn the_declining_dream_sooner() {
    let found = score(Phase::Declining, 1.0, &UrgencyConfig::default());
    assert!((found - (0.31 + 0.30 * 0.880_797_08)).abs() < 1e-8, "{found}");
}

/// The shifted form is ½ when a dream is due and 1/(1 + e⁴) = .017986 right after one.
#[test]
fn the_temporal_term_may_start_near_nothing() {
    let config = UrgencyConfig { temporal_form: TemporalForm::Shifted, ..UrgencyConfig::default() };
    assert!((score(Phase::Thriving, 1.0, &config) - (0.43 + 0.15 * 0.5)).abs() < 1e-12);
    let fresh = UrgencyInputs { ticks_since_dream: 0, ..UrgencyInputs::default() };
    let terms = UrgencyTerms::from_inputs(&fresh, Phase::Thriving, 1.0, 0.0, &config);
    assert!((terms.score() - 0.15 * 0.017_986_21).abs() < 1e-9);
}

#[test]
fn the_strongest_term_is_the_reason() {
    let config = UrgencyConfig::default();
    let reason = |inputs: UrgencyInputs, carried| {
        UrgencyTerms::from_inputs(&inputs, Phase::Thriving, 1.0, carried, &config).strongest(0.0)
    };
    assert_eq!(reason(INPUTS, 0.0), DreamTrigger::ConsolidationDebt);
    assert_eq!(reason(INPUTS, 0.3), DreamTrigger::Accumulation);
    assert_eq!(reason(UrgencyInputs::default(), 0.0), DreamTrigger::Time);
    assert_eq!(reason(UrgencyInputs { novelty: 1.0, ..INPUTS }, 0.0), DreamTrigger::NoveltyStreak);
    let stirred = UrgencyInputs { emotional: 1.0, ..UrgencyInputs::default() };
    assert_eq!(reason(stirred, 0.0), DreamTrigger::EmotionalLoad);
    // Right after a dream the term of time is half of its weight, and hides a load of .03 unless that rest is taken off.
    let fresh = UrgencyInputs { emotional: 0.3, ..UrgencyInputs::default() };
    let terms = UrgencyTerms::from_inputs(&fresh, Phase::Thriving, 1.0, 0.0, &config);
    assert_eq!(terms.strongest(0.0), DreamTrigger::Time);
    assert_eq!(terms.strongest(config.time_at_rest(Phase::Thriving)), DreamTrigger::EmotionalLoad);
}

/// Spec: −.1 a tick rather than a reset. Three blocked ticks take .3, three free ones give it back and no more.
#[test]
fn blocked_urgency_decays_and_comes_back() {
    let (config, mut carry) = (UrgencyConfig::default(), Carry::default());
    carry.accumulate(0.02);
    (0..3).for_each(|_| carry.decay(&config));
    assert!((carry.value() + 0.28).abs() < 1e-12);
    (0..3).for_each(|_| carry.recover(&config));
    assert_eq!(carry.value(), 0.0);
    (0..50).for_each(|_| carry.decay(&config));
    assert_eq!(carry.value(), -1.0);
    (0..200).for_each(|_| carry.accumulate(0.02));
    assert_eq!(carry.value(), 1.0);
}
