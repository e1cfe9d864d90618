//! Changes that reach into a life under way: other keys (hot reload of parameters), another memory, and the restore of a memory after a
//! checkpoint. They happen at a barrier between two ticks, so that no step sees half of a change. The plain world calls them
//! (`world::plain`): keys when a watched run or a branch steers them, another memory in a branch (what if it had lived with this one?), the
//! restore on resuming. Identity, money and luck stay, and so does the mood unless the keys switch affect on.

use crate::daimon::Affect;
use crate::dream::DreamRequest;
use crate::golem::state::{Activity, OrderOut};
use crate::golem::{Answer, Golem, Rules};
use crate::memory::family::ReviveError;
use crate::memory::{Memory, MemoryKeys, MemoryRegistry};
use morta_base::{Tick, Usdc};

impl Golem {
    /// Goes on by other rules (hot reload): the live state stays. All rules are read anew in every tick but those that its memory holds, so
    /// the memory is rebound here. A golem for which affect is switched on begins in the mood of its nature.
    pub fn rebind(&mut self, (was, is): (&Rules, &Rules), keys: &MemoryKeys<'_>, now: Tick) {
        self.memory.rebind(keys, now);
        if is.daimon.is_on() && !was.daimon.is_on() {
            let nature = self.genome.nature(&is.golem, &is.daimon.personality);
            self.affect = Affect::born(nature, now, false);
        }
    }

    /// Restores a memory from outside the engine after the golem was read from a snapshot (checkpoint): the memory's saved state is handed back to its
    /// program.
    ///
    /// # Errors
    /// When the registry can't.
    pub fn revive_memory(&mut self, registry: &MemoryRegistry) -> Result<(), ReviveError> {
        self.memory.revive(registry)
    }

    /// Gives it an empty memory instead of its own. Body, purse, nature, mood and open position stay; the snapshot for a sudden
    /// death is forgotten with the rest. A dream breaks off: the returned request must go to the scheduler, or its place in the dormitory
    /// stays taken. A memory transplant (intervention), with cancellation of what depends on it.
    pub(crate) fn replace_memory(&mut self, mut memory: Memory) -> Option<DreamRequest> {
        memory.count_on_from(&self.memory);
        self.memory = memory;
        self.clade_state.take_borne_out();
        self.mortal.snapshot = None;
        self.upkeep.briefing = None;
        self.forget_questions_of_memory();
        self.forget_what_waits_for_memory();
        self.upkeep.asleep_until = self.upkeep.asleep_until.min(self.born);
        self.sleep_pressure.forget(self.next.episode);
        self.left.clear();
        let held = self.position.as_mut().map(|position| &mut position.decision);
        let ordered = match &mut self.order_out {
            Some(OrderOut::Open(decision)) => Some(decision.as_mut()),
            Some(OrderOut::Close(_) | OrderOut::Reduce(_) | OrderOut::Add { .. }) | None => None,
        };
        let turned_down = self.abstention.as_deref_mut();
        // The items that spoke for these are gone, and the new memory's may have the same ids: evidence would go to the wrong ones.
        held.into_iter().chain(ordered).chain(turned_down).for_each(|decision| {
            decision.why.clear();
            decision.influential.clear();
        });
        let spent = match &self.activity {
            Activity::AskedToDream => Usdc::ZERO,
            Activity::Dreaming(cycle) => cycle.cost(),
            Activity::Awake | Activity::Dying(_) => return None,
        };
        let wasted = self.is_dreaming();
        self.activity = Activity::Awake;
        Some(DreamRequest::Awake { spent, wasted })
    }
}

impl Answer {
    /// Whether it is about a golem's knowledge, and so of no use to another memory: a filter for stale responses when a memory is replaced.
    pub(crate) fn is_about_memory(&self) -> bool {
        matches!(self, Self::Curated(_) | Self::Dream(_))
    }
}
