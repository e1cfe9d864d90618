//! What candidates are ranked by: the old rank decides as it always has, the rate otherwise, and both the same every time.

use crate::common::{learnable_by, live, of_kind};
use morta_engine::event::{Event, EventKind};
use morta_engine::golem::Rank;
use morta_engine::world::Scenario;

fn scenario(rank: Rank) -> Scenario {
    let mut scenario = learnable_by("none", 4, 500);
    scenario.golem.rank = rank;
    scenario
}

/// Trades and balances of four golems as they were before there was another rank than by trade: a decision that differs, and the last cent
/// does too.
#[test]
fn the_rank_by_trade_decides_as_it_always_has() {
    let events = live(scenario(Rank::Trade));
    let lives = of_kind!(event in events, EventKind::LifeEnded(life) => life);
    let came: Vec<(u32, String)> =
        lives.map(|life| (life.trades, format!("{:.2}", life.balance.dollars()))).collect();
    let expected = [(25, "53.08"), (28, "49.22"), (26, "50.75"), (29, "51.56")];
    assert_eq!(came, expected.map(|(trades, balance)| (trades, balance.to_owned())));
}

#[test]
fn the_rank_by_rate_takes_shorter_trades_and_is_the_same_every_time() {
    let (by_rate, by_trade) = (live(scenario(Rank::Rate)), live(scenario(Rank::Trade)));
    let held = |events: &[Event]| -> f64 {
        let trades = of_kind!(event in events, EventKind::TradeClosed { episode, .. } => episode);
        let ticks: Vec<f64> = trades.map(|episode| (episode.closed - episode.opened) as f64).collect();
        ticks.iter().sum::<f64>() / ticks.len() as f64
    };
    assert!(held(&by_rate) < held(&by_trade), "{} {}", held(&by_rate), held(&by_trade));
    assert_eq!(by_rate, live(scenario(Rank::Rate)));
}
