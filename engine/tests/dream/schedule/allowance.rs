use crate::common::dream::petition;
use morta_base::Usdc;
use morta_engine::dream::schedule::allowance::month_of;
use morta_engine::dream::schedule::{Allowance, Dollars};
use morta_engine::dream::{DreamConfig, DreamRefusal, DreamTier, DreamTrigger, Petition};
use morta_engine::mortality::Phase;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn hardened() -> DreamConfig {
    DreamConfig { tier: DreamTier::Hardened, ..DreamConfig::default() }
}

fn in_window(window: i64) -> Petition {
    Petition { window: Some(window), ..petition(DreamTrigger::Window) }
}

/// $0.50 a cycle, $2.00 a window: four cycles of a thriving golem fit exactly, the fifth is refused.
#[test]
fn a_window_grants_four_hardened_cycles() {
    let (config, mut allowance) = (hardened(), Allowance::default());
    for _ in 0..4 {
        assert_eq!(allowance.grant(&in_window(7), &config), Ok(Usdc(500_000)));
        allowance.settle(Usdc(500_000), false);
    }
    assert_eq!(allowance.grant(&in_window(7), &config), Err(DreamRefusal::WindowSpent));
    assert_eq!(allowance.grant(&in_window(8), &config), Ok(Usdc(500_000)), "the next night is a new one");
}

#[test]
fn unspent_money_is_returned_and_wasted_money_is_not() {
    let (mut config, mut allowance) = (hardened(), Allowance::default());
    config.budget.per_session_max = Dollars::micros(1_100_000);
    allowance.grant(&in_window(7), &config).unwrap();
    allowance.settle(Usdc(100_000), false);
    assert_eq!(allowance.session_spent(), Usdc(100_000));
    allowance.grant(&in_window(7), &config).unwrap();
    allowance.settle(Usdc(1), true);
    assert_eq!(allowance.session_spent(), Usdc(600_000));
    assert_eq!(allowance.month_spent(), Usdc(600_000));
    // $0.50 is left: exactly one more.
    assert_eq!(allowance.grant(&in_window(7), &config), Ok(Usdc(500_000)));
    allowance.settle(Usdc(500_000), false);
    assert_eq!(allowance.grant(&in_window(7), &config), Err(DreamRefusal::WindowSpent));
}

/// Below a tenth of a cycle's cap nothing is worth dreaming.
#[test]
fn a_pittance_is_not_granted() {
    let config = DreamConfig::default();
    let with = |llm_left| {
        let petition = Petition { llm_left: Usdc(llm_left), ..petition(DreamTrigger::Interval) };
        Allowance::default().grant(&petition, &config)
    };
    assert_eq!(with(300), Ok(Usdc(300)));
    assert_eq!(with(299), Err(DreamRefusal::LlmShareTooLow));
}

#[test]
fn caps_follow_tier_and_phase() {
    let cap = |config: &DreamConfig, trigger, phase| {
        let petition = Petition { phase, ..petition(trigger) };
        Allowance::default().grant(&petition, config).unwrap()
    };
    let urgent = DreamTrigger::NoveltyStreak;
    assert_eq!(cap(&DreamConfig::default(), urgent, Phase::Thriving), Usdc(3_000));
    assert_eq!(cap(&DreamConfig::default(), DreamTrigger::Emergency, Phase::Terminal), Usdc(3_000));
    for (phase, micros) in [
        (Phase::Thriving, 500_000),
        (Phase::Stable, 500_000),
        (Phase::Conservation, 200_000),
        (Phase::Declining, 100_000),
    ] {
        assert_eq!(cap(&hardened(), urgent, phase), Usdc(micros), "{phase:?}");
    }
    assert_eq!(cap(&hardened(), DreamTrigger::Emergency, Phase::Terminal), Usdc(50_000));
}

proptest! {
    /// Whatever is asked, in whatever order, and however the dreams end.
    #[test]
    fn no_cap_is_ever_exceeded(
        caps in (1_i64..800_000, 1_i64..2_000_000, 1_i64..5_000_000),
        hardened in any::<bool>(),
        dreams in prop::collection::vec(
            (0_usize..5, 0_i64..90, 0_usize..4, 0.0..=1.0_f64, any::<bool>(), 0_i64..3_000_000), 1..60,
        ),
    ) {
        let tier = if hardened { DreamTier::Hardened } else { DreamTier::Core };
        let mut config = DreamConfig { tier, ..DreamConfig::default() };
        config.budget.per_cycle_max = Dollars::micros(caps.0);
        config.budget.per_session_max = Dollars::micros(caps.1);
        config.budget.monthly_max = Dollars::micros(caps.2);
        let mut days: Vec<_> = dreams;
        days.sort_by_key(|dream| dream.1);
        let mut allowance = Allowance::default();
        let (mut months, mut windows) = (BTreeMap::new(), BTreeMap::new());
        for (phase, day, trigger, share, wasted, llm_left) in days {
            let trigger = [
                DreamTrigger::Window, DreamTrigger::Directive, DreamTrigger::Emergency, DreamTrigger::Time,
            ][trigger];
            let time_s = day * 86_400;
            let window = (trigger == DreamTrigger::Window).then_some(time_s);
            let llm_left = Usdc(llm_left);
            let petition =
                Petition { phase: Phase::ALL[phase], time_s, window, llm_left, ..petition(trigger) };
            let Ok(budget) = allowance.grant(&petition, &config) else { continue };
            let cap = if hardened { config.budget.per_cycle_max } else { config.budget.core_cycle_max_usdc };
            prop_assert!(budget <= cap.0 && budget <= llm_left && budget >= Usdc::ZERO);
            let spent = Usdc((budget.0 as f64 * share).floor() as i64);
            let used = if wasted { budget } else { spent };
            *months.entry(month_of(time_s)).or_insert(Usdc::ZERO) += used;
            if hardened && window.is_some() {
                *windows.entry(time_s).or_insert(Usdc::ZERO) += used;
            }
            prop_assert!(allowance.month_spent() <= config.budget.monthly_max.0);
            allowance.settle(spent, wasted);
        }
        prop_assert!(months.values().all(|sum| *sum <= config.budget.monthly_max.0), "{months:?}");
        prop_assert!(windows.values().all(|sum| *sum <= config.budget.per_session_max.0), "{windows:?}");
    }
}
