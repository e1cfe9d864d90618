//! One thing a dead golem left behind.

use crate::daimon::Pad;
use crate::episode::{ClaimKind, Context, Episode, Lesson};
use crate::market::{AssetIndex, PositionSide, Strategy};
use crate::mortality::{Cause, Rung};
use morta_base::{BloodstainId, EpisodeId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// What a bloodstain passes on to whoever draws it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bequest {
    /// An episode that hurt: one of those that led to the death.
    Scar(Episode),
    /// A rule the dead golem lived by, or a hypothesis it could not finish testing.
    Lesson(Lesson),
}

impl Bequest {
    /// Whether somebody understands it who knows claims of this kind only: scars are understood by all.
    pub fn is_understood(&self, kind: ClaimKind) -> bool {
        !matches!(self, Self::Lesson(lesson) if lesson.claim.kind() != kind)
    }
}

/// A bequest with the circumstances of the death.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bloodstain {
    /// Whose, and which of theirs.
    pub id: BloodstainId,
    /// What the golem died of.
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
    // Its name in recorded logs.
    #[serde(rename = "relic")]
    pub bequest: Bequest,
}

impl Bloodstain {
    /// How good the bequest is as a lesson, 0 to 1: for a scar how far the result was from what was expected (3 R and more
    /// count as 1), for a lesson the trust in it.
    pub fn quality(&self) -> f64 {
        match &self.bequest {
            Bequest::Scar(episode) => (episode.surprise / LARGE_SURPRISE_R).min(1.0),
            Bequest::Lesson(lesson) => lesson.confidence,
        }
    }

    /// Whether it is an episode rather than a conclusion.
    pub fn is_scar(&self) -> bool {
        matches!(self.bequest, Bequest::Scar(_))
    }
}

/// Surprise that counts in full: three times what a trade loses that is stopped out. Our own choice.
const LARGE_SURPRISE_R: f64 = 3.0;

morta_base::words! {
    /// What had warned a golem that it would die.
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

/// A warning and when it first came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The kind of warning.
    pub kind: WarningKind,
    /// The tick at which it first came.
    pub tick: Tick,
}

/// A position that was open when it began to die.
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

/// A scar as it is named on the mark of a death.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScarNote {
    /// The episode.
    pub episode: EpisodeId,
    /// What it made, in R.
    pub realised_r: f64,
}

/// "Where this held, that soon set in", in words, for those who read testaments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CausalNote {
    /// The circumstance that held before.
    pub cause: String,
    /// The circumstance that set in.
    pub effect: String,
    /// How often it did when it could have, 0 to 1.
    pub confidence: f64,
    /// How many times it did.
    pub fired: u32,
}

/// The whole bloodstain a death leaves (digest section 13): what a golem died of, in what state and in what circumstances. Bequests
/// that go to the Lethe carry the part of it that finding them takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeathMark {
    /// The cause of death.
    pub cause: Cause,
    /// When it began to die.
    pub tick: Tick,
    /// How long it had lived, ticks.
    pub age: Tick,
    /// Vitality then.
    pub vitality: f64,
    /// Where it stood on the credit ladder.
    pub rung: Rung,
    /// What had warned it, in order of time.
    pub warnings: Vec<Warning>,
    /// What it had seen to lead to what, the surest first.
    pub causal_edges: Vec<CausalNote>,
    /// What hurt most, at most five.
    pub scars: Vec<ScarNote>,
    /// Its mood then.
    pub valence: Pad,
    /// The circumstances as it read them.
    pub context: Context,
    /// The position it held then, if any.
    pub position: Option<PositionAtDeath>,
}

impl DeathMark {
    /// Most scars named.
    pub const MAX_SCARS: usize = 5;
    /// Most causal edges named.
    pub const MAX_EDGES: usize = 5;
}
