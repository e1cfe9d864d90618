//! What a memory does on itself in a waking moment, and what that costs.

use crate::llm::{LlmConfig, ThemeBrief, Tier};
use morta_base::{Tick, Usdc};
use serde::{Deserialize, Serialize};

/// A waking moment in which a memory may look after itself: once a tick, before the golem decides.
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
    /// All the golem has: its purse, and open positions at what they are worth.
    pub equity: Usdc,
    /// What is left for inference; nothing that costs more may be begun.
    pub inference_left: Usdc,
    /// Prices of inference.
    pub llm: &'a LlmConfig,
    /// Whether nothing is held and no order is out: the only time to sleep.
    pub idle: bool,
}

/// What a memory did in a waking moment. The golem pays for it, and tells of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attended {
    /// What was done, in order.
    pub upkeep: Vec<Upkeep>,
    /// Ticks the golem doesn't decide, from now on: it sleeps.
    pub asleep_ticks: u32,
    /// What the golem is to read before it decides again.
    pub summary: Option<MemorySummary>,
    /// Whether a model is to be asked what to make of it.
    pub reads: bool,
    /// What keeps coming up, if a model is to say what it is worth, and the tier that is asked.
    pub reflects: Option<(Tier, Vec<ThemeBrief>)>,
}

morta_base::words! {
    /// Kinds of work a memory does on itself.
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

/// One piece of work a memory did on itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Upkeep {
    /// What kind.
    pub kind: UpkeepKind,
    /// Items looked at.
    pub seen: u32,
    /// Items made: beliefs, plans, staged traces, themes.
    pub made: u32,
    /// Items merged into others.
    pub merged: u32,
    /// Items that were given lasting weight.
    pub promoted: u32,
    /// Items let go.
    pub dropped: u32,
    /// Who did it, with tokens read and written; `None` where no model was needed.
    pub tokens: Option<(Tier, u32, u32)>,
}

impl Upkeep {
    /// Work that looked at so many items, made nothing of them so far, and needed no model.
    pub const fn new(kind: UpkeepKind, seen: u32) -> Self {
        Self { kind, seen, made: 0, merged: 0, promoted: 0, dropped: 0, tokens: None }
    }

    /// What it costs.
    pub fn cost(&self, llm: &LlmConfig) -> Usdc {
        self.tokens.map_or(Usdc::ZERO, |(tier, read, written)| llm.tier(tier).price(read, written))
    }
}

/// What a golem is given to read at birth and on waking: its memory as a story.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemorySummary {
    /// The text.
    pub text: String,
    /// Its length in tokens.
    pub tokens: u32,
    /// Who reads it.
    pub tier: Tier,
}
