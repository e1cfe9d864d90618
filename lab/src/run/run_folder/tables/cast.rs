//! The names a scenario gives to its cohorts and assets (dimension table, lookup table): lineage to cohort, asset index to symbol. Events
//! have numbers only. Names are put in when tables are written, so that a table can be read without its scenario. Cohorts hold the lineages
//! one after another, in the scenario's order, and a lineage keeps its cohort for ever. A lineage beyond the scenario's gets the last
//! cohort, an asset beyond its assets panics; events of the run itself have none. Besides tables, the meter of a run's measures sorts
//! golems into cohorts by it, and the branch report, the view of a decision and the page of a run take names from it.

use morta_base::Lineage;
use morta_engine::market::AssetIndex;
use morta_engine::world::Scenario;

/// Looks up the names of cohorts and assets by their numbers.
#[derive(Clone, Debug)]
pub struct Cast {
    cohorts: Vec<CohortEntry>,
    symbols: Vec<String>,
}

/// A cohort of the cast: its name, its memory architecture, and where its lineages begin.
#[derive(Clone, Debug)]
pub struct CohortEntry {
    /// The cohort, as the scenario names it.
    pub name: String,
    /// Its memory architecture.
    pub memory: String,
    /// Its first lineage; the next cohort's first ends it.
    first: Lineage,
}

impl Cast {
    /// Makes the cast of a scenario from its cohorts and assets.
    pub(crate) fn from_scenario(scenario: &Scenario) -> Self {
        let mut first = 0;
        let entry = |cohort: &morta_engine::world::Cohort| {
            let entry = CohortEntry { name: cohort.name.clone(), memory: cohort.memory.to_string(), first };
            first += cohort.golems;
            entry
        };
        let cohorts = scenario.cohorts.iter().map(entry).collect();
        let symbols = scenario.market.assets.iter().map(|asset| asset.symbol.clone()).collect();
        Self { cohorts, symbols }
    }

    /// All cohorts, in the scenario's order.
    pub fn cohorts(&self) -> &[CohortEntry] {
        &self.cohorts
    }

    /// Finds the index of the cohort that a lineage belongs to, by binary search.
    pub fn cohort_index(&self, lineage: Lineage) -> usize {
        self.cohorts.partition_point(|cohort| cohort.first <= lineage) - 1
    }

    /// Finds the cohort that a lineage belongs to.
    pub fn cohort(&self, lineage: Lineage) -> &CohortEntry {
        &self.cohorts[self.cohort_index(lineage)]
    }

    /// The ticker symbol of an asset.
    pub fn symbol(&self, asset: AssetIndex) -> &str {
        &self.symbols[usize::from(asset)]
    }
}
