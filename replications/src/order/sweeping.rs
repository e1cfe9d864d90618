//! Prioritised sweeping (Moore & Atkeson 1993; Sutton & Barto 2018, section 8.4): a queue of pairs by |TD|. A backup that changes a value puts
//! the pairs that lead to it into the queue, so change runs backwards from where it begins.

use super::{Backup, Made, MaxTree, Order};
use crate::memory::Memory;
use crate::mind::Mind;
use morta_base::Stream;

/// The queue.
#[derive(Clone, Debug)]
pub struct Sweeping {
    queue: MaxTree,
    threshold: f64,
}

impl Sweeping {
    /// Over a memory, none of it queued; pairs are when |TD| exceeds the threshold.
    pub fn new(memory: &Memory, threshold: f64) -> Self {
        Self { queue: MaxTree::new(memory.len()), threshold }
    }

    /// Queues the pair of an item. Transitions of one pair are one entry of a model, so one of them stands for all.
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

    /// What was there before anything was lived has to be looked at once: in a memory that is fixed that is all there is.
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
        // Where a backup goes only part of the way, the rest is queued again.
        self.enter(mind, last.backup.item);
        self.enter_arriving(mind, last.step.state);
    }
}
