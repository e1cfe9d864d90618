//! The columns of a Grimoire. Each is declared once: name, meaning, type, and what it holds of an episode that is new.
//!
//! Three sets, by the source of a column's values: [`Copies`] follow from the records, [`Traces`] are the history of an episode since, and
//! the outline's (`outline.rs`) follow from both. Of these only traces are saved, with the records and the embeddings. It is a struct of
//! arrays (column store): a pass that scores all episodes reads flat arrays, in sequence, and only the columns it needs. Units are given at
//! each column. Selection of replays, recall and dreams read them by the methods that the macro makes; `Grimoire` alone writes.

use super::outline::Outline;
use super::survey::Survey;
use super::{DreamPriority, Grimoire};
use crate::episode::{EpisodeKind, EpisodeRecord};
use crate::market::{Regime, Strategy};
use morta_base::dot::dot_by_lanes;
use morta_base::lazy_box::Blank;
use morta_base::{EpisodeId, Tick};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Declares a set of columns of one length, a `Vec` for each, with `push` and `swap_remove` over all of them, and lends each to
/// readers by a method of its name and of this visibility on `$owner`, which gets the set from its method `$set`.
macro_rules! columns {
    (
        $(#[$about:meta])*
        $name:ident of ($($given:ident: $type:ty),*), lent by $vis:vis $owner:ident::$set:ident;
        $($(#[$meaning:meta])* $column:ident: $kind:ty = $first:expr;)*
    ) => {
        $(#[$about])*
        pub(super) struct $name {
            $($(#[$meaning])* pub(super) $column: Vec<$kind>,)*
        }

        impl $name {
            /// Adds the row of a new episode.
            pub(super) fn push(&mut self, $($given: $type),*) {
                $(self.$column.push($first);)*
            }

            /// Takes a row out; the last moves into its place.
            pub(super) fn swap_remove(&mut self, slot: usize) {
                $(self.$column.swap_remove(slot);)*
            }

            /// Bytes of a row.
            pub(super) const ROW_BYTES: usize = 0 $(+ size_of::<$kind>())*;

            /// Whether all columns have so many rows.
            pub(super) fn are_all_of(&self, rows: usize) -> bool {
                [$(self.$column.len()),*].into_iter().all(|length| length == rows)
            }
        }

        impl $owner {
            $($(#[$meaning])* $vis fn $column(&self) -> &[$kind] {
                &self.$set().$column
            })*
        }
    };
}
pub(super) use columns;

columns! {
    /// The numbers of the records that scoring reads, side by side. Measures are in single precision, which is exact enough for ranks of
    /// utility and halves the bytes of a pass.
    #[derive(Clone, Debug, Default)]
    Copies of (record: &EpisodeRecord, embedding: &[f32]), lent by pub Grimoire::copies;

    /// Ticks at which the episodes closed, by slot.
    closed: Tick = record.closed;
    /// Strategies followed, or turned down, by slot.
    strategies: Strategy = record.strategy;
    /// The episodes that are trades and no abstentions, by slot.
    trades: bool = record.kind == EpisodeKind::Trade;
    /// Perceived regimes at the decisions, by slot.
    regimes: Regime = record.context.regime;
    /// Surprises, in R, at least 0, by slot.
    surprise: f32 = record.surprise as f32;
    /// Outcome significances, |profit| over the golem's own money in the trade, at least 0, by slot.
    significance: f32 = record.significance as f32;
    /// Realised R-multiples, by slot.
    realised_r: f32 = record.realised_r as f32;
    /// Arousals, 0 to 1, by slot.
    arousal: f32 = record.arousal as f32;
    /// The episodes that another golem lived through, by slot.
    inherited: bool = record.is_inherited();
    /// Lengths of the embeddings, by slot: waking recall divides by them at every decision.
    length: f32 = dot_by_lanes(embedding, embedding).sqrt();
}

columns! {
    /// The history of an episode since it was stored. This can't be worked out from the record, so it is saved with it.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    Traces of (record: &EpisodeRecord, now: Tick), lent by pub Grimoire::traces;

    /// Counterfactual regrets, in R, at least 0, by slot: those the episodes were stored with, even where the control "dreams without
    /// information" has dealt the records' out anew, because what is replayed must not change with it.
    regret: f32 = record.regret as f32;
    /// Tags of the Curator and of micro-consolidation, by slot.
    priority: DreamPriority = DreamPriority::Normal;
    /// Memory strengths, from 1, by slot: multiples of the time constant of forgetting.
    strength: f32 = 1.0;
    /// Tick at which each episode was stored, replayed or spoke for a trade that gained last, by slot: forgetting counts from it.
    last_accessed: Tick = now;
    /// Tick of each episode's last replay, if any, by slot.
    last_replayed: Option<Tick> = None;
    /// Number of each episode's replays, by slot.
    replay_count: u32 = 0;
}

impl Grimoire {
    fn copies(&self) -> &Copies {
        &self.columns.copies
    }

    fn traces(&self) -> &Traces {
        &self.columns.traces
    }
}

/// The columns of a Grimoire with episodes. As long as there is no episode it takes the memory of a pointer: many golems die before
/// their first.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    pub(super) records: Vec<EpisodeRecord>,
    /// The exact embeddings, slot after slot. There is no other copy: a record has none, directions (`directions.rs`) are rounded.
    pub(super) embeddings: Vec<f32>,
    pub(super) copies: Copies,
    pub(super) traces: Traces,
    /// The slot of each episode.
    pub(super) slots: BTreeMap<EpisodeId, u32>,
    pub(super) outline: Outline,
    pub(super) survey: Survey,
}

/// The columns of every Grimoire without episodes. Its survey of no episodes is the same for all.
static NONE: LazyLock<Columns> = LazyLock::new(Columns::default);

impl Blank for Columns {
    fn blank() -> &'static Self {
        &NONE
    }
}
