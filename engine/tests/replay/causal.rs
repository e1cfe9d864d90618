//! A graph counted by hand.

use crate::common::episodes::{episode, holding};
use morta_base::GolemId;
use morta_engine::episode::{Episode, Grimoire};
use morta_engine::market::{GasClass, LiquidityClass, Regime};
use morta_engine::replay::causal::{CausalMemory, CausalStore, Foresight};
use morta_engine::replay::{CausalConfig, CausalGraph, MarketCondition, MarketConditions};

/// Five cycles of four episodes, 100 ticks apart: twice a normal market; a gas spike; thin liquidity with normal gas.
pub(crate) fn cycles() -> Grimoire {
    cycles_apart(100)
}

fn cycles_apart(ticks: u64) -> Grimoire {
    let lived = (0..20_u32).map(|number| {
        let opened = u64::from(number) * ticks;
        let mut lived = Episode { opened, ..episode(number, opened + 5) };
        match number % 4 {
            2 => lived.context.gas = GasClass::Spike,
            3 => lived.context.liquidity = LiquidityClass::Thin,
            _ => {}
        }
        lived
    });
    holding(0, lived)
}

const SPIKE: MarketCondition = MarketCondition::Gas(GasClass::Spike);

const THIN: MarketCondition = MarketCondition::Liquidity(LiquidityClass::Thin);

fn learned() -> CausalGraph {
    CausalGraph::learn(&cycles())
}

#[test]
fn conditions_know_their_place() {
    for (place, condition) in MarketCondition::ALL.into_iter().enumerate() {
        assert_eq!(condition.index(), place, "{condition}");
    }
}

/// Five spikes, each followed by thin liquidity after 100 ticks: 5/(5 + 2). It follows 5 of the 15 episodes without
/// it, so the spike makes it three times as likely. A normal gas price follows every spike too, but it follows
/// whatever isn't one: no edge.
#[test]
fn an_edge_by_hand() {
    let graph = learned();
    let edge = graph.edges().iter().find(|edge| edge.cause == SPIKE && edge.effect == THIN).unwrap();
    assert_eq!((edge.fired, edge.opportunities, edge.last_fired), (5, 5, 1_900));
    assert!((edge.confidence - 5.0 / 7.0).abs() < 1e-12);
    assert_eq!(edge.mean_lag_ticks, 100.0);
    assert_eq!(edge.to_string(), "spike gas → thin liquidity");
    assert_eq!(graph.edges()[0], *edge);
    assert!(graph.edges().iter().all(|edge| edge.effect != MarketCondition::Gas(GasClass::Normal)));
}

#[test]
fn sequences_end_at_the_longest_lag() {
    let learned = |ticks| CausalGraph::learn(&cycles_apart(ticks));
    assert_eq!(learned(540).edges().len(), learned(100).edges().len());
    assert_eq!(learned(541), CausalGraph::default());
}

/// Up for 300 ticks with one change to volatile: λ = 1/300, so 20 more ticks have e^(−1/15).
#[test]
fn regimes_persist_exponentially() {
    let regimes = [Regime::TrendingUp, Regime::TrendingUp, Regime::TrendingUp, Regime::Volatile];
    let lived = regimes.into_iter().zip(0..).map(|(regime, number)| {
        let opened = 100 * u64::from(number);
        let mut lived = episode(number, opened + 5);
        (lived.opened, lived.context.regime) = (opened, regime);
        lived
    });
    let graph = CausalGraph::learn(&holding(0, lived));
    assert!((graph.persistence(Regime::TrendingUp, 20) - 0.935_506_985).abs() < 1e-9);
    assert_eq!(graph.persistence(Regime::RangeBound, 20), 0.5);
    assert_eq!(graph.succession(Regime::TrendingUp, Regime::Volatile), 0.5);
    assert_eq!(graph.succession(Regime::TrendingUp, Regime::RangeBound), 0.25);
}

#[test]
fn a_lagged_edge_is_silent_and_open() {
    let graph = learned();
    let mut state = MarketConditions::from_context(&episode(0, 0).context);
    assert_eq!(graph.lagged(2_000, 500, &state), None);
    assert_eq!(graph.lagged(2_500, 500, &state).unwrap().effect, THIN);
    state = state.with(THIN);
    assert!(graph.lagged(2_500, 500, &state).is_none_or(|edge| edge.effect != THIN));
}

/// The store after a dream in the middle of the hand-counted cycles, and after one at their end.
fn kept(config: &CausalConfig) -> (CausalStore, CausalStore) {
    let (golem, all) = (GolemId::founder(0), cycles());
    let early = all.records().iter().take(12).filter_map(|record| all.episode(record.id));
    let early = holding(0, early);
    let first = CausalStore::default().after(&early, golem, config);
    let second = first.after(&all, golem, config);
    (first, second)
}

/// What was counted in two dreams is what is counted in one: nothing is lost, and nothing counted twice.
#[test]
fn kept_sequences_count_once() {
    let (first, second) = kept(&CausalConfig::default());
    assert_eq!(second.graph(), &learned());
    assert_eq!(
        second.after(&cycles(), GolemId::founder(0), &CausalConfig::default()).graph(),
        second.graph()
    );
    let fired = |store: &CausalStore| store.graph().edges().iter().find(|e| e.cause == SPIKE).unwrap().fired;
    assert_eq!((fired(&first), fired(&second)), (3, 5));
    // A memory that has lost the early episodes still knows what followed what.
    let all = cycles();
    let late = holding(0, all.records().iter().skip(12).filter_map(|record| all.episode(record.id)));
    let config = CausalConfig::default();
    let kept = first.after(&late, GolemId::founder(0), &config);
    assert_eq!(fired(&kept), 5);
    let anew = CausalConfig { memory: CausalMemory::Recent, ..config };
    assert_eq!(fired(&first.after(&late, GolemId::founder(0), &anew)), 2);
}

/// After three cycles the spike foretells thin liquidity at 3/5. It comes twice more: each time the error is (2/5)², and by the usual rate, 3 of
/// the 9 moments before which it wasn't thin, (2/3)². Normal liquidity foretells the spike at 3/(6 + 2), which is its usual rate, 3 of 8: of four
/// more moments it comes in two, with errors of (5/8)² and (3/8)² either way.
#[test]
fn foresight_by_hand() {
    let (first, second) = kept(&CausalConfig::default());
    let [thin, spike] = first.graph().edges() else { panic!("two edges: {:?}", first.graph()) };
    assert_eq!((thin.cause, thin.effect, spike.effect), (SPIKE, THIN, SPIKE));
    assert_eq!(first.foresight().foretold, 0);
    let Foresight { foretold, came, brier, brier_usual, chances } = *second.foresight();
    assert_eq!((foretold, came), (2 + 4, 2 + 2));
    let of_spikes = 2.0 * (25.0 + 9.0) / 64.0;
    assert!((brier - 0.32 - of_spikes).abs() < 1e-12 && (brier_usual - 8.0 / 9.0 - of_spikes).abs() < 1e-12);
    // Of nineteen sequences, each with eleven conditions that don't hold at first.
    assert_eq!(chances, 19 * 11);
}

/// Five of five, and 5/7 is sure enough: a link. An heir that takes over half of it has seen it two and a half times.
#[test]
fn links_are_handed_on_in_part() {
    let config = CausalConfig { link_confidence: 0.5, ..CausalConfig::default() };
    let (first, second) = kept(&config);
    let links = |store: &CausalStore| {
        store.links().iter().filter(|link| link.effect() == THIN).map(|link| link.cause).collect::<Vec<_>>()
    };
    assert_eq!((links(&first), links(&second)), (vec![], vec![SPIKE]));
    let link = *second.links().iter().find(|link| link.cause == SPIKE).unwrap();
    assert!((link.confidence() - 5.0 / 7.0).abs() < 1e-12 && link.fired_and_opportunities() == (5.0, 5.0));
    assert!(!link.is_at_home_in(Regime::TrendingUp));
    let heir = GolemId { lineage: 0, generation: 1 };
    let mut known = CausalStore::default();
    known.take_over([(link, 0.5)]);
    let born = known.after(&holding(0, []), heir, &config);
    let edge = born.graph().edges()[0];
    assert_eq!((edge.cause, edge.effect), (SPIKE, THIN));
    assert!((edge.confidence - 2.5 / 4.5).abs() < 1e-12);
}
