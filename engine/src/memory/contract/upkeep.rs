//! Upkeep: the work of a memory on itself in a waking moment, and its cost. Money is in dollars, work is in items and tokens, time in
//! ticks. In agent engineering this is background maintenance (a cron-like idle task) with metered cost. It has a price, so that
//! architectures are compared at equal money.

use crate::llm::{LlmConfig, ThemeBrief, Tier};
use morta_base::{Tick, Usdc};
use serde::{Deserialize, Serialize};

/// A waking moment in which a memory may look after itself: once a tick, before the golem decides. The context of background maintenance.
#[derive(Clone, Copy, Debug)]
pub struct Attention<'a> {
    /// Now.
    pub tick: Tick,
    /// Ticks since the golem's birth.
    pub age: Tick,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: i64,
    /// Seconds in a tick, above 0.
    pub tick_seconds: f64,
    /// The golem's whole money: its purse, and open positions at their present value.
    pub equity: Usdc,
    /// Money left for inference; nothing that costs more may be begun.
    pub inference_left: Usdc,
    /// Prices of inference.
    pub llm: &'a LlmConfig,
    /// Whether no position is held and no order is out: the only time to sleep.
    pub idle: bool,
}

/// The upkeep of one waking moment. The golem pays for it, and records it. The result and metered cost of background maintenance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attended {
    /// The pieces of work, in order.
    pub upkeep: Vec<Upkeep>,
    /// Ticks for which the golem sleeps, from now on.
    pub asleep_ticks: u32,
    /// A summary that the golem is to read before it decides again.
    pub summary: Option<MemorySummary>,
    /// Whether a model is to be asked for its stances on the summary.
    pub reads: bool,
    /// Themes whose worth a model is to estimate, and the tier that is asked.
    pub reflects: Option<(Tier, Vec<ThemeBrief>)>,
}

morta_base::words! {
    /// Kinds of work a memory does on itself. A type of maintenance job (background task).
    pub enum UpkeepKind {
        /// Beliefs are drawn from episodes (OWM).
        Induction = "induction",
        /// Plans are made, found due or let go (OWM).
        Planning = "planning",
        /// The graph decays and is pruned (Dark Pawns).
        Consolidation = "consolidation",
        /// Recent traces are gathered and duplicates merged (OpenClaw, light sleep).
        Light = "light",
        /// Traces are promoted to lasting memory (OpenClaw, deep sleep).
        Deep = "deep",
        /// Themes are drawn from traces (OpenClaw, REM sleep).
        Rem = "rem",
        /// Conclusions are drawn from what was lived through and kept beside it (generative agents).
        Reflection = "reflection",
    }
}

/// One piece of work a memory did on itself. A maintenance record with counters and token usage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Upkeep {
    /// Its kind.
    pub kind: UpkeepKind,
    /// Items looked at.
    pub seen: u32,
    /// Items made: beliefs, plans, staged traces, themes.
    pub made: u32,
    /// Items merged into others.
    pub merged: u32,
    /// Items that were promoted to lasting weight.
    pub promoted: u32,
    /// Items dropped.
    pub dropped: u32,
    /// The tier that did it, with tokens read and written; `None` where no model was needed.
    pub tokens: Option<(Tier, u32, u32)>,
}

impl Upkeep {
    /// Work on so many items, without results so far, and without a model. A record without results.
    pub const fn new(kind: UpkeepKind, seen: u32) -> Self {
        Self { kind, seen, made: 0, merged: 0, promoted: 0, dropped: 0, tokens: None }
    }

    /// Its cost. The inference cost by token pricing. A metered charge.
    pub fn cost(&self, llm: &LlmConfig) -> Usdc {
        self.tokens.map_or(Usdc::ZERO, |(tier, read, written)| llm.tier(tier).price(read, written))
    }
}

/// The text that a golem reads at birth and on waking: its memory as a story. A prompt-sized summary of a memory. A context window digest
/// of a memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemorySummary {
    /// The text.
    pub text: String,
    /// Its length in tokens.
    pub tokens: u32,
    /// The tier that reads it.
    pub tier: Tier,
}
