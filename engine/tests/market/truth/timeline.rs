use morta_base::Tick;
use morta_engine::market::truth::timeline::Timeline;
use morta_engine::market::{ScheduledShock, ShockKind};

fn shock(tick: Tick, kind: ShockKind) -> ScheduledShock {
    ScheduledShock { tick, kinds: vec![kind], duration_ticks: 40, magnitude: 1.0, asset: None }
}

/// One shock at 100 for 40 ticks: quiet, ahead from 76, quarters of ten ticks from 100, quiet again from 140.
#[test]
fn a_planned_shock_is_ahead_then_fades_in_quarters() {
    let timeline = Timeline::new(&[shock(100, ShockKind::GasSpike)]);
    let stage = |tick| timeline.situations()[timeline.at(tick)].first().map(|shock| shock.1);
    for (tick, expected) in [
        (0, None),
        (75, None),
        (76, Some(0)),
        (99, Some(0)),
        (100, Some(1)),
        (110, Some(2)),
        (129, Some(3)),
        (139, Some(4)),
        (140, None),
        (1_000_000, None),
    ] {
        assert_eq!(stage(tick), expected, "{tick}");
    }
    assert_eq!(timeline.situations().len(), 6, "quiet is one situation, before and after");
}

#[test]
fn equal_shocks_share_a_kind() {
    let calendar = [100, 400].map(|tick| shock(tick, ShockKind::GasSpike));
    let timeline = Timeline::new(&calendar);
    assert_eq!(timeline.at(105), timeline.at(405));
    let other = [shock(100, ShockKind::GasSpike), shock(400, ShockKind::RegimeChange)];
    let timeline = Timeline::new(&other);
    assert_ne!(timeline.at(105), timeline.at(405));
}
