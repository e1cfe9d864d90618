//! Deaths the scenario ordains: an owner ends one golem, a kill switch a whole cohort.

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
    /// Whether it can concern a golem of this cohort.
    pub fn concerns(&self, cohort: &str) -> bool {
        self.cohort.as_deref().is_none_or(|named| named == cohort)
    }

    /// What strikes a lineage slot at a tick; `kills` are those that concern its cohort.
    pub fn strikes(kills: &[Self], lineage: Lineage, tick: Tick) -> Option<Cause> {
        let kill =
            kills.iter().find(|kill| kill.tick == tick && kill.lineage.is_none_or(|slot| slot == lineage))?;
        Some(if kill.lineage.is_some() { Cause::OwnerKill } else { Cause::KillSwitch })
    }

    /// Everything about a list of kills that can't be, in a world of these cohorts and lineage slots.
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

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::Checker;

    fn kill(lineage: Option<u32>, cohort: Option<&str>) -> Kill {
        Kill { tick: 7, lineage, cohort: cohort.map(str::to_owned) }
    }

    #[test]
    fn owners_end_one_and_kill_switches_all() {
        let kills = [kill(Some(3), None), kill(None, Some("bardo"))];
        assert_eq!(Kill::strikes(&kills, 3, 7), Some(Cause::OwnerKill));
        assert_eq!(Kill::strikes(&kills, 4, 7), Some(Cause::KillSwitch));
        assert_eq!(Kill::strikes(&kills, 3, 8), None);
        assert!(kills[1].concerns("bardo") && !kills[1].concerns("none") && kills[0].concerns("none"));
    }

    #[test]
    fn a_kill_names_somebody_who_exists() {
        let kills =
            [kill(Some(9), None), kill(None, Some("nobody")), kill(None, None), kill(Some(0), Some("bardo"))];
        let mut check = Checker::default();
        Kill::check(&kills, &mut check.table("mortality"), &["bardo", "none"], 9);
        let keys: Vec<String> = check.into_problems().into_iter().map(|problem| problem.key).collect();
        let expected = ["0.lineage", "1.cohort", "2.lineage", "3.cohort"];
        assert_eq!(keys, expected.map(|key| format!("mortality.kills.{key}")));
    }
}
