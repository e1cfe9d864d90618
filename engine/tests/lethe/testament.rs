use crate::common::episodes::episode;
use morta_base::{EpisodeId, GolemId};
use morta_engine::episode::{Claim, ContextPattern};
use morta_engine::lethe::Bequest;
use morta_engine::lethe::testament::{LifeReview, Remembered, Section, SectionKind, Treatment};
use morta_engine::market::{Regime, Strategy};

fn remembered(number: u32, strategy: Strategy, arousal: f64) -> Remembered {
    let id = EpisodeId { golem: GolemId::founder(0), number };
    let (tick, regime) = (u64::from(number), Regime::Volatile);
    Remembered { episode: id, tick, strategy, regime, realised_r: -1.0, arousal }
}

#[test]
fn a_review_is_picked_by_feeling_and_stays_varied() {
    let mut all: Vec<Remembered> =
        (0..30).map(|n| remembered(n, Strategy::Momentum, 0.5 + 0.01 * f64::from(n))).collect();
    all.push(remembered(40, Strategy::Breakout, 0.31));
    all.push(remembered(41, Strategy::Breakout, 0.30));
    let picked: Vec<u32> =
        LifeReview::pick(all, 0.3, 20, 3).iter().map(|episode| episode.episode.number).collect();
    assert_eq!(picked, [29, 28, 27, 40]);
    let many = (0..60).map(|n| remembered(n, Strategy::ALL[n as usize % Strategy::COUNT], 0.9)).collect();
    assert_eq!(LifeReview::pick(many, 0.3, 20, 9).len(), 20);
}

#[test]
fn toxic_knowledge_is_let_go_turned_round_or_looked_at_again() {
    let claim = |expected_r| Claim::of_worth(Strategy::Momentum, ContextPattern::default(), expected_r);
    let check = |expected, trades, mean, treatment| {
        assert_eq!(Treatment::for_claim(&claim(expected), trades, mean), treatment)
    };
    check(0.4, 2, -1.0, Treatment::Reinvestigate);
    check(0.4, 3, -0.25, Treatment::Invert);
    check(0.4, 3, -0.24, Treatment::Discard);
    check(-0.4, 9, 0.3, Treatment::Invert);
    check(0.4, 9, 0.1, Treatment::Discard);
}

#[test]
fn a_snapshot_fills_what_it_can() {
    let sections = Section::of_bequests(&[Bequest::Scar(episode(3, 100))]);
    assert_eq!(sections.len(), 9);
    let filled: Vec<SectionKind> =
        sections.iter().filter(|section| !section.entries.is_empty()).map(|section| section.kind).collect();
    assert_eq!(filled, [SectionKind::KilledMe]);
}
