//! A learner by temporal differences (Watkins 1989): its Q-values, its memory and its transition probabilities. It is a tabular Q-learning
//! agent (TD error, bootstrapped target, learning rate). Steps and backups use one learning rate; values are in the unit of reward. `life`
//! and `cliffwalk` own it, `order::back_up_next` makes the backups, and `lineage` puts in what an heir is handed; orders of replay only
//! read it. It is tabular, because the published results are.

use crate::memory::Memory;
use crate::policy::{Policy, largest};
use crate::successor::Succession;
use morta_base::{Stream, Tick};

/// The state of a learner (Q-learning agent): its Q-table, memory and transition probabilities. Orders of replay read it and change
/// nothing.
#[derive(Clone, Debug)]
pub struct Mind {
    /// Actions in each state.
    pub actions: usize,
    /// Q by entry, state · actions + action, in the unit of reward.
    pub values: Vec<f64>,
    /// The stored transitions.
    pub memory: Memory,
    /// The transition probabilities.
    pub succession: Succession,
    /// The policy.
    pub policy: Policy,
    /// Learning rate of a backup, 0 to 1.
    pub rate: f64,
    /// Discount γ, 0 to below 1.
    pub discount: f64,
    /// The state in which the last action was taken.
    pub at: u32,
    /// Number of steps so far.
    pub tick: Tick,
    /// Items of the present lap, or of the lap that just ended, in order.
    pub lap: Vec<u32>,
    /// The room of each state.
    pub rooms: Vec<u8>,
}

impl Mind {
    /// The Q-values of a state, one for each action.
    #[inline(always)]
    pub fn row(&self, state: u32) -> &[f64] {
        let start = state as usize * self.actions;
        &self.values[start..start + self.actions]
    }

    /// The target of an item: r + γ·max Q(s', ·) (TD target). A state without values counts as 0, because no backup ever changes it.
    #[inline(always)]
    pub fn target(&self, item: u32) -> f64 {
        let step = self.memory.item(item);
        step.reward + self.discount * largest(self.row(step.next))
    }

    /// Computes the temporal-difference error (TD error) of an item: target less value.
    #[inline(always)]
    pub fn error(&self, item: u32) -> f64 {
        self.target(item) - self.values[self.memory.item(item).entry as usize]
    }

    /// Makes `count` backups of random candidates, with the random numbers of [`Uniform`](crate::order::Uniform), so that both give the
    /// same values (uniform replay). Returns the number made, 0 without a candidate.
    pub fn back_up_at_random(&mut self, count: usize, stream: &mut Stream) -> usize {
        let candidates = self.memory.candidates();
        let count = if candidates.is_empty() { 0 } else { count };
        for _ in 0..count {
            let step = self.memory.item(candidates[stream.below(candidates.len())]);
            let start = step.next as usize * self.actions;
            let best = match self.actions {
                // Rows of a known length, so that the maximum compiles to three comparisons.
                4 => largest(&self.values[start..start + 4]),
                actions => largest(&self.values[start..start + actions]),
            };
            let target = step.reward + self.discount * best;
            let value = &mut self.values[step.entry as usize];
            *value += self.rate * (target - *value);
        }
        count
    }

    /// Moves a value towards a target, and returns how far off it was (Q-learning update). No item is stored by it: what was lived is put
    /// into the memory by the caller.
    #[inline(always)]
    pub fn back_up(&mut self, entry: u32, target: f64) -> f64 {
        let value = &mut self.values[entry as usize];
        let error = target - *value;
        *value += self.rate * error;
        error
    }
}
