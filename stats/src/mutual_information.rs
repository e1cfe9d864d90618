//! Mutual information of two continuous variables, from nearest neighbours.
//!
//! Kraskov, Stögbauer and Grassberger, *Estimating mutual information*, Physical Review E 69, 066138 (2004), algorithm 1 (eq. 8):
//!
//! I = ψ(k) + ψ(n) − ⟨ψ(a + 1) + ψ(b + 1)⟩
//!
//! | symbol | meaning | unit, range |
//! |---|---|---|
//! | n | pairs | more than k |
//! | k | neighbours: fewer follow the density more closely, more are distinguished from chance more easily | 1 and more; the paper has 2 to 4, the digest (E8) 3 to 7 |
//! | ε | distance of a pair from its k-th nearest, the larger of the distances in either variable | 0 and more |
//! | a, b | other pairs nearer than ε in the one variable, and in the other; where ε is 0, those at the same value | k − 1 to n − 1 |
//! | ψ | digamma, of whole numbers only: ψ(m) = 1 + 1/2 + … + 1/(m − 1) − γ | |
//! | I | mutual information | nats |
//!
//! Euler's γ cancels, so nothing but sums of reciprocals is left and the bytes are the same everywhere. Ties are counted as scikit-learn
//! counts them, without its noise: a variable that comes in steps is read as it is, and no random number is needed.
//!
//! An estimate scatters around 0 where two variables have nothing to do with each other, so it may be negative; a mean of several needs it
//! so, a single one is clamped at 0 by the caller. A variable that never varies is an error of `standardised`, and counts as 0 nats at the
//! caller. The caller is the measure of what a golem's forecasts say of their outcomes: windows of 200 pairs, seven neighbours, both
//! variables standardised; it has pairs only where `mortality.epistemic.tell_forecasts` is on, which it isn't by default. Over 200
//! independent pairs it has a standard deviation of about .028 with seven neighbours, over 1,000 about .015: a correlation of .2, which is
//! .02 nats, is distinguished from 0 by many windows of 200 and not by one.
//!
//! Cost: sorts, and for each pair a walk along the one variable until that alone is further than ε: about n·√(n·k) steps for continuous
//! variables, n² at worst, when the first hardly varies. A thousand pairs take about two milliseconds.

use crate::error::StatsError;
use crate::summary;
use morta_base::moments::population_deviation;

/// Mutual information of two variables by the KSG estimator, nats, as they are scaled: distances in one are held against distances in the
/// other, so bring them to one scale first ([`standardised`]). May be below 0 by its error.
///
/// # Errors
/// When the two aren't of one length, no more than `neighbours` pairs, or not finite; when `neighbours` is 0.
pub fn mutual_information(x: &[f64], y: &[f64], neighbours: usize) -> Result<f64, StatsError> {
    check(x, y, neighbours)?;
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|a, b| x[*a].total_cmp(&x[*b]).then(y[*a].total_cmp(&y[*b])));
    let by_x: Vec<(f64, f64)> = order.iter().map(|place| (x[*place], y[*place])).collect();
    let sorted_x: Vec<f64> = by_x.iter().map(|pair| pair.0).collect();
    let mut sorted_y = y.to_vec();
    sorted_y.sort_by(f64::total_cmp);

    let harmonic = harmonic_numbers(x.len());
    let mut nearest = Vec::with_capacity(neighbours);
    let mut around = 0.0;
    for (place, pair) in by_x.iter().enumerate() {
        let distance = kth_distance(&by_x, place, neighbours, &mut nearest);
        around += harmonic[others_within(&sorted_x, pair.0, distance)];
        around += harmonic[others_within(&sorted_y, pair.1, distance)];
    }
    Ok(harmonic[neighbours - 1] + harmonic[x.len() - 1] - around / x.len() as f64)
}

/// Divides values by their standard deviation (of all of them, not of a sample), as scikit-learn does before it estimates (a z-score
/// without its centring, since distances don't depend on the mean).
///
/// # Errors
/// When there are none, they aren't finite, or all are the same.
pub fn standardised(values: &[f64]) -> Result<Vec<f64>, StatsError> {
    summary::check("values", values, 1)?;
    let deviation = population_deviation(values);
    // Of equal values the mean may be off by a rounding, and a deviation be left.
    if deviation > 0.0 && values.iter().any(|value| *value != values[0]) {
        Ok(values.iter().map(|value| value / deviation).collect())
    } else {
        Err(StatsError::Constant("values".to_owned()))
    }
}

fn check(x: &[f64], y: &[f64], neighbours: usize) -> Result<(), StatsError> {
    summary::check("x", x, 1)?;
    summary::check("y", y, 1)?;
    if x.len() != y.len() {
        return Err(StatsError::LengthsDiffer { subject: "y".to_owned(), found: y.len(), expected: x.len() });
    }
    if neighbours == 0 {
        let (subject, value) = ("neighbours".to_owned(), "0".to_owned());
        return Err(StatsError::OutOfRange { subject, value, remedy: "at least 1".to_owned() });
    }
    if x.len() <= neighbours {
        return Err(StatsError::TooFew {
            subject: "pairs".to_owned(),
            found: x.len(),
            needed: neighbours + 1,
        });
    }
    Ok(())
}

/// 0, 1, 1 + 1/2, …: ψ(m + 1) + γ for m from 0 to `count` − 1.
fn harmonic_numbers(count: usize) -> Vec<f64> {
    let mut sum = 0.0;
    let rest = (1..count).map(|m| {
        sum += 1.0 / m as f64;
        sum
    });
    std::iter::once(0.0).chain(rest).collect()
}

/// Distance to the k-th nearest by the larger of both distances. Walks away from the pair on both sides, the nearer in x first, until
/// no one left can be nearer.
fn kth_distance(by_x: &[(f64, f64)], place: usize, k: usize, nearest: &mut Vec<f64>) -> f64 {
    nearest.clear();
    let (x, y) = by_x[place];
    let (mut below, mut above) = (place, place + 1);
    loop {
        let left = below.checked_sub(1).map(|at| x - by_x[at].0);
        let right = by_x.get(above).map(|pair| pair.0 - x);
        let (at, across) = match (left, right) {
            (Some(left), Some(right)) if left <= right => (below - 1, left),
            (Some(left), None) => (below - 1, left),
            (_, Some(right)) => (above, right),
            (None, None) => break,
        };
        let full = nearest.len() == k;
        if full && across >= nearest[k - 1] {
            break;
        }
        if at < place {
            below = at;
        } else {
            above = at + 1;
        }
        let distance = across.max((by_x[at].1 - y).abs());
        if !full || distance < nearest[k - 1] {
            nearest.truncate(k - 1);
            let rank = nearest.partition_point(|known| *known <= distance);
            nearest.insert(rank, distance);
        }
    }
    nearest[k - 1]
}

/// Others nearer than a distance to a value that is one of them; at it, where the distance is 0.
fn others_within(sorted: &[f64], value: f64, distance: f64) -> usize {
    // The next number towards 0, as scikit-learn takes it: "nearer than" and, of 0, "at".
    let reach = if distance > 0.0 { distance.next_down() } else { 0.0 };
    let from = sorted.partition_point(|other| value - other > reach);
    let to = sorted.partition_point(|other| other - value <= reach);
    to - from - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four pairs on a line, one neighbour: all are 1 apart, nobody is nearer than that in either variable, so a = b = 0 and
    /// I = ψ(1) + ψ(4) − 2ψ(1) = 1 + 1/2 + 1/3.
    #[test]
    fn pairs_on_a_line_by_hand() {
        let line = [0.0, 1.0, 2.0, 3.0];
        let found = mutual_information(&line, &line, 1).unwrap();
        assert!((found - 11.0 / 6.0).abs() < 1e-12, "{found}");
    }

    /// Two pairs at one point are at distance 0 of each other; in x the third is there too. For the two, a = 2 and b = 1; for the third, 5
    /// away in y, a = 2 and b = 0: ψ(1) + ψ(3) − ⟨ψ⟩ = 3/2 − (2 · (3/2 + 1) + 3/2 + 0) / 3 up to γ.
    #[test]
    fn ties_are_counted_where_they_are() {
        let found = mutual_information(&[1.0, 1.0, 1.0], &[0.0, 0.0, 5.0], 1);
        // The third's nearest are 5 away: in x both of the others are nearer, in y none.
        assert!((found.unwrap() - (1.5 - (2.0 * 2.5 + 1.5) / 3.0)).abs() < 1e-12);
    }

    #[test]
    fn a_missing_estimate_has_a_reason() {
        let message = |x: &[f64], y: &[f64], k| mutual_information(x, y, k).unwrap_err().to_string();
        assert_eq!(message(&[1.0, 2.0], &[1.0], 1), "y: 1 rows where 2 are expected");
        assert_eq!(message(&[1.0, 2.0], &[1.0, 2.0], 2), "pairs: 2 of them, and at least 3 are needed");
        assert_eq!(message(&[1.0, 2.0], &[1.0, 2.0], 0), "neighbours = 0: must be at least 1");
        assert!(message(&[1.0, f64::NAN], &[1.0, 2.0], 1).contains("not a finite number"));
        assert_eq!(standardised(&[0.1; 7]).unwrap_err().to_string(), "values is constant");
        assert!(standardised(&[]).is_err());
    }

    #[test]
    fn standardised_values_have_a_deviation_of_one() {
        assert_eq!(standardised(&[1.0, 3.0, 1.0, 3.0]).unwrap(), [1.0, 3.0, 1.0, 3.0]);
        assert_eq!(standardised(&[2.0, 6.0]).unwrap(), [1.0, 3.0]);
    }
}
