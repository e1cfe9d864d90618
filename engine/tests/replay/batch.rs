use crate::common::episodes::{episode, holding, id};
use crate::common::replay::{any_grimoire, context};
use morta_base::{EpisodeId, Purpose, WorldSeed};
use morta_engine::episode::{Episode, Grimoire};
use morta_engine::replay::{Batch, ReplayConfig, Uncertainty, batch_size, batches, lifecycles, select};
use proptest::prelude::*;

#[test]
fn uncertainty_sets_the_size() {
    let config = ReplayConfig::default();
    for (fitness, size) in [(0.49, 15), (0.5, 10), (0.69, 10), (0.7, 5), (1.0, 5)] {
        assert_eq!(batch_size(Uncertainty::of_fitness(fitness, &config), &config), size, "{fitness}");
    }
    let mut fixed = config;
    fixed.intensity.scales_batch = false;
    assert_eq!(batch_size(Uncertainty::High, &fixed), 10);
}

/// Where fitness is skill: no skill is the middle, .01 is sure, less than none is not.
#[test]
fn skill_moves_uncertainty_a_twentieth_as_far() {
    let config = ReplayConfig::default();
    let of = |skill: f64| Uncertainty::of_skill(0.5 + skill, &config);
    assert_eq!(
        [-0.001, 0.0, 0.0099, 0.0101].map(of),
        [Uncertainty::High, Uncertainty::Medium, Uncertainty::Medium, Uncertainty::Low]
    );
}

/// Of 0, 1, 3 (one lifecycle), 2 and 4, two batches of two have room for four: the lifecycle is taken apart to fill them.
#[test]
fn no_place_stays_free_while_something_is_left() {
    let grimoire = five();
    let batches = batches(&[4, 3, 2, 1, 0].map(id), &grimoire, 2, 2);
    let numbers: Vec<Vec<u32>> =
        batches.iter().map(|batch| batch.episodes().map(|id| id.number).collect()).collect();
    assert_eq!(numbers, [vec![4, 3], vec![0, 1]]);
}

/// Episodes last five ticks. 0, 1 and 3 follow each other within fifteen; 2 is on another asset; 4 comes late.
fn five() -> Grimoire {
    let lived = [(0, 100), (1, 110), (2, 112), (3, 125), (4, 500)];
    let of_asset =
        |(number, closed): (u32, u64)| Episode { asset: u8::from(number == 2), ..episode(number, closed) };
    holding(0, lived.map(of_asset))
}

#[test]
fn lifecycles_by_hand() {
    let groups = lifecycles(&[4, 3, 2, 1, 0].map(id), &five());
    let numbers: Vec<Vec<u32>> =
        groups.iter().map(|group| group.iter().map(|id| id.number).collect()).collect();
    assert_eq!(numbers, [vec![4], vec![0, 1, 3], vec![2]]);
}

#[test]
fn a_lifecycle_stays_in_one_batch() {
    let (grimoire, config) = (five(), ReplayConfig { min_utility: 0.0, ..ReplayConfig::default() });
    let mut stream = WorldSeed(0).world(Purpose::Dream, 0, 0);
    let selection = select(&grimoire, &context(500), &config, 5, &mut stream);
    let chosen: Vec<EpisodeId> = selection.episodes().collect();
    let batches = batches(&chosen, &grimoire, 3, usize::MAX);
    let one_after_another = [0, 1, 3].map(id).to_vec();
    assert!(batches.iter().any(|batch| batch.lifecycles.contains(&one_after_another)), "{batches:?}");
    assert!(batches.iter().all(|batch| batch.len() <= 3));
}

proptest! {
    #[test]
    fn batches_hold_the_selection_exactly(grimoire in any_grimoire(60), size in 1_usize..12) {
        let config = ReplayConfig { min_utility: 0.0, ..ReplayConfig::default() };
        let mut stream = WorldSeed(0).world(Purpose::Dream, 0, 0);
        let selection = select(&grimoire, &context(3_000), &config, 30, &mut stream);
        let mut chosen: Vec<EpisodeId> = selection.episodes().collect();
        let batches = batches(&chosen, &grimoire, size, usize::MAX);
        prop_assert!(batches.iter().all(|batch| (1..=size).contains(&batch.len())));
        let mut held: Vec<EpisodeId> = batches.iter().flat_map(Batch::episodes).collect();
        held.sort_unstable();
        chosen.sort_unstable();
        prop_assert_eq!(held, chosen);
    }
}
