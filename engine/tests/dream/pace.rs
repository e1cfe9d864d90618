use crate::common::episodes::episode;
use morta_base::{Tick, Usdc};
use morta_engine::dream::pace::{Pace, PaceConfig};
use morta_engine::dream::schedule::{PhaseBudgets, PhasesConfig};
use morta_engine::dream::{Circumstances, DreamPhase, DreamScope, DreamTier};
use morta_engine::mortality::Phase;
use morta_engine::replay::Uncertainty;

fn circumstances() -> Circumstances {
    Circumstances {
        tier: DreamTier::Hardened,
        scope: DreamScope::Full,
        by_phase: PhaseBudgets::default(),
        phase: Phase::Thriving,
        uncertainty: Uncertainty::Medium,
        context: episode(0, 0).context,
        price: 1.0,
        gas: Usdc(1_000),
        positions: Vec::new(),
        tick_seconds: 40.0,
        smelled: Vec::new(),
    }
}

fn kept() -> PaceConfig {
    PaceConfig { keep: true, ..PaceConfig::default() }
}

/// A thriving golem's dream of thirty to sixty ticks: 10 % onset, 34 % replay, 30 % imagination, 21 % integration, 5 % return.
#[test]
fn phases_begin_when_their_share_of_the_time_has_come() {
    let rich = |uncertainty| Circumstances {
        tier: DreamTier::Hardened,
        phase: Phase::Thriving,
        uncertainty,
        ..circumstances()
    };
    let money = PhaseBudgets::divide(Usdc(500_000), Phase::Thriving, &PhasesConfig::default());
    let opens = |uncertainty| {
        let pace = Pace::new(1_000, &rich(uncertainty), &kept());
        let phases = DreamPhase::ALL.map(|phase| pace.opens(Some(phase), &money) - 1_000);
        (phases, pace.opens(None, &money) - 1_000)
    };
    assert_eq!(opens(Uncertainty::High), ([0, 6, 26, 44, 57], 60));
    assert_eq!(opens(Uncertainty::Medium), ([0, 4, 19, 33, 42], 45));
    assert_eq!(opens(Uncertainty::Low), ([0, 3, 13, 22, 28], 30));
    let pace = Pace::new(1_000, &rich(Uncertainty::High), &kept());
    assert!(!pace.is_over(1_060) && pace.is_over(1_061));
}

/// Lightweight dreams, emergency ones and those that only consolidate take the time that they need.
#[test]
fn only_full_rich_cycles_keep_a_pace() {
    let rich = Circumstances { tier: DreamTier::Hardened, ..circumstances() };
    let money = PhaseBudgets::divide(Usdc(500_000), Phase::Thriving, &PhasesConfig::default());
    let ends = |now: &Circumstances, config: &PaceConfig| Pace::new(7, now, config).opens(None, &money);
    assert!(ends(&rich, &kept()) > 7);
    assert_eq!(ends(&rich, &PaceConfig::default()), 7);
    assert_eq!(ends(&Circumstances { tier: DreamTier::Core, ..rich.clone() }, &kept()), 7);
    for scope in [DreamScope::ConsolidationOnly, DreamScope::Emergency] {
        assert_eq!(ends(&Circumstances { scope, ..rich.clone() }, &kept()), 7);
    }
    let brief = PaceConfig { timeout_ticks: Some(3), ..PaceConfig::default() };
    let pace = Pace::new(7, &Circumstances { tier: DreamTier::Core, ..rich }, &brief);
    assert!(!pace.is_over(10) && pace.is_over(11));
    assert!(!Pace::new(7, &circumstances(), &PaceConfig::default()).is_over(Tick::MAX));
}
