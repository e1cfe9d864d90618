//! All utilities in one pass over the columns, in blocks small enough to stay in the first-level cache. Each loop
//! does one thing to a block, so that compilers can turn it into vector code; every operation is the one that
//! [`Scorer::terms`] does, in the same order, so the bits are the same.

use super::Scorer;
use crate::base::wide::{Pass, Simd, Width};
use crate::episode::DreamPriority;
use crate::episode::grimoire::Marks;
use crate::replay::decay;
use crate::replay::exp2::exp2_neg;
use crate::replay::scale::{normalize, unit};
use std::ops::Range;

/// Episodes in a block.
const BLOCK: usize = 64;

type Column = [f64; BLOCK];

struct All<'a>(&'a Scorer<'a>);

impl Pass for All<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Vec<f64> {
        self.0.all_utilities()
    }
}

impl Scorer<'_> {
    /// The utility of every episode, by slot.
    pub fn utilities(&self) -> Vec<f64> {
        Width::Widest.run(All(self))
    }

    #[inline(always)]
    fn all_utilities(&self) -> Vec<f64> {
        let mut utilities = Vec::with_capacity(self.grimoire.len());
        let (mut gain, mut need, mut rested) = ([0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK]);
        for start in (0..self.grimoire.len()).step_by(BLOCK) {
            let block = start..self.grimoire.len().min(start + BLOCK);
            self.gains(block.clone(), &mut gain);
            self.needs(block.clone(), &mut need);
            self.rests(block.clone(), &mut rested);
            let worth =
                gain.iter().zip(&need).zip(&rested).map(|((gain, need), rested)| gain * need * rested);
            let boosted = |(slot, worth): (usize, f64)| {
                let [curator, mood, legacy] = self.boosts(slot);
                worth * curator * mood * legacy
            };
            utilities.extend(block.zip(worth).map(boosted));
        }
        utilities
    }

    #[inline(always)]
    fn gains(&self, block: Range<usize>, gain: &mut Column) {
        let weights = &self.config.gain_weights;
        let surprise = &self.grimoire.surprise()[block.clone()];
        let significance = &self.grimoire.significance()[block.clone()];
        let regret = &self.grimoire.regret()[block.clone()];
        for (((gain, &s), &o), &r) in gain.iter_mut().zip(surprise).zip(significance).zip(regret) {
            let surprise = normalize(f64::from(s), self.per_surprise);
            let significance = normalize(f64::from(o), self.per_significance);
            let regret = normalize(f64::from(r), self.per_regret);
            *gain = unit(
                weights.surprise * surprise + weights.significance * significance + weights.regret * regret,
            );
        }
        let replays = &self.grimoire.replay_count()[block.clone()];
        let inherited = &self.grimoire.bloodstain()[block];
        for ((gain, &replays), &inherited) in gain.iter_mut().zip(replays).zip(inherited) {
            let bloodstain = if inherited { self.config.bloodstain_boost } else { 1.0 };
            *gain = *gain * self.decays.after(replays) * bloodstain;
        }
    }

    #[inline(always)]
    fn needs(&self, block: Range<usize>, need: &mut Column) {
        let weights = &self.config.need_weights;
        let dimensions = self.grimoire.dimensions();
        let embeddings = &self.grimoire.embeddings()[block.start * dimensions..block.end * dimensions];
        let mut likeness = [0.0; BLOCK];
        for (likeness, embedding) in likeness.iter_mut().zip(embeddings.chunks_exact(dimensions.max(1))) {
            *likeness = self.probe.likeness(embedding);
        }
        let mut regime = [0.0; BLOCK];
        for (regime, &lived) in regime.iter_mut().zip(&self.grimoire.regimes()[block.clone()]) {
            *regime = if lived == self.context.regime { 1.0 } else { self.config.regime_mismatch };
        }
        let mut recency = [0.0; BLOCK];
        for (halvings, &closed) in recency.iter_mut().zip(&self.grimoire.closed()[block]) {
            *halvings = self.recency.halvings(decay::elapsed(self.context.tick, closed));
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
    fn rests(&self, block: Range<usize>, rested: &mut Column) {
        let mut halvings = [0.0; BLOCK];
        let mut replayed = [0.0; BLOCK];
        let last_replayed = &self.grimoire.last_replayed()[block];
        for ((halvings, replayed), last) in halvings.iter_mut().zip(&mut replayed).zip(last_replayed) {
            *halvings = self.spacing.halvings(decay::elapsed(self.context.tick, last.unwrap_or(0)));
            *replayed = if last.is_some() { 1.0 } else { 0.0 };
        }
        for place in 0..BLOCK {
            rested[place] = 1.0 - self.config.spacing_weight * (exp2_neg(halvings[place]) * replayed[place]);
        }
    }

    /// Factors of the Curator's tag, the mood and the turn to legacy.
    #[inline(always)]
    pub(super) fn boosts(&self, slot: usize) -> [f64; 3] {
        let tagged = self.grimoire.priority()[slot] == DreamPriority::High;
        let curator = if tagged { self.config.curator_boost } else { 1.0 };
        let is_drawn = self.drawn.as_ref().is_some_and(|drawn| drawn.is_to(slot));
        let mood = if is_drawn { self.config.bias_weight } else { 1.0 };
        [curator, mood, self.legacy_factor(self.grimoire.outline().marks()[slot].kind())]
    }

    /// Factor of the turn to legacy for a kind of episodes.
    #[inline(always)]
    pub(super) fn legacy_factor(&self, kind: usize) -> f64 {
        match self.transfer.as_ref().zip(Marks::of_kind(kind)) {
            Some((transfer, (strategy, regime, gained))) => {
                let share = transfer.of_kind(strategy, regime, gained);
                1.0 + self.context.legacy * (self.config.legacy.boost - 1.0) * share
            }
            None => 1.0,
        }
    }
}
