use morta_engine::mortality::Phase;
use morta_engine::mortality::phase_effects::PhaseEffects;

/// Terminal first, thriving last, as in [`Phase::ALL`].
#[test]
fn every_effect_in_every_phase() {
    let effects = PhaseEffects::default();
    let all = |effect: &dyn Fn(Phase) -> f64| Phase::ALL.map(effect);
    let yes = |good| f64::from(u8::from(good));
    assert_eq!(all(&|p| effects.sharing_threshold(p)), [0.1, 0.3, 0.4, 0.5, 0.6]);
    assert_eq!(all(&|p| effects.stake_factor(p)), [0.0, 0.5, 0.75, 1.0, 1.0]);
    assert_eq!(all(&PhaseEffects::exploration_factor), [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert_eq!(all(&|p| yes(effects.encodes_abstention(p, 0.5))), [0.0, 0.0, 1.0, 1.0, 1.0]);
    assert_eq!(all(&|p| yes(effects.encodes_abstention(p, 0.49))), [0.0, 0.0, 0.0, 1.0, 1.0]);
    let curator = Phase::ALL.map(|phase| effects.curator_interval(phase, 50));
    assert_eq!(curator, [None, None, Some(100), Some(50), Some(50)]);
}

#[test]
fn each_effect_can_be_switched_off() {
    let off = PhaseEffects { encoding: false, curator: false, risk: false, sharing: false };
    let worst = Phase::Terminal;
    assert!(off.encodes_abstention(worst, 0.0) && off.curator_interval(worst, 50) == Some(50));
    assert_eq!((off.stake_factor(worst), off.sharing_threshold(worst)), (1.0, 0.6));
}
