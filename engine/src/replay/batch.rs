//! Batches: the episodes that one question to a model shows together.
//!
//! The replay spec ("compressed batch replay") asks for batches of 5 to 15, few enough for a context window and enough for patterns across
//! episodes, with the episodes of one position together (Fedus et al. 2020). Sizes are numbers of episodes, gaps are in ticks, fitness runs
//! from 0 to 1. In the field these are mini-batches, grouped by trajectory. The caller adds what isn't here: a lightweight dream reads five
//! episodes a batch at most, and the number of batches follows the dream's scope and money. The level of uncertainty serves more than
//! batches: among others, a dream's length, the sharpness of its onset, the model that reads and the boldness of its imagination follow it.

use crate::episode::{EpisodeRecord, Grimoire};
use crate::replay::ReplayConfig;
use morta_base::{EpisodeId, Tick};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// How unsure a golem is of its predictions (dream spec, "dream intensity modulation"): epistemic uncertainty in three levels
    /// (confidence level, uncertainty bucket), read once when a dream is ordered. The urgency that a dream needs has a limit of its own
    /// (`dream.schedule.uncertain_below_fitness`).
    #[allow(missing_docs)]
    pub enum Uncertainty {
        Low = "low",
        Medium = "medium",
        High = "high",
    }
}

impl Uncertainty {
    /// Reads uncertainty off epistemic fitness, in [0, 1], discretised by thresholds: high below 0.5, medium below 0.7, else low, with the
    /// defaults, which are those of the dream spec ("dream intensity modulation").
    pub fn of_fitness(fitness: f64, config: &ReplayConfig) -> Self {
        if fitness < config.intensity.high_below_fitness {
            Self::High
        } else if fitness < config.intensity.medium_below_fitness {
            Self::Medium
        } else {
            Self::Low
        }
    }

    /// Reads it off a fitness that is skill. Skill moves fitness a twentieth as far from .5 as accuracy does, so the distance from .5 is
    /// stretched by `SKILL_STRETCH`: with the defaults uncertainty is high without skill, and low from a tenth of an oracle's. (Oracles
    /// have a skill of .11 in `scenarios/controls/learnable.toml` and .12 in `scenarios/holding.toml`, golems −.09 to .01. At thresholds
    /// meant for accuracy every golem stayed at high uncertainty.) A rescaling for the skill score.
    pub fn of_skill(fitness: f64, config: &ReplayConfig) -> Self {
        Self::of_fitness(0.5 + SKILL_STRETCH * (fitness - 0.5), config)
    }
}

/// How much smaller a deviation of fitness from .5 is when fitness is skill than when it is accuracy, on an oracle (see
/// [`Uncertainty::of_skill`]).
const SKILL_STRETCH: f64 = 20.0;

/// Episodes in one batch, an adaptive mini-batch size: `batch_size` (default 10) times the factor of the uncertainty, rounded, at least 1
/// and at most the largest valid size; 5, 10 and 15 with the defaults, the dream spec's table of intensity.
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

/// Episodes to be read together: a mini-batch (minibatch) of whole trajectories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// Lifecycles, the most useful first; within each, episodes in the order of time.
    pub lifecycles: Vec<Vec<EpisodeId>>,
}

impl Batch {
    /// Iterates over all episodes of its lifecycles, in reading order.
    pub fn episodes(&self) -> impl Iterator<Item = EpisodeId> {
        self.lifecycles.iter().flatten().copied()
    }

    /// Number of episodes in the mini-batch, in all of its lifecycles.
    pub fn len(&self) -> usize {
        self.lifecycles.iter().map(Vec::len).sum()
    }

    /// Whether the batch has no episode.
    pub fn is_empty(&self) -> bool {
        self.lifecycles.iter().all(Vec::is_empty)
    }
}

/// Divides chosen episodes, most useful first (first-fit bin packing), into at most `most` batches of at most `size`.
///
/// Episodes of one lifecycle (see [`lifecycles`]) share a batch, unless no batch has room for all of them. Lifecycles are
/// placed by the rank of their first-ranked episode, each into the first batch with room. Where that leaves places free and no
/// further batch may begin, the remaining lifecycles are taken apart to fill them: a batch's fixed tokens are paid for all the same, and
/// without a place a chosen episode would go unread. What exceeds `most` · `size` gets no place.
///
/// # Panics
/// When `size` is 0.
pub fn batches(chosen: &[EpisodeId], grimoire: &Grimoire, size: usize, most: usize) -> Vec<Batch> {
    assert!(size > 0, "a batch has room for something");
    let mut batches: Vec<Batch> = Vec::new();
    let mut apart: Vec<EpisodeId> = Vec::new();
    for lifecycle in lifecycles(chosen, grimoire) {
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

/// Most ticks between the end of one episode and the start of the next for both to belong to one lifecycle: ten minutes of 40-second ticks.
/// Our choice: the spec wants the full lifecycle of a position in one batch and doesn't say when it ends; with a longer gap separate trades
/// would be joined to one that no batch can hold.
const LIFECYCLE_GAP_TICKS: Tick = 15;

/// Groups the stored ones of some episodes into lifecycles: runs of episodes of one golem with one strategy on one asset, each beginning at
/// most 15 ticks after the one before it ended. Groups keep the order of their first episode in `chosen`, so the most useful lifecycle is
/// placed first; within a group, episodes are ordered by time. It is sessionisation: a group-by on gaps in time.
pub fn lifecycles(chosen: &[EpisodeId], grimoire: &Grimoire) -> Vec<Vec<EpisodeId>> {
    let records: Vec<&EpisodeRecord> = chosen.iter().filter_map(|id| grimoire.get(*id)).collect();
    let subject = |episode: &EpisodeRecord| (episode.lived_by(), episode.asset, episode.strategy);
    let mut by_time: Vec<usize> = (0..records.len()).collect();
    by_time.sort_by_key(|&place| {
        let episode = records[place];
        (subject(episode), episode.opened, episode.id.number)
    });
    let follows = |before: usize, after: usize| {
        let (before, after) = (records[before], records[after]);
        subject(before) == subject(after) && after.opened.saturating_sub(before.closed) <= LIFECYCLE_GAP_TICKS
    };
    let mut groups: Vec<Vec<usize>> =
        by_time.chunk_by(|&before, &after| follows(before, after)).map(<[usize]>::to_vec).collect();
    groups.sort_by_key(|group| group.iter().min().copied());
    groups.into_iter().map(|group| group.into_iter().map(|place| records[place].id).collect()).collect()
}
