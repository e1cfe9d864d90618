//! Bloodstains: bequests of dead golems with the circumstances of their deaths (digest section 13), a post-mortem that others can learn
//! from.
//!
//! Results are in R, confidence, quality and vitality run from 0 to 1, ages are in ticks. What is passed on is either a scar (an episode
//! that hurt) or a lesson (a claim). The circumstances are there for retrieval by similarity: a newborn draws what was learned in a market
//! like its own. A dying golem leaves as many as the budget of its legacy pays (`golem::thanatopsis`); its memory picks the bequests. Each
//! kind of memory takes them in by rules of its own: `bardo` stores a scar as an episode that is no evidence (unless `scars_as_evidence`)
//! and tests a lesson as a claim; `dark-pawns` tests nothing.

use crate::daimon::Pad;
use crate::episode::{ClaimKind, Context, Episode, Lesson};
use crate::market::{AssetIndex, PositionSide, Strategy};
use crate::mortality::{Cause, Rung};
use morta_base::{BloodstainId, EpisodeId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// The part of a bloodstain that is passed on to the golem that draws it, an inheritance: a tagged union of experience and rule (knowledge
/// transfer).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bequest {
    /// An episode that hurt: one of those that led to the death.
    Scar(Episode),
    /// A rule the dead golem lived by, or a hypothesis it could not finish testing; of memories without rules, a belief or the like.
    Lesson(Lesson),
}

impl Bequest {
    /// Whether a memory that knows only claims of this kind can use it: a compatibility check. Every memory of the engine can use a
    /// scar, which is an episode; one from outside (a process, Python) gets none.
    pub(crate) fn is_understood(&self, kind: ClaimKind) -> bool {
        !matches!(self, Self::Lesson(lesson) if lesson.claim.kind() != kind)
    }
}

/// A bequest with the circumstances of the death: a post-mortem record with an embedding for similarity search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bloodstain {
    /// The golem that left it, and its number among that golem's.
    pub id: BloodstainId,
    /// The cause of death.
    pub cause: Cause,
    /// When it died.
    pub died: Tick,
    /// How long it had lived.
    pub age: Tick,
    /// Vitality at death.
    pub vitality: f64,
    /// Circumstances at death, or of the scar.
    pub context: Context,
    /// The market's embedding then.
    pub embedding: Box<[f32]>,
    /// The bequest itself.
    // The name in recorded logs, whose bytes are promised.
    #[serde(rename = "relic")]
    pub bequest: Bequest,
}

impl Bloodstain {
    /// Quality score of the bequest, 0 to 1: for a scar the surprise of its result (3 R and more count as 1), for a lesson the confidence
    /// in it. The specs rank by quality and leave open what that of an episode is. A quorum of votes replaces it, and time fades it, in the
    /// rank.
    pub fn quality(&self) -> f64 {
        match &self.bequest {
            Bequest::Scar(episode) => (episode.surprise / LARGE_SURPRISE_R).min(1.0),
            Bequest::Lesson(lesson) => lesson.confidence,
        }
    }

    /// Whether it is an episode and no conclusion: a type check (episodic or semantic knowledge).
    pub fn is_scar(&self) -> bool {
        matches!(self.bequest, Bequest::Scar(_))
    }
}

/// Surprise that counts in full, in R; our choice: three times the loss at a stop. A stop that was hit as expected gains is 1 to 2 R of surprise, so most
/// scars differ in quality.
const LARGE_SURPRISE_R: f64 = 3.0;

morta_base::words! {
    /// The sign that warned a golem of its death. An early warning type (leading indicator of death).
    pub enum WarningKind {
        /// It had to be frugal.
        Frugality = "frugality",
        /// It could only watch any more.
        Watching = "watching",
        /// Its knowledge failed.
        Senescence = "senescence",
        /// Its behavioural phase became the declining one.
        Decline = "decline",
        /// Its last phase began.
        Terminal = "terminal",
    }
}

/// A warning and when it first came: an early warning signal with its timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The kind of warning.
    pub kind: WarningKind,
    /// The tick at which it first came.
    pub tick: Tick,
}

/// The open position at the tick in which it began to die (a snapshot), before the last rites closed or stranded it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionAtDeath {
    /// The asset.
    pub asset: AssetIndex,
    /// The strategy.
    pub strategy: Strategy,
    /// The kind of position.
    pub side: PositionSide,
    /// Money in it.
    pub stake: Usdc,
    /// Its open result, in R.
    pub open_r: f64,
}

/// A scar as it is named on the mark of a death: a reference to an episode by id, and no copy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScarNote {
    /// The episode.
    pub episode: EpisodeId,
    /// Its result, in R.
    pub realised_r: f64,
}

/// A causal link, cause and effect in words (association rule), for people who read testaments: where the cause held, the effect soon set
/// in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CausalNote {
    /// The circumstance that held before.
    pub cause: String,
    /// The circumstance that set in.
    pub effect: String,
    /// Share of the occasions on which the effect set in, 0 to 1.
    pub confidence: f64,
    /// Number of times that it did.
    pub fired: u32,
}

/// The whole bloodstain of a death, a death record (digest section 13): its cause, the golem's state and its circumstances. Bequests that
/// go to the Lethe carry the part of it that finding them takes; the whole is in the testament, the post-mortem report of a golem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeathMark {
    /// The cause of death.
    pub cause: Cause,
    /// Tick at which it began to die.
    pub tick: Tick,
    /// Its age then, ticks.
    pub age: Tick,
    /// Vitality then.
    pub vitality: f64,
    /// Its rung on the credit ladder.
    pub rung: Rung,
    /// Its warnings, in the order of time.
    pub warnings: Vec<Warning>,
    /// Causal edges that it had counted, the surest first.
    pub causal_edges: Vec<CausalNote>,
    /// Its worst episodes, at most five.
    pub scars: Vec<ScarNote>,
    /// Its mood then.
    pub valence: Pad,
    /// The circumstances as it read them.
    pub context: Context,
    /// The position it held then, if any.
    pub position: Option<PositionAtDeath>,
}

impl DeathMark {
    /// Most scars named (digest section 13).
    pub(crate) const MAX_SCARS: usize = 5;
    /// Most causal edges named; our choice, as many as scars, so that the event of a death stays bounded.
    pub(crate) const MAX_EDGES: usize = 5;
}
