//! One line of a followed run (JSON Lines, event stream schema), as `morta run --follow` prints it and `morta watch` shows it. Money is US
//! dollars, urgency and shares are 0 to 1, times are ticks. Field names are a stable format for other programs. It is an enum of its own
//! and not the engine's event, so that the engine may change its events without breaking readers. `Narrator` makes the lines.

use super::Mode;
use morta_base::{BloodstainId, GolemId, Tick};
use morta_engine::dream::{DreamPhase, DreamTrigger, WakeSource};
use morta_engine::mortality::Cause;
use serde::{Serialize, Serializer};

/// One line of the NDJSON stream: what happened when, and to which golem.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FollowLine {
    /// Tick in which it happened.
    pub tick: Tick,
    /// To whom.
    #[serde(serialize_with = "named")]
    pub golem: GolemId,
    /// What happened.
    #[serde(flatten)]
    pub happening: Happening,
}

/// An occurrence, in the words of the line (event type). The names of variants and fields are the format that
/// other tools read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Happening {
    /// A golem was born.
    Born {
        /// Name of its cohort.
        cohort: String,
        /// Its predecessor.
        #[serde(serialize_with = "perhaps_named")]
        parent: Option<GolemId>,
        /// Balance at birth, dollars.
        endowment_usd: f64,
    },
    /// The mode of a golem has changed: awake, drowsy, dreaming or dying.
    ModeChange {
        /// Before.
        from: Mode,
        /// Now.
        to: Mode,
    },
    /// A golem falls asleep.
    DreamStart {
        /// The dream cycle, numbered within its golem's life.
        dream: u32,
        /// What made it dream.
        trigger: DreamTrigger,
        /// Urgency when the dream was granted, 0 to 1.
        urgency: f64,
        /// Most that it may pay for inference, dollars.
        budget_usd: f64,
    },
    /// A phase of a dream begins.
    DreamProgress {
        /// The dream cycle, numbered within its golem's life.
        dream: u32,
        /// The phase that begins.
        phase: DreamPhase,
        /// Phases of this dream that are over, as a share of all it has, 0 to 1.
        share_done: f64,
        /// Paid for inference so far, dollars.
        spent_usd: f64,
        /// Most that it may pay for inference, dollars.
        budget_usd: f64,
    },
    /// A dreamer is woken, or dies in its sleep.
    WakeInterrupt {
        /// The dream cycle.
        dream: u32,
        /// What woke it.
        source: WakeSource,
        /// Why, in words, with the figures that decided it.
        reason: String,
    },
    /// A dream is over.
    DreamComplete {
        /// The dream cycle.
        dream: u32,
        /// Whether its dreamer was woken, or died.
        interrupted: bool,
        /// Ticks since it fell asleep.
        ticks: Tick,
        /// Claims that imagination came up with.
        hypotheses_generated: u32,
        /// Findings that were new, counted in integration; none where the dream was broken off before.
        insights_found: u32,
        /// Paid for inference, dollars.
        cost_usd: f64,
    },
    /// A newborn drew a bloodstain from the Lethe.
    BloodstainDrawn {
        /// Whose, and which of theirs.
        #[serde(serialize_with = "named")]
        bloodstain: BloodstainId,
        /// Its place among the results, from 0.
        rank: u32,
        /// Its score in the Lethe's ranking: a weighted sum of terms times a boost, as `score` of `inheritance.parquet` has it.
        score: f64,
    },
    /// A dead golem left something in the Lethe.
    BloodstainLeft {
        /// Whose, and which of theirs.
        #[serde(serialize_with = "named")]
        bloodstain: BloodstainId,
    },
    /// A golem is dead.
    Died {
        /// The cause of death.
        cause: Cause,
        /// Ticks it has lived.
        age_ticks: Tick,
        /// What it had left, dollars.
        balance_usd: f64,
    },
}

fn named<T: std::fmt::Display, S: Serializer>(id: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

fn perhaps_named<T: std::fmt::Display, S: Serializer>(
    id: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match id {
        Some(id) => serializer.collect_str(id),
        None => serializer.serialize_none(),
    }
}
