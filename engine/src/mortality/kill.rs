//! Deaths the scenario ordains: an owner ends one golem, a kill switch a whole cohort. They are scheduled interventions (kill switch,
//! fault injection of a lineage), at given ticks. Nothing about the golem's state matters for them, so an experiment can remove chosen
//! golems at chosen times whatever their policy; immortals die of them too. Where a clock runs out in the same tick, the kill is the cause
//! of death. A struck golem begins its last rites like any other, with acceptance and settling; one that is dying already isn't struck. A
//! list that names an unknown cohort or slot is refused when the scenario is loaded.

use crate::mortality::Cause;
use morta_base::keys;
use morta_base::{Lineage, TableChecker, Tick};

keys! {
    /// One entry of `[[mortality.kills]]`: somebody outside ends lives at a tick. With `lineage` an owner ends the
    /// golem that holds that slot; with `cohort` a kill switch ends all of a cohort. No policy protects from it,
    /// immortality neither.
    #[derive(Eq)]
    pub struct Kill {
        /// Tick in which it strikes.
        tick: Tick, in 0.., "ticks";
        /// Which lineage slot; leave out to name a cohort.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lineage: Option<u32>, in 0.., "slot";
        /// Which cohort; leave out to name a lineage slot.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cohort: Option<String>;
    }
}

impl Kill {
    /// Whether it can strike a golem of this cohort: true as well for a kill that names none, since it has a lineage slot.
    pub fn concerns(&self, cohort: &str) -> bool {
        self.cohort.as_deref().is_none_or(|named| named == cohort)
    }

    /// Looks up the first kill of the list that strikes a lineage slot at a tick, as a cause of death; `None` on nearly every tick. `kills`
    /// are those that concern its cohort. Whatever golem holds the slot at that tick is struck, unless it is dying already.
    pub fn strikes(kills: &[Self], lineage: Lineage, tick: Tick) -> Option<Cause> {
        let kill =
            kills.iter().find(|kill| kill.tick == tick && kill.lineage.is_none_or(|slot| slot == lineage))?;
        Some(if kill.lineage.is_some() { Cause::OwnerKill } else { Cause::KillSwitch })
    }

    /// Checks a list of kills against the cohorts and lineage slots of a world. Each must name one of the two, so that its cause is clear.
    /// An error names the key (referential integrity).
    pub fn check(kills: &[Self], table: &mut TableChecker<'_>, cohorts: &[&str], lineages: u64) {
        for (index, kill) in kills.iter().enumerate() {
            let mut table = table.table(&format!("kills.{index}"));
            match (&kill.lineage, &kill.cohort) {
                (Some(lineage), None) => table.slot("lineage", *lineage, lineages),
                (None, Some(cohort)) => {
                    let known = cohorts.contains(&cohort.as_str());
                    table.demand(known, "cohort", cohort, format!("name one of {}", cohorts.join(", ")));
                }
                (Some(_), Some(cohort)) => {
                    table.demand(false, "cohort", cohort, "name a lineage slot or a cohort, not both");
                }
                (None, None) => {
                    table.demand(false, "lineage", "nothing", "name a lineage slot or a cohort");
                }
            }
        }
    }
}
