//! Prioritized sweeping (Moore & Atkeson 1993; Sutton & Barto 2018, section 8.4): a priority queue of state-action pairs by |TD|, in the
//! unit of reward. Only a |TD| above `threshold` (1e-4 by default) is queued, and a session ends when the queue is empty. A backup queues
//! the predecessors of its state, so that change propagates backwards.

use super::{Backup, Made, MaxTree, Order};
use crate::memory::Memory;
use crate::mind::Mind;
use morta_base::Stream;

/// Prioritized sweeping by a priority queue of state-action pairs.
#[derive(Clone, Debug)]
pub struct Sweeping {
    /// |TD| by item; absent items aren't queued.
    queue: MaxTree,
    threshold: f64,
}

impl Sweeping {
    /// Makes an empty queue over a memory; a pair enters it when |TD| exceeds the threshold.
    pub fn new(memory: &Memory, threshold: f64) -> Self {
        Self { queue: MaxTree::new(memory.len()), threshold }
    }

    /// Queues the pair of an item. Transitions of one pair are one entry of the model, so that one of them stands for all.
    fn enter(&mut self, mind: &Mind, item: u32) {
        let size = mind.error(item).abs();
        let stands = mind.memory.of_entry(mind.memory.item(item).entry) == Some(item);
        if stands && mind.memory.is_candidate(item) && size > self.threshold && size > self.queue.value(item)
        {
            self.queue.set(item, size);
        }
    }

    fn enter_arriving(&mut self, mind: &Mind, state: u32) {
        mind.memory.arriving(state).iter().for_each(|item| self.enter(mind, *item));
    }
}

impl Order for Sweeping {
    fn lived(&mut self, mind: &Mind, item: u32, _: f64) {
        self.queue.set(item, MaxTree::ABSENT);
        self.enter_arriving(mind, mind.memory.item(item).state);
    }

    /// All items are queued at a session without a lap (a cliff, an heir at its birth), because there were no visits to queue them.
    fn begin(&mut self, mind: &Mind, _: usize) {
        if mind.lap.is_empty() {
            mind.memory.candidates().iter().for_each(|item| self.enter(mind, *item));
        }
    }

    fn choose(&mut self, _: &Mind, _: &[Made], _: &mut Stream) -> Option<Backup> {
        let (item, error) = self.queue.top();
        (error > MaxTree::ABSENT).then_some(Backup { item, steps: 1 })
    }

    fn made(&mut self, mind: &Mind, made: &[Made]) {
        let last = made[made.len() - 1];
        self.queue.set(last.backup.item, MaxTree::ABSENT);
        // A backup with a rate below 1 leaves an error, so the pair is queued again.
        self.enter(mind, last.backup.item);
        self.enter_arriving(mind, last.step.state);
    }
}
