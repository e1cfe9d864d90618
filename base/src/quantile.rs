//! Quantiles by linear interpolation between order statistics (Hyndman & Fan 1996, type 7): median, quartiles, percentiles, in the unit of
//! the values. Both functions reorder the values in place. NaNs aren't removed; they sort to the ends. Type 7 was taken because it is the
//! default of numpy and R.

/// The p-quantile (percentile; p is cut to [0, 1]) of the values, which are sorted in place: for callers that ask for several. `None` when
/// there are no values.
///
/// ```
/// use morta_base::quantile::quantile;
/// assert_eq!(quantile(&mut [4.0, 1.0, 3.0, 2.0], 0.5), Some(2.5));
/// ```
pub fn quantile(values: &mut [f64], p: f64) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let (below, share) = place(values.len(), p);
    let (lower, upper) = (values[below], values[(below + 1).min(values.len() - 1)]);
    Some(lower + share * (upper - lower))
}

/// The same of a column in single precision, by partial sorting: for callers that ask once, of many values (quickselect). `None` when
/// there are no values.
pub fn quantile_by_selection(values: &mut [f32], p: f64) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let (below, share) = place(values.len(), p);
    let (_, &mut lower, above) = values.select_nth_unstable_by(below, f32::total_cmp);
    let upper = above.iter().copied().min_by(f32::total_cmp).unwrap_or(lower);
    let (lower, upper) = (f64::from(lower), f64::from(upper));
    Some(lower + share * (upper - lower))
}

/// The order statistic at or below the quantile of so many values, at least one, and the share of the way to the next.
fn place(count: usize, p: f64) -> (usize, f64) {
    let position = p.clamp(0.0, 1.0) * (count - 1) as f64;
    (position.floor() as usize, position.fract())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// numpy 2.x: np.quantile([4, 1, 3, 2], [0, .25, .5, .95, 1]).
    #[test]
    fn quantiles_match_numpy() {
        for (p, expected) in [(0.0, 1.0), (0.25, 1.75), (0.5, 2.5), (0.95, 3.85), (1.0, 4.0)] {
            let found = quantile(&mut [4.0, 1.0, 3.0, 2.0], p).unwrap();
            assert!((found - expected).abs() < 1e-12, "{p}: {found}");
        }
        assert_eq!((quantile(&mut [], 0.5), quantile_by_selection(&mut [], 0.5)), (None, None));
    }

    proptest! {
        #[test]
        fn partial_sorting_finds_the_same_quantile(
            mut values in prop::collection::vec(0.0_f32..10.0, 1..200),
            p in 0.0_f64..=1.0,
        ) {
            let mut sorted: Vec<f64> = values.iter().map(|&v| f64::from(v)).collect();
            prop_assert_eq!(quantile_by_selection(&mut values, p), quantile(&mut sorted, p));
        }
    }
}
