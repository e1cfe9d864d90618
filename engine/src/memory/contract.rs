//! What a golem asks of its memory, whatever its architecture.

use crate::base::{EpisodeId, RuleId, Tick, Usdc};
use crate::episode::{Conditions, Context, Provenance};
use crate::llm::{LlmConfig, Tier};
use crate::market::{AssetIndex, PositionSide, Regime, Signal, Strategy};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Something the golem could do now.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The strategy that speaks.
    pub strategy: Strategy,
    /// The asset it speaks of.
    pub asset: AssetIndex,
    /// The position it wants.
    pub side: PositionSide,
    /// How strongly, with which stop and for how long.
    pub signal: Signal,
    /// What to expect of it without any memory, in R net of costs.
    pub prior_r: f64,
}

/// The moment of a decision.
#[derive(Clone, Copy, Debug)]
pub struct DecisionContext<'a> {
    /// Now.
    pub tick: Tick,
    /// The circumstances as the golem reads them.
    pub context: Context,
    /// The same in numbers.
    pub conditions: Conditions,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: i64,
    /// The market's embedding.
    pub embedding: &'a [f32],
    /// The market's true regime; only the oracle looks.
    pub true_regime: Regime,
}

/// Who spoke in a piece of advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoiceSource {
    /// No memory: what the signal and the costs suggest.
    Prior,
    /// A rule of the playbook.
    Rule(RuleId),
    /// A conclusion still under test.
    Hypothesis(RuleId),
    /// What waking life has taught, and is not a rule yet.
    Insight(RuleId),
    /// Something that is known to be wrong: it says what became of it.
    AntiKnowledge(RuleId),
    /// A remembered episode.
    Episode(EpisodeId),
    /// A node of a memory graph: something or somebody that many experiences have in common.
    Node(u32),
    /// A note: what was written down of an experience, or of several.
    Note(u32),
    /// A plan made earlier for circumstances like these.
    Plan(u32),
    /// The truth.
    Truth(Regime),
    /// A gut feeling: its voice expects nothing in R, but says how good or bad trades of that kind have felt, from −1 to 1;
    /// its weight is the R that a feeling of 1 adds.
    Gut,
}

impl VoiceSource {
    /// The stored item that speaks: an entry is the same whether it is an insight, under test, in force, or known to be wrong.
    pub const fn item(self) -> Self {
        match self {
            Self::Hypothesis(id) | Self::Insight(id) | Self::AntiKnowledge(id) => Self::Rule(id),
            other => other,
        }
    }

    /// Whether outcomes are held for or against it: entries, nodes and notes, but no episode, plan or feeling.
    pub const fn is_tested(self) -> bool {
        matches!(self.item(), Self::Rule(_) | Self::Node(_) | Self::Note(_))
    }
}

/// One voice in a piece of advice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Voice {
    /// Who speaks.
    pub source: VoiceSource,
    /// Where what it says comes from.
    pub provenance: Provenance,
    /// Its weight.
    pub weight: f64,
    /// The R it expects.
    pub expected_r: f64,
}

/// What memory says of a candidate, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// Expected result, in R net of costs.
    pub expected_r: f64,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
    /// How much larger or smaller than usual the position should be.
    pub size_multiplier: f64,
    /// Whether it must not be done.
    pub veto: bool,
    /// The loudest voices, loudest first.
    pub why: Vec<Voice>,
    /// Every voice that had a say, in the order it was heard in: what the advice would have been without one of them follows from
    /// it.
    pub heard: Vec<Voice>,
}

impl Advice {
    /// Most voices that are named.
    pub const MAX_VOICES: usize = 5;

    /// The advice of somebody who remembers nothing.
    pub fn prior(candidate: &Candidate) -> Self {
        Self {
            expected_r: candidate.prior_r,
            confidence: 0.0,
            size_multiplier: 1.0,
            veto: false,
            why: Vec::new(),
            heard: Vec::new(),
        }
    }

    /// The prior and what voices expect, each by its weight: the more of the weight is the voices', the surer; nothing is vetoed and
    /// nobody named.
    pub(super) fn balanced<'a>(
        candidate: &Candidate,
        prior_weight: f64,
        voices: impl Iterator<Item = &'a Voice> + Clone,
    ) -> Self {
        let heard: f64 = voices.clone().map(|voice| voice.weight).sum();
        let said: f64 = voices.map(|voice| voice.weight * voice.expected_r).sum();
        let total = prior_weight + heard;
        let share = |part: f64, of_none: f64| if total > 0.0 { part / total } else { of_none };
        let expected_r = share(prior_weight * candidate.prior_r + said, candidate.prior_r);
        Self {
            expected_r,
            confidence: share(heard, 0.0),
            size_multiplier: (0.75 + expected_r).clamp(0.5, 1.5),
            ..Self::prior(candidate)
        }
    }

    /// The loudest voices, loudest first, as many as are named.
    pub(super) fn loudest(voices: impl IntoIterator<Item = Voice>) -> Vec<Voice> {
        let mut loudest: Vec<Voice> = voices.into_iter().collect();
        loudest.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        loudest.truncate(Self::MAX_VOICES);
        loudest
    }

    /// The same, with all that was heard.
    pub(super) fn having_heard(self, heard: Vec<Voice>) -> Self {
        Self { heard, ..self }
    }

    /// What the others said, without one item.
    pub(super) fn others(&self, silent: VoiceSource) -> impl Iterator<Item = &Voice> + Clone {
        self.heard.iter().filter(move |voice| voice.source.item() != silent.item())
    }
}

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
}

/// Kinds of work a memory does on itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UpkeepKind {
    /// Beliefs are drawn from episodes (OWM).
    Induction,
    /// Plans are made, found due or let go (OWM).
    Planning,
    /// The graph decays and is pruned (Dark Pawns).
    Consolidation,
    /// Recent traces are gathered and duplicates merged (OpenClaw, light sleep).
    Light,
    /// Traces are promoted to lasting memory (OpenClaw, deep sleep).
    Deep,
    /// Themes are drawn from traces (OpenClaw, REM sleep).
    Rem,
}

impl UpkeepKind {
    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Induction => "induction",
            Self::Planning => "planning",
            Self::Consolidation => "consolidation",
            Self::Light => "light",
            Self::Deep => "deep",
            Self::Rem => "rem",
        }
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

/// A life's account of what its memory was good for. Items are whatever the architecture keeps: episodes, beliefs, nodes, notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryCensus {
    /// Items ever stored.
    pub stored: u64,
    /// Of these, items that never spoke in a decision that was acted on, nor were part of one that did.
    pub unused: u64,
    /// Items that say the same as an item stored before them.
    pub restated: u64,
    /// Items that were unused, or restated another: junk. At least the larger of the two, at most their sum.
    pub junk: u64,
    /// Times an outcome was counted for or against an item other than an episode.
    pub evidence: u64,
    /// Of these, outcomes of decisions that the item itself had tipped: without its voice the golem would have done something else, or
    /// nothing. What memory feeds on that it cooked itself.
    pub self_evidence: u64,
}

impl AddAssign for MemoryCensus {
    fn add_assign(&mut self, other: Self) {
        self.stored += other.stored;
        self.unused += other.unused;
        self.restated += other.restated;
        self.junk += other.junk;
        self.evidence += other.evidence;
        self.self_evidence += other.self_evidence;
    }
}

/// How far a sibling is believed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CladeTrust {
    /// What is left of the giver's trust in a lesson, 0 to 1.
    pub factor: f64,
    /// Most trust a lesson begins with, 0 to 1.
    pub ceiling: f64,
}
