//! Harrell's C (1982), with `lifelines`' rules: two lives can be compared when one is known to have ended first.

use super::design::Design;
use crate::error::StatsError;

/// The share of comparable pairs in which the one of the higher risk ended first; equal risks count half. Risks are in the order
/// of the design.
pub fn concordance(design: &Design, risks: &[f64]) -> Result<f64, StatsError> {
    let mut levels = risks.to_vec();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let level = |row: usize| levels.partition_point(|risk| *risk < risks[row]);
    let mut later = Counts::new(levels.len());
    let (mut good, mut pairs) = (0.0, 0.0);
    for block in design.blocks.iter().rev() {
        // Those censored at a time outlive those who die at it; two who die at it can't be told apart.
        block.rows.clone().filter(|row| !design.events[*row]).for_each(|row| later.add(level(row)));
        for row in block.rows.clone().filter(|row| design.events[*row]) {
            let (below, up_to) = (later.below(level(row)), later.below(level(row) + 1));
            good += (below + up_to) as f64 / 2.0;
            pairs += later.total as f64;
        }
        block.rows.clone().filter(|row| design.events[*row]).for_each(|row| later.add(level(row)));
    }
    if pairs > 0.0 {
        return Ok(good / pairs);
    }
    Err(StatsError::TooFew {
        what: "pairs of lives of which one is known to end first".to_owned(),
        found: 0,
        needed: 1,
    })
}

/// How many of each level there are, with prefix sums (Fenwick 1994).
struct Counts {
    tree: Vec<u64>,
    total: u64,
}

impl Counts {
    fn new(levels: usize) -> Self {
        Self { tree: vec![0; levels + 1], total: 0 }
    }

    fn add(&mut self, level: usize) {
        self.total += 1;
        let mut node = level + 1;
        while node < self.tree.len() {
            self.tree[node] += 1;
            node += node & node.wrapping_neg();
        }
    }

    /// How many are of a lower level.
    fn below(&self, level: usize) -> u64 {
        let (mut node, mut sum) = (level, 0);
        while node > 0 {
            sum += self.tree[node];
            node &= node - 1;
        }
        sum
    }
}
