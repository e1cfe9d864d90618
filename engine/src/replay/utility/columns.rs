//! Exact utilities of all or some episodes, in one pass over the columns, in blocks small enough for the first-level cache. Each
//! loop does one thing to a block, so that compilers can turn it into vector code; every operation is the one of
//! [`Scorer::terms`], in the same order, so the bits are the same. (One loop that does all to one episode is the rejected
//! alternative: powers and embeddings in it keep compilers from vectorising.) It is a vectorised (SIMD) column scan. Utilities have no
//! unit; columns have the units of the store.

use super::Scorer;
use crate::episode::grimoire::Marks;
use crate::episode::{DreamPriority, Grimoire};
use crate::market::Regime;
use crate::replay::exp2::exp2_neg;
use crate::replay::scale::{normalize, unit};
use crate::replay::{decay, legacy};
use morta_base::Tick;
use morta_base::wide::{Pass, Simd, Width};
use std::ops::Range;

/// Episodes in a block: four columns of doubles take 2 KB, a sixteenth of a first-level cache.
const BLOCK: usize = 64;

type Column = [f64; BLOCK];

/// All slots of the Grimoire, in their order (full scan).
struct All<'a>(&'a Scorer<'a>);

impl Pass for All<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Vec<f64> {
        let grimoire = self.0.grimoire;
        let mut utilities = Vec::with_capacity(grimoire.len());
        let mut block = Block::NEW;
        for start in (0..grimoire.len()).step_by(BLOCK) {
            let slots = start..grimoire.len().min(start + BLOCK);
            self.0.work_out(&mut block, &Part::from_slots(grimoire, slots.clone()), slots, &mut utilities);
        }
        utilities
    }
}

/// Given slots, in any order (gather).
struct Chosen<'a>(&'a Scorer<'a>, &'a [u32]);

impl Pass for Chosen<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Vec<f64> {
        let mut utilities = Vec::with_capacity(self.1.len());
        let (mut block, mut gathered) = (Block::NEW, Gathered::NEW);
        for slots in self.1.chunks(BLOCK) {
            let slots = slots.iter().map(|slot| *slot as usize);
            gathered.gather(self.0.grimoire, slots.clone());
            self.0.work_out(&mut block, &gathered.part(slots.len()), slots, &mut utilities);
        }
        utilities
    }
}

/// The inputs of utility, of the episodes of a block side by side (struct of arrays, column slices).
struct Part<'a> {
    /// In R.
    surprise: &'a [f32],
    /// As a share of the stake.
    significance: &'a [f32],
    /// In R.
    regret: &'a [f32],
    /// Replays so far.
    replays: &'a [u32],
    /// Whether it came from another golem.
    inherited: &'a [bool],
    /// The regime it was lived in.
    regimes: &'a [Regime],
    /// Tick at which it closed.
    closed: &'a [Tick],
    /// Tick of its last replay, if any.
    last_replayed: &'a [Option<Tick>],
}

impl<'a> Part<'a> {
    #[inline(always)]
    fn from_slots(grimoire: &'a Grimoire, slots: Range<usize>) -> Self {
        Self {
            surprise: &grimoire.surprise()[slots.clone()],
            significance: &grimoire.significance()[slots.clone()],
            regret: &grimoire.regret()[slots.clone()],
            replays: &grimoire.replay_count()[slots.clone()],
            inherited: &grimoire.inherited()[slots.clone()],
            regimes: &grimoire.regimes()[slots.clone()],
            closed: &grimoire.closed()[slots.clone()],
            last_replayed: &grimoire.last_replayed()[slots],
        }
    }
}

/// A part gathered from scattered slots.
struct Gathered {
    surprise: [f32; BLOCK],
    significance: [f32; BLOCK],
    regret: [f32; BLOCK],
    replays: [u32; BLOCK],
    inherited: [bool; BLOCK],
    regimes: [Regime; BLOCK],
    closed: [Tick; BLOCK],
    last_replayed: [Option<Tick>; BLOCK],
}

impl Gathered {
    const NEW: Self = Self {
        surprise: [0.0; BLOCK],
        significance: [0.0; BLOCK],
        regret: [0.0; BLOCK],
        replays: [0; BLOCK],
        inherited: [false; BLOCK],
        regimes: [Regime::ALL[0]; BLOCK],
        closed: [0; BLOCK],
        last_replayed: [None; BLOCK],
    };

    #[inline(always)]
    fn gather(&mut self, grimoire: &Grimoire, slots: impl Iterator<Item = usize>) {
        for (place, slot) in (0..BLOCK).zip(slots) {
            self.surprise[place] = grimoire.surprise()[slot];
            self.significance[place] = grimoire.significance()[slot];
            self.regret[place] = grimoire.regret()[slot];
            self.replays[place] = grimoire.replay_count()[slot];
            self.inherited[place] = grimoire.inherited()[slot];
            self.regimes[place] = grimoire.regimes()[slot];
            self.closed[place] = grimoire.closed()[slot];
            self.last_replayed[place] = grimoire.last_replayed()[slot];
        }
    }

    #[inline(always)]
    fn part(&self, count: usize) -> Part<'_> {
        Part {
            surprise: &self.surprise[..count],
            significance: &self.significance[..count],
            regret: &self.regret[..count],
            replays: &self.replays[..count],
            inherited: &self.inherited[..count],
            regimes: &self.regimes[..count],
            closed: &self.closed[..count],
            last_replayed: &self.last_replayed[..count],
        }
    }
}

/// The factors of a block's utilities.
struct Block {
    /// Likeness of the market then and now, 0 to 1.
    likeness: Column,
    /// Gain, with replay decay and the boost of inherited episodes.
    gain: Column,
    /// Need, 0 to 1.
    need: Column,
    /// 1 − w_p·spacing.
    rested: Column,
}

impl Block {
    const NEW: Self =
        Self { likeness: [0.0; BLOCK], gain: [0.0; BLOCK], need: [0.0; BLOCK], rested: [0.0; BLOCK] };
}

impl Scorer<'_> {
    /// Scores every episode by its utility, by slot, in a scan of all columns. The orders that draw by utility need all of them; the order
    /// of highest utility doesn't, and takes `best`.
    pub fn utilities(&self) -> Vec<f64> {
        Width::Widest.run(All(self))
    }

    /// The utilities of these slots.
    pub(super) fn utilities_of(&self, width: Width, slots: &[u32]) -> Vec<f64> {
        width.run(Chosen(self, slots))
    }

    /// Adds the utilities of a block.
    #[inline(always)]
    fn work_out(
        &self,
        block: &mut Block,
        part: &Part<'_>,
        slots: impl Iterator<Item = usize> + Clone,
        utilities: &mut Vec<f64>,
    ) {
        let Block { likeness, gain, need, rested } = block;
        for (likeness, slot) in likeness.iter_mut().zip(slots.clone()) {
            *likeness = self.probe.likeness(self.grimoire.embedding(slot));
        }
        self.gains(part, gain);
        self.needs(part, likeness, need);
        self.rests(part, rested);
        let worth = gain.iter().zip(&*need).zip(&*rested).map(|((gain, need), rested)| gain * need * rested);
        let boosted = |(slot, worth): (usize, f64)| {
            let [curator, mood, legacy] = self.boosts(slot);
            worth * curator * mood * legacy
        };
        utilities.extend(slots.zip(worth).map(boosted));
    }

    #[inline(always)]
    fn gains(&self, part: &Part<'_>, gain: &mut Column) {
        let weights = &self.config.gain_weights;
        for (((gain, &s), &o), &r) in
            gain.iter_mut().zip(part.surprise).zip(part.significance).zip(part.regret)
        {
            let surprise = normalize(f64::from(s), self.formula.per_surprise);
            let significance = normalize(f64::from(o), self.formula.per_significance);
            let regret = normalize(f64::from(r), self.formula.per_regret);
            *gain = unit(
                weights.surprise * surprise + weights.significance * significance + weights.regret * regret,
            );
        }
        for ((gain, &replays), &inherited) in gain.iter_mut().zip(part.replays).zip(part.inherited) {
            let bloodstain = if inherited { self.config.bloodstain_boost } else { 1.0 };
            *gain = *gain * self.formula.decays.after(replays) * bloodstain;
        }
    }

    #[inline(always)]
    fn needs(&self, part: &Part<'_>, likeness: &Column, need: &mut Column) {
        let weights = &self.config.need_weights;
        let mut regime = [0.0; BLOCK];
        for (regime, &lived) in regime.iter_mut().zip(part.regimes) {
            *regime = if lived == self.context.regime { 1.0 } else { self.config.regime_mismatch };
        }
        let mut recency = [0.0; BLOCK];
        for (halvings, &closed) in recency.iter_mut().zip(part.closed) {
            *halvings = self.formula.recency.halvings(decay::elapsed(self.context.tick, closed));
        }
        for place in 0..BLOCK {
            need[place] = unit(
                weights.similarity * likeness[place]
                    + weights.regime * regime[place]
                    + weights.recency * exp2_neg(recency[place]),
            );
        }
    }

    #[inline(always)]
    fn rests(&self, part: &Part<'_>, rested: &mut Column) {
        let mut halvings = [0.0; BLOCK];
        let mut replayed = [0.0; BLOCK];
        for ((halvings, replayed), last) in halvings.iter_mut().zip(&mut replayed).zip(part.last_replayed) {
            *halvings = self.formula.spacing.halvings(decay::elapsed(self.context.tick, last.unwrap_or(0)));
            *replayed = if last.is_some() { 1.0 } else { 0.0 };
        }
        for place in 0..BLOCK {
            rested[place] = 1.0 - self.config.spacing_weight * (exp2_neg(halvings[place]) * replayed[place]);
        }
    }

    /// Factors of the Curator's tag, the mood and the turn to legacy.
    #[inline(always)]
    pub(super) fn boosts(&self, slot: usize) -> [f64; 3] {
        let curator = match self.grimoire.priority()[slot] {
            DreamPriority::Normal => 1.0,
            DreamPriority::Medium => self.config.curator_boost_medium,
            DreamPriority::High => self.config.curator_boost,
        };
        let is_drawn = self.drawn.as_ref().is_some_and(|drawn| drawn.is_to(slot));
        let mood = if is_drawn { self.config.bias_weight } else { 1.0 };
        [curator, mood, self.legacy_factor(self.grimoire.outline().marks()[slot].kind())]
    }

    /// Factor of the turn to legacy for a kind of episodes.
    #[inline(always)]
    pub(super) fn legacy_factor(&self, kind: usize) -> f64 {
        match self.transfer.as_ref().zip(Marks::split_kind(kind)) {
            Some((transfer, (strategy, regime, gained))) => {
                let share = transfer.of_kind(strategy, regime, gained);
                1.0 + self.context.legacy * (legacy::BOOST - 1.0) * share
            }
            None => 1.0,
        }
    }
}
