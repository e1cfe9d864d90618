//! Which episodes are read together: a batch is one question, so what belongs together stays together.

use crate::episode::{EpisodeRecord, Grimoire};
use crate::replay::ReplayConfig;
use morta_base::{EpisodeId, Tick};
use serde::{Deserialize, Serialize};

/// How unsure a golem is of its predictions (dream spec, "dream intensity modulation").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Uncertainty {
    Low,
    Medium,
    High,
}

impl Uncertainty {
    /// By epistemic fitness, in [0, 1]: high below 0.5, medium below 0.7, else low (with the defaults).
    pub fn of_fitness(fitness: f64, config: &ReplayConfig) -> Self {
        if fitness < config.intensity.high_below_fitness {
            Self::High
        } else if fitness < config.intensity.medium_below_fitness {
            Self::Medium
        } else {
            Self::Low
        }
    }
}

/// Episodes in one batch: `batch_size` times the factor of the uncertainty, rounded, at least 1 and at most the largest
/// valid size; 5, 10 and 15 with the defaults.
pub fn batch_size(uncertainty: Uncertainty, config: &ReplayConfig) -> usize {
    let intensity = &config.intensity;
    let factor = match uncertainty {
        _ if !intensity.scales_batch => 1.0,
        Uncertainty::Low => intensity.low,
        Uncertainty::Medium => intensity.medium,
        Uncertainty::High => intensity.high,
    };
    let size = (f64::from(config.batch_size) * factor).round();
    size.clamp(1.0, f64::from(super::config::MAX_BATCH_SIZE)) as usize
}

/// Episodes to be read together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// Lifecycles, the most useful first; within each, episodes by time.
    pub lifecycles: Vec<Vec<EpisodeId>>,
}

impl Batch {
    /// All episodes, in reading order.
    pub fn episodes(&self) -> impl Iterator<Item = EpisodeId> {
        self.lifecycles.iter().flatten().copied()
    }

    /// How many episodes it has.
    pub fn len(&self) -> usize {
        self.lifecycles.iter().map(Vec::len).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.lifecycles.iter().all(Vec::is_empty)
    }
}

/// Divides chosen episodes, most useful first, into batches of at most `size`.
///
/// Episodes of one lifecycle (see [`lifecycles`]) come into one batch, unless there are more of them than fit into
/// any. Lifecycles are placed by the rank of their first-ranked episode, each into the first batch with room.
///
/// # Panics
/// When `size` is 0.
pub fn batches(chosen: &[EpisodeId], grimoire: &Grimoire, size: usize, config: &ReplayConfig) -> Vec<Batch> {
    assert!(size > 0, "a batch has room for something");
    let mut batches: Vec<Batch> = Vec::new();
    for lifecycle in lifecycles(chosen, grimoire, config.lifecycle_gap_ticks) {
        for piece in lifecycle.chunks(size) {
            let roomy = batches.iter_mut().find(|batch| batch.len() + piece.len() <= size);
            match roomy {
                Some(batch) => batch.lifecycles.push(piece.to_vec()),
                None => batches.push(Batch { lifecycles: vec![piece.to_vec()] }),
            }
        }
    }
    batches
}

/// Groups the stored ones of some episodes into lifecycles: runs of episodes of one golem with one strategy on one asset, each
/// beginning at most `gap` ticks after the one before it ended. Groups come in the order of their first episode in `chosen`;
/// within a group, episodes are ordered by time.
pub fn lifecycles(chosen: &[EpisodeId], grimoire: &Grimoire, gap: Tick) -> Vec<Vec<EpisodeId>> {
    let records: Vec<&EpisodeRecord> = chosen.iter().filter_map(|id| grimoire.get(*id)).collect();
    let subject = |episode: &EpisodeRecord| (episode.lived_by(), episode.asset, episode.strategy);
    let mut by_time: Vec<usize> = (0..records.len()).collect();
    by_time.sort_by_key(|&place| {
        let episode = records[place];
        (subject(episode), episode.opened, episode.id.number)
    });
    let follows = |before: usize, after: usize| {
        let (before, after) = (records[before], records[after]);
        subject(before) == subject(after) && after.opened.saturating_sub(before.closed) <= gap
    };
    let mut groups: Vec<Vec<usize>> =
        by_time.chunk_by(|&before, &after| follows(before, after)).map(<[usize]>::to_vec).collect();
    groups.sort_by_key(|group| group.iter().min().copied());
    groups.into_iter().map(|group| group.into_iter().map(|place| records[place].id).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::GrimoireConfig;
    use crate::episode::grimoire::tests::{episode, id};
    use crate::replay::select;
    use crate::replay::utility::tests::{any_grimoire, context};
    use morta_base::{Purpose, WorldSeed};
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

    /// Episodes last five ticks. 0, 1 and 3 follow each other within ten; 2 is on another asset; 4 comes late.
    fn five() -> Grimoire {
        let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
        for (number, closed) in [(0, 100), (1, 110), (2, 112), (3, 125), (4, 500)] {
            let mut lived = episode(number, closed);
            lived.asset = u8::from(number == 2);
            grimoire.insert(lived, 0);
        }
        grimoire
    }

    #[test]
    fn lifecycles_by_hand() {
        let groups = lifecycles(&[4, 3, 2, 1, 0].map(id), &five(), 10);
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
        let batches = batches(&chosen, &grimoire, 3, &config);
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
            let batches = batches(&chosen, &grimoire, size, &config);
            prop_assert!(batches.iter().all(|batch| (1..=size).contains(&batch.len())));
            let mut held: Vec<EpisodeId> = batches.iter().flat_map(Batch::episodes).collect();
            held.sort_unstable();
            chosen.sort_unstable();
            prop_assert_eq!(held, chosen);
        }
    }
}
