//! Which episodes are read together: a batch is one question, so what belongs together stays together.

use crate::episode::{EpisodeRecord, Grimoire};
use crate::replay::ReplayConfig;
use morta_base::{EpisodeId, Tick};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// How unsure a golem is of its predictions (dream spec, "dream intensity modulation").
    #[allow(missing_docs)]
    pub enum Uncertainty {
        Low = "low",
        Medium = "medium",
        High = "high",
    }
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

    /// The same where fitness is skill, which moves it a twentieth as far from .5 as accuracy does, so that thresholds are as much nearer: with
    /// the defaults high without skill, and low from a tenth of an oracle's. (Oracles have a skill of .11 in
    /// `scenarios/controls/learnable.toml` and .12 in `scenarios/holding.toml`, golems −.09 to .01; at thresholds meant for accuracy nobody
    /// was ever sure of anything.)
    pub fn of_skill(fitness: f64, config: &ReplayConfig) -> Self {
        Self::of_fitness(0.5 + 20.0 * (fitness - 0.5), config)
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

/// Divides chosen episodes, most useful first, into at most `most` batches of at most `size`.
///
/// Episodes of one lifecycle (see [`lifecycles`]) come into one batch, unless no batch has room for all of them. Lifecycles are placed
/// by the rank of their first-ranked episode, each into the first batch with room; where that leaves places free and no batch more may be
/// begun, the rest is taken apart and fills them, because what was chosen and isn't read would only stand in for what is. What is more than
/// `most` · `size` has no place.
///
/// # Panics
/// When `size` is 0.
pub fn batches(
    chosen: &[EpisodeId],
    grimoire: &Grimoire,
    size: usize,
    most: usize,
    config: &ReplayConfig,
) -> Vec<Batch> {
    assert!(size > 0, "a batch has room for something");
    let mut batches: Vec<Batch> = Vec::new();
    let mut apart: Vec<EpisodeId> = Vec::new();
    for lifecycle in lifecycles(chosen, grimoire, config.lifecycle_gap_ticks) {
        for piece in lifecycle.chunks(size) {
            match batches.iter().position(|batch| batch.len() + piece.len() <= size) {
                Some(place) => batches[place].lifecycles.push(piece.to_vec()),
                None if batches.len() < most => batches.push(Batch { lifecycles: vec![piece.to_vec()] }),
                None => apart.extend(piece),
            }
        }
    }
    for batch in &mut batches {
        let places = (size - batch.len()).min(apart.len());
        if places > 0 {
            batch.lifecycles.push(apart.drain(..places).collect());
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
