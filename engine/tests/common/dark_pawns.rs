//! A Dark Pawns memory without a world around it.

use crate::common::episodes::episode;
use morta_base::{GolemId, Tick, Usdc};
use morta_engine::episode::{Conditions, Episode};
use morta_engine::llm::LlmConfig;
use morta_engine::market::{PositionSide, Regime, Signal, Strategy};
use morta_engine::memory::dark_pawns::MarketNode;
use morta_engine::memory::{
    Advice, Attended, Attention, Candidate, DarkPawns, DarkPawnsConfig, DecisionContext, MemoryArchitecture,
};

pub fn golem(lineage: u32) -> GolemId {
    GolemId::founder(lineage)
}

pub fn pawns(config: DarkPawnsConfig) -> DarkPawns {
    DarkPawns::new(golem(0), config)
}

/// A trade by momentum in a rising trend.
pub fn trade(number: u32, closed: Tick, realised_r: f64) -> Episode {
    Episode { realised_r, ..episode(number, closed) }
}

pub const PAIRING: MarketNode = MarketNode::Pairing(Strategy::Momentum, Regime::TrendingUp);

pub fn attend(memory: &mut DarkPawns, tick: Tick, equity: f64, idle: bool, left: f64) -> Attended {
    memory.attend(&Attention {
        tick,
        age: tick,
        time_s: 1_000_000_800 + 3_600 * tick as i64,
        tick_seconds: 3_600.0,
        equity: Usdc::from_dollars(equity),
        inference_left: Usdc::from_dollars(left),
        llm: &LlmConfig::default(),
        idle,
    })
}

pub fn advice_on(memory: &DarkPawns, strategy: Strategy, regime: Regime) -> Advice {
    let mut context = episode(0, 0).context;
    context.regime = regime;
    let moment = DecisionContext {
        tick: 100,
        context,
        conditions: Conditions::default(),
        time_s: 0,
        embedding: &[1.0, 0.0],
        true_regime: regime,
        law: morta_engine::market::LawInForce::BASE,
    };
    let signal = Signal { strength: 1.0, stop_distance: 0.02, horizon_ticks: 10 };
    let candidate =
        Candidate { strategy, asset: 0, side: PositionSide::Long, signal, prior_r: 0.1, cost_r: 0.0 };
    let mut advice = Vec::new();
    memory.advise(&moment, &[candidate], &mut advice);
    advice.remove(0)
}

pub fn advice(memory: &DarkPawns) -> Advice {
    advice_on(memory, Strategy::Momentum, Regime::TrendingUp)
}
