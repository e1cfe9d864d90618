//! The best of many episodes without working out all: a pass in single precision leaves out episodes that can't be among them, and the
//! exact utility decides about the rest. The answer is, to the last bit, that of working out all, because the pass knows how far it may be
//! off ([`Lens`]) and keeps every candidate within that bound; where single precision can't be trusted, all are worked out. It is an exact
//! top-k search with pruning (filter and refine, branch and bound). Utilities have no unit. The default order of replay and the diversity
//! pass (but for strong feelings) choose by it, and `morta loadtest` times it, which answers each request by `Scorer::best`.

use super::Scorer;
use super::lens::Lens;
use super::pass::Search;
use morta_base::screen::Screen;
use morta_base::wide::Width;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::ops::Range;

/// An episode and its utility, an item of the top k: the score by which the ranking goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// Its slot in the Grimoire, valid as long as the scorer borrows that.
    pub slot: u32,
    /// Its utility.
    pub utility: f64,
}

impl Scorer<'_> {
    /// Finds the `count` episodes (exact top-k) of the highest utility above `min_utility`, highest first; ties go to the later episode,
    /// then to the smaller identity. It is an argmax for `count` items.
    pub fn best(&self, count: usize) -> Vec<Ranked> {
        self.best_within(0..self.grimoire.len(), count)
    }

    /// Finds the top k of a range of slots (a shard), for callers that divide the work among threads (a bench alone; dreams ask for all).
    ///
    /// # Panics
    /// When the range goes beyond the last slot.
    pub fn best_within(&self, slots: Range<usize>, count: usize) -> Vec<Ranked> {
        self.best_at(Width::Widest, slots, count)
    }

    /// Merges shards: the `count` best of the results for parts of the slots: the same, however the slots were divided.
    pub fn merge(&self, parts: impl IntoIterator<Item = Vec<Ranked>>, count: usize) -> Vec<Ranked> {
        self.first(parts.into_iter().flatten().collect(), count)
    }

    /// The best of some slots, whether or not its utility is above `min_utility`: diversity takes an episode that utility alone
    /// wouldn't.
    pub(crate) fn best_among(&self, slots: &[u32]) -> Option<Ranked> {
        let mut only = vec![false; self.grimoire.len()];
        slots.iter().for_each(|slot| only[*slot as usize] = true);
        let search = Sought { slots: 0..only.len(), count: 1, least: None, only: Some(&only) };
        let contenders = self.contenders(Width::Widest, search);
        self.first(self.worked_out(Width::Widest, &contenders), 1).pop()
    }

    fn best_at(&self, width: Width, slots: Range<usize>, count: usize) -> Vec<Ranked> {
        assert!(slots.end <= self.grimoire.len(), "slots are those of the Grimoire");
        let least = self.config.min_utility;
        let search = Sought { slots, count, least: Some(least), only: None };
        let mut ranked = self.worked_out(width, &self.contenders(width, search));
        ranked.retain(|ranked| ranked.utility > least);
        self.first(ranked, count)
    }

    /// Exact utilities, to the last bit, at any width of vectors.
    fn worked_out(&self, width: Width, slots: &[u32]) -> Vec<Ranked> {
        let ranked = |(&slot, utility)| Ranked { slot, utility };
        slots.iter().zip(self.utilities_of(width, slots)).map(ranked).collect()
    }

    fn first(&self, mut ranked: Vec<Ranked>, count: usize) -> Vec<Ranked> {
        ranked.sort_unstable_by(|a, b| self.order(*a, *b));
        ranked.truncate(count);
        ranked
    }

    /// Highest utility first; ties go to the later episode, then to the smaller identity.
    #[inline(always)]
    fn order(&self, a: Ranked, b: Ranked) -> Ordering {
        let closed = |ranked: Ranked| self.grimoire.closed()[ranked.slot as usize];
        let id = |ranked: Ranked| self.grimoire.record(ranked.slot as usize).id;
        b.utility
            .total_cmp(&a.utility)
            .then_with(|| closed(b).cmp(&closed(a)))
            .then_with(|| id(a).cmp(&id(b)))
    }

    /// A superset, in any order, of the slots that are sought, and few others; all slots if single precision can't be trusted.
    fn contenders(&self, width: Width, sought: Sought<'_>) -> Vec<u32> {
        let lens = (sought.slots.len() > sought.count).then(|| Lens::for_scorer(self)).flatten();
        let Some(lens) = lens else {
            let counts = |slot: &u32| sought.only.is_none_or(|only| only[*slot as usize]);
            return (sought.slots.start as u32..sought.slots.end as u32).filter(counts).collect();
        };
        let screen = Screen::new(sought.count, lens.error);
        let screen = match sought.least {
            Some(least) => screen.above(least),
            None => screen,
        };
        let search =
            Search { grimoire: self.grimoire, lens: &lens, slots: sought.slots, only: sought.only, screen };
        width.run(search).into_places()
    }
}

/// A top-k query.
struct Sought<'a> {
    /// Slots to search.
    slots: Range<usize>,
    /// How many of the best are wanted.
    count: usize,
    /// Utility that they must exceed; `None` for no threshold.
    least: Option<f64>,
    /// By slot, whether it counts; `None` when all do.
    only: Option<&'a [bool]>,
}

#[cfg(test)]
mod tests;
