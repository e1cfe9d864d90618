//! What is to be changed, read from the command line and held against the world it is to be changed in.

use super::trunk::Trunk;
use crate::failure::UserError;
use morta_engine::base::{BloodstainId, Lineage, Tick};
use morta_engine::memory::{MemoryName, MemoryRegistry};
use morta_engine::world::change::fixed;
use morta_engine::world::{KeyChange, Plan, Scenario};
use morta_lab::history::{Changes, Named, plan_of};
use morta_lab::scenario_file::{Library, Loaded, Overrides, change_resolved};

/// The flags that say what is changed.
#[derive(clap::Args, Clone, Debug)]
pub struct ChangeArgs {
    /// Give a key of the scenario another value from there on, as in --set golem.max_position_share=0.1; may be repeated.
    /// Keys that have made the world what it is, such as the seed, the cohorts' sizes or the prices, can't be changed.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Take a bloodstain out of the Lethe, as in --remove-bloodstain L7.G2.B0; what was drawn of it already stays. May be
    /// repeated.
    #[arg(long, value_name = "ID")]
    remove_bloodstain: Vec<String>,

    /// Give the golem that lives in a lineage an empty memory of another architecture, as in --swap-memory 7=none; who
    /// succeeds it has that of its cohort again. May be repeated.
    #[arg(long, value_name = "LINEAGE=ARM")]
    swap_memory: Vec<String>,
}

impl ChangeArgs {
    /// What is to be done besides setting keys.
    ///
    /// # Errors
    /// [`UserError`], with a line for each flag that can't be read.
    pub fn read(&self) -> anyhow::Result<Changes> {
        let mut wrong = Vec::new();
        let mut changes = Changes::default();
        for text in &self.remove_bloodstain {
            match text.parse::<BloodstainId>() {
                Ok(id) if changes.removed_bloodstains.contains(&Named(id)) => {
                    wrong.push(format!("--remove-bloodstain {text}: it is named twice"));
                }
                Ok(id) => changes.removed_bloodstains.push(Named(id)),
                Err(error) => wrong.push(format!("--remove-bloodstain {text}: {error}")),
            }
        }
        for text in &self.swap_memory {
            match swap(text) {
                Ok((lineage, name)) => {
                    if changes.swapped_memories.insert(lineage, name).is_some() {
                        wrong.push(format!("--swap-memory {text}: lineage {lineage} is named twice"));
                    }
                }
                Err(why) => wrong.push(format!("--swap-memory {text}: {why}")),
            }
        }
        if wrong.is_empty() { Ok(changes) } else { Err(UserError::all(wrong)) }
    }
}

fn swap(text: &str) -> Result<(Lineage, MemoryName), String> {
    let (lineage, arm) =
        text.split_once('=').ok_or("must be a lineage and a memory architecture, as in 7=none")?;
    let number = lineage.trim().trim_start_matches(['L', 'l']);
    let lineage =
        number.parse().map_err(|_| format!("`{lineage}` is no lineage: write its number, as in 7=none"))?;
    let name = MemoryName::from(arm.trim());
    MemoryRegistry::default().demand(&name).map_err(|error| error.to_string())?;
    Ok((lineage, name))
}

/// The scenario and the plan under the change, and the change with every key it sets.
///
/// # Errors
/// [`UserError`], with a line for each mistake.
pub fn resolve(
    trunk: &Trunk<'_>,
    args: &ChangeArgs,
    mut changes: Changes,
    at: Tick,
) -> anyhow::Result<(Loaded, Plan, Changes)> {
    let own =
        |key: &str| args.set.iter().any(|text| text.split('=').next().is_some_and(|own| own.trim() == key));
    if own("ticks") {
        return Err(UserError::new("--set ticks: say with --ticks how long the branch is to be lived"));
    }
    let before = trunk.history.plan();
    let set =
        Overrides { set: args.set.clone(), ticks: Some(before.scenario().ticks), ..Overrides::default() };
    let changed = change_resolved(before.scenario(), &set, &mut Library::default())?;
    changes.set = before.scenario().differences(&changed.scenario);
    let mut wrong: Vec<String> = changes.set.iter().filter_map(refusal).collect();
    wrong.extend(too_late(before.scenario(), &changed.scenario, at));
    let lineages = before.lineages();
    let unknown = changes.swapped_memories.iter().filter(|(lineage, _)| **lineage >= lineages);
    wrong.extend(unknown.map(|(lineage, name)| {
        format!("--swap-memory {lineage}={name}: the world has lineages 0 to {}", lineages - 1)
    }));
    if !wrong.is_empty() {
        return Err(UserError::all(wrong));
    }
    let plan = plan_of(&changed, &changes)?;
    Ok((changed, plan, changes))
}

fn refusal(change: &KeyChange) -> Option<String> {
    let KeyChange { key, to, .. } = change;
    let why = if key == "lethe.persist" { Some("a branch adds to no Lethe") } else { fixed(key) };
    why.map(|why| format!("--set {key}={to}: {key} can't be changed in a world under way: {why}"))
}

/// What is planned for ticks that are over.
fn too_late(before: &Scenario, after: &Scenario, at: Tick) -> Vec<String> {
    let (old, new) = (&before.market.shocks.scheduled, &after.market.shocks.scheduled);
    // The market has moved on to the first tick of the branch already.
    let shocks = new.iter().filter(|shock| !old.contains(shock) && shock.tick <= at);
    let shocks = shocks.map(|shock| (format!("market.shocks.scheduled: tick {}", shock.tick), at + 1));
    let faults = after.faults.iter().filter(|fault| !before.faults.contains(fault) && fault.tick < at);
    let faults = faults.map(|fault| (format!("faults: tick {}", fault.tick), at));
    let line = |(what, first): (String, Tick)| {
        format!("--set {what}: it is over then: plan it for tick {first} or later")
    };
    shocks.chain(faults).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swaps_are_read_and_refused() {
        assert_eq!(swap("7=none"), Ok((7, MemoryName::NONE)));
        assert_eq!(swap("L12=oracle"), Ok((12, MemoryName::of("oracle"))));
        assert!(swap("7").unwrap_err().contains("as in 7=none"));
        assert!(swap("x=none").unwrap_err().contains("is no lineage"));
        let unknown = swap("7=wax").unwrap_err();
        assert!(unknown.contains("bardo") && unknown.contains("oracle"), "{unknown}");
    }
}
