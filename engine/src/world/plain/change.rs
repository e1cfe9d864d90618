//! Changes of a world at a barrier: other keys, a bloodstain less, another memory. A run that goes on from there lives under the change. It
//! is an intervention on a running simulation (branch, counterfactual what-if), at a barrier. A run and its branch can so differ in one
//! thing alone. Nothing here has a unit but ticks. Branches of runs ask for it, and an owner who steers a run under way. Changed keys are
//! refused as a whole where one is fixed.

use super::World;
use crate::dream::DreamAnswer;
use crate::lethe::{BloodstainStore, StoreError};
use crate::memory::MemoryName;
use crate::memory::family::EmptyError;
use crate::world::Plan;
use crate::world::change::fixed;
use morta_base::{BloodstainId, LetterId, Lineage};

/// The reason why a world can't be changed so: an error of a refused intervention.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The key makes the world what it has been so far.
    #[error("{key} can't be changed in a world under way: {why}")]
    Fixed {
        /// The key.
        key: String,
        /// The reason.
        why: &'static str,
    },
    /// No golem lives in the slot.
    #[error("nobody lives in lineage {0} at that tick")]
    NobodyThere(Lineage),
    /// The golem there has begun to die.
    #[error("the golem of lineage {0} is closing its affairs at that tick: it has no use for another memory")]
    Dying(Lineage),
    /// There is no such memory, or it can't be made here.
    #[error(transparent)]
    Memory(#[from] EmptyError),
    /// The Lethe's store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl<S: BloodstainStore> World<S> {
    /// Goes on by another plan, a hot reload of configuration: every holder of keys gets those of the new one, the living included. With
    /// the plan it has, nothing changes. Shocks and calls planned for ticks that are over don't happen any more.
    ///
    /// # Errors
    /// When the plans differ in a key that fixes the world's past or its shape, which leaves everything as it was; when the
    /// store fails, and then the Lethe alone may have changed.
    pub fn rebind(&mut self, plan: Plan) -> Result<(), ChangeError> {
        let changes = self.plan.scenario().differences(plan.scenario());
        if let Some((change, why)) = changes.iter().find_map(|change| Some((change, fixed(&change.key)?))) {
            return Err(ChangeError::Fixed { key: change.key.clone(), why });
        }
        self.services.rebind_keys(&plan, self.barrier.now_mut())?;
        self.barrier.look_at(&self.services);
        let keys = plan.memory_keys();
        for golem in self.golems.values_mut() {
            let cohort = golem.cohort();
            golem.rebind((self.plan.rules(cohort), plan.rules(cohort)), &keys, self.barrier.tick());
        }
        self.plan = plan;
        Ok(())
    }

    /// Iterates over the bloodstains in the Lethe, in the order of identities.
    pub fn bloodstains(&self) -> impl Iterator<Item = BloodstainId> + '_ {
        self.services.styx_lethe.bloodstains()
    }

    /// Takes a bloodstain out of the Lethe, the ablation (knockout) of one shared memory; false when it isn't there. Golems that have
    /// drawn it keep it.
    ///
    /// # Errors
    /// When the store fails.
    pub fn remove_bloodstain(&mut self, id: BloodstainId) -> Result<bool, StoreError> {
        let removed = self.services.styx_lethe.remove(id)?;
        self.barrier.look_at(&self.services);
        Ok(removed)
    }

    /// Gives the golem of a lineage an empty memory of another architecture (a transplant). Its successor has that of its cohort again:
    /// the question is how this one life would have gone. A dream under way is broken off, and answers about the old memory are dropped.
    ///
    /// # Errors
    /// When no golem lives there, the one there is dying, or the plan's registry has no such memory.
    ///
    /// # Panics
    /// When it is to be an oracle and the plan doesn't know the truth ([`Plan::knowing`]).
    pub fn swap_memory(&mut self, lineage: Lineage, name: &MemoryName) -> Result<(), ChangeError> {
        let golem = self.golems.get_mut(&lineage).ok_or(ChangeError::NobodyThere(lineage))?;
        if golem.is_dying() {
            return Err(ChangeError::Dying(lineage));
        }
        let id = golem.id();
        let memory = self.plan.empty_memory(id, name)?;
        if let Some(request) = golem.replace_memory(memory) {
            let unanswered: Vec<(LetterId, DreamAnswer)> =
                self.services.dream_scheduler.step(vec![(LetterId { golem: id, number: u32::MAX }, request)]);
            assert!(unanswered.is_empty(), "nobody answers who wakes up");
        }
        self.barrier.retain_answers(id, |answer| !answer.is_about_memory());
        Ok(())
    }
}
