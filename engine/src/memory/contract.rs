//! What a golem asks of its memory, whatever its architecture.

use crate::base::{EpisodeId, GolemId, RuleId, Tick, Usdc};
use crate::dream::config::ConsolidationConfig;
use crate::episode::{Claim, Conditions, Context, Episode, Lesson, Provenance};
use crate::lethe::{Drawn, Relic};
use crate::llm::{LlmConfig, Tier};
use crate::market::{AssetIndex, PositionSide, Regime, Signal, Strategy};
use crate::memory::bardo::Bardo;
use crate::memory::config::MemoryConfig;
use crate::memory::dark_pawns::DarkPawns;
use crate::memory::inheritance::Inheritance;
use crate::memory::legacy::{AffectLegacy, Growth, Heir, Legacy, Received, SuccessionConfig};
use crate::memory::openclaw::arena::OpenClaw;
use crate::memory::oracle::{Oracle, WorthTable};
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
        }
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
    /// Of these, outcomes of decisions in which the item itself had spoken: what memory feeds on that it cooked itself.
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

/// The keys that memories hold, for those of a world whose keys have changed.
#[derive(Clone, Copy, Debug)]
pub struct MemoryKeys<'a> {
    /// The `[memory]` table.
    pub memory: &'a MemoryConfig,
    /// How conclusions of dreams are tested.
    pub consolidation: &'a ConsolidationConfig,
    /// What strategies are truly worth; none when nobody is to know.
    pub worth: Option<&'a WorthTable>,
}

/// A golem's memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// Remembers nothing.
    None,
    /// Knows the true regime and what every strategy is worth in it: the upper bound.
    Oracle(Oracle),
    /// Grimoire, replay, dreams, playbook.
    Bardo(Box<Bardo>),
    /// Notes, recalls, and sleep that promotes what is recalled often.
    Openclaw(Box<OpenClaw>),
    /// Valenced autobiographical memory: a graph that fades, a summary to read.
    DarkPawns(Box<DarkPawns>),
}

impl Memory {
    /// Goes on by other keys; what it holds stays, as far as there is room for it.
    pub fn rebind(&mut self, keys: MemoryKeys<'_>, now: Tick) {
        match self {
            Self::None => {}
            Self::Oracle(oracle) => {
                if let Some(worth) = keys.worth {
                    oracle.rebind(*worth);
                }
            }
            Self::Bardo(bardo) => bardo.rebind(keys.memory.bardo.clone(), keys.consolidation.clone(), now),
            Self::Openclaw(openclaw) => openclaw.rebind(keys.memory.openclaw.clone(), now),
            Self::DarkPawns(pawns) => pawns.rebind(keys.memory.dark_pawns.clone()),
        }
    }

    /// Takes the place of another memory of the same golem: what it names from now on has names that the other never gave.
    pub fn count_on_from(&mut self, other: &Self) {
        match (self, other) {
            (Self::Bardo(new), Self::Bardo(old)) => new.count_on_from(old),
            (Self::Openclaw(new), Self::Openclaw(old)) => new.count_on_from(old),
            (Self::DarkPawns(new), Self::DarkPawns(old)) => new.count_on_from(old),
            _ => {}
        }
    }

    /// Takes in an experience.
    pub fn observe(&mut self, episode: &Episode, why: &[Voice], now: Tick) {
        match self {
            Self::None | Self::Oracle(_) => {}
            Self::Bardo(bardo) => bardo.observe(episode, why, now),
            Self::Openclaw(openclaw) => openclaw.observe(episode, why, now),
            Self::DarkPawns(pawns) => pawns.observe(episode, why, now),
        }
    }

    /// Speaks about each candidate, in their order.
    pub fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.clear();
        match self {
            Self::None => advice.extend(candidates.iter().map(Advice::prior)),
            Self::Oracle(oracle) => advice.extend(candidates.iter().map(|c| oracle.advise(moment, c))),
            Self::Bardo(bardo) => bardo.advise(moment, candidates, advice),
            Self::Openclaw(openclaw) => openclaw.advise(moment, candidates, advice),
            Self::DarkPawns(pawns) => pawns.advise(moment, candidates, advice),
        }
    }

    /// Whether it does anything when it is attended to.
    pub fn wants_attention(&self) -> bool {
        match self {
            Self::None | Self::Oracle(_) | Self::Bardo(_) => false,
            Self::Openclaw(_) | Self::DarkPawns(_) => true,
        }
    }

    /// Looks after itself, in a waking moment.
    pub fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        match self {
            Self::None | Self::Oracle(_) | Self::Bardo(_) => Attended::default(),
            Self::Openclaw(openclaw) => openclaw.attend(attention),
            Self::DarkPawns(pawns) => pawns.attend(attention),
        }
    }

    /// What it was good for so far.
    pub fn census(&self) -> MemoryCensus {
        match self {
            Self::None | Self::Oracle(_) => MemoryCensus::default(),
            Self::Bardo(bardo) => bardo.census(),
            Self::Openclaw(openclaw) => openclaw.census(),
            Self::DarkPawns(pawns) => pawns.census(),
        }
    }

    /// What it leaves to others, the most telling first.
    pub fn bequeath(&self) -> Vec<Relic> {
        match self {
            Self::None | Self::Oracle(_) => Vec::new(),
            Self::Bardo(bardo) => bardo.bequeath(),
            Self::Openclaw(openclaw) => openclaw.bequeath(),
            Self::DarkPawns(pawns) => pawns.bequeath(),
        }
    }

    /// Whether it has any use for bloodstains.
    pub fn inherits(&self) -> bool {
        matches!(self, Self::Bardo(_) | Self::Openclaw(_) | Self::DarkPawns(_))
    }

    /// Whether it has lessons to tell siblings, and any use for theirs.
    pub fn shares(&self) -> bool {
        matches!(self, Self::Bardo(_) | Self::DarkPawns(_))
    }

    /// Takes in what was drawn from the Lethe.
    pub fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> Received {
        match self {
            Self::None | Self::Oracle(_) => Received::default(),
            Self::Bardo(bardo) => bardo.inherit(drawn, now),
            Self::Openclaw(openclaw) => openclaw.inherit(drawn, now),
            Self::DarkPawns(pawns) => pawns.inherit(drawn, now),
        }
    }

    /// All that is handed over to the successor of its golem, with what affect adds; of what it knows, what was known by then.
    pub fn legacy(
        &self,
        affect: Option<AffectLegacy>,
        known_by: Option<Tick>,
        config: &SuccessionConfig,
    ) -> Option<Legacy> {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) | Self::DarkPawns(_) => None,
            Self::Bardo(bardo) => Some(bardo.legacy(affect, known_by, config)),
        }
    }

    /// Takes over a predecessor's legacy.
    pub fn receive_legacy(&mut self, legacy: Legacy, heir: &Heir, config: &SuccessionConfig) -> Received {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) | Self::DarkPawns(_) => Received::default(),
            Self::Bardo(bardo) => bardo.receive_legacy(legacy, heir, config),
        }
    }

    /// What a life has added to what it inherited so far; `None` if it inherited nothing.
    pub fn growth(&self) -> Option<Growth> {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) | Self::DarkPawns(_) => None,
            Self::Bardo(bardo) => bardo.growth(),
        }
    }

    /// What it could tell its siblings. Rules count when they have been in force for this many ticks.
    pub fn lessons(&self, now: Tick, heuristic_age: Tick) -> Vec<Lesson> {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) => Vec::new(),
            Self::Bardo(bardo) => bardo.lessons(now, heuristic_age),
            Self::DarkPawns(pawns) => pawns.lessons(),
        }
    }

    /// Hears what siblings tell, and says of each lesson whether it was put to the test.
    pub fn hear_lessons(
        &mut self,
        told: Vec<(GolemId, Lesson)>,
        trust: CladeTrust,
        now: Tick,
    ) -> (Vec<bool>, Received) {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) => {
                (vec![false; told.len()], Received::default())
            }
            Self::Bardo(bardo) => bardo.hear_lessons(told, trust, now),
            Self::DarkPawns(pawns) => pawns.hear_lessons(told, trust, now),
        }
    }

    /// What siblings told it and life has borne out since the last call, with who told it.
    pub fn take_borne_out(&mut self) -> Vec<(GolemId, Claim)> {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) | Self::DarkPawns(_) => Vec::new(),
            Self::Bardo(bardo) => bardo.take_borne_out(),
        }
    }

    /// A sibling has borne out what this one told it.
    pub fn hear_borne_out(&mut self, claim: &Claim, now: Tick) {
        if let Self::Bardo(bardo) = self {
            bardo.hear_borne_out(claim, now);
        }
    }

    /// What became of everything it inherited.
    pub fn inheritance(&self) -> &[Inheritance] {
        match self {
            Self::None | Self::Oracle(_) => &[],
            Self::Bardo(bardo) => bardo.inheritance(),
            Self::Openclaw(openclaw) => openclaw.inheritance(),
            Self::DarkPawns(pawns) => pawns.inheritance(),
        }
    }

    /// The memory that dreams, if this one does.
    pub fn dreamer(&self) -> Option<&Bardo> {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) | Self::DarkPawns(_) => None,
            Self::Bardo(bardo) => Some(bardo),
        }
    }

    /// The same, to be changed.
    pub fn dreamer_mut(&mut self) -> Option<&mut Bardo> {
        match self {
            Self::None | Self::Oracle(_) | Self::Openclaw(_) | Self::DarkPawns(_) => None,
            Self::Bardo(bardo) => Some(bardo),
        }
    }
}
