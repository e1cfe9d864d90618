//! Forward replay: projects the present market along causal edges and tells which open positions would survive (Diba & Buzsáki 2007;
//! dream spec, "anticipatory trajectories", which names the three hypotheses, 20 ticks and 5 hops). In the field: preplay, or planning by
//! simulation (model-based rollout, scenario analysis) to a planning horizon in ticks and a maximum depth in edges. Results are in R, times
//! in ticks, probabilities and fitness from 0 to 1. Every dream that replays projects once, before it reads, unless `enabled` is off.
//! Trades of strategies in need of attention are then traced back with twice the probability, the prospects become a question of planning
//! in rich dreams that can pay for it, and imagination prefers the regime of the worst of them. Nothing here closes a position. The value
//! of a strategy in a state is in `worth`.

use crate::episode::{Context, Grimoire};
use crate::llm::OpenPosition;
use crate::market::{Regime, Strategy};
use crate::replay::causal::{CausalEdge, CausalGraph, Hop, MarketConditions};
use morta_base::{Tick, keys};
use serde::{Deserialize, Serialize};
use std::fmt;

mod worth;

use worth::Worth;

keys! {
    /// How far anticipation looks.
    pub struct ForwardConfig {
        /// Whether what may come is played through at all.
        enabled: bool = true;
        /// How long the present regime is supposed to go on, in ticks.
        continuation_ticks: u64 = 20, in 1.., "ticks";
        /// Most causal edges in a row.
        hops: u32 = 5, in 1..=15, "edges";
    }
}

/// Ticks for which an edge must have been silent to be supposed to fire. The spec says "has not fired recently"; our choice, the least gap
/// between two dreams: with a shorter one, edges that the last dream saw fire would be supposed again.
const LAGGED_AFTER_TICKS: Tick = 500;
/// Result in R at or below which a position breaks: its gain is gone. The spec asks which positions "break" and gives no level.
const BREAK_R: f64 = 0.0;

/// The supposition of a trajectory: a what-if, one scenario of the rollout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hypothesis {
    /// The present regime goes on.
    RegimeContinuation {
        /// The regime.
        regime: Regime,
        /// For how long.
        ticks: u64,
    },
    /// It gives way to another of which the Grimoire has episodes, inherited ones included.
    RegimeSwitch {
        /// The present one.
        from: Regime,
        /// The next.
        to: Regime,
    },
    /// An edge that has been silent fires.
    LaggedEdge {
        /// The edge.
        edge: CausalEdge,
    },
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |regime: &Regime| regime.name().replace('_', " ");
        match self {
            Self::RegimeContinuation { regime, ticks } => {
                write!(f, "{} for {ticks} more ticks", name(regime))
            }
            Self::RegimeSwitch { from, to } => write!(f, "{} gives way to {}", name(from), name(to)),
            Self::LaggedEdge { edge } => write!(f, "{edge} fires again"),
        }
    }
}

/// The outlook of one position at the end of a trajectory: a stress test result of one holding.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionOutlook {
    /// The position.
    pub position: OpenPosition,
    /// Mean worth of its strategy in the state reached, in R; 0 when no episode of it there, trade or abstention, is remembered.
    pub expected_r: f64,
    /// Episodes behind that mean.
    pub episodes: u32,
    /// Whether open and expected result together stay above `BREAK_R`.
    pub survives: bool,
}

/// One projected course of the market: an imagined trajectory (model-based rollout) with what it does to the open positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnticipatoryTrajectory {
    /// The supposition.
    pub hypothesis: Hypothesis,
    /// The edges that follow from it.
    pub steps: Vec<Hop>,
    /// The state reached.
    pub terminal_state: MarketConditions,
    /// Each open position in that state.
    pub outlooks: Vec<PositionOutlook>,
    /// The strategy of most worth in that state and its expected R, if any has an episode there, trade or abstention.
    pub best_response: Option<(Strategy, f64)>,
    /// How well the golem fares, 0 to 1 (see [`anticipate`]). The prospect where it is least is the worst one, whose regime
    /// imagination prefers.
    pub strategy_fitness: f64,
    /// Probability of the hypothesis, times the path confidence of the deepest step.
    pub confidence: f64,
}

impl AnticipatoryTrajectory {
    /// Positions that don't survive the trajectory: failing positions of the scenario analysis.
    pub fn breaking(&self) -> impl Iterator<Item = &OpenPosition> {
        self.outlooks.iter().filter(|outlook| !outlook.survives).map(|outlook| &outlook.position)
    }
}

/// Lists the strategies of open positions that need attention: those that break in more than half of the prospects, weighted by confidence.
/// (The dream architecture, "anticipatory trajectories", asks which positions survive and which break. Unweighted, a next to impossible
/// prospect would count as much as the likeliest.) It is a vote weighted by confidence.
pub fn in_need_of_attention(trajectories: &[AnticipatoryTrajectory]) -> Vec<Strategy> {
    let all: f64 = trajectories.iter().map(|trajectory| trajectory.confidence).sum();
    let breaks = |place: usize| {
        let breaking = trajectories.iter().filter(|trajectory| !trajectory.outlooks[place].survives);
        breaking.map(|trajectory| trajectory.confidence).sum::<f64>()
    };
    let positions = trajectories.first().map_or(&[][..], |trajectory| &trajectory.outlooks);
    let needy = positions.iter().enumerate().filter(|(place, _)| 2.0 * breaks(*place) > all);
    needy.map(|(_, outlook)| outlook.position.strategy).collect()
}

/// Projects forward from the present, in rollouts over the causal graph (model-based planning): the regime goes on; it switches to each
/// other regime in the Grimoire; the most confident edge that has been silent fires. In the first two the regime is fixed by the
/// hypothesis, and only other conditions follow; without causal edges a trajectory has no steps, without a silent edge the third is
/// missing.
///
/// Fitness is (1 + x)/2, x in [−1, 1] the stake-weighted mean of each position's made and expected R; without positions, the worth of the
/// best response; 0.5 when nothing is known.
pub fn anticipate(
    grimoire: &Grimoire,
    graph: &CausalGraph,
    (now, context): (Tick, &Context),
    positions: &[OpenPosition],
    config: &ForwardConfig,
) -> Vec<AnticipatoryTrajectory> {
    if !config.enabled {
        return Vec::new();
    }
    let state = MarketConditions::from_context(context);
    let project = |hypothesis, chance, start, may_change_regime: bool| {
        let allowed = |edge: &CausalEdge| may_change_regime || !edge.effect.is_regime();
        let steps = graph.walk(&start_of(hypothesis, &start), config.hops, allowed);
        finish(hypothesis, chance, start, steps, grimoire, positions)
    };
    let stays = graph.persistence(state.regime, config.continuation_ticks);
    let continuation =
        Hypothesis::RegimeContinuation { regime: state.regime, ticks: config.continuation_ticks };
    let mut trajectories = vec![project(continuation, stays, state, false)];
    for to in experienced(grimoire).filter(|to| *to != state.regime) {
        let chance = (1.0 - stays) * graph.succession(state.regime, to);
        let switched = MarketConditions { regime: to, ..state };
        let switch = Hypothesis::RegimeSwitch { from: state.regime, to };
        trajectories.push(project(switch, chance, switched, false));
    }
    if let Some(edge) = graph.lagged(now, LAGGED_AFTER_TICKS, &state) {
        let fired = state.with(edge.effect);
        trajectories.push(project(Hypothesis::LaggedEdge { edge: *edge }, edge.confidence, fired, true));
    }
    trajectories
}

/// Start of the walk: all conditions of the state, or the effect of the edge that fires.
fn start_of(hypothesis: Hypothesis, start: &MarketConditions) -> Vec<super::MarketCondition> {
    match hypothesis {
        Hypothesis::LaggedEdge { edge } => vec![edge.effect],
        _ => start.conditions().to_vec(),
    }
}

/// Regimes in the Grimoire, in their usual order.
fn experienced(grimoire: &Grimoire) -> impl Iterator<Item = Regime> {
    Regime::ALL.into_iter().filter(|regime| grimoire.regimes().contains(regime))
}

fn finish(
    hypothesis: Hypothesis,
    chance: f64,
    start: MarketConditions,
    steps: Vec<Hop>,
    grimoire: &Grimoire,
    positions: &[OpenPosition],
) -> AnticipatoryTrajectory {
    let terminal_state = steps.iter().fold(start, |state, hop| state.with(hop.edge.effect));
    let worth = Worth::from_grimoire(grimoire, &terminal_state);
    let outlook = |position: &OpenPosition| {
        let (expected_r, episodes) = worth.of_strategy(position.strategy).unwrap_or((0.0, 0));
        let survives = position.unrealised_r + expected_r > BREAK_R;
        PositionOutlook { position: *position, expected_r, episodes, survives }
    };
    let outlooks: Vec<PositionOutlook> = positions.iter().map(outlook).collect();
    let best_response = worth.best();
    let deepest = steps.iter().max_by_key(|hop| hop.depth);
    AnticipatoryTrajectory {
        strategy_fitness: fitness(&outlooks, best_response),
        confidence: chance * deepest.map_or(1.0, |hop| hop.path_confidence),
        hypothesis,
        steps,
        terminal_state,
        outlooks,
        best_response,
    }
}

fn fitness(outlooks: &[PositionOutlook], best_response: Option<(Strategy, f64)>) -> f64 {
    let stake: f64 = outlooks.iter().map(|outlook| outlook.position.stake.dollars()).sum();
    let x = if stake > 0.0 {
        let part = |outlook: &PositionOutlook| {
            let r = outlook.position.unrealised_r + outlook.expected_r;
            outlook.position.stake.dollars() * r.clamp(-1.0, 1.0)
        };
        outlooks.iter().map(part).sum::<f64>() / stake
    } else {
        best_response.map_or(0.0, |(_, r)| r.clamp(-1.0, 1.0))
    };
    0.5 * (1.0 + x)
}
