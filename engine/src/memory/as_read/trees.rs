//! Gradient-boosted regression trees (Friedman 2001): shallow, on binned features, for squared error.
//!
//! Features are binned to 32 quantiles (histogram-based, as in LightGBM); predictions have the unit of the residuals, here R. They are
//! fitted to what the ridge regression leaves, because they can learn what two features do together. Fewer than 400 rows give no tree.

use serde::{Deserialize, Serialize};

/// Levels of splits in a tree: three let three features interact.
const DEPTH: usize = 3;
/// Splits and leaves of a tree of that depth.
const INNER: usize = (1 << DEPTH) - 1;
const LEAVES: usize = 1 << DEPTH;
/// Share of a tree's prediction that is added (the learning rate of boosting): small steps overfit less (Friedman 2001).
const SHRINKAGE: f64 = 0.1;
/// Fewest rows in a leaf. Outcomes of trades have a standard deviation of about 1.3 R and overlap, so this leaves about .1 R of
/// error.
const LEAF_MIN: u32 = 200;
/// Bins of a feature, by its quantiles.
const BINS: usize = 32;
/// A split must lower the squared error of its node by more than this share: less is rounding.
const GAIN_MIN: f64 = 1e-6;

/// A regression tree of fixed depth, its splits level by level: those of node i lead to 2i + 1 (below or at the threshold) and 2i + 2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tree {
    features: [u8; INNER],
    thresholds: [f32; INNER],
    leaves: [f32; LEAVES],
}

impl Tree {
    fn at(&self, row: &[f32]) -> f64 {
        let mut node = 0;
        for _ in 0..DEPTH {
            node = 2 * node + 1 + usize::from(row[usize::from(self.features[node])] > self.thresholds[node]);
        }
        f64::from(self.leaves[node - INNER])
    }
}

/// An additive ensemble prediction: the sum of the trees' predictions for a row.
pub(super) fn sum(trees: &[Tree], row: &[f32]) -> f64 {
    trees.iter().map(|tree| tree.at(row)).sum()
}

/// Features in bins, column by column.
struct Binned {
    rows: usize,
    bins: Vec<u8>,
    /// Upper edge of each bin of each feature but the last, ascending.
    edges: Vec<Vec<f32>>,
}

impl Binned {
    fn from_rows(rows: &[f32], width: usize) -> Self {
        let count = rows.len() / width;
        let (mut bins, mut edges) = (vec![0; width * count], Vec::with_capacity(width));
        for feature in 0..width {
            let column: Vec<f32> = rows.iter().skip(feature).step_by(width).copied().collect();
            let mut sorted = column.clone();
            sorted.sort_by(f32::total_cmp);
            let mut own: Vec<f32> = (1..BINS).map(|part| sorted[part * (count - 1) / BINS]).collect();
            own.dedup();
            // The largest value has no value above it, so it is no edge.
            own.retain(|edge| *edge < sorted[count - 1]);
            for (row, value) in column.iter().enumerate() {
                bins[feature * count + row] = own.partition_point(|edge| edge < value) as u8;
            }
            edges.push(own);
        }
        Self { rows: count, bins, edges }
    }

    fn column(&self, feature: usize) -> &[u8] {
        &self.bins[feature * self.rows..(feature + 1) * self.rows]
    }
}

/// The gradient boosting loop: fits `rounds` trees, each to the residuals that the ones before it leave.
pub(super) fn boost(rows: &[f32], width: usize, residuals: &mut [f64], rounds: usize) -> Vec<Tree> {
    assert!(width <= usize::from(u8::MAX), "features are numbered by a byte");
    if residuals.len() < 2 * LEAF_MIN as usize {
        return Vec::new();
    }
    let binned = Binned::from_rows(rows, width);
    (0..rounds).map(|_| grow(&binned, residuals)).collect()
}

/// The best split of a node.
#[derive(Clone, Copy, Debug)]
struct Split {
    gain: f64,
    feature: usize,
    bin: u8,
}

/// Grows a tree and subtracts its prediction from the residuals.
fn grow(binned: &Binned, residuals: &mut [f64]) -> Tree {
    let mut tree = Tree { features: [0; INNER], thresholds: [f32::MAX; INNER], leaves: [0.0; LEAVES] };
    // Each row's node among those of its level.
    let mut places = vec![0_u8; residuals.len()];
    for level in 0..DEPTH {
        let nodes = 1 << level;
        let splits = best_splits(binned, residuals, &places, nodes);
        for (node, split) in splits.iter().enumerate() {
            let Some(split) = split else { continue };
            let at = nodes - 1 + node;
            tree.features[at] = split.feature as u8;
            tree.thresholds[at] = binned.edges[split.feature][usize::from(split.bin)];
        }
        for (row, place) in places.iter_mut().enumerate() {
            let above = splits[usize::from(*place)]
                .is_some_and(|split| binned.column(split.feature)[row] > split.bin);
            *place = 2 * *place + u8::from(above);
        }
    }
    let (mut sums, mut counts) = ([0.0; LEAVES], [0.0; LEAVES]);
    for (place, residual) in places.iter().zip(residuals.iter()) {
        sums[usize::from(*place)] += residual;
        counts[usize::from(*place)] += 1.0;
    }
    for (leaf, (sum, count)) in tree.leaves.iter_mut().zip(sums.iter().zip(&counts)) {
        *leaf = if *count > 0.0 { (SHRINKAGE * sum / count) as f32 } else { 0.0 };
    }
    for (place, residual) in places.iter().zip(residuals.iter_mut()) {
        *residual -= f64::from(tree.leaves[usize::from(*place)]);
    }
    tree
}

fn best_splits(binned: &Binned, residuals: &[f64], places: &[u8], nodes: usize) -> Vec<Option<Split>> {
    let mut best: Vec<Option<Split>> = vec![None; nodes];
    let mut histogram = vec![(0.0_f64, 0_u32); nodes * BINS];
    for feature in 0..binned.edges.len() {
        if binned.edges[feature].is_empty() {
            continue;
        }
        histogram.fill((0.0, 0));
        for ((bin, place), residual) in binned.column(feature).iter().zip(places).zip(residuals) {
            let cell = &mut histogram[usize::from(*place) * BINS + usize::from(*bin)];
            cell.0 += residual;
            cell.1 += 1;
        }
        for (node, own) in histogram.chunks_exact(BINS).enumerate() {
            let found = best_bin(own, binned.edges[feature].len());
            if let Some((gain, bin)) =
                found.filter(|(gain, _)| best[node].is_none_or(|best| *gain > best.gain))
            {
                best[node] = Some(Split { gain, feature, bin });
            }
        }
    }
    best
}

/// The bin after which to split, and the reduction of squared error.
fn best_bin(histogram: &[(f64, u32)], edges: usize) -> Option<(f64, u8)> {
    let (total, count) = histogram.iter().fold((0.0, 0), |(sum, n), (s, k)| (sum + s, n + k));
    let whole = if count > 0 { total * total / f64::from(count) } else { 0.0 };
    let (mut below, mut n_below, mut best) = (0.0, 0, None::<(f64, u8)>);
    for (bin, (sum, n)) in histogram[..edges].iter().enumerate() {
        below += sum;
        n_below += n;
        let n_above = count - n_below;
        if n_below < LEAF_MIN || n_above < LEAF_MIN {
            continue;
        }
        let above = total - below;
        let gain = below * below / f64::from(n_below) + above * above / f64::from(n_above) - whole;
        if gain > GAIN_MIN * whole.max(1.0) && best.is_none_or(|best| gain > best.0) {
            best = Some((gain, bin as u8));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y is 1 where both features are above a half, else 0: no sum of one-feature steps fits that, but a tree of two splits does.
    #[test]
    fn trees_find_what_two_features_say_together() {
        let (mut rows, mut outcomes) = (Vec::new(), Vec::new());
        for a in 0..60_u8 {
            for b in 0..60_u8 {
                rows.extend([f32::from(a) / 60.0, f32::from(b) / 60.0]);
                outcomes.push(f64::from(u8::from(a >= 30 && b >= 30)));
            }
        }
        let mut left = outcomes.clone();
        let trees = boost(&rows, 2, &mut left, 60);
        for (row, expected) in [([0.9, 0.9], 1.0), ([0.9, 0.1], 0.0), ([0.1, 0.9], 0.0), ([0.2, 0.2], 0.0)] {
            let found = sum(&trees, &row);
            assert!((found - expected).abs() < 0.05, "{row:?} {found}");
        }
        let after: f64 = left.iter().map(|y| y * y).sum();
        let before: f64 = outcomes.iter().map(|y| y * y).sum();
        assert!(after < 0.05 * before, "{after} of {before}");
        // The residuals are what the trees didn't fit.
        assert!((outcomes[0] - sum(&trees, &rows[..2]) - left[0]).abs() < 1e-5);
    }

    #[test]
    fn few_rows_grow_no_trees() {
        assert!(boost(&[0.0; 100], 1, &mut [1.0; 100], 5).is_empty());
    }
}
