//! Drawing without replacement, and the weights that correct for it: weighted random sampling and importance sampling.
//!
//! Weights are 0 or more and have no unit; importance weights are in (0, 1]. Two ways with one law are here, because for few draws of
//! many a tree is faster and for many draws sorted keys are. The proportional and the rank order draw by utility and are corrected;
//! perturbed and uniform replay draw with equal weights.

use super::SumTree;
use morta_base::{Stream, math};

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

/// Weights smaller than the largest by more than this factor, 2^(−100), wait until nothing larger is left. Single precision
/// has room for those above it (its normal numbers span 2^253). Each of those below would be drawn earlier with a chance of one
/// in 10³⁰, so the law is not measurably changed.
const NEGLIGIBLE: f64 = 1.0 / (1_u128 << 100) as f64;

/// The same law by a tree of sums, which is faster for few draws of many: one number from the stream for each draw. Weights
/// that aren't positive are drawn last, by place, without a number.
///
/// The tree holds weights in single precision, as shares of the largest, so that sixteen fit a cache line.
fn by_tree(count: usize, weights: &[f64], stream: &mut Stream) -> Vec<usize> {
    let count = count.min(weights.len());
    let mut drawn = Vec::with_capacity(count);
    let mut ceiling = f64::INFINITY;
    while drawn.len() < count {
        let finite = |weight: f64| if weight < f64::MAX { weight } else { f64::MAX };
        let left = weights.iter().map(|&weight| if weight <= ceiling { finite(weight) } else { 0.0 });
        let largest =
            left.clone().fold(0.0, |largest, weight| if weight > largest { weight } else { largest });
        if largest <= 0.0 {
            break;
        }
        let least = largest * NEGLIGIBLE;
        let share = |weight: f64| if weight > least { (weight / largest) as f32 } else { 0.0 };
        let mut tree = SumTree::new(&left.map(share).collect::<Vec<f32>>());
        while drawn.len() < count
            && let Some(place) = tree.take(stream)
        {
            drawn.push(place as usize);
        }
        ceiling = least;
    }
    let weightless = (0..weights.len()).filter(|&place| weights[place].is_nan() || weights[place] <= 0.0);
    drawn.extend(weightless.take(count - drawn.len()));
    drawn
}

/// At one draw in so many candidates or more, sorted keys are faster than the tree.
const FEW: usize = 4;

/// The same law by whichever of the two ways is faster at this count.
pub(super) fn by_weight(count: usize, weights: &[f64], stream: &mut Stream) -> Vec<usize> {
    if count.saturating_mul(FEW) <= weights.len() {
        by_tree(count, weights, stream)
    } else {
        without_replacement(count, weights, stream)
    }
}

/// A draw by weight: places in the order drawn, and the importance weight of each.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WeightedDraw {
    /// Places in the weights handed in, in the order drawn.
    pub(super) places: Vec<usize>,
    /// The importance weight of each, in (0, 1].
    pub(super) importance: Vec<f64>,
}

/// β of the importance weights: how far they undo that some candidates were likelier to be drawn; 1 for altogether, where Schaul et al. end (they begin at .4,
/// while a network still learns; what is averaged here has no such beginning). No consequence was found of .5 (`scenarios/sensitivity/knobs.toml`).
const IMPORTANCE: f64 = 1.0;

/// Draws by weight and returns importance weights w_i = (π_i/π_least)^−β, in (0, 1] (Schaul et al. 2016). π_i is the
/// probability that a candidate is among the drawn, π_least that of the least likely one with a positive weight. Without any
/// positive weight, all are 1.
///
/// Schaul et al. take (N·P(i))^−β with P(i) the probability of a single draw. That agrees as long as few of many are drawn. A
/// dream often replays most of a young memory, where it would correct for a preference that never took place: a candidate that is
/// drawn for certain represents itself alone, whatever its priority.
pub(super) fn sampled(count: usize, weights: &[f64], stream: &mut Stream) -> WeightedDraw {
    let places = by_weight(count, weights, stream);
    let certainty = inclusion(count, weights);
    let least = weights.iter().zip(&certainty).filter(|(weight, _)| **weight > 0.0);
    let least = least.map(|(_, certainty)| *certainty).fold(f64::INFINITY, f64::min);
    let importance = |place: &usize| {
        if weights[*place] > 0.0 { math::pow(certainty[*place] / least, -IMPORTANCE) } else { 1.0 }
    };
    WeightedDraw { importance: places.iter().map(importance).collect(), places }
}

/// The probability of each candidate to be among `count` drawn without replacement: 1 − e^(−τ·weight), with τ such that they
/// sum to `count` (Rosén 1997; exact as candidates become many). It follows from exponential keys: a candidate is drawn when its
/// key lies below τ.
fn inclusion(count: usize, weights: &[f64]) -> Vec<f64> {
    let positive = weights.iter().filter(|weight| **weight > 0.0).count();
    if count >= positive {
        return weights.iter().map(|weight| if *weight > 0.0 { 1.0 } else { 0.0 }).collect();
    }
    // Shares of the largest, so that the tiniest weights have a τ within range.
    let largest = weights.iter().copied().filter(|weight| *weight > 0.0).fold(0.0, f64::max);
    let share = |weight: f64| if weight > 0.0 { weight / largest } else { 0.0 };
    let sum = |tau: f64, of: fn(f64, f64) -> f64| weights.iter().map(|w| of(share(*w), tau)).sum::<f64>();
    // The sum is concave in τ and below `count` where Newton's steps begin, so they stay below and rise to the solution.
    let mut tau = count as f64 / sum(0.0, |share, _| share);
    for _ in 0..NEWTON_STEPS {
        let missing = count as f64 - sum(tau, |share, tau| 1.0 - math::exp(-share * tau));
        let slope = sum(tau, |share, tau| share * math::exp(-share * tau));
        if missing <= 1e-9 || slope <= f64::MIN_POSITIVE {
            break;
        }
        tau += missing / slope;
    }
    weights.iter().map(|weight| (1.0 - math::exp(-share(*weight) * tau)).max(f64::MIN_POSITIVE)).collect()
}

/// More than enough for weights that differ by a factor of a million: Newton's steps double the correct digits near the
/// solution.
const NEWTON_STEPS: usize = 50;

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::{Purpose, WorldSeed};
    use statrs::distribution::{ChiSquared, ContinuousCDF};
    use std::collections::BTreeMap;

    fn stream(tick: u64) -> Stream {
        WorldSeed(1).world(Purpose::Dream, 0, tick)
    }

    /// One of weights 1, 2, 3 and 4, a hundred times each: 4 in 400 draws. P = 0.1 … 0.4 of N = 4, so with β = 1 Schaul's weights are
    /// 1 / 0.4 = 2.5 at most, and a half, a third and a quarter of that; so few of so many differ from it by less than one in a hundred.
    #[test]
    fn importance_weights_of_few_draws_are_schauls() {
        let weights: Vec<f64> = (0..400).map(|place| f64::from(place % 4 + 1)).collect();
        let drawn = sampled(4, &weights, &mut stream(0));
        for (&place, importance) in drawn.places.iter().zip(&drawn.importance) {
            let expected = [1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0][place % 4];
            assert!((importance / expected - 1.0).abs() < 0.01, "{place}: {importance}");
        }
    }

    /// A candidate that is drawn for certain represents itself alone.
    #[test]
    fn nothing_is_corrected_where_all_are_drawn() {
        assert_eq!(sampled(4, &[1.0, 2.0, 3.0, 4.0], &mut stream(0)).importance, [1.0; 4]);
    }

    /// Frequencies over 20,000 draws of 8 of 24, within .02 of the computed probability (the approximation and three standard
    /// errors). The mean weighted by its inverse is that of all (Horvitz & Thompson 1952), though the values are the priorities
    /// themselves.
    #[test]
    fn inclusion_is_what_draws_say_and_undoes_the_priorities() {
        let weights: Vec<f64> = (0..24).map(|place| 0.2 + f64::from(place % 6)).collect();
        let said = inclusion(8, &weights);
        assert!((said.iter().sum::<f64>() - 8.0).abs() < 1e-6);
        let draws = 20_000;
        let least = said.iter().copied().fold(f64::INFINITY, f64::min);
        let (mut counts, mut mean) = (vec![0.0; weights.len()], 0.0);
        for tick in 0..draws {
            let drawn = sampled(8, &weights, &mut stream(tick));
            for (place, importance) in drawn.places.into_iter().zip(drawn.importance) {
                counts[place] += 1.0 / draws as f64;
                mean += importance / least * weights[place] / 24.0 / draws as f64;
            }
        }
        for (place, (found, said)) in counts.iter().zip(&said).enumerate() {
            assert!((found - said).abs() < 0.02, "{place}: {found} {said}");
        }
        let truth = weights.iter().sum::<f64>() / 24.0;
        assert!((mean / truth - 1.0).abs() < 0.03, "{mean} {truth}");
    }

    /// The first draw follows the weights: 1 in 4 against 3 in 4, five standard errors of 10,000 draws.
    #[test]
    fn draws_follow_the_weights() {
        let draws = 10_000;
        for draw in [without_replacement, by_tree] {
            let firsts = (0..draws).filter(|&t| draw(1, &[1.0, 3.0], &mut stream(t)) == [0]).count();
            let share = firsts as f64 / draws as f64;
            assert!((share - 0.25).abs() < 5.0 * (0.1875 / draws as f64).sqrt(), "{share}");
        }
    }

    /// Orders of three of weights 1, 2, 5, 0.5 and 0: each has the probability Π w/(sum of the weights left), and both ways
    /// of drawing follow it (chi-square on 23 degrees of freedom, one failure in a million).
    #[test]
    fn both_ways_have_the_law_of_successive_sampling() {
        let weights = [1.0, 2.0, 5.0, 0.5, 0.0];
        let draws = 40_000;
        for draw in [without_replacement, by_tree] {
            let mut counts: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
            for tick in 0..draws {
                *counts.entry(draw(3, &weights, &mut stream(tick))).or_default() += 1;
            }
            assert_eq!(counts.len(), 24, "all orders of three of four occur, and no other");
            let statistic: f64 = counts
                .iter()
                .map(|(order, &count)| {
                    let (mut left, mut probability) = (8.5, 1.0);
                    for &place in order {
                        probability *= weights[place] / left;
                        left -= weights[place];
                    }
                    let expected = probability * draws as f64;
                    (f64::from(count) - expected) * (f64::from(count) - expected) / expected
                })
                .sum();
            let p = ChiSquared::new(23.0).unwrap().sf(statistic);
            assert!(p > 1e-6, "{statistic}, p = {p}");
        }
    }

    #[test]
    fn candidates_without_weight_come_last() {
        for tick in 0..50 {
            let drawn = without_replacement(3, &[0.0, 1.0, f64::NAN, 1.0], &mut stream(tick));
            assert_eq!(drawn[2], 0, "{drawn:?}");
            let drawn = by_tree(9, &[0.0, 1.0, f64::NAN, 1.0, -1.0], &mut stream(tick));
            assert_eq!(drawn[2..], [0, 2, 4], "{drawn:?}");
        }
    }

    /// Single precision ends at 10⁻⁴⁵, but what weighs 10⁻³⁰⁰ of something else still comes before what weighs
    /// nothing, and in proportion among its like: 1 in 4 of 4,000, five standard errors.
    #[test]
    fn the_tiniest_weights_keep_their_law() {
        let thirds = |tick| {
            let drawn = by_tree(5, &[0.0, 1e-300, 1e300, 3e-300, 1.0], &mut stream(tick));
            assert_eq!((drawn[0], drawn[1], drawn[4]), (2, 4, 0), "{drawn:?}");
            drawn[2] == 1
        };
        let share = (0..4_000).filter(|&tick| thirds(tick)).count() as f64 / 4_000.0;
        assert!((share - 0.25).abs() < 5.0 * (0.1875_f64 / 4_000.0).sqrt(), "{share}");
    }

    #[test]
    fn a_number_of_the_stream_for_each_draw() {
        let (mut used, mut plain) = (stream(0), stream(0));
        by_tree(3, &[1.0; 100], &mut used);
        (0..3).for_each(|_| {
            plain.uniform();
        });
        assert_eq!(used.word(), plain.word());
    }
}
