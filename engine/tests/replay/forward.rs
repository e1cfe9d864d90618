//! Trajectories over the causal graph that was counted by hand.

use crate::common::episodes::episode;
use crate::replay::causal::cycles;
use morta_base::{Tick, Usdc};
use morta_engine::episode::{Context, Grimoire};
use morta_engine::llm::OpenPosition;
use morta_engine::market::{GasClass, LiquidityClass, PositionSide, Regime, Strategy};
use morta_engine::replay::{
    AnticipatoryTrajectory, CausalGraph, ForwardConfig, Hypothesis, MarketCondition, anticipate,
    in_need_of_attention,
};

const MOMENTUM: OpenPosition = OpenPosition {
    asset: 0,
    strategy: Strategy::Momentum,
    side: PositionSide::Long,
    stake: Usdc(10_000_000),
    unrealised_r: 0.1,
};

fn project(grimoire: &Grimoire, now: Tick, context: &Context) -> Vec<AnticipatoryTrajectory> {
    let graph = CausalGraph::learn(grimoire);
    anticipate(grimoire, &graph, (now, context), &[MOMENTUM], &ForwardConfig::default())
}

/// A gas spike now: thin liquidity follows at 5/7, and the regime has never given way. All twenty episodes made 0.2 R
/// in this regime and volatility; ten share nothing else with the state reached, five its gas and five its
/// liquidity, so the worth is 0.2·12.5/(12.5 + 2), and fitness (1 + 0.1 + 0.172414)/2.
#[test]
fn continuation_by_hand() {
    let grimoire = cycles();
    let mut context = episode(0, 0).context;
    context.gas = GasClass::Spike;
    let trajectories = project(&grimoire, 2_000, &context);
    let continuation = &trajectories[0];
    assert_eq!(continuation.hypothesis.to_string(), "trending up for 20 more ticks");
    let steps: Vec<_> = continuation.steps.iter().map(|hop| hop.edge.to_string()).collect();
    assert_eq!(steps, ["spike gas → thin liquidity"]);
    assert_eq!(continuation.terminal_state.liquidity, LiquidityClass::Thin);
    assert_eq!(continuation.terminal_state.regime, Regime::TrendingUp);
    let outlook = continuation.outlooks[0];
    assert!(outlook.episodes == 20 && outlook.survives, "{outlook:?}");
    assert!((outlook.expected_r - 0.172_413_793).abs() < 1e-9);
    assert!((continuation.strategy_fitness - 0.636_206_897).abs() < 1e-9);
    assert!((continuation.confidence - 5.0 / 7.0).abs() < 1e-12);
}

/// Nothing was ever tried when volatile: the position keeps its 0.1 R, expects nothing, and fitness is 0.55.
#[test]
fn an_experienced_regime_is_switched_to() {
    let mut grimoire = cycles();
    let mut other = episode(50, 3_000);
    other.context.regime = Regime::Volatile;
    other.strategy = Strategy::Breakout;
    other.realised_r = -1.0;
    grimoire.insert(other, 0);
    let trajectories = project(&grimoire, 1_500, &episode(0, 0).context);
    let switches: Vec<_> = trajectories
        .iter()
        .filter(|trajectory| matches!(trajectory.hypothesis, Hypothesis::RegimeSwitch { .. }))
        .collect();
    assert_eq!(switches.len(), 1);
    assert_eq!(switches[0].hypothesis.to_string(), "trending up gives way to volatile");
    assert_eq!(switches[0].terminal_state.regime, Regime::Volatile);
    assert_eq!((switches[0].outlooks[0].expected_r, switches[0].outlooks[0].episodes), (0.0, 0));
    assert!((switches[0].strategy_fitness - 0.55).abs() < 1e-12);
    assert_eq!(switches[0].best_response.map(|(strategy, _)| strategy), Some(Strategy::Breakout));
}

#[test]
fn a_silent_edge_fires() {
    let grimoire = cycles();
    let context = episode(0, 0).context;
    let lagged = |now| {
        let trajectories = project(&grimoire, now, &context);
        let fired = |t: &AnticipatoryTrajectory| matches!(t.hypothesis, Hypothesis::LaggedEdge { .. });
        trajectories.into_iter().find(fired)
    };
    assert_eq!(lagged(2_000), None);
    let trajectory = lagged(2_500).unwrap();
    assert_eq!(trajectory.hypothesis.to_string(), "spike gas → thin liquidity fires again");
    assert!(trajectory.steps.iter().all(|hop| hop.edge.cause != MarketCondition::Gas(GasClass::Spike)));
}

#[test]
fn a_losing_strategy_breaks_the_position() {
    let mut grimoire = cycles();
    for number in 100..140 {
        let mut loss = episode(number, 2_000);
        loss.realised_r = -1.0;
        grimoire.insert(loss, 0);
    }
    let trajectories = project(&grimoire, 2_000, &episode(0, 0).context);
    assert_eq!(trajectories[0].breaking().count(), 1);
    assert!(trajectories[0].strategy_fitness < 0.5);
    assert_eq!(in_need_of_attention(&trajectories), [Strategy::Momentum]);
    // It breaks where it has lost, however unlikely; but what breaks in less than half of what may come needs none.
    let unlikely = AnticipatoryTrajectory { confidence: 1e-6, ..trajectories[0].clone() };
    let likely = project(&cycles(), 2_000, &episode(0, 0).context).remove(0);
    assert_eq!(in_need_of_attention(&[unlikely, likely]), []);
}

/// With an empty memory there is the continuation alone, at even odds, and nothing is known of fitness.
#[test]
fn an_empty_memory_projects_the_present() {
    let grimoire = Grimoire::new(morta_engine::episode::GrimoireConfig::default(), 2);
    let graph = CausalGraph::default();
    let present = (0, &episode(0, 0).context);
    let trajectories = anticipate(&grimoire, &graph, present, &[], &ForwardConfig::default());
    assert_eq!(trajectories.len(), 1);
    assert_eq!((trajectories[0].confidence, trajectories[0].strategy_fitness), (0.5, 0.5));
}
