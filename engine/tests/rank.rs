//! What candidates are ranked by: the old rank decides as it always has, the rate otherwise, and both the same every time.

use crate::common::{learnable, live};
use morta_engine::event::{Event, EventKind, LifeRecord};
use morta_engine::golem::Rank;
use morta_engine::world::Scenario;

fn scenario(rank: Rank) -> Scenario {
    let mut scenario = learnable();
    scenario.cohorts.retain(|cohort| cohort.name == "none");
    scenario.cohorts[0].golems = 4;
    scenario.ticks = 500;
    scenario.golem.rank = rank;
    scenario
}

fn lives(events: &[Event]) -> Vec<&LifeRecord> {
    events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::LifeEnded(life) => Some(life.as_ref()),
            _ => None,
        })
        .collect()
}

/// Trades and balances of four golems as they were before there was another rank than by trade: a decision that differs, and the last cent
/// does too.
#[test]
fn the_rank_by_trade_decides_as_it_always_has() {
    let events = live(scenario(Rank::Trade));
    let came: Vec<(u32, String)> =
        lives(&events).iter().map(|life| (life.trades, format!("{:.2}", life.balance.dollars()))).collect();
    let expected = [(25, "53.08"), (28, "49.22"), (26, "50.75"), (29, "51.56")];
    assert_eq!(came, expected.map(|(trades, balance)| (trades, balance.to_owned())));
}

#[test]
fn the_rank_by_rate_takes_shorter_trades_and_is_the_same_every_time() {
    let (by_rate, by_trade) = (live(scenario(Rank::Rate)), live(scenario(Rank::Trade)));
    let held = |events: &[Event]| -> f64 {
        let ticks: Vec<f64> = events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::TradeClosed { episode, .. } => Some((episode.closed - episode.opened) as f64),
                _ => None,
            })
            .collect();
        ticks.iter().sum::<f64>() / ticks.len() as f64
    };
    assert!(held(&by_rate) < held(&by_trade), "{} {}", held(&by_rate), held(&by_trade));
    assert_eq!(by_rate, live(scenario(Rank::Rate)));
}
