//! The largest of many numbers that change one at a time: a tournament tree (segment tree for the maximum). The orders `greedy` and
//! `sweeping` use it, which take the best of thousands after each change, because a search of all would be most of the time.

/// A binary tree over the places (tournament tree), whose nodes hold the larger of their two children. A change costs log₂ n comparisons,
/// where a search of all would cost n.
#[derive(Clone, Debug)]
pub(crate) struct MaxTree {
    leaves: usize,
    nodes: Vec<f64>,
}

impl MaxTree {
    /// The value of a place that has none.
    pub(crate) const ABSENT: f64 = f64::NEG_INFINITY;

    /// Makes a tree with so many places, none with a value.
    pub(crate) fn new(places: usize) -> Self {
        let leaves = places.next_power_of_two();
        Self { leaves, nodes: vec![Self::ABSENT; 2 * leaves] }
    }

    /// The value at a place (leaf lookup).
    pub(crate) fn value(&self, place: u32) -> f64 {
        self.nodes[self.leaves + place as usize]
    }

    /// Gives a place a new value (point update).
    pub(crate) fn set(&mut self, place: u32, value: f64) {
        let mut node = self.leaves + place as usize;
        self.nodes[node] = value;
        while node > 1 {
            node /= 2;
            let larger = self.nodes[2 * node].max(self.nodes[2 * node + 1]);
            // Above a node that stays as it was, all do.
            if self.nodes[node] == larger {
                break;
            }
            self.nodes[node] = larger;
        }
    }

    /// Finds the place of the largest value, the first of equals, and the value (argmax).
    pub(crate) fn top(&self) -> (u32, f64) {
        let mut node = 1;
        while node < self.leaves {
            node = if self.nodes[2 * node] >= self.nodes[2 * node + 1] { 2 * node } else { 2 * node + 1 };
        }
        ((node - self.leaves) as u32, self.nodes[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::{Purpose, WorldSeed};

    #[test]
    fn the_top_is_the_maximum() {
        let mut stream = WorldSeed(1).world(Purpose::Choice, 0, 0);
        for places in [1, 2, 3, 64, 100] {
            let mut tree = MaxTree::new(places);
            let mut plain = vec![MaxTree::ABSENT; places];
            for _ in 0..500 {
                let (place, value) = (stream.below(places), stream.below(8) as f64);
                plain[place] = value;
                tree.set(place as u32, value);
                let most = plain.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let first = plain.iter().position(|value| *value == most).unwrap();
                assert_eq!(tree.top(), (first as u32, most));
            }
        }
    }
}
