//! Prioritized experience replay (PER; Schaul et al. 2016): the orders `greedy`, `proportional` and `rank`. Priority is |TD| at the last
//! replay, in the unit of reward. A transition without replay has the highest priority (in `proportional` a weight of 1), so that new
//! ones are replayed soon. A new visit resets it to that, except under `greedy`, which then takes the |TD| of the visit. |TD| is not
//! worked out anew when other values change.

use super::{Backup, Made, MaxTree, Order};
use crate::memory::Memory;
use crate::mind::Mind;
use morta_base::Stream;
use morta_engine::replay::prioritization::{SumTree, proportional_weights, rank_weights};

/// A priority above any |TD|.
const TOP: f64 = 1_000.0;

fn single(item: u32) -> Backup {
    Backup { item, steps: 1 }
}

/// Chooses the largest priority first (greedy prioritization); of equal ones the lower number.
#[derive(Clone, Debug)]
pub struct Greedy {
    priorities: MaxTree,
}

impl Greedy {
    /// Makes the order over a memory, all of whose candidates stand at the top.
    pub fn new(memory: &Memory) -> Self {
        let mut priorities = MaxTree::new(memory.len());
        memory.candidates().iter().for_each(|item| priorities.set(*item, TOP));
        Self { priorities }
    }
}

impl Order for Greedy {
    fn lived(&mut self, mind: &Mind, item: u32, error: f64) {
        let is_candidate = mind.memory.is_candidate(item);
        self.priorities.set(item, if is_candidate { error.abs() } else { MaxTree::ABSENT });
    }

    fn choose(&mut self, _: &Mind, _: &[Made], _: &mut Stream) -> Option<Backup> {
        let (item, priority) = self.priorities.top();
        (priority > MaxTree::ABSENT).then_some(single(item))
    }

    fn made(&mut self, _: &Mind, made: &[Made]) {
        let last = made[made.len() - 1];
        self.priorities.set(last.backup.item, last.error.abs());
    }
}

/// Proportional prioritization: draws at random in proportion to (|TD| + floor)^α, by the engine's tree of sums.
#[derive(Clone, Debug)]
pub struct Proportional {
    tree: SumTree,
    exponent: f64,
    floor: f64,
}

impl Proportional {
    /// Makes the order over a memory, all of whose candidates weigh 1.
    pub fn new(memory: &Memory, exponent: f64, floor: f64) -> Self {
        let mut tree = SumTree::new(&vec![0.0; memory.len()]);
        memory.candidates().iter().for_each(|item| tree.set(*item, 1.0));
        Self { tree, exponent, floor }
    }

    fn weigh(&mut self, item: u32, error: f64) {
        let weight = proportional_weights(vec![error.abs()], self.floor, self.exponent)[0];
        self.tree.set(item, weight as f32);
    }
}

impl Order for Proportional {
    /// A visit resets the priority to that of a transition without replay.
    fn lived(&mut self, mind: &Mind, item: u32, _: f64) {
        self.tree.set(item, f32::from(u8::from(mind.memory.is_candidate(item))));
    }

    fn choose(&mut self, _: &Mind, _: &[Made], stream: &mut Stream) -> Option<Backup> {
        self.tree.draw(stream).map(single)
    }

    fn made(&mut self, _: &Mind, made: &[Made]) {
        let last = made[made.len() - 1];
        self.weigh(last.backup.item, last.error);
    }
}

/// Rank-based prioritization: draws at random in proportion to (1/rank)^α, with the engine's weights and tree. Items are sorted at the
/// beginning of a session and not after each backup, because sorting is the expensive part; how often it is done changes the result.
#[derive(Clone, Debug)]
pub struct Rank {
    /// Priority by item: |TD| at the last replay, or the top.
    priorities: Vec<f64>,
    exponent: f64,
    /// Candidates by rank, and the weights of the ranks.
    sorted: Vec<u32>,
    /// Weights of the ranks, for draws.
    ranks: SumTree,
}

impl Rank {
    /// Makes the order over a memory.
    pub fn new(memory: &Memory, exponent: f64) -> Self {
        Self { priorities: vec![TOP; memory.len()], exponent, sorted: Vec::new(), ranks: SumTree::new(&[]) }
    }
}

impl Order for Rank {
    fn lived(&mut self, _: &Mind, item: u32, _: f64) {
        self.priorities[item as usize] = TOP;
    }

    fn begin(&mut self, mind: &Mind, _: usize) {
        let candidates = mind.memory.candidates();
        if candidates.len() != self.ranks.len() {
            let weights = rank_weights(candidates.len(), self.exponent);
            self.ranks = SumTree::new(&weights.into_iter().map(|weight| weight as f32).collect::<Vec<f32>>());
        }
        let is_gone = |item: &u32| !mind.memory.is_candidate(*item);
        if candidates.len() != self.sorted.len() || self.sorted.iter().any(is_gone) {
            self.sorted = candidates.to_vec();
        }
        // An unstable sort would deal out equal priorities anew in each session, and ranks, so draws, with them.
        let priorities = &self.priorities;
        self.sorted.sort_by(|a, b| priorities[*b as usize].total_cmp(&priorities[*a as usize]));
    }

    fn choose(&mut self, _: &Mind, _: &[Made], stream: &mut Stream) -> Option<Backup> {
        self.ranks.draw(stream).map(|rank| single(self.sorted[rank as usize]))
    }

    fn made(&mut self, _: &Mind, made: &[Made]) {
        let last = made[made.len() - 1];
        self.priorities[last.backup.item as usize] = last.error.abs();
    }
}
