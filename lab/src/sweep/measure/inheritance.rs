//! The use of inherited things (from bloodstains, predecessors and clades), and causes of death of successors beside those of their
//! predecessors (digest section 16, E5: same-cause avoidance above 60 %, which is 1 less `same_cause_share`). Counts are of items, and of
//! trades once for each item that spoke; shares are 0 to 1. They are the measures `bloodstains_used`, `legacy_mean_r`, `clade_mean_r` and
//! their like, and `same_cause_share`; an heir's item is taken in at the end of the heir's life, and not at all where its memory was lost.

use morta_base::GolemId;
use morta_engine::memory::Inheritance;
use morta_engine::mortality::Cause;
use std::collections::BTreeMap;

/// Usage statistics of items inherited from one kind of source: how many were used, and the wins and R of the trades they spoke in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InheritedItems {
    /// Things that spoke in a trade's decision.
    pub used: u64,
    /// Trades they spoke in, each thing counted.
    pub uses: u64,
    /// Of these, trades that made money.
    pub wins: u64,
    /// The gain of these trades, R.
    pub total_r: f64,
}

impl InheritedItems {
    /// Takes in an inherited item at the end of its heir's life.
    pub fn take(&mut self, settled: &Inheritance) {
        self.used += u64::from(settled.uses > 0);
        self.uses += u64::from(settled.uses);
        self.wins += u64::from(settled.wins);
        self.total_r += settled.total_r;
    }
}

/// Compares causes of death of successors with those of their predecessors.
#[derive(Clone, Debug, Default)]
pub struct Succession {
    /// What each golem died of; kept to the end, because a successor may die much later.
    died_of: BTreeMap<GolemId, Cause>,
    /// Successors that died, and whose predecessors died within the run.
    pub dead: u64,
    /// Of these, those that died of the cause of their predecessors.
    pub same_cause: u64,
}

impl Succession {
    /// Takes in the end of a life. The predecessor is the golem before it in its lineage, whether or not anything was inherited: otherwise
    /// arms without inheritance would have no figure to compare with. Its cause of death is compared with the predecessor's: the same cause
    /// or another.
    pub fn ended(&mut self, golem: GolemId, cause: Option<Cause>) {
        let Some(cause) = cause else { return };
        let before = golem.generation.checked_sub(1).map(|generation| GolemId { generation, ..golem });
        if let Some(before) = before.and_then(|before| self.died_of.get(&before)) {
            self.dead += 1;
            self.same_cause += u64::from(*before == cause);
        }
        self.died_of.insert(golem, cause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::fixtures::golem;

    /// Founder of poverty, child of poverty, grandchild by chance, and a great-grandchild that outlives the run.
    #[test]
    fn successors_are_held_against_their_predecessors() {
        let mut succession = Succession::default();
        for (generation, cause) in
            [Some(Cause::Economic), Some(Cause::Economic), Some(Cause::Stochastic), None]
                .into_iter()
                .enumerate()
        {
            let generation = generation as u32;
            succession.ended(golem(generation), cause);
        }
        assert_eq!((succession.dead, succession.same_cause), (2, 1));
    }
}
