//! Which looks a test of signs can decide at all: n pairs have 2ⁿ assignments of signs, and no p-value below 2/2ⁿ. A look below that number
//! could spend error rate and decide nothing, so it is refused beforehand (sign-flip permutation test). The check is made at registration,
//! because a sweep may take days. The sweep file is refused for a look before the end; an end that can't decide is only reported. Its
//! caller divides alpha by the number of comparisons where the correction is Holm's. Tests by Student's t have no such limit and aren't
//! checked; Wilcoxon's is held to the same one.

use super::{Look, Spending, look_bounds};
use crate::error::StatsError;
use crate::permutation::least_p;

/// The bounds of looks at so many pairs each, the last of them the end, for a sign-flip test that draws `draws` assignments where it can't
/// go through all (interim analyses).
///
/// # Errors
/// When the numbers of pairs don't increase or are too close ([`look_bounds`]), or the test has no p-value as small as a look's bound: the error
/// has the fewest pairs with which this look could be decided.
pub fn reachable_looks(
    spending: Spending,
    alpha: f64,
    pairs: &[u32],
    draws: u32,
) -> Result<Vec<Look>, StatsError> {
    if let Some(index) = pairs.windows(2).position(|two| two[0] >= two[1]) {
        return Err(StatsError::OutOfRange {
            subject: format!("pairs at look {}", index + 2),
            value: pairs[index + 1].to_string(),
            remedy: format!("more than the {} of the look before", pairs[index]),
        });
    }
    let looks = bounds_at(spending, alpha, pairs, pairs)?;
    let is_decidable = |look: &Look, pairs: u32| least_p(pairs, draws) <= look.p;
    let Some(index) = looks.iter().zip(pairs).position(|(look, pairs)| !is_decidable(look, *pairs)) else {
        return Ok(looks);
    };
    // A later look may spend more, so that its bound is nearer: the question is asked anew for each number of pairs.
    let until = pairs.get(index + 1).copied().unwrap_or(pairs[index]);
    let could = |later: u32| {
        let moved: Vec<u32> = pairs[..index].iter().copied().chain([later]).collect();
        let found = bounds_at(spending, alpha, &moved, pairs);
        found.is_ok_and(|looks| looks.last().is_some_and(|look| is_decidable(look, later)))
    };
    Err(StatsError::LookBeyondReach {
        look: index + 1,
        pairs: pairs[index],
        bound: format!("{:.2e}", looks[index].p),
        least: format!("{:.2e}", least_p(pairs[index], draws)),
        remedy: match first(pairs[index] + 1, until, could) {
            Some(later) => format!("look at {later} pairs or later"),
            None if index + 1 == pairs.len() => "plan more pairs, or draw more assignments".to_owned(),
            None => "leave it out".to_owned(),
        },
    })
}

/// The first number below `end` for which this holds, by halving: a later look has more pairs and may spend more, so that once one is
/// decidable, all after it are.
fn first(start: u32, end: u32, holds: impl Fn(u32) -> bool) -> Option<u32> {
    let (mut low, mut high) = (start, end.checked_sub(1).filter(|last| *last >= start && holds(*last))?);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(high)
}

/// Bounds at these pairs of a trial that is planned to end with the last of `planned`.
fn bounds_at(
    spending: Spending,
    alpha: f64,
    pairs: &[u32],
    planned: &[u32],
) -> Result<Vec<Look>, StatsError> {
    let end = planned.last().map_or(1.0, |last| f64::from(*last));
    let fractions: Vec<f64> = pairs.iter().map(|pairs| f64::from(*pairs) / end).collect();
    look_bounds(spending, alpha, &fractions)
}
