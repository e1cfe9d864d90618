//! Memories, without a world around them.

use morta_base::{Tick, Usdc};
use morta_engine::episode::{Conditions, Context, Episode};
use morta_engine::llm::LlmConfig;
use morta_engine::market::{LawInForce, PositionSide, Regime, Signal, Strategy};
use morta_engine::memory::{
    Advice, Attention, Candidate, DecisionContext, Experience, MemoryArchitecture, Voice,
};

/// Lets a memory live through an episode that these voices had spoken on.
pub fn observe(memory: &mut impl MemoryArchitecture, episode: &Episode, why: &[Voice], now: Tick) {
    memory.observe(&Experience { episode, why, influential: &[], now });
}

/// A moment in a market that is truly volatile.
pub fn moment(tick: Tick, context: Context, embedding: &[f32]) -> DecisionContext<'_> {
    DecisionContext {
        tick,
        context,
        conditions: Conditions::default(),
        time_s: 0,
        embedding,
        true_regime: Regime::Volatile,
        law: LawInForce::BASE,
    }
}

/// A long position of ten ticks that costs nothing.
pub fn candidate(strategy: Strategy, prior_r: f64) -> Candidate {
    let signal = Signal { strength: 1.0, stop_distance: 0.01, horizon_ticks: 10 };
    Candidate { strategy, asset: 0, side: PositionSide::Long, signal, prior_r, cost_r: 0.0 }
}

/// What a memory says of one candidate.
pub fn advice_on(
    memory: &impl MemoryArchitecture,
    moment: &DecisionContext<'_>,
    candidate: Candidate,
) -> Advice {
    let mut advice = Vec::new();
    memory.advise(moment, &[candidate], &mut advice);
    advice.remove(0)
}

/// An idle moment of a life whose ticks are hours, with a dollar for inference.
pub fn waking(tick: Tick, llm: &LlmConfig) -> Attention<'_> {
    Attention {
        tick,
        age: tick,
        time_s: 3_600 * tick as i64,
        tick_seconds: 3_600.0,
        equity: Usdc::from_dollars(50.0),
        inference_left: Usdc::from_dollars(1.0),
        llm,
        idle: true,
    }
}
