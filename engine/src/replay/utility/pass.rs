//! The screening pass: leaves out episodes that can't be among the best.
//!
//! It works in blocks. The outline of an episode bounds its utility from above: the bound supposes that the market then was exactly like
//! now. Only where that could be enough for one of sixteen are their directions read at all, because embeddings are most of the memory
//! traffic. It is branch and bound over a column store: an upper bound prunes, and what is left is scored. Scores are single precision
//! and have no unit; their error bound is the lens's. The caller works out what is left exactly, so no score of this pass leaves the
//! room.

use super::lens::Lens;
use crate::episode::Grimoire;
use crate::episode::grimoire::{LANES, Marks};
use morta_base::screen::Screen;
use morta_base::wide::{Pass, Simd, dot, exp2_neg, places_of, unit};
use std::ops::Range;

/// Episodes in a block: whole groups of directions, and few enough for the first-level cache.
const BLOCK: usize = 16 * LANES;

/// Up to so many candidates of a block are looked at one by one.
const FEW: u16 = 24;

/// The newest eighth of the blocks comes first.
const NEWEST: usize = 8;

type Column = [f32; BLOCK];

/// The search: its slots, its situation, its results.
pub(super) struct Search<'a> {
    /// The buffer.
    pub(super) grimoire: &'a Grimoire,
    /// The situation in single precision.
    pub(super) lens: &'a Lens<'a>,
    /// Slots to search.
    pub(super) slots: Range<usize>,
    /// By slot, whether it counts; `None` when all do.
    pub(super) only: Option<&'a [bool]>,
    /// Collects the candidates.
    pub(super) screen: Screen,
}

impl Pass for Search<'_> {
    type Output = Screen;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> Screen {
        let mut block = Block::new();
        let blocks = self.slots.start / BLOCK..self.slots.end.div_ceil(BLOCK);
        // The newest first, as far as slots go by age: need is highest for them, so the cut rises early and more of the rest is
        // left out. Within each of the two parts slots rise, in the order in which processors prefetch.
        let newest = blocks.end - blocks.len().div_ceil(NEWEST);
        for nth in (newest..blocks.end).chain(blocks.start..newest) {
            let start = nth * BLOCK;
            block.weigh(self.grimoire, self.lens, start);
            if let Some((drawn, factor)) = self.lens.mood {
                for (worth, slot) in block.worth.iter_mut().zip(start..self.grimoire.len()) {
                    *worth *= if drawn.is_to(slot) { factor } else { 1.0 };
                }
            }
            self.look(simd, &mut block, start);
        }
        self.screen
    }
}

impl Search<'_> {
    /// Scores the candidates of a block whose bound reaches the cut.
    #[inline(always)]
    fn look<S: Simd>(&mut self, simd: S, block: &mut Block, start: usize) {
        let mut could = block.could(self.lens, self.screen.cut());
        let Range { start: first, end } = self.slots;
        could[..first.saturating_sub(start).min(BLOCK)].fill(0);
        could[end.saturating_sub(start).min(BLOCK)..].fill(0);
        if let Some(only) = self.only {
            could.iter_mut().zip(&only[start..]).for_each(|(could, only)| *could &= u8::from(*only));
        }
        match could.iter().map(|could| u16::from(*could)).sum::<u16>() {
            0 => {}
            1..=FEW => self.look_one_by_one(simd, &could, block, start),
            _ => self.look_by_groups(could, block, start),
        }
    }

    /// By their embeddings: few, wherever they are.
    #[inline(always)]
    fn look_one_by_one<S: Simd>(&mut self, simd: S, could: &[u8; BLOCK], block: &mut Block, start: usize) {
        let Block { worth, rest, likeness: scores, places, .. } = block;
        let places = places_of(could, places);
        let inverse_lengths = &self.grimoire.outline().inverse_lengths()[start..];
        for (score, &place) in scores.iter_mut().zip(places) {
            let place = usize::from(place);
            let product = dot(simd, self.lens.embedding, self.grimoire.embedding(start + place));
            let likeness = unit(product * inverse_lengths[place] * self.lens.inverse_length);
            *score = worth[place] * unit(self.lens.similarity * likeness + rest[place]);
        }
        let scores = places.iter().zip(scores);
        self.screen.look(scores.map(|(&place, &mut score)| ((start + usize::from(place)) as u32, score)));
    }

    /// By the directions of sixteen at once: an exact product for each would cost more than the sixteen together.
    #[inline(always)]
    fn look_by_groups(&mut self, mut could: [u8; BLOCK], block: &mut Block, start: usize) {
        let Block { worth, rest, likeness, places, .. } = block;
        let directions = self.grimoire.outline().directions();
        let groups = could.as_chunks::<LANES>().0.iter().zip(likeness.as_chunks_mut::<LANES>().0);
        for (nth, (could, likeness)) in groups.enumerate() {
            if u128::from_le_bytes(*could) != 0 {
                directions.likenesses(start / LANES + nth, &self.lens.direction, likeness);
            }
        }
        for ((worth, rest), likeness) in worth.iter_mut().zip(&*rest).zip(&*likeness) {
            *worth *= unit(self.lens.similarity * likeness + rest);
        }
        let cut = self.screen.cut();
        could.iter_mut().zip(&*worth).for_each(|(could, worth)| *could &= u8::from(*worth >= cut));
        let places = places_of(&could, places);
        self.screen.look(
            places.iter().map(|&place| ((start + usize::from(place)) as u32, worth[usize::from(place)])),
        );
    }
}

/// A block of a column; where the column ends within the block, its rest, copied to `room`.
#[inline(always)]
fn part<'a, T: Copy>(column: &'a [T], start: usize, room: &'a mut [T; BLOCK]) -> &'a [T; BLOCK] {
    let rest = &column[start..];
    match rest.first_chunk() {
        Some(block) => block,
        None => {
            room[..rest.len()].copy_from_slice(rest);
            room
        }
    }
}

/// A block's scores, without likeness.
struct Block {
    /// Gain times spacing and boosts.
    worth: Column,
    /// Need without likeness.
    rest: Column,
    /// Likeness, of groups for which it was worked out; or scores of the few.
    likeness: Column,
    /// Places of the candidates.
    places: [u16; BLOCK],
    /// Copies of columns that end within the block.
    rooms: [Column; 5],
    room: [Marks; BLOCK],
}

impl Block {
    #[inline(always)]
    const fn new() -> Self {
        const NONE: Column = [0.0; BLOCK];
        Self {
            worth: NONE,
            rest: NONE,
            likeness: NONE,
            places: [0; BLOCK],
            rooms: [NONE; 5],
            room: [Marks(0); BLOCK],
        }
    }

    /// Which candidates reach the cut if likeness is taken as 1, its largest value.
    #[inline(always)]
    fn could(&self, lens: &Lens<'_>, cut: f32) -> [u8; BLOCK] {
        let mut could = [0; BLOCK];
        for ((could, worth), rest) in could.iter_mut().zip(&self.worth).zip(&self.rest) {
            *could = u8::from(worth * unit(lens.similarity + rest) >= cut);
        }
        could
    }

    #[inline(always)]
    fn weigh(&mut self, grimoire: &Grimoire, lens: &Lens<'_>, start: usize) {
        let outline = grimoire.outline();
        let Self { worth, rest, rooms: [one, two, three, four, five], room, .. } = self;
        let surprise = part(grimoire.surprise(), start, one);
        let significance = part(grimoire.significance(), start, two);
        let regret = part(grimoire.regret(), start, three);
        let replayed = part(outline.replayed(), start, four);
        let closed = part(outline.closed(), start, five);
        let marks = part(outline.marks(), start, room);
        gains(worth, lens, (surprise, significance, regret), marks);
        rests(worth, lens, replayed);
        needs(rest, lens, closed, marks);
        if let Some(kinds) = &lens.kinds {
            for (worth, marks) in worth.iter_mut().zip(marks) {
                *worth *= kinds[marks.kind()];
            }
        }
    }
}

/// Gain, with replay decay and the boosts that marks encode.
#[inline(always)]
fn gains(
    worths: &mut Column,
    lens: &Lens<'_>,
    (surprise, significance, regret): (&Column, &Column, &Column),
    marks: &[Marks; BLOCK],
) {
    for place in 0..BLOCK {
        let gain = lens.surprise * unit(surprise[place] * lens.per_surprise)
            + lens.significance * unit(significance[place] * lens.per_significance)
            + lens.regret * unit(regret[place] * lens.per_regret);
        let marks = marks[place].0;
        let inherited = if marks & Marks::INHERITED != 0 { lens.inherited } else { 1.0 };
        let high = if marks & Marks::HIGH != 0 { lens.high } else { 1.0 };
        let medium = if marks & Marks::MEDIUM != 0 { lens.medium } else { 1.0 };
        let replays = (marks >> Marks::REPLAYS) as i32 as f32;
        worths[place] = unit(gain) * inherited * high * medium * exp2_neg(replays * lens.halvings_per_replay);
    }
}

/// Multiplies by 1 − spacing.
#[inline(always)]
fn rests(worths: &mut Column, lens: &Lens<'_>, replayed: &Column) {
    for (worth, replayed) in worths.iter_mut().zip(replayed) {
        let ago = lens.now - replayed;
        let fresh = exp2_neg(if ago > 0.0 { ago } else { 0.0 } * lens.spacing_per_tick);
        *worth *= 1.0 - lens.spacing * fresh;
    }
}

#[inline(always)]
fn needs(rests: &mut Column, lens: &Lens<'_>, closed: &Column, marks: &[Marks; BLOCK]) {
    for ((rest, closed), marks) in rests.iter_mut().zip(closed).zip(marks) {
        let same = marks.0 & Marks::REGIME == lens.regime;
        let regime = if same { lens.same_regime } else { lens.other_regime };
        let age = lens.now - closed;
        let left = exp2_neg(if age > 0.0 { age } else { 0.0 } * lens.recency_per_tick);
        *rest = regime + lens.recency * left;
    }
}
