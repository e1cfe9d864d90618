//! The pass over the columns that leaves out what can't be among the best.
//!
//! It works in blocks. From what the outline has of an episode follows what its utility would be if the market then were the very
//! market of now; only where that could be enough is the embedding read at all.

use super::lens::Lens;
use crate::base::screen::Screen;
use crate::base::wide::{Pass, Simd, dot, exp2_neg, places_of, unit};
use crate::episode::Grimoire;
use crate::episode::grimoire::Marks;
use std::ops::Range;

/// Episodes in a block: enough that reads of scattered embeddings overlap, few enough for the first-level cache.
const BLOCK: usize = 256;

type Column = [f32; BLOCK];

/// What is looked for, and where.
pub(super) struct Search<'a> {
    pub(super) grimoire: &'a Grimoire,
    pub(super) lens: &'a Lens<'a>,
    /// Slots that are looked at.
    pub(super) slots: Range<usize>,
    /// By slot, whether it counts; `None` when all do.
    pub(super) only: Option<&'a [bool]>,
    /// Where to put what could be among the best.
    pub(super) screen: Screen,
}

impl Pass for Search<'_> {
    type Output = Screen;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> Screen {
        let mut block = Block::new();
        // Newest first, as far as slots go by age: they tend to be needed most, so the rest is more easily left out.
        while !self.slots.is_empty() {
            let start = self.slots.end.saturating_sub(BLOCK).max(self.slots.start);
            block.weigh(self.grimoire, self.lens, start);
            if let Some((drawn, factor)) = self.lens.mood {
                for (worth, slot) in block.worth.iter_mut().zip(start..self.slots.end) {
                    *worth *= if drawn.is_to(slot) { factor } else { 1.0 };
                }
            }
            self.look(simd, &mut block, start);
            self.slots.end = start;
        }
        self.screen
    }
}

impl Search<'_> {
    /// Looks closer at those that could be among the best.
    #[inline(always)]
    fn look<S: Simd>(&mut self, simd: S, block: &mut Block, start: usize) {
        let mut could = block.could(self.lens, self.screen.cut());
        could[self.slots.end - start..].fill(0);
        if let Some(only) = self.only {
            could
                .iter_mut()
                .zip(&only[start..self.slots.end])
                .for_each(|(could, only)| *could &= u8::from(*only));
        }
        let Block { worth: worths, rest: rests, near, .. } = block;
        let Near { places, likeness, worth, rest } = near;
        let count = places_of(&could, places);
        if count == 0 {
            return;
        }
        let dimensions = self.grimoire.dimensions();
        let embeddings = &self.grimoire.embeddings()[start * dimensions..];
        let inverse_lengths = &self.grimoire.outline().inverse_lengths()[start..];
        for (nth, &place) in places[..count].iter().enumerate() {
            let place = usize::from(place);
            let embedding = &embeddings[place * dimensions..(place + 1) * dimensions];
            likeness[nth] = dot(simd, self.lens.embedding, embedding) * inverse_lengths[place];
            (worth[nth], rest[nth]) = (worths[place], rests[place]);
        }
        for ((likeness, worth), rest) in likeness[..count].iter().zip(&mut *worth).zip(&*rest) {
            let likeness = unit(*likeness * self.lens.inverse_length);
            *worth *= unit(self.lens.similarity * likeness + *rest);
        }
        let slots = places[..count].iter().map(|place| (start + usize::from(*place)) as u32);
        self.screen.look(slots, &worth[..count]);
    }
}

/// A block of a column; where the column ends before, what there is, copied to `room`.
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

/// What a block's episodes are worth, likeness aside.
struct Block {
    /// Gain times spacing and boosts.
    worth: Column,
    /// Need without likeness.
    rest: Column,
    /// Where columns are copied to that end within the block.
    rooms: [Column; 5],
    room: [Marks; BLOCK],
    near: Near,
}

/// What belongs to those few of a block that could be good enough, side by side.
struct Near {
    places: [u16; BLOCK],
    likeness: Column,
    worth: Column,
    rest: Column,
}

impl Block {
    #[inline(always)]
    const fn new() -> Self {
        const NONE: Column = [0.0; BLOCK];
        let near = Near { places: [0; BLOCK], likeness: NONE, worth: NONE, rest: NONE };
        Self { worth: NONE, rest: NONE, rooms: [NONE; 5], room: [Marks(0); BLOCK], near }
    }

    /// Which could be good enough, were they wholly alike.
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

/// Gain with what replays leave of it, and the boosts that marks tell of.
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
        let replays = (marks >> Marks::REPLAYS) as i32 as f32;
        worths[place] = unit(gain) * inherited * high * exp2_neg(replays * lens.halvings_per_replay);
    }
}

/// Times what the last replay leaves.
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
