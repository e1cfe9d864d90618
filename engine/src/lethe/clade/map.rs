//! The division of lineage slots into clades, which makes siblings. By slots and not by golems, so that a successor has the siblings of the
//! dead. It is a partition of slots into groups, computed and not stored: nothing has to be kept up to date when golems die. The plan makes
//! it from cohort sizes and `clade.size` (20; 0 here when clades are off). Golems, pheromones, the board and the Lethe's kinship ask it. A
//! clade never crosses cohorts, so arms of an experiment don't learn from each other's living (bloodstains do cross).

use morta_base::Lineage;
use serde::{Deserialize, Serialize};

/// A clade, named by its first lineage slot (a group id).
pub(crate) type CladeId = Lineage;

/// Cuts every cohort into clades (partition, sharding): runs of neighbouring lineage slots. Successors stay in the clade of their slot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CladeMap {
    /// First lineage of each cohort, and one beyond the last.
    bounds: Vec<Lineage>,
    /// Slots in a clade; 0 when there are none.
    size: u32,
}

impl CladeMap {
    /// Makes clades of `size` slots in cohorts of these lengths; `size` 0 for no clades at all.
    pub fn new(cohorts: impl IntoIterator<Item = u32>, size: u32) -> Self {
        let mut bounds = vec![0];
        for golems in cohorts {
            bounds.push(bounds[bounds.len() - 1] + golems);
        }
        Self { bounds, size }
    }

    /// Looks up the clade of a lineage slot of this run, by binary search; `None` without clades, and for the dead of other runs.
    pub fn clade_of(&self, lineage: Lineage) -> Option<CladeId> {
        if self.size == 0 || self.bounds.last().is_none_or(|end| lineage >= *end) {
            return None;
        }
        let cohort = self.bounds.partition_point(|first| *first <= lineage) - 1;
        let first = self.bounds[cohort];
        Some(first + (lineage - first) / self.size * self.size)
    }

    /// Whether two different slots belong to the same clade (group).
    pub fn are_siblings(&self, a: Lineage, b: Lineage) -> bool {
        a != b && self.clade_of(a).is_some_and(|clade| self.clade_of(b) == Some(clade))
    }
}
