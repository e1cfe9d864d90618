//! From the top of the tree to the place that a number belongs to: the prefix-sum search of a sum tree (inverse transform sampling).
//! Shares run from 0 to below 1; several searches descend in step, because each alone would wait for memory at every level. The caller
//! sees to it that the sum of all weights is positive, and draws the shares uniformly.

use super::{Node, SumTree, WIDTH};

/// Draws that descend in step: enough loads under way to hide a wait for memory.
const LANES: usize = 16;

/// Walking along so many sums takes as long as descending one level.
const SUMS_WALKED_PER_SHARE: usize = 2;

/// Children of a quarter of a node.
const QUARTER: usize = 4;

/// The largest number below 1. Times any normal number it rounds to less than that number, so a share stays within its node.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// The child of a node that a share in [0, 1) of the node's sum falls on, and the share of that child's own part. The node's
/// sum must be positive.
///
/// Sums are taken anew in double precision from the node's own children, so that the rounding of sums above can't carry the
/// share past the last of them. A child is chosen only where the running sum grows, so a child without weight never is.
#[inline(always)]
fn child_at(node: &Node, share: f64) -> (usize, f64) {
    let quarter_sum = |quarter: usize| {
        let child = |n: usize| f64::from(node.0[quarter * QUARTER + n]);
        (child(0) + child(1)) + (child(2) + child(3))
    };
    let first = quarter_sum(0);
    let second = first + quarter_sum(1);
    let third = second + quarter_sum(2);
    let all = third + quarter_sum(3);
    let target = share * all;
    let quarter = usize::from(first <= target) + usize::from(second <= target) + usize::from(third <= target);
    let before = [0.0, first, second, third][quarter];

    let children = &node.0.as_chunks::<QUARTER>().0[quarter];
    let first = f64::from(children[0]);
    let second = first + f64::from(children[1]);
    let third = second + f64::from(children[2]);
    let all = third + f64::from(children[3]);
    // Where rounding would carry it beyond the quarter, it stays inside: the last place would be drawn otherwise, even one without weight.
    let target = (target - before).min(all * BELOW_ONE);
    let place = usize::from(first <= target) + usize::from(second <= target) + usize::from(third <= target);
    let before = [0.0, first, second, third][place];
    let share = (target - before) / f64::from(children[place]);
    (quarter * QUARTER + place, share.min(BELOW_ONE))
}

impl SumTree {
    /// The place that a share in [0, 1) of the sum of all weights falls on. The sum must be positive.
    pub(super) fn find(&self, share: f64) -> u32 {
        let mut at = 0;
        let mut share = share.min(BELOW_ONE);
        for level in self.levels.iter().rev() {
            let (child, rest) = child_at(&level[at], share);
            (at, share) = (at * WIDTH + child, rest);
        }
        at as u32
    }

    /// The places that many shares fall on, which must rise: the same as [`SumTree::find`] of each, but for rounding.
    ///
    /// Rising shares meet the sums of one level in the order in which these stand, so one walk along a level that isn't much
    /// longer than the list finds where all of them descend from.
    pub(super) fn find_rising(&self, mut shares: Vec<f64>) -> Vec<u32> {
        let worth_walking = shares.len() * SUMS_WALKED_PER_SHARE / WIDTH;
        let start = self
            .levels
            .iter()
            .position(|level| level.len() <= worth_walking)
            .unwrap_or(self.levels.len() - 1);
        let mut places = walk(&self.levels[start], &mut shares);
        let mut nodes = [Node::EMPTY; LANES];
        for (shares, places) in shares.chunks_mut(LANES).zip(places.chunks_mut(LANES)) {
            for level in self.levels[..start].iter().rev() {
                // Fetched before any of them is read, so that the waits for memory overlap.
                nodes.iter_mut().zip(&*places).for_each(|(node, &place)| *node = level[place as usize]);
                for ((node, share), place) in nodes.iter().zip(&mut *shares).zip(&mut *places) {
                    let (child, rest) = child_at(node, *share);
                    (*place, *share) = (*place * WIDTH as u32 + child as u32, rest);
                }
            }
        }
        places
    }
}

/// The children of a level that rising shares of its sum fall on; the shares become those of each child's own part.
fn walk(level: &[Node], shares: &mut [f64]) -> Vec<u32> {
    let weight = |child: usize| f64::from(level[child / WIDTH].0[child % WIDTH]);
    let total = level.iter().flat_map(|node| node.0).fold(0.0, |sum, child| sum + f64::from(child));
    let (mut child, mut before, mut after) = (0, 0.0, weight(0));
    let find = |share: &mut f64| {
        let target = share.min(BELOW_ONE) * total;
        while after <= target {
            child += 1;
            (before, after) = (after, after + weight(child));
        }
        *share = ((target - before) / weight(child)).min(BELOW_ONE);
        child as u32
    };
    shares.iter_mut().map(find).collect()
}
