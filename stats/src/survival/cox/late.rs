//! Rows that are at risk from their entry on only (left truncation).
//!
//! Going back in time, a risk set gains lives that end and loses lives that enter. Taking hazards away again would leave the rounding of
//! the largest in a sum of small ones. So each row that enters late is put on the nodes of a binary tree over the times that span its
//! life, at most two a level (a segment tree, Bentley 1977), and the sum at a time is that of the nodes above it: only ever added up. The
//! walk of the likelihood asks for these sums; the concordance index takes the entries alone. Without a late entry there is no tree.

use super::design::Block;
use super::likelihood::Sums;

/// The tree, and when its rows enter (left truncation).
pub(super) struct Late {
    /// Rows by node: node 1 spans all times, and node n is cut into nodes 2n and 2n + 1.
    nodes: Vec<Vec<usize>>,
    /// Number of times.
    leaves: usize,
    /// Of each row of the design, the first of the times after its entry; `None` for one that is there from the start.
    pub first: Vec<Option<usize>>,
}

impl Late {
    /// Late entries of all rows, in the design's order; `None` when no life enters late (delayed entry).
    pub(super) fn from_entries(entries: &[Option<f64>], blocks: &[Block]) -> Option<Self> {
        if entries.iter().all(Option::is_none) {
            return None;
        }
        let after = |entry: f64| blocks.partition_point(|block| block.time <= entry);
        let first: Vec<Option<usize>> = entries.iter().map(|entry| entry.map(after)).collect();
        let leaves = blocks.len();
        let mut late = Self { nodes: vec![Vec::new(); 2 * leaves.next_power_of_two()], leaves, first };
        for (last, block) in blocks.iter().enumerate() {
            for row in block.rows.clone() {
                if let Some(first) = late.first[row] {
                    late.put(row, first, last);
                }
            }
        }
        Some(late)
    }

    /// Puts a row on the nodes that span the times from `first` to `last`, as few as there are.
    fn put(&mut self, row: usize, first: usize, last: usize) {
        let (mut low, mut high) = (first + self.nodes.len() / 2, last + self.nodes.len() / 2 + 1);
        while low < high {
            if low % 2 == 1 {
                self.nodes[low].push(row);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                self.nodes[high].push(row);
            }
            (low, high) = (low / 2, high / 2);
        }
    }

    /// Visits the times from the last to the first, with the sums over the rows that have entered and not yet ended (risk sets with delayed
    /// entry).
    pub(super) fn walk_back(
        &self,
        none: Sums,
        add: &impl Fn(&mut Sums, usize),
        visit: &mut impl FnMut(usize, &Sums),
    ) {
        self.descend(1, none, add, visit);
    }

    fn descend(
        &self,
        node: usize,
        mut sums: Sums,
        add: &impl Fn(&mut Sums, usize),
        visit: &mut impl FnMut(usize, &Sums),
    ) {
        self.nodes[node].iter().for_each(|row| add(&mut sums, *row));
        let half = self.nodes.len() / 2;
        if node >= half {
            // The tree has a power of two of leaves, of which the last may stand for no time.
            if node - half < self.leaves {
                visit(node - half, &sums);
            }
            return;
        }
        self.descend(2 * node + 1, sums.clone(), add, visit);
        self.descend(2 * node, sums, add, visit);
    }
}
