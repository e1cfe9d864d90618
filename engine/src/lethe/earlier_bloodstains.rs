//! The bloodstains that a Lethe holds before tick 0: those of golems that died in earlier runs (warm start of a knowledge base, persistence
//! across runs).
//!
//! Times are in simulated hours before tick 0, since ticks of another run have no meaning here. Golems carry the number of their run in
//! their names, so that names stay unique. The laboratory reads them (`lethe.start_from`) and reports how many don't fit; the service loads
//! the rest before tick 0, without delay and without votes. They rank by the hours, so they fade like others.

use crate::episode::{Episode, Provenance};
use crate::lethe::{Bequest, Bloodstain};
use morta_base::{BloodstainId, EpisodeId, GolemId};
use serde::{Deserialize, Serialize};

/// One bloodstain of an earlier run: an imported record with its age in hours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EarlierBloodstain {
    /// The bloodstain; its golems carry the number of their run ([`GolemId::run`]).
    pub bloodstain: Bloodstain,
    /// Time between its golem's death and tick 0, simulated hours.
    pub hours_before: f64,
}

/// Everything from earlier runs, in the order of identities: the import set of a warm start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EarlierBloodstains {
    /// The bloodstains.
    pub bloodstains: Vec<EarlierBloodstain>,
}

impl EarlierBloodstains {
    /// Validates an import: retains the bloodstains that have a meaning in a world of so many assets and embeddings of this length, and
    /// returns the number of the others. Compared with embeddings of another length, those would end the run in a panic.
    pub fn keep_what_fits(&mut self, assets: usize, dimensions: u32) -> usize {
        let before = self.bloodstains.len();
        self.bloodstains.retain(|earlier| {
            let Bloodstain { embedding, bequest, .. } = &earlier.bloodstain;
            let fits = |length: usize| length == dimensions as usize;
            fits(embedding.len())
                && match bequest {
                    Bequest::Scar(scar) => usize::from(scar.asset) < assets && fits(scar.embedding.len()),
                    Bequest::Lesson(_) => true,
                }
        });
        before - self.bloodstains.len()
    }
}

impl Bloodstain {
    /// Renames every golem it names, on import: golems of different runs have the same names until they carry their run's number.
    pub fn rename(&mut self, name: &impl Fn(GolemId) -> GolemId) {
        self.id.golem = name(self.id.golem);
        match &mut self.bequest {
            Bequest::Scar(episode) => rename_episode(episode, name),
            Bequest::Lesson(lesson) => {
                lesson.origin = name(lesson.origin);
                lesson.learned_from.iter_mut().for_each(|id: &mut EpisodeId| id.golem = name(id.golem));
            }
        }
    }

    /// Rebases the timestamps of the bloodstain to those of this world: the ticks of another run have no meaning here, so its episodes
    /// count as of tick 0, the earliest there is. With later dates, recall and replay would take them for recent.
    pub fn dated_to_tick_zero(mut self) -> Self {
        if let Bequest::Scar(episode) = &mut self.bequest {
            (episode.opened, episode.closed) = (0, 0);
            episode.chain.iter_mut().for_each(|step| step.tick = 0);
        }
        self
    }
}

fn rename_episode(episode: &mut Episode, name: &impl Fn(GolemId) -> GolemId) {
    episode.id.golem = name(episode.id.golem);
    episode.provenance = match episode.provenance {
        Provenance::Own => Provenance::Own,
        Provenance::Bloodstain(id) => {
            Provenance::Bloodstain(BloodstainId { golem: name(id.golem), number: id.number })
        }
        Provenance::Predecessor(golem) => Provenance::Predecessor(name(golem)),
        Provenance::Clade(golem) => Provenance::Clade(name(golem)),
    };
}

/// Generational distance: the generations a lesson has crossed on its way to an heir, at least 1: the g of the confidence c·.85^g that it
/// is inherited with (digest section 14). Within a run it is the difference of the generations of the golem that first learned it and the
/// heir. Generations of different runs can't be compared: a lesson of an earlier run has crossed those between its origin and the golem
/// that left it, and one more.
pub fn generations_crossed(origin: GolemId, left_by: GolemId, heir: GolemId) -> u32 {
    let within = |from: GolemId, to: GolemId| from.generation.abs_diff(to.generation);
    match (left_by.run() == heir.run(), origin.run() == left_by.run()) {
        (true, true) => within(origin, heir).max(1),
        (false, true) => within(origin, left_by) + 1,
        (_, false) => left_by.generation + 1,
    }
}
