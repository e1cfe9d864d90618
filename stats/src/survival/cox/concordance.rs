//! Harrell's C (1982), with `lifelines`' rules: two lives can be compared when one is known to have ended first. With late entries the other must
//! have been under observation then, and with weights a pair counts by the product of its weights, as in R. It is the concordance index
//! (C-index), 0 to 1; 0.5 is chance. It judges ranks alone, because a Cox model leaves the baseline hazard open. It describes the fit and
//! isn't tested.

use super::design::Design;
use crate::error::StatsError;
use crate::survival::compensated::Compensated;

/// The share of comparable pairs in which the one of the higher risk ended first; equal risks count half (concordance index). Risks are in the
/// order of the design.
pub(super) fn concordance(design: &Design, risks: &[f64]) -> Result<f64, StatsError> {
    let mut levels = risks.to_vec();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let level = |row: usize| levels.partition_point(|risk| *risk < risks[row]);
    let mut later = Counts::new(levels.len());
    let (mut good, mut pairs) = (0.0, 0.0);
    let mut entering = entering(design);
    for (index, block) in design.blocks.iter().enumerate().rev() {
        // A life that enters at this time or after it isn't under observation here.
        while let Some((_, row)) = entering.pop_if(|(first, _)| *first > index) {
            later.add(level(row), -design.weights[row]);
        }
        // A life that is censored at a time outlives those that end at it; of two that end at it neither outlives the other.
        block
            .rows
            .clone()
            .filter(|row| !design.events[*row])
            .for_each(|row| later.add(level(row), design.weights[row]));
        for row in block.rows.clone().filter(|row| design.events[*row]) {
            let (below, up_to) = (later.below(level(row)), later.below(level(row) + 1));
            good += design.weights[row] * (below + up_to) / 2.0;
            pairs += design.weights[row] * later.total.value();
        }
        block
            .rows
            .clone()
            .filter(|row| design.events[*row])
            .for_each(|row| later.add(level(row), design.weights[row]));
    }
    if pairs > 0.0 {
        // Sums of the tree's nodes round otherwise than the total, so that a perfect order came to a little more than 1.
        return Ok((good / pairs).clamp(0.0, 1.0));
    }
    Err(StatsError::TooFew {
        subject: "pairs of lives of which one is known to end first".to_owned(),
        found: 0,
        needed: 1,
    })
}

/// Rows that enter late, with the first time after their entry, ascending.
fn entering(design: &Design) -> Vec<(usize, usize)> {
    let Some(late) = &design.late else { return Vec::new() };
    let first = late.first.iter().enumerate().filter_map(|(row, first)| first.map(|first| (first, row)));
    let mut entering: Vec<(usize, usize)> = first.collect();
    entering.sort_unstable();
    entering
}

/// What those of each level weigh, with prefix sums (Fenwick 1994).
struct Counts {
    /// Nodes of the Fenwick tree, from 1.
    tree: Vec<Compensated>,
    /// What all of them weigh.
    total: Compensated,
}

impl Counts {
    fn new(levels: usize) -> Self {
        Self { tree: vec![Compensated::default(); levels + 1], total: Compensated::default() }
    }

    fn add(&mut self, level: usize, weight: f64) {
        self.total.add(weight);
        let mut node = level + 1;
        while node < self.tree.len() {
            self.tree[node].add(weight);
            node += node & node.wrapping_neg();
        }
    }

    /// What those of a lower level weigh.
    fn below(&self, level: usize) -> f64 {
        let (mut node, mut sum) = (level, 0.0);
        while node > 0 {
            sum += self.tree[node].value();
            node &= node - 1;
        }
        sum
    }
}
