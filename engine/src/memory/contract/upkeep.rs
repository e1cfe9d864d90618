//! Upkeep: the work of a memory on itself in a waking moment, and its cost. In agent engineering this is background maintenance (a
//! cron-like idle task) with metered cost.
//!
//! Money is in dollars, work is in items and tokens, time in ticks. It has a price, so that architectures are compared at equal money: the
//! golem pays for what the memory reports to have done, and the memory must not begin what costs more than the money left for inference. A
//! memory that sleeps by itself is asked again on waking. The memory of a golem that dreams, waits for its dream or is dying isn't asked.

use crate::llm::{LlmConfig, ThemeBrief, Tier};
use morta_base::{Tick, Usdc};
use serde::{Deserialize, Serialize};

/// The context of background maintenance, with its budget of time and money: a waking moment in which a memory may look after itself, once
/// a tick, before the golem decides.
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

/// The result of the background maintenance of one waking moment: work, sleep and requests to a model, with their metered cost. The golem
/// pays for it, and records it.
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

/// A maintenance record of one piece of work, with its token usage and counts of merged, promoted and dropped items.
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
    /// Makes the record of work on so many items, without results so far, and without a model.
    pub const fn new(kind: UpkeepKind, seen: u32) -> Self {
        Self { kind, seen, made: 0, merged: 0, promoted: 0, dropped: 0, tokens: None }
    }

    /// The inference cost by token pricing; 0 where no model was needed.
    pub fn cost(&self, llm: &LlmConfig) -> Usdc {
        self.tokens.map_or(Usdc::ZERO, |(tier, read, written)| llm.tier(tier).price(read, written))
    }
}

/// A prompt-sized memory summary with its token count: the text that a golem reads when its memory hands one over, and that precedes its
/// later questions until the next one. Among the shipped memories Dark Pawns hands one over, after a sleep and after an inheritance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemorySummary {
    /// The text.
    pub text: String,
    /// Its length in tokens.
    pub tokens: u32,
    /// The tier that reads it.
    pub tier: Tier,
}
