use morta_base::{EpisodeId, GolemId};
use morta_engine::market::{Regime, Strategy};
use morta_engine::replay::stakes::{StakesConfig, TradeResult, stakes};

fn made(number: u32, regime: Regime, r: f64) -> TradeResult {
    let episode = EpisodeId { golem: GolemId::founder(0), number };
    TradeResult { episode, strategy: Strategy::Momentum, regime, r, weight: 1.0 }
}

fn claims_in_words(made: &[TradeResult], usual_risk: f64) -> Vec<String> {
    stakes(made, usual_risk, &StakesConfig::default()).iter().map(|(claim, _)| claim.to_string()).collect()
}

/// Six trades of 1 R where little is at risk: (2 − 1)·1·6/9 = .67 R; six losses are worth half the stake, (½ − 1)·(−1)·6/9 = .33 R.
#[test]
fn gains_are_staked_on_and_losses_are_not() {
    let trades: Vec<TradeResult> = (0..6)
        .map(|n| made(n, Regime::Volatile, 1.0))
        .chain((6..12).map(|n| made(n, Regime::RangeBound, -1.0)))
        .collect();
    let claims = claims_in_words(&trades, 1e-4);
    assert_eq!(claims.len(), 2);
    assert!(
        claims[0].starts_with("put twice as much into momentum in") && claims[0].ends_with("+0.67 R"),
        "{claims:?}"
    );
    assert!(
        claims[1].starts_with("put half as much into momentum in") && claims[1].ends_with("+0.33 R"),
        "{claims:?}"
    );
}

/// Half gain 2 R and half lose 1 R. Kelly's share is (.5·2 − .5)/2 = .25: at .1 twice as much grows faster, at .45 half of it does.
#[test]
fn where_much_is_at_risk_a_gain_may_be_staked_on_too_much() {
    let trades: Vec<TradeResult> =
        (0..40).map(|n| made(n, Regime::Volatile, if n % 2 == 0 { 2.0 } else { -1.0 })).collect();
    assert!(claims_in_words(&trades, 0.1)[0].starts_with("put twice"));
    assert!(claims_in_words(&trades, 0.45)[0].starts_with("put half"));
}

#[test]
fn two_trades_and_small_gains_say_nothing() {
    let two: Vec<TradeResult> = (0..2).map(|n| made(n, Regime::Volatile, 3.0)).collect();
    assert_eq!(claims_in_words(&two, 0.02), Vec::<String>::new());
    let small: Vec<TradeResult> = (0..30).map(|n| made(n, Regime::Volatile, 0.04)).collect();
    assert_eq!(claims_in_words(&small, 0.02), Vec::<String>::new());
    assert_eq!(stakes(&[], 0.02, &StakesConfig::default()), []);
}

/// What breaks in a worse world is staked on less, although it gained.
#[test]
fn fragile_gains_count_for_less() {
    let gains: Vec<TradeResult> = (0..6).map(|n| made(n, Regime::Volatile, 0.4)).collect();
    let worse = gains.iter().map(|one| TradeResult { r: -1.5, weight: 0.5, ..*one });
    let with: Vec<TradeResult> = gains.iter().copied().chain(worse).collect();
    assert!(claims_in_words(&gains, 0.02)[0].starts_with("put twice"));
    assert!(claims_in_words(&with, 0.02)[0].starts_with("put half"));
    let (_, from) = &stakes(&with, 0.02, &StakesConfig::default())[0];
    assert_eq!(from.len(), 6, "a trade is one trade, however often it was gone through");
}
