//! From a bloodstain back to the golem that left it.

use crate::inspect::register::in_words;
use crate::lethe_start::{self, LetheStart};
use crate::run_folder::FinishedRun;
use crate::run_folder::read::{BloodstainRow, rows};
use crate::text::plain;
use morta_engine::base::BloodstainId;
use morta_engine::lethe::Bloodstain;
use std::collections::{BTreeMap, BTreeSet};

/// The bloodstains of these names.
pub fn bloodstains(
    run: &FinishedRun,
    names: &BTreeSet<String>,
) -> crate::Result<BTreeMap<String, BloodstainRow>> {
    if names.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut found = rows(run, |bloodstain: &BloodstainRow| names.contains(&bloodstain.bloodstain))?;
    found.extend(of_earlier_runs(run, names)?);
    Ok(found.into_iter().map(|bloodstain| (bloodstain.bloodstain.clone(), bloodstain)).collect())
}

/// What golems of earlier runs left isn't in the run's tables, but in its Lethe.
fn of_earlier_runs(run: &FinishedRun, names: &BTreeSet<String>) -> crate::Result<Vec<BloodstainRow>> {
    let of_earlier = |name: &String| name.parse().is_ok_and(|id: BloodstainId| id.golem.run() > 0);
    let record = run.manifest.lethe.as_ref().filter(|_| names.iter().any(of_earlier));
    let Some(record) = record else { return Ok(Vec::new()) };
    let start = LetheStart::again(&run.manifest.scenario, record, &run.lethe())
        .map_err(|error| lethe_start::told(&run.lethe(), &error))?;
    let earlier = record.started_from.iter().flat_map(|start| &start.runs).collect::<Vec<_>>();
    let left = start.ancestry.earlier_bloodstains.bloodstains.iter().map(|earlier| &earlier.bloodstain);
    let wanted = left.filter(|left| names.contains(&left.id.to_string()));
    let name = |left: &Bloodstain| earlier.get(usize::from(left.id.golem.run()) - 1).copied();
    Ok(wanted.map(|left| BloodstainRow::of(left, name(left))).collect())
}

/// Who left it, how they died, and what it says.
pub fn describe(left: &BloodstainRow) -> String {
    let BloodstainRow { bloodstain, golem, died_tick, .. } = left;
    let cause = in_words(&left.cause);
    let run = left.run.as_ref().map_or(String::new(), |run| format!(", in an earlier run ({run})"));
    format!("{bloodstain}, {}; left by {golem}, who died at {died_tick} of {cause}{run}", what(left))
}

/// What it says.
pub fn what(bloodstain: &BloodstainRow) -> String {
    match (&bloodstain.claim, bloodstain.scar_realised_r) {
        (Some(claim), _) => {
            let learned = bloodstain.learned_from.as_deref().filter(|ids| !ids.is_empty());
            let learned = learned.map_or(String::new(), |ids| format!(", learned from {}", short(ids)));
            let trust = bloodstain.confidence.unwrap_or(0.0);
            format!("a {} ({claim}; trust {trust:.2}{learned})", bloodstain.kind)
        }
        (None, Some(r)) => {
            let (strategy, regime) = (plain(&bloodstain.strategy), plain(&bloodstain.regime_read));
            let expected = bloodstain.scar_expected_r.unwrap_or(0.0);
            let episode = bloodstain.scar_episode.as_deref().unwrap_or("?");
            format!("a scar ({episode}: {strategy} in {regime}, expected {expected:+.2} R, made {r:+.2} R)")
        }
        (None, None) => format!("a {}", bloodstain.kind),
    }
}

/// The first few of a list of ids.
pub fn short(ids: &str) -> String {
    const SHOWN: usize = 6;
    let ids: Vec<&str> = ids.split(' ').collect();
    match ids.len().checked_sub(SHOWN) {
        None | Some(0) => ids.join(" "),
        Some(more) => format!("{} and {more} more", ids[..SHOWN].join(" ")),
    }
}
