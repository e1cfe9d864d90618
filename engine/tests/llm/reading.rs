use morta_base::{Purpose, Stream, WorldSeed};
use morta_engine::llm::{Reply, Stance, Task, Tier, TierConfig, reader, simulated};
use morta_engine::market::{Regime, Strategy};

const TEXT: &str = "## Memory\n\n### Session 1 — Jan 2 at 3:00 PM – 4:00 PM\n\n\
    Lost 1.20 R by momentum when volatile, on asset 0 (a difficult moment).\n\
    Lost 0.80 R by momentum when volatile, on asset 1 (unpleasant).\n\
    Made 0.10 R by breakout when range bound, on asset 0.\n\n### Relationships\n\n\
    momentum when volatile — dangerous (met 2 times)\nmean reversion — friendly (met 6 times)\n\
    breakout — met (met 3 times)\nasset 0 — unfriendly (met 3 times)\nmagic when volatile — trusted ally (met 9 times)\n";

fn read(text: &str, tier: &TierConfig, tick: u64) -> Vec<Stance> {
    let mut stream: Stream = WorldSeed(1).world(Purpose::LlmReader, 0, tick);
    match simulated::answer(&Task::Read, Some(text), tier, reader::SOBER_TEMPERATURE, &mut stream) {
        Reply::Stances(stances) => stances,
        other => panic!("{other:?}"),
    }
}

fn perfect() -> TierConfig {
    TierConfig { reading_noise_r: 0.0, hallucination_rate: 0.0, ..TierConfig::for_tier(Tier::T0) }
}

/// Momentum: (−2 + 2·(−2/3)·(2/4)) / 4 = −2/3; mean reversion: 2·(2/3)·(6/8) / 2 = ½; of nothing else is there enough.
#[test]
fn stances_come_from_words_alone() {
    let found = read(TEXT, &perfect(), 0);
    let brief = |s: &Stance| (s.strategy, s.regime);
    let expected = [(Strategy::MeanReversion, None), (Strategy::Momentum, Some(Regime::Volatile))];
    assert_eq!(found.iter().map(brief).collect::<Vec<_>>(), expected);
    assert!((found[0].strength - 0.5).abs() < 1e-12 && (found[1].strength + 2.0 / 3.0).abs() < 1e-12);
    assert!(read("", &perfect(), 0).is_empty());
    assert!(read("No such words here.\n — (met \nMade R by\n", &perfect(), 0).is_empty());
    let one = TierConfig { max_patterns: 1, ..perfect() };
    assert_eq!(read(TEXT, &one, 0).len(), 1);
}

/// As often as the tier makes things up elsewhere.
#[test]
fn a_poor_reader_makes_stances_up() {
    let tier = TierConfig { hallucination_rate: 0.2, ..perfect() };
    let n = 5_000;
    let made_up = (0..n).filter(|&tick| !read("Nothing.\n", &tier, tick).is_empty()).count() as f64;
    // Four standard errors of a share of .2.
    assert!((0.2 * n as f64 - made_up).abs() < 4.0 * (n as f64 * 0.2 * 0.8).sqrt(), "{made_up}");
}
