//! An OpenClaw memory without a world around it.

use crate::common::episodes::episode;
use crate::common::memory::{advice_on, candidate, moment, observe, waking};
use morta_base::{GolemId, Tick, Usdc};
use morta_engine::episode::{Context, Provenance};
use morta_engine::llm::LlmConfig;
use morta_engine::market::{Regime, Session, Strategy};
use morta_engine::memory::openclaw::arena::{OpenClaw, OpenClawConfig};
use morta_engine::memory::{Advice, Attended, Attention, MemoryArchitecture, Voice, VoiceSource};

pub const HOUR: f64 = 3_600.0;

/// Tick 0 is midnight, Thursday 1 January 1970.
pub fn attend_with(memory: &mut OpenClaw, tick: Tick, idle: bool, left: Usdc) -> Attended {
    let llm = LlmConfig::default();
    memory.attend(&Attention { tick_seconds: HOUR, inference_left: left, idle, ..waking(tick, &llm) })
}

pub fn attend(memory: &mut OpenClaw, tick: Tick) -> Attended {
    attend_with(memory, tick, true, Usdc::from_dollars(1.0))
}

pub fn context(session: Session, regime: Regime) -> Context {
    Context { session, regime, ..episode(0, 0).context }
}

pub fn advise(memory: &OpenClaw, context: Context, strategy: Strategy) -> Advice {
    advice_on(memory, &moment(0, context, &[]), candidate(strategy, 0.1))
}

/// Decides in these circumstances, and closes the trade at that tick.
pub fn trade(memory: &mut OpenClaw, number: u32, tick: Tick, context: Context, realised_r: f64) -> Advice {
    let advice = advise(memory, context, Strategy::Momentum);
    let mut lived = episode(number, tick);
    lived.opened = tick;
    (lived.context, lived.realised_r) = (context, realised_r);
    observe(memory, &lived, &advice.why, tick);
    advice
}

pub fn memory() -> OpenClaw {
    OpenClaw::new(GolemId::founder(0), OpenClawConfig::default())
}

/// One note, found again on each of ten days in circumstances that differ by session and regime.
pub fn well_trodden() -> OpenClaw {
    let mut memory = memory();
    attend_with(&mut memory, 0, false, Usdc::ZERO);
    trade(&mut memory, 0, 1, context(Session::Asia, Regime::TrendingUp), 0.8);
    let note = VoiceSource::Note(0);
    let voice = Voice::new(note, Provenance::Own, 1.0, 0.8);
    for day in 0..10_u64 {
        let tick = 24 * day + 10;
        attend_with(&mut memory, tick, false, Usdc::ZERO);
        let session = [Session::Asia, Session::Europe, Session::America][day as usize % 3];
        let regime = if day % 2 == 0 { Regime::TrendingUp } else { Regime::Volatile };
        let mut lived = episode(1 + day as u32, tick);
        (lived.opened, lived.context, lived.realised_r) = (tick, context(session, regime), -0.5);
        observe(&mut memory, &lived, &[voice], tick);
    }
    memory
}
