use morta_engine::dream::schedule::config::CallSource;
use morta_engine::dream::schedule::timetable::TimetableSurroundings;
use morta_engine::dream::schedule::{DirectiveConfig, InterruptConfig, ScheduleMode};
use morta_engine::dream::{DreamConfig, Timetable, WakeReason};

const WORLD: TimetableSurroundings<'_> =
    TimetableSurroundings { tick_seconds: 40, symbols: &["BTC", "ETH"], cohorts: &["a", "b"], lineages: 10 };

#[test]
fn calls_reach_whom_they_are_for() {
    let mut config = DreamConfig::default();
    let directive = |tick, cohort: Option<&str>, lineage| DirectiveConfig {
        tick,
        cohort: cohort.map(str::to_owned),
        lineage,
    };
    config.directives =
        vec![directive(9, Some("b"), None), directive(5, None, Some(3)), directive(5, None, Some(4))];
    config.interrupts =
        vec![InterruptConfig { tick: 6, source: CallSource::Clade, cohort: None, lineage: None }];
    let timetable = Timetable::new(&config, "a", WORLD);
    assert!(timetable.directs(3, 5) && timetable.directs(4, 5));
    assert!(!timetable.directs(2, 5) && !timetable.directs(3, 6));
    assert!(!timetable.directs(3, 9) && Timetable::new(&config, "b", WORLD).directs(3, 9));
    assert_eq!(timetable.call(0, 6), Some(WakeReason::PlannedAlert));
    config.wake_interrupts.enabled = false;
    assert_eq!(Timetable::new(&config, "a", WORLD).call(0, 6), None);
}

#[test]
fn windows_are_kept_in_owner_and_hybrid_mode() {
    let three_o_clock = 1_577_836_800 + 3 * 3_600;
    for (mode, open) in [
        (ScheduleMode::Interval, false),
        (ScheduleMode::Owner, true),
        (ScheduleMode::Autonomous, false),
        (ScheduleMode::Hybrid, true),
    ] {
        let mut config = DreamConfig::default();
        config.schedule.mode = mode;
        let timetable = Timetable::new(&config, "a", WORLD);
        assert_eq!(timetable.open_window(three_o_clock).is_some(), open, "{mode:?}");
    }
}
