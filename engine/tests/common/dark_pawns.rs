//! A Dark Pawns memory without a world around it.

use crate::common::episodes::episode;
use crate::common::memory::{self, candidate, moment, waking};
use morta_base::{GolemId, Tick, Usdc};
use morta_engine::episode::Episode;
use morta_engine::llm::LlmConfig;
use morta_engine::market::{Regime, Strategy};
use morta_engine::memory::dark_pawns::MarketNode;
use morta_engine::memory::{Advice, Attended, Attention, DarkPawns, DarkPawnsConfig, MemoryArchitecture};

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
    let llm = LlmConfig::default();
    let waking = waking(tick, &llm);
    memory.attend(&Attention {
        time_s: 1_000_000_800 + waking.time_s,
        equity: Usdc::from_dollars(equity),
        inference_left: Usdc::from_dollars(left),
        idle,
        ..waking
    })
}

pub fn advice_on(pawns: &DarkPawns, strategy: Strategy, regime: Regime) -> Advice {
    let mut context = episode(0, 0).context;
    context.regime = regime;
    memory::advice_on(pawns, &moment(100, context, &[1.0, 0.0]), candidate(strategy, 0.1))
}

pub fn advice(memory: &DarkPawns) -> Advice {
    advice_on(memory, Strategy::Momentum, Regime::TrendingUp)
}
