use morta_engine::mortality::Rung;
use morta_engine::mortality::ladder::LadderConfig;

/// Digest section 11, M04: 30, 25, 20, 15 and 5 per cent.
#[test]
fn down_at_once_and_up_late() {
    let ladder = LadderConfig::default();
    let check = |from, share, expected| assert_eq!(ladder.next(from, share), expected, "{share}");
    check(Rung::Sound, 0.301, Rung::Sound);
    check(Rung::Sound, 0.30, Rung::Frugal);
    check(Rung::Sound, 0.25, Rung::Snapshots);
    check(Rung::Sound, 0.20, Rung::Monitor);
    check(Rung::Sound, 0.15, Rung::Legacy);
    check(Rung::Sound, 0.05, Rung::Exhausted);
    check(Rung::Frugal, 0.31, Rung::Frugal);
    check(Rung::Frugal, 0.321, Rung::Sound);
    check(Rung::Monitor, 0.40, Rung::Sound);
    let none = LadderConfig { enabled: false, ..LadderConfig::default() };
    assert_eq!(none.next(Rung::Sound, 0.01), Rung::Sound);
}

#[test]
fn each_rung_does_its_own() {
    let ladder = LadderConfig::default();
    let does = |rung: Rung| {
        (
            rung.affords_large_model(),
            ladder.decision_interval(rung, 3),
            rung.may_open(),
            ladder.stake_factor(rung),
        )
    };
    assert_eq!(does(Rung::Sound), (true, 3, true, 1.0));
    assert_eq!(does(Rung::Frugal), (false, 6, true, 1.0));
    assert_eq!(does(Rung::Monitor), (false, 6, false, 1.0));
    assert_eq!(does(Rung::Legacy), (false, 6, true, 0.5));
    assert_eq!(does(Rung::Exhausted), (false, 6, true, 0.5));
}
