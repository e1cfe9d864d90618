use crate::common::dream::petition;
use morta_base::{GolemId, LetterId, Usdc};
use morta_engine::dream::schedule::{Dollars, ScheduleMode};
use morta_engine::dream::{
    DreamAnswer, DreamConfig, DreamRefusal, DreamRequest, DreamScheduler, DreamTier, DreamTrigger, Petition,
};
use morta_engine::mortality::Phase;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn letter(lineage: u32) -> LetterId {
    LetterId { golem: GolemId::founder(lineage), number: 0 }
}

fn ask(scheduler: &mut DreamScheduler, lineage: u32, petition: Petition) -> Result<Usdc, DreamRefusal> {
    match scheduler.step(vec![(letter(lineage), DreamRequest::MayI(Box::new(petition)))])[0].1 {
        DreamAnswer::Granted { budget, .. } => Ok(budget),
        DreamAnswer::Refused { reason, .. } => Err(reason),
    }
}

fn scheduler(mode: ScheduleMode) -> DreamScheduler {
    let mut config = DreamConfig::default();
    config.schedule.mode = mode;
    DreamScheduler::new(config)
}

#[test]
fn each_mode_grants_its_own_triggers() {
    let urgent = Petition { urgency: 0.8, ..petition(DreamTrigger::Time) };
    let calm = Petition { urgency: 0.79, ..petition(DreamTrigger::Time) };
    let window = Petition { window: Some(0), ..petition(DreamTrigger::Window) };
    let due = petition(DreamTrigger::Interval);
    let directive = petition(DreamTrigger::Directive);
    let dying = Petition { phase: Phase::Terminal, ..petition(DreamTrigger::Emergency) };
    for (mode, [by_urgency, by_window, by_interval]) in [
        (ScheduleMode::Interval, [false, false, true]),
        (ScheduleMode::Owner, [false, true, false]),
        (ScheduleMode::Autonomous, [true, false, false]),
        (ScheduleMode::Hybrid, [true, true, false]),
    ] {
        let granted = |petition: &Petition| ask(&mut scheduler(mode), 0, petition.clone()).is_ok();
        assert_eq!(granted(&urgent), by_urgency, "{mode:?}");
        assert_eq!(granted(&window), by_window, "{mode:?}");
        assert_eq!(granted(&due), by_interval, "{mode:?}");
        assert!(!granted(&calm), "{mode:?}");
        assert!(granted(&directive) && granted(&dying), "{mode:?}");
    }
}

#[test]
fn no_trigger_passes_a_closed_gate() {
    for trigger in [DreamTrigger::Directive, DreamTrigger::Emergency, DreamTrigger::Interval] {
        let poor = Petition { llm_share: 0.1, ..petition(trigger) };
        let found = ask(&mut scheduler(ScheduleMode::Interval), 0, poor);
        assert_eq!(found, Err(DreamRefusal::LlmShareTooLow));
    }
}

#[test]
fn the_number_of_dreamers_is_bounded() {
    let mut config = DreamConfig::default();
    config.schedule.max_concurrent = 1;
    let mut scheduler = DreamScheduler::new(config);
    let directive = || petition(DreamTrigger::Directive);
    assert!(ask(&mut scheduler, 0, directive()).is_ok());
    assert_eq!(ask(&mut scheduler, 1, directive()), Err(DreamRefusal::TooManyDreaming));
    let awake = DreamRequest::Awake { spent: Usdc::ZERO, wasted: false };
    scheduler.step(vec![(letter(0), awake.clone()), (letter(1), awake)]);
    assert_eq!(scheduler.dreaming(), 0, "who did not dream does not wake");
    assert!(ask(&mut scheduler, 1, directive()).is_ok());
}

#[test]
fn accounts_of_past_months_are_dropped() {
    let mut scheduler = scheduler(ScheduleMode::Interval);
    let now = petition(DreamTrigger::Directive);
    for lineage in 0..3 {
        ask(&mut scheduler, lineage, now.clone()).unwrap();
    }
    for lineage in 0..2 {
        let awake = DreamRequest::Awake { spent: Usdc(10), wasted: false };
        scheduler.step(vec![(letter(lineage), awake)]);
    }
    let later = Petition { time_s: now.time_s + 31 * 86_400, ..now };
    ask(&mut scheduler, 9, later).unwrap();
    assert!(scheduler.allowance(GolemId::founder(0)).is_none());
    assert!(scheduler.allowance(GolemId::founder(2)).is_some(), "it is still dreaming");
}

proptest! {
    /// Many golems, many dreams, some interrupted: nobody ever exceeds the month.
    #[test]
    fn nobody_exceeds_the_month(
        monthly in 1_i64..20_000,
        asks in prop::collection::vec((0_u32..4, 0.0..=1.0_f64, any::<bool>()), 1..80),
    ) {
        let mut config = DreamConfig { tier: DreamTier::Hardened, ..DreamConfig::default() };
        config.budget.monthly_max = Dollars::micros(monthly);
        config.budget.per_cycle_max = Dollars::micros(7_000);
        let mut scheduler = DreamScheduler::new(config);
        let mut used: BTreeMap<u32, i64> = BTreeMap::new();
        for (lineage, share, wasted) in asks {
            let Ok(budget) = ask(&mut scheduler, lineage, petition(DreamTrigger::Directive)) else { continue };
            let spent = Usdc((budget.0 as f64 * share).floor() as i64);
            *used.entry(lineage).or_default() += if wasted { budget.0 } else { spent.0 };
            scheduler.step(vec![(letter(lineage), DreamRequest::Awake { spent, wasted })]);
        }
        prop_assert!(used.values().all(|sum| *sum <= monthly), "{used:?}");
        for (lineage, sum) in used {
            let booked = scheduler.allowance(GolemId::founder(lineage)).unwrap().month_spent();
            prop_assert_eq!(booked, Usdc(sum));
        }
    }
}
