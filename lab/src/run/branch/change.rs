//! The change of a branch, checked against the scenario of the run before anything is lived: a key that is read only at the start would
//! change nothing, and is refused, as are shocks and faults planned for ticks that are over. A change is an intervention: keys of the
//! scenario, or something of the world (a golem's death, a bloodstain, an architecture). What only the living world shows, such as whether
//! a golem is alive, is refused later, when the change is made. The length in ticks is no change: it is the branch's own.

use super::BranchRequest;
use crate::io::error::{Error, Result};
use crate::run::history::plan_of;
use crate::run::laboratory::Laboratory;
use crate::run::provenance::Changes;
use crate::run::run_folder::FinishedRun;
use crate::run::scenario_file::{Library, Overrides, Scenario, change_resolved};
use morta_base::Tick;
use morta_engine::world::change::fixed;
use morta_engine::world::{self, KeyChange, Plan};

/// A change that was checked against its world (validated intervention).
pub(crate) struct ResolvedChange {
    /// The scenario under the change.
    pub loaded: Scenario,
    /// Its plan.
    pub plan: Plan,
    /// The change with every key it sets.
    pub changes: Changes,
}

/// Checks a change; `before` is the plan of the world it is to be made in, the run's that is branched (intervention validation).
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub(super) fn resolve(
    before: &Plan,
    request: BranchRequest,
    parent: &FinishedRun,
    laboratory: &Laboratory,
) -> Result<ResolvedChange> {
    let BranchRequest { at, ticks: _, set, mut changes, record: _ } = request;
    let own = |key: &str| set.iter().any(|text| text.split('=').next().is_some_and(|own| own.trim() == key));
    if own("ticks") {
        return Err(Error::invalid("--set ticks: say with --ticks how long the branch is to be lived"));
    }
    let set = Overrides { set, ticks: Some(before.scenario().ticks), ..Overrides::default() };
    let mut library = Library::new(laboratory).finding_data(parent.dir(), parent.data());
    let changed = change_resolved(before.scenario(), &set, &mut library)?;
    changes.set = before.scenario().differences(&changed.scenario);
    let mut wrong: Vec<String> = changes.set.iter().filter_map(refusal).collect();
    wrong.extend(too_late(before.scenario(), &changed.scenario, at));
    let lineages = before.lineages();
    let unknown = changes.swapped_memories.iter().filter(|(lineage, _)| **lineage >= lineages);
    wrong.extend(unknown.map(|(lineage, name)| {
        format!("--swap-memory {lineage}={name}: the world has lineages 0 to {}", lineages - 1)
    }));
    wrong.extend(changes.swapped_memories.iter().filter_map(|(lineage, name)| {
        let why = before.memories().demand(name).err()?;
        Some(format!("--swap-memory {lineage}={name}: {why}, or registered by this program"))
    }));
    Error::if_any(wrong)?;
    // The connection to a real model is made later, when there is a folder for its recording.
    let unconnected = changed.answered_by(before.outside().shared());
    let plan = plan_of(&unconnected, &changes)?;
    Ok(ResolvedChange { loaded: unconnected, plan, changes })
}

fn refusal(change: &KeyChange) -> Option<String> {
    let KeyChange { key, to, .. } = change;
    let why = if key == "lethe.persist" { Some("a branch adds to no Lethe") } else { fixed(key) };
    why.map(|why| format!("--set {key}={to}: {key} can't be changed in a world under way: {why}"))
}

/// Planned shocks and faults of ticks that are over.
fn too_late(before: &world::Scenario, after: &world::Scenario, at: Tick) -> Vec<String> {
    let (old, new) = (&before.market.shocks.scheduled, &after.market.shocks.scheduled);
    // The market is at the first tick of the branch already, so a shock of that tick comes too late as well.
    let shocks = new.iter().filter(|shock| !old.contains(shock) && shock.tick <= at);
    let shocks = shocks.map(|shock| (format!("market.shocks.scheduled: tick {}", shock.tick), at + 1));
    let faults = after.faults.iter().filter(|fault| !before.faults.contains(fault) && fault.tick < at);
    let faults = faults.map(|fault| (format!("faults: tick {}", fault.tick), at));
    let line = |(setting, first): (String, Tick)| {
        format!("--set {setting}: it is over then: plan it for tick {first} or later")
    };
    shocks.chain(faults).map(line).collect()
}
