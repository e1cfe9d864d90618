use morta_engine::episode::EntryKind;
use morta_engine::lethe::CladeConfig;

/// Digest section 15: by hazard .6 at 0, .45 at 2.5·10⁻⁴, .3 from 5·10⁻⁴ on.
#[test]
fn sharing_by_hazard() {
    for (hazard, expected) in [(0.0, 0.6), (2.5e-4, 0.45), (5e-4, 0.3), (1e-3, 0.3)] {
        let found = CladeConfig::sharing_by_hazard(hazard);
        assert!((found - expected).abs() < 1e-12, "{hazard}: {found}");
    }
}

/// A thriving golem offers heuristics from .7 on, a terminal one from .2.
#[test]
fn the_dying_give_freely() {
    let config = CladeConfig::default();
    let from = |kind, sharing| config.threshold(kind, sharing);
    assert_eq!(from(EntryKind::Heuristic, 0.6), Some(0.7));
    assert!((from(EntryKind::Heuristic, 0.1).unwrap() - 0.2).abs() < 1e-12);
    assert_eq!(from(EntryKind::Warning, 0.1), Some(0.0));
    assert_eq!(from(EntryKind::Question, 0.1), None);
}
