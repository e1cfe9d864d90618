use crate::common::episodes::brief;
use morta_base::{Purpose, Stream, WorldSeed};
use morta_engine::episode::{Claim, ContextPattern, StepKind};
use morta_engine::llm::reader::SOBER_TEMPERATURE;
use morta_engine::llm::simulated::answer;
use morta_engine::llm::{
    CreditBrief, EpisodeBrief, Generalisation, ReadingMethod, Reply, Task, Tier, TierConfig,
};
use morta_engine::market::{Regime, Strategy};

/// Claims about regimes, whatever else the trades have in common.
fn chain() -> ReadingMethod {
    ReadingMethod { generalisation: Generalisation::Chain, ..ReadingMethod::default() }
}

fn perfect() -> TierConfig {
    TierConfig { reading_noise_r: 0.0, hallucination_rate: 0.0, ..TierConfig::for_tier(Tier::T0) }
}

fn read(episodes: Vec<EpisodeBrief>) -> Task {
    Task::FindPatterns {
        batch: 0,
        episodes,
        credits: Vec::new(),
        what_ifs: Vec::new(),
        base_rates: Vec::new(),
        rules: Vec::new(),
        method: chain(),
        is_dreamt: true,
    }
}

/// A credit whose entry made so much of the outcome.
fn credit(episode: &EpisodeBrief, entry_share: f64) -> CreditBrief {
    let pivotal = Some((StepKind::Entry, entry_share));
    CreditBrief { episode: episode.id, chain: Vec::new(), pivotal, entry_share }
}

fn stream(tick: u64) -> Stream {
    WorldSeed(1).world(Purpose::LlmReader, 0, tick)
}

/// Three results of .8, .6 and 1.0 with two imagined zeros: 2.4 / 5 = .48.
#[test]
fn a_perfect_reader_reports_the_shrunken_mean() {
    let episodes = vec![
        brief(0, Strategy::Breakout, Regime::Volatile, 0.8),
        brief(1, Strategy::Breakout, Regime::Volatile, 0.6),
        brief(2, Strategy::Breakout, Regime::Volatile, 1.0),
        brief(3, Strategy::Breakout, Regime::RangeBound, -1.0),
    ];
    let reply = answer(&read(episodes), None, &perfect(), SOBER_TEMPERATURE, &mut stream(0));
    let Reply::Patterns { patterns, .. } = reply else { panic!("{reply:?}") };
    assert_eq!(patterns.len(), 1, "one episode is no pattern: {patterns:?}");
    assert!((patterns[0].claim.expected_r - 0.48).abs() < 1e-12);
    assert_eq!(patterns[0].learned_from.len(), 3);
}

/// The share of replies about nothing that contain a claim is the hallucination rate.
#[test]
fn tiers_hallucinate_at_their_rate() {
    let tier = TierConfig { hallucination_rate: 0.2, ..perfect() };
    let task = read(vec![brief(0, Strategy::Momentum, Regime::Volatile, 0.0)]);
    let reply = |tick| answer(&task, None, &tier, SOBER_TEMPERATURE, &mut stream(tick));
    let made_up = (0..5_000)
        .filter(|&tick| matches!(reply(tick), Reply::Patterns { patterns, .. } if !patterns.is_empty()))
        .count();
    // Four standard errors of a share of .2 in 5,000.
    assert!((1_000.0 - made_up as f64).abs() < 4.0 * (5_000.0_f64 * 0.2 * 0.8).sqrt(), "{made_up}");
}

/// Half as sharp at twice the temperature; traced outcomes are read twice as sharply.
#[test]
fn heat_blurs_and_tracing_sharpens() {
    let tier = TierConfig { reading_noise_r: 0.2, hallucination_rate: 0.0, ..perfect() };
    let episodes: Vec<EpisodeBrief> =
        (0..4).map(|n| brief(n, Strategy::Momentum, Regime::Volatile, 1.0)).collect();
    let spread = |temperature, traced: bool| {
        let traced = episodes.iter().filter(|_| traced).map(|episode| credit(episode, 1.0));
        let mut task = read(episodes.clone());
        let Task::FindPatterns { credits, .. } = &mut task else { unreachable!() };
        credits.extend(traced);
        let n = 2_000;
        let squares = (0..n).map(|tick| match answer(&task, None, &tier, temperature, &mut stream(tick)) {
            Reply::Patterns { patterns, .. } => {
                let error = patterns[0].claim.expected_r - 4.0 / 6.0;
                error * error
            }
            other => panic!("{other:?}"),
        });
        (squares.sum::<f64>() / n as f64).sqrt()
    };
    // .2 · √4 / 6 of noise in the mean, within five standard errors of a spread from 2,000.
    let sober = 0.2 * 2.0 / 6.0;
    for (found, expected) in
        [(spread(0.4, false), sober), (spread(0.8, false), 2.0 * sober), (spread(0.4, true), 0.5 * sober)]
    {
        assert!((found / expected - 1.0).abs() < 0.08, "{found} {expected}");
    }
}

/// The first trade was made by its entry, the second by its exit (shares 1 and 0): they weigh 1 and .5 over their mean of .75, and the
/// untraced third weighs 1. The mean is (4/3 · 1.2 + 2/3 · .3 + 1 · .6)/3 = .8, of 9/(16/9 + 4/9 + 1) = 2.79 values' worth, where
/// equal weights say .7 of three.
#[test]
fn a_result_made_by_the_exit_weighs_less_for_the_entry() {
    let trades: Vec<EpisodeBrief> = [1.2, 0.3, 0.6]
        .into_iter()
        .zip(0..)
        .map(|(r, n)| brief(n, Strategy::Breakout, Regime::Volatile, r))
        .collect();
    let found = |trades: &[EpisodeBrief], shares: [f64; 2]| {
        let mut task = read(trades.to_vec());
        let Task::FindPatterns { credits, .. } = &mut task else { unreachable!() };
        credits.extend(trades.iter().zip(shares).map(|(trade, share)| credit(trade, share)));
        let reply = answer(&task, None, &perfect(), SOBER_TEMPERATURE, &mut stream(0));
        let Reply::Patterns { patterns, .. } = reply else { panic!("{reply:?}") };
        patterns[0].claim.expected_r
    };
    let effective = 9.0 / (16.0 / 9.0 + 4.0 / 9.0 + 1.0);
    let weighed = found(&trades, [1.0, 0.0]);
    assert!((weighed - 0.8 * effective / (effective + 2.0)).abs() < 1e-12, "{weighed}");
    // Shares that are alike say nothing of which trade to go by, however small they are.
    for alike in [[1.0, 1.0], [0.2, 0.2]] {
        assert!((found(&trades, alike) - 0.7 * 3.0 / 5.0).abs() < 1e-12, "{}", found(&trades, alike));
    }
    // A gain is weighed among gains, a loss among losses: that losses are made by their entries makes no claim lower.
    let mut mixed = trades.clone();
    mixed[1].realised_r = -0.3;
    assert!((found(&mixed, [0.3, 0.9]) - 0.5 * 3.0 / 5.0).abs() < 1e-12);
}

/// Of three findings a reader with room for two names the weaker one that speaks against a rule in force, and leaves out a stronger one. A
/// rule of another strategy, or of circumstances that don't cover the trades, changes nothing.
#[test]
fn contradictions_of_a_rule_are_named_first() {
    let mut trades = Vec::new();
    for (regime, r) in [(Regime::Volatile, 0.3), (Regime::RangeBound, 0.9), (Regime::TrendingUp, 1.2)] {
        for _ in 0..3 {
            trades.push(brief(trades.len() as u32, Strategy::Momentum, regime, r));
        }
    }
    let tier = TierConfig { max_patterns: 2, ..perfect() };
    let named = |rule: Option<Claim>| {
        let mut task = read(trades.clone());
        let Task::FindPatterns { rules, .. } = &mut task else { unreachable!() };
        rules.extend(rule);
        let reply = answer(&task, None, &tier, SOBER_TEMPERATURE, &mut stream(0));
        let Reply::Patterns { patterns, .. } = reply else { panic!("{reply:?}") };
        patterns.iter().map(|pattern| pattern.claim.pattern.regime.unwrap()).collect::<Vec<_>>()
    };
    let rule = |strategy, regime, r| Some(Claim::of_worth(strategy, ContextPattern::from_regime(regime), r));
    let strongest = [Regime::TrendingUp, Regime::RangeBound];
    assert_eq!(named(None), strongest);
    assert_eq!(
        named(rule(Strategy::Momentum, Regime::Volatile, -0.4)),
        [Regime::Volatile, Regime::TrendingUp]
    );
    for nothing in [
        rule(Strategy::Momentum, Regime::Volatile, 0.4),
        rule(Strategy::Breakout, Regime::Volatile, -0.4),
        rule(Strategy::Momentum, Regime::TrendingDown, -0.4),
    ] {
        assert_eq!(named(nothing), strongest);
    }
}
