//! Midranks (ranks with ties shared), and the tie correction of a variance. Rank tests need both, because tied values would otherwise be
//! ordered by chance; Spearman's correlation and the test of proportional hazards take the ranks alone. Callers see to it that no value is
//! NaN.

/// Ranks values from 1, equal values sharing the mean of theirs; and Σ(t³ − t) over groups of t equal values (tied ranks).
pub(crate) fn midranks(values: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let (mut ranked, mut ties) = (0.0, 0.0);
    for tied in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let count = tied.len() as f64;
        tied.iter().for_each(|index| ranks[*index] = ranked + (count + 1.0) / 2.0);
        ranked += count;
        ties += count * count * count - count;
    }
    (ranks, ties)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy 1.17.1: rankdata; zeros of both signs are equal.
    #[test]
    fn equal_values_share_their_ranks() {
        let (ranks, ties) = midranks(&[3.0, 0.0, 3.0, -0.0, 0.0, 7.0]);
        assert_eq!(ranks, [4.5, 2.0, 4.5, 2.0, 2.0, 6.0]);
        assert_eq!(ties, 24.0 + 6.0);
    }
}
