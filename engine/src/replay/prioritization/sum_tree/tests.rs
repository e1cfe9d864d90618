//! The law of the draws against exact probabilities, and the tree against plain recomputation.

use super::*;
use morta_base::{Purpose, WorldSeed};
use proptest::prelude::*;

fn stream(tick: u64) -> Stream {
    WorldSeed(5).world(Purpose::Dream, 0, tick)
}

fn any_weight() -> impl Strategy<Value = f32> {
    prop_oneof![2 => Just(0.0), 6 => 0.0_f32..10.0, 1 => 1e-40_f32..1e-20, 1 => 1e10_f32..1e28, 1 => Just(-1.0)]
}

proptest! {
    /// Every sum after any updates is the sum that a new tree of the same weights has, to the bit.
    #[test]
    fn updates_are_a_plain_recomputation(
        mut weights in prop::collection::vec(any_weight(), 1..600),
        updates in prop::collection::vec((any::<prop::sample::Index>(), any_weight()), 0..60),
    ) {
        let mut tree = SumTree::new(&weights);
        let (mut places, mut new) = (Vec::new(), Vec::new());
        for (place, weight) in updates {
            let place = place.index(weights.len());
            weights[place] = weight;
            places.push(place as u32);
            new.push(weight);
        }
        tree.update(&places, &new);
        prop_assert_eq!(&tree, &SumTree::new(&weights));
        let total: f64 = weights.iter().map(|&weight| f64::from(weight.max(0.0))).sum();
        prop_assert!((f64::from(tree.total()) - total).abs() <= 1e-5 * total);
        for (place, weight) in weights.iter().enumerate() {
            prop_assert_eq!(tree.weight(place as u32), weight.max(0.0));
        }
    }

    /// Whatever the sizes, only positive weights are drawn, batches rise, and taking takes exactly the positive ones,
    /// each once.
    #[test]
    fn only_what_weighs_is_drawn(
        weights in prop::collection::vec(any_weight(), 1..400),
        batch in 1_usize..200,
        tick in any::<u64>(),
    ) {
        let mut tree = SumTree::new(&weights);
        let mut stream = stream(tick);
        let batch = tree.sample(batch, &mut stream);
        prop_assert!(batch.iter().all(|&place| weights[place as usize] > 0.0));
        prop_assert!(batch.is_sorted());
        let mut taken: Vec<u32> = std::iter::from_fn(|| tree.take(&mut stream)).collect();
        taken.sort_unstable();
        let weighs = |place: &u32| weights[*place as usize] > 0.0;
        let positive: Vec<u32> = (0..weights.len() as u32).filter(weighs).collect();
        prop_assert_eq!(taken, positive);
    }

    /// The walk along a level finds what going down from the top finds.
    #[test]
    fn batches_find_what_single_draws_find(
        weights in prop::collection::vec(0.0_f32..10.0, 1..3_000),
        mut shares in prop::collection::vec(0.0_f64..1.0, 1..300),
    ) {
        let tree = SumTree::new(&weights);
        shares.sort_by(f64::total_cmp);
        // Sums of single precision, taken at other levels, move a boundary by less than 10⁻⁶ of the total.
        for (found, share) in tree.find_rising(shares.clone()).into_iter().zip(shares) {
            let (least, most) = (tree.find((share - 1e-6).max(0.0)), tree.find(share + 1e-6));
            prop_assert!((least..=most).contains(&found), "{} {} {}", least, found, most);
        }
    }
}
