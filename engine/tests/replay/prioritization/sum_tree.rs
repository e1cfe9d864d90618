//! The law of the draws against exact probabilities, and the tree against plain recomputation.

use morta_base::{Purpose, Stream, WorldSeed};
use morta_engine::replay::prioritization::SumTree;
use statrs::distribution::{ChiSquared, ContinuousCDF};

fn stream(tick: u64) -> Stream {
    WorldSeed(5).world(Purpose::Dream, 0, tick)
}

/// Fails when counts are as far from what they should be as happens in one run of a million.
fn assert_law(counts: &[u64], probabilities: &[f64]) {
    let total: u64 = counts.iter().sum();
    let mut statistic = 0.0;
    let mut cells = 0;
    for (&count, &probability) in counts.iter().zip(probabilities) {
        if probability == 0.0 {
            assert_eq!(count, 0, "what can't happen did");
            continue;
        }
        let expected = probability * total as f64;
        assert!(expected >= 5.0, "a cell that expects {expected} is too small for the test");
        statistic += (count as f64 - expected) * (count as f64 - expected) / expected;
        cells += 1;
    }
    let p = ChiSquared::new(f64::from(cells - 1)).unwrap().sf(statistic);
    assert!(p > 1e-6, "chi-square {statistic} on {} degrees of freedom, p = {p}", cells - 1);
}

/// Weights of every size from 0 to 9, with zeros at the edges of nodes.
fn uneven(count: usize) -> Vec<f32> {
    (0..count).map(|place| if place % 16 == 15 { 0.0 } else { (place * 7 % 10) as f32 }).collect()
}

fn probabilities(weights: &[f32]) -> Vec<f64> {
    let total: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    weights.iter().map(|&weight| f64::from(weight) / total).collect()
}

/// One to four levels; single draws go down the whole tree, batches of 64 walk along one level first.
#[test]
fn draws_follow_the_weights() {
    for (count, batch) in [(10, 1), (16, 64), (300, 1), (300, 64), (5_000, 64), (5_000, 4_096)] {
        let weights = uneven(count);
        let tree = SumTree::new(&weights);
        let mut counts = vec![0_u64; count];
        let rounds = 100 * count / batch + 1;
        // Strata only lessen the spread of the counts, so the bound holds for batches too.
        for round in 0..rounds {
            for place in tree.sample(batch, &mut stream(round as u64)) {
                counts[place as usize] += 1;
            }
        }
        assert_law(&counts, &probabilities(&weights));
    }
}

/// Ordered pairs of four with weights 1, 2, 0 and 5: P(i, j) = w_i/8 · w_j/(8 − w_i).
#[test]
fn taking_is_successive_sampling() {
    let weights = [1.0_f32, 2.0, 0.0, 5.0];
    let mut counts = [0_u64; 16];
    for tick in 0..20_000 {
        let (mut tree, mut stream) = (SumTree::new(&weights), stream(tick));
        let first = tree.take(&mut stream).unwrap();
        let second = tree.take(&mut stream).unwrap();
        counts[(first * 4 + second) as usize] += 1;
    }
    let pair = |cell: usize| {
        let (first, second) = (f64::from(weights[cell / 4]), f64::from(weights[cell % 4]));
        if cell / 4 == cell % 4 { 0.0 } else { first / 8.0 * second / (8.0 - first) }
    };
    assert_law(&counts, &[0; 16].iter().enumerate().map(|(cell, _)| pair(cell)).collect::<Vec<f64>>());
}

/// With equal weights and as many draws as places, every place is drawn once: one from each stratum.
#[test]
fn every_stratum_gives_one_draw() {
    for count in [1, 16, 50, 256, 1_000] {
        let drawn = SumTree::new(&vec![0.25; count]).sample(count, &mut stream(1));
        assert_eq!(drawn, (0..count as u32).collect::<Vec<u32>>());
    }
    let halves = SumTree::new(&[1.0, 0.0, 1.0]).sample(10, &mut stream(2));
    assert_eq!(halves, [0, 0, 0, 0, 0, 2, 2, 2, 2, 2]);
}

/// Weights 1, 2, 3, 4 and β = 0.4, as for drawing without replacement; of a batch without the first, the largest is
/// that of the second.
#[test]
fn importance_by_hand() {
    let tree = SumTree::new(&[1.0, 2.0, 3.0, 4.0, 0.0]);
    let expected = [0.574_349_2, 1.0, 0.757_858_3, 0.644_394, 1.0];
    for (found, expected) in tree.importance(&[3, 0, 1, 2, 4], 0.4).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    let found = tree.importance(&[3, 1], 0.4);
    assert!((found[0] - 0.757_858_3).abs() < 1e-6, "{found:?}");
    assert_eq!((found[1], tree.importance(&[0, 3], 0.0)), (1.0, vec![1.0; 2]));
}

/// A weight of 10⁻³⁰ beside one of 10²⁰ is lost in every sum of both, and still the next to be taken.
#[test]
fn nothing_that_weighs_is_missed() {
    let mut weights = vec![0.0; 300];
    (weights[17], weights[18], weights[299]) = (1e-30, 1e20, f32::from_bits(1));
    let (mut tree, mut stream) = (SumTree::new(&weights), stream(3));
    let taken: Vec<Option<u32>> = (0..5).map(|_| tree.take(&mut stream)).collect();
    assert_eq!(taken, [Some(18), Some(17), Some(299), None, None]);
}

#[test]
fn without_weight_nothing_is_drawn() {
    for weights in [vec![], vec![0.0; 40], vec![-1.0, f32::NAN, f32::NEG_INFINITY]] {
        let mut tree = SumTree::new(&weights);
        assert_eq!(
            (tree.sample(4, &mut stream(0)), tree.take(&mut stream(0)), tree.total()),
            (vec![], None, 0.0)
        );
    }
    assert!(SumTree::new(&[1.0]).sample(0, &mut stream(0)).is_empty());
}

#[test]
#[should_panic(expected = "weights are at most")]
fn an_infinite_weight_is_refused() {
    SumTree::new(&[f32::INFINITY]);
}

#[test]
#[should_panic(expected = "there are 3 places")]
fn places_beyond_the_last_are_refused() {
    SumTree::new(&[1.0; 3]).update(&[3], &[1.0]);
}
