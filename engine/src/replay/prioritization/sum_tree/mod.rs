//! Draws by weight from many candidates, in a time that hardly grows with their number.
//!
//! A tree of sums, sixteen children to a node so that a node is one cache line. The leaves are the weights; every other number is
//! the sum of a node below. A binary tree, as in Schaul et al. (2016), appendix B.2.1, would have four times as many levels. Sums
//! are recomputed from the children: adding differences instead would let rounding errors pile up over many updates. Several
//! draws descend the levels in step, so that the waits for memory overlap.
//!
//! ```
//! use morta_base::{Purpose, WorldSeed};
//! use morta_engine::replay::prioritization::SumTree;
//!
//! let mut stream = WorldSeed(1).world(Purpose::Dream, 0, 0);
//! let mut tree = SumTree::new(&[1.0, 0.0, 3.0, 4.0]);
//! let batch = tree.sample(64, &mut stream);
//! assert!(!batch.contains(&1), "what weighs nothing is never drawn");
//! let corrections = tree.importance(&batch, 0.4);
//! tree.update(&batch, &vec![0.5; 64]);
//! assert_eq!(corrections.len(), 64);
//! ```
//!
//! Weights are non-negative numbers without unit; places are numbered from 0. Sampling and updates take O(log n); the structure is also
//! known as segment tree or Fenwick-like tree. Dreams only take out (`take`), from a tree made anew each time, when they draw few episodes
//! of many without replacement; single draws with replacement (`draw`) and new weights (`set`, by which `take` works too) serve
//! replications of papers, and batches (`sample`, `update`) with their importance weights serve benches. How a number finds its place is in
//! `descent`.

use super::power::power_of_normal;
use morta_base::Stream;

mod descent;

/// Children of a node.
const WIDTH: usize = 16;

/// Sixteen weights or sums side by side; a cache line (tree node of fan-out 16).
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
struct Node([f32; WIDTH]);

impl Node {
    const EMPTY: Self = Self([0.0; WIDTH]);

    /// The sum of all children, in a fixed order that vector code can follow.
    #[inline(always)]
    fn sum(&self) -> f32 {
        let [a, b, c, d] = [0, 1, 2, 3]
            .map(|lane| (self.0[lane] + self.0[lane + 4]) + (self.0[lane + 8] + self.0[lane + 12]));
        (a + c) + (b + d)
    }
}

/// Weights by place, and their sums: the sum tree (segment tree) of prioritised experience replay.
#[derive(Clone, Debug, PartialEq)]
pub struct SumTree {
    /// Number of places.
    len: usize,
    /// The leaves first, the one node at the top last; places beyond the last weigh nothing.
    levels: Vec<Vec<Node>>,
}

impl SumTree {
    /// The largest weight, so that no sum is infinite: 2³² of them add up to 4·10³⁷, and single precision ends at 3.4·10³⁸.
    pub const LARGEST_WEIGHT: f32 = 1e28;

    /// Builds the tree of these weights, bottom-up in O(n); one that isn't above 0 counts as 0.
    ///
    /// # Panics
    /// When there are more than 2³² − 1 of them, or one exceeds [`SumTree::LARGEST_WEIGHT`].
    pub fn new(weights: &[f32]) -> Self {
        assert!(u32::try_from(weights.len()).is_ok(), "places are numbered in 32 bits");
        let leaf = |chunk: &[f32]| {
            let mut node = Node::EMPTY;
            node.0.iter_mut().zip(chunk).for_each(|(child, &weight)| *child = counted(weight));
            node
        };
        let mut levels = vec![weights.chunks(WIDTH).map(leaf).collect::<Vec<Node>>()];
        if weights.is_empty() {
            levels[0].push(Node::EMPTY);
        }
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let above = |nodes: &[Node]| {
                let mut node = Node::EMPTY;
                node.0.iter_mut().zip(nodes).for_each(|(child, below)| *child = below.sum());
                node
            };
            let level = below.chunks(WIDTH).map(above).collect();
            levels.push(level);
        }
        Self { len: weights.len(), levels }
    }

    /// Number of places, with or without weight: the leaf count (capacity) of the sum tree.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the tree has no places; a tree whose weights are all 0 isn't empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The sum of all weights at the root (the normaliser), within a few roundings of single precision; above 0 exactly when some weight
    /// is.
    pub fn total(&self) -> f32 {
        self.levels.last().map_or(0.0, |top| top[0].sum())
    }

    /// Looks up the weight (priority) at a place, the value of a leaf.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn weight(&self, place: u32) -> f32 {
        let place = place as usize;
        assert!(place < self.len, "there are {} places", self.len);
        self.levels[0][place / WIDTH].0[place % WIDTH]
    }

    /// Gives places new weights, in the order given; one that isn't above 0 counts as 0. Each sum above is recomputed once (a batch update
    /// of priorities).
    ///
    /// # Panics
    /// When there aren't as many weights as places, there is no such place, or a weight exceeds [`SumTree::LARGEST_WEIGHT`].
    pub fn update(&mut self, places: &[u32], weights: &[f32]) {
        assert_eq!(places.len(), weights.len(), "every place gets a weight");
        let mut touched: Vec<u32> = Vec::with_capacity(places.len());
        for (&place, &weight) in places.iter().zip(weights) {
            assert!((place as usize) < self.len, "there are {} places", self.len);
            self.levels[0][place as usize / WIDTH].0[place as usize % WIDTH] = counted(weight);
            add_new(&mut touched, place / WIDTH as u32);
        }
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            let (below, above) = (&below[level - 1], &mut above[0]);
            let mut kept = 0;
            for at in 0..touched.len() {
                let node = touched[at] as usize;
                above[node / WIDTH].0[node % WIDTH] = below[node].sum();
                let parent = (node / WIDTH) as u32;
                if kept == 0 || touched[kept - 1] != parent {
                    touched[kept] = parent;
                    kept += 1;
                }
            }
            touched.truncate(kept);
        }
    }

    /// Gives one place a new weight; one that isn't above 0 counts as 0. It takes O(log n).
    ///
    /// # Panics
    /// When there is no such place, or the weight exceeds [`SumTree::LARGEST_WEIGHT`].
    pub fn set(&mut self, place: u32, weight: f32) {
        assert!((place as usize) < self.len, "there are {} places", self.len);
        let (mut at, mut value) = (place as usize, counted(weight));
        for level in &mut self.levels {
            let node = &mut level[at / WIDTH];
            node.0[at % WIDTH] = value;
            (at, value) = (at / WIDTH, node.sum());
        }
    }

    /// Computes the importance sampling weights w_i = (N·P(i))^−β of drawn places over their largest (Schaul et al. 2016); N and the sum of
    /// all weights cancel. Places that weigh nothing can't have been drawn; they get 1. β from 0 to 1. They belong to `sample`, which draws
    /// with replacement; dreams correct by inclusion probabilities instead (the module `prioritization::draw`), because they draw without.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn importance(&self, places: &[u32], exponent: f64) -> Vec<f32> {
        let mut weights: Vec<f32> = places.iter().map(|&place| self.weight(place)).collect();
        let least =
            weights.iter().fold(f32::INFINITY, |least, &w| if w > 0.0 && w < least { w } else { least });
        for weight in &mut weights {
            let relative = if *weight > 0.0 { f64::from(*weight) / f64::from(least) } else { 1.0 };
            *weight = power_of_normal(relative, -exponent) as f32;
        }
        weights
    }

    /// Draws with replacement, each in proportion to its weight, stratified: the whole range is cut into as many equal parts as there are
    /// draws, and each part gets one (Schaul et al. 2016, appendix B.2.1), in the order of places. Stratified draws vary less than
    /// independent ones, and rise, so that one walk serves all. It takes one number from the stream for each draw; none, and no draws, when
    /// no weight is above 0.
    pub fn sample(&self, count: usize, stream: &mut Stream) -> Vec<u32> {
        if self.total() <= 0.0 {
            return Vec::new();
        }
        let part = 1.0 / count as f64;
        let shares = (0..count).map(|n| (n as f64 + stream.uniform()) * part).collect();
        self.find_rising(shares)
    }

    /// Draws one place in proportion to its weight and takes it out: it weighs nothing afterwards. This is weighted sampling without
    /// replacement. It takes one number from the stream; none, and nothing is drawn, when no weight is above 0.
    pub fn take(&mut self, stream: &mut Stream) -> Option<u32> {
        if self.total() <= 0.0 {
            return None;
        }
        let place = self.find(stream.uniform());
        self.set(place, 0.0);
        Some(place)
    }

    /// Draws one place in proportion to its weight and leaves it where it is. It takes one number from the stream (roulette wheel
    /// selection); none, and nothing is drawn, when no weight is above 0.
    pub fn draw(&self, stream: &mut Stream) -> Option<u32> {
        (self.total() > 0.0).then(|| self.find(stream.uniform()))
    }
}

/// The weight as the tree counts it: 0 for a negative number or NaN.
fn counted(weight: f32) -> f32 {
    let counted = if weight > 0.0 { weight } else { 0.0 };
    assert!(counted <= SumTree::LARGEST_WEIGHT, "weights are at most {}", SumTree::LARGEST_WEIGHT);
    counted
}

fn add_new(places: &mut Vec<u32>, place: u32) {
    if places.last() != Some(&place) {
        places.push(place);
    }
}

#[cfg(test)]
mod tests;
