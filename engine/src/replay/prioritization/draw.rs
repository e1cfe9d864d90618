//! Drawing without replacement, and the weights that correct for it.

use super::Ordered;
use crate::base::{Stream, math};

/// Places of `count` draws without replacement, each in proportion to the weights still left, in the order drawn.
///
/// Exponential keys −ln(u)/w, smallest first (Efraimidis & Spirakis 2006): one number from the stream for each
/// weight, whatever `count` is. Weights that aren't positive are drawn last, by place.
pub(crate) fn without_replacement(count: usize, weights: &[f64], stream: &mut Stream) -> Vec<usize> {
    let key = |weight: &f64| {
        let uniform = stream.uniform();
        // 1 − u lies in (0, 1], so the logarithm is finite.
        if *weight > 0.0 { -math::ln(1.0 - uniform) / weight } else { f64::INFINITY }
    };
    let keys: Vec<f64> = weights.iter().map(key).collect();
    let mut places: Vec<usize> = (0..weights.len()).collect();
    places.sort_unstable_by(|&a, &b| keys[a].total_cmp(&keys[b]).then(a.cmp(&b)));
    places.truncate(count);
    places
}

/// Draws by weight and reports importance weights w_i = (N·P(i))^−β over their largest (Schaul et al. 2016): N
/// candidates, P(i) the probability of the first draw. The largest is that of the least likely candidate with a
/// positive weight; without any, all weights are 1.
pub(super) fn sampled(
    count: usize,
    candidates: &[u32],
    weights: &[f64],
    importance_exponent: f64,
    stream: &mut Stream,
) -> Ordered {
    let least = weights.iter().copied().filter(|w| *w > 0.0).fold(f64::INFINITY, f64::min);
    let drawn = without_replacement(count, weights, stream);
    // (N·P)^−β over (N·P_least)^−β: N and the sum of weights cancel.
    let importance = |place: &usize| {
        let weight = weights[*place];
        if weight > 0.0 { math::pow(weight / least, -importance_exponent) } else { 1.0 }
    };
    Ordered {
        importance: drawn.iter().map(importance).collect(),
        slots: drawn.iter().map(|&place| candidates[place]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Purpose, WorldSeed};

    fn stream(tick: u64) -> Stream {
        WorldSeed(1).world(Purpose::Dream, 0, tick)
    }

    /// Weights 1, 2, 3, 4 and β = 0.4: P = 0.1 … 0.4 of N = 4, so (0.4)^−0.4 = 1.442700 is the largest, and the
    /// last has (1.6)^−0.4 / 1.442700 = 0.574349.
    #[test]
    fn importance_weights_by_hand() {
        let ordered = sampled(4, &[0, 1, 2, 3], &[1.0, 2.0, 3.0, 4.0], 0.4, &mut stream(0));
        for (slot, importance) in ordered.slots.iter().zip(&ordered.importance) {
            let expected = [1.0, 0.757_858_283, 0.644_394_014, 0.574_349_177][*slot as usize];
            assert!((importance - expected).abs() < 1e-8, "{slot}: {importance}");
        }
    }

    /// The first draw follows the weights: 1 in 4 against 3 in 4, five standard errors of 10,000 draws.
    #[test]
    fn draws_follow_the_weights() {
        let draws = 10_000;
        let firsts =
            (0..draws).filter(|&t| without_replacement(1, &[1.0, 3.0], &mut stream(t)) == [0]).count();
        let share = firsts as f64 / draws as f64;
        assert!((share - 0.25).abs() < 5.0 * (0.1875 / draws as f64).sqrt(), "{share}");
    }

    #[test]
    fn what_weighs_nothing_comes_last() {
        for tick in 0..50 {
            let drawn = without_replacement(3, &[0.0, 1.0, f64::NAN, 1.0], &mut stream(tick));
            assert_eq!(drawn[2], 0, "{drawn:?}");
        }
    }
}
