//! The outline of episodes, for a fast pass in single precision. It follows from the other columns, so it isn't saved.
//!
//! The pass only leaves out; the rest is scored exactly. So single precision changes no result, as long as its errors are bounded: episodes with numbers that
//! it can't hold are counted as untrusted, and one is enough to switch the pass off. It holds single-precision moments in ticks from an
//! origin, a bit field of small facts for each episode, and quantised directions. Choosing replays scores thousands of episodes; a
//! branch-free pass over these columns (`replay::utility`) prunes nearly all of them by an upper bound on their score. The Grimoire keeps
//! it in step at every insertion, removal, replay and tag, and where outcomes are dealt anew. The exact scoring and a mood's preference
//! (`replay::bias`) also read the marks: the kind, gain and loss are exact.

use super::columns::{Columns, columns};
use super::directions::Directions;
use super::{DreamPriority, Grimoire};
use crate::episode::EpisodeRecord;
use crate::market::{Regime, Strategy};
use morta_base::Tick;
use morta_base::dot::square;
use std::ops::Range;

/// The moment of a replay that never was: longer ago than any tick.
const NEVER: f32 = f32::MIN;
/// Squares of lengths that single precision holds with room to spare: neither they nor one over a length lose digits to underflow.
const SQUARES: Range<f32> = 1e-12..1e12;

/// Small facts of one episode in one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(pub(crate) u32);

impl Marks {
    /// The regime's index.
    pub(crate) const REGIME: u32 = 0b11;
    /// Set for gains.
    const GAINED: u32 = 1 << 2;
    /// First bit of the strategy's index.
    const STRATEGY: u32 = 3;
    /// Kinds of episodes: strategy, regime, and whether it gained.
    pub(crate) const KINDS: usize = 1 << 6;
    /// Set for losses.
    const LOST: u32 = 1 << 6;
    /// Set for inherited episodes.
    pub(crate) const INHERITED: u32 = 1 << 7;
    /// Set for episodes that the Curator or micro-consolidation tagged high.
    pub(crate) const HIGH: u32 = 1 << 8;
    /// Set for episodes that the Curator tagged medium.
    pub(crate) const MEDIUM: u32 = 1 << 9;
    /// First bit of the number of replays.
    pub(crate) const REPLAYS: u32 = 10;
    /// The most replays there is room for.
    const MOST_REPLAYS: u32 = (1 << (32 - Self::REPLAYS)) - 1;

    fn from_record(episode: &EpisodeRecord, priority: DreamPriority, replays: u32) -> Self {
        const { assert!(Regime::COUNT <= 4 && Strategy::COUNT <= 8, "marks have room") };
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        Self(
            episode.context.regime.index() as u32
                | flag(episode.realised_r > 0.0, Self::GAINED)
                | (episode.strategy.index() as u32) << Self::STRATEGY
                | flag(episode.realised_r < 0.0, Self::LOST)
                | flag(episode.is_inherited(), Self::INHERITED)
                | flag(priority == DreamPriority::High, Self::HIGH)
                | flag(priority == DreamPriority::Medium, Self::MEDIUM)
                | replays.min(Self::MOST_REPLAYS) << Self::REPLAYS,
        )
    }

    /// Strategy, regime and whether it gained, as a number below [`Marks::KINDS`].
    #[inline(always)]
    pub(crate) const fn kind(self) -> usize {
        self.0 as usize % Self::KINDS
    }

    /// The indices of strategy and regime of a kind, and whether it gained; `None` if there is no such kind.
    pub(crate) const fn split_kind(kind: usize) -> Option<(usize, usize, bool)> {
        let (strategy, regime) = (kind >> Self::STRATEGY, kind & Self::REGIME as usize);
        if strategy < Strategy::COUNT && regime < Regime::COUNT {
            Some((strategy, regime, kind & Self::GAINED as usize != 0))
        } else {
            None
        }
    }

    /// Whether it made money.
    pub(crate) const fn gained(self) -> bool {
        self.0 & Self::GAINED != 0
    }

    /// Whether it lost money.
    pub(crate) const fn lost(self) -> bool {
        self.0 & Self::LOST != 0
    }
}

columns! {
    /// The derived columns.
    #[derive(Clone, Debug, Default)]
    Rows of (moment: f32, inverse_length: f32), lent by pub(crate) Outline::rows;

    /// Ticks from the origin to the close.
    closed: f32 = moment;
    /// Ticks from the origin to the last replay; further back than anything where there was none.
    replayed: f32 = NEVER;
    /// Small facts.
    marks: Marks = Marks::default();
    /// One over the embedding's length; 0 if it is all zeros.
    inverse_lengths: f32 = inverse_length;
}

/// Bytes of a row, its direction aside.
pub(super) const ROW_BYTES: usize = Rows::ROW_BYTES;

/// The derived columns, and what is known of all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// The tick from which moments are counted: that of the first episode, because single precision holds 24 bits, and a run may last longer.
    origin: Tick,
    /// The furthest that a moment was ever from it, in ticks.
    span: f64,
    rows: Rows,
    directions: Directions,
    /// Episodes with numbers that single precision can't be trusted with.
    untrusted: usize,
}

impl Outline {
    /// Whether single precision can be trusted with every episode.
    pub(crate) const fn is_trusted(&self) -> bool {
        self.untrusted == 0
    }

    /// Ticks from the origin to a moment.
    pub(crate) fn moment(&self, tick: Tick) -> f64 {
        tick as f64 - self.origin as f64
    }

    /// The furthest that a moment was ever from the origin, in ticks.
    pub(crate) const fn span(&self) -> f64 {
        self.span
    }

    /// The directions of embeddings.
    pub(crate) const fn directions(&self) -> &Directions {
        &self.directions
    }

    const fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Whether all columns have so many rows.
    pub(super) fn are_all_of(&self, rows: usize) -> bool {
        self.rows.are_all_of(rows)
    }

    fn near(&mut self, tick: Tick) -> f32 {
        let moment = self.moment(tick);
        self.span = self.span.max(moment.abs());
        moment as f32
    }
}

/// Keeping the outline in step.
impl Grimoire {
    /// The outline.
    pub(crate) fn outline(&self) -> &Outline {
        &self.columns.outline
    }

    /// Adds the next slot to the outline, after all other columns have it.
    pub(super) fn outline_push(&mut self, slot: usize) {
        let dimensions = self.dimensions();
        let Columns { outline, embeddings, copies, .. } = &mut *self.columns;
        let closed = copies.closed[slot];
        if slot == 0 {
            *outline =
                Outline { origin: closed, directions: Directions::new(dimensions), ..Outline::default() };
        }
        let embedding = &embeddings[slot * dimensions..(slot + 1) * dimensions];
        let length = square(embedding).sqrt();
        let inverse_length = if length > 0.0 { 1.0 / length } else { 0.0 };
        let moment = outline.near(closed);
        outline.rows.push(moment, inverse_length);
        outline.directions.push(embedding, inverse_length);
        self.outline_touch(slot, true);
    }

    /// Takes a slot out of the outline, before it leaves the other columns.
    pub(super) fn outline_remove(&mut self, slot: usize) {
        let is_trusted = self.is_trusted(slot);
        let outline = &mut self.columns.outline;
        outline.untrusted -= usize::from(!is_trusted);
        outline.rows.swap_remove(slot);
        outline.directions.swap_remove(slot);
    }

    /// Updates the outline of an episode by what changes while it is stored: traces of replay, and the outcome in a permutation control.
    /// `was_trusted` is `is_trusted` before the change, because the count of untrusted episodes would drift otherwise.
    pub(super) fn outline_touch(&mut self, slot: usize, was_trusted: bool) {
        let is_trusted = self.is_trusted(slot);
        let Columns { outline, records, traces, .. } = &mut *self.columns;
        outline.untrusted += usize::from(was_trusted && !is_trusted);
        outline.untrusted -= usize::from(!was_trusted && is_trusted);
        outline.rows.replayed[slot] = traces.last_replayed[slot].map_or(NEVER, |tick| outline.near(tick));
        outline.rows.marks[slot] =
            Marks::from_record(&records[slot], traces.priority[slot], traces.replay_count[slot]);
    }

    /// Whether single precision can be trusted with an episode.
    pub(super) fn is_trusted(&self, slot: usize) -> bool {
        let square = square(self.embedding(slot));
        let gains = [self.surprise()[slot], self.significance()[slot], self.regret()[slot]];
        (square == 0.0 || SQUARES.contains(&square))
            && gains.into_iter().all(f32::is_finite)
            && self.replay_count()[slot] <= Marks::MOST_REPLAYS
    }
}
