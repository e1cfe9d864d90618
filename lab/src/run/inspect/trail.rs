//! From a bloodstain back to the golem that left it (provenance of an inherited item): its death, its cause, its lesson. The views of a
//! golem, a death, a decision, a dream, a playbook and a lineage print it. Ids alone would say nothing of why an heir was warned. A
//! bloodstain of an earlier run is looked up in the run's copy of the Lethe; one that neither table nor copy has is shown by what the
//! heir's row says.

use crate::io::error::Result;
use crate::io::text::plain;
use crate::run::inspect::register::in_words;
use crate::run::lethe_start::{self, EarlierRun, LetheStart};
use crate::run::run_folder::{BloodstainRow, FinishedRun};
use morta_base::BloodstainId;
use morta_engine::lethe::Bloodstain;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A bloodstain, and where it was left (provenance of a bloodstain). That may be an ancestor run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Traced {
    /// Its row of the table. For one of an earlier run it is made from the bloodstain itself, because that
    /// run's table isn't here.
    #[serde(flatten)]
    pub left: BloodstainRow,
    /// The earlier run it was left in, in words; none when it was left in this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

impl Traced {
    fn of_earlier_run(left: &Bloodstain, run: Option<&EarlierRun>) -> Self {
        Self {
            left: BloodstainRow::of_earlier_run(left),
            run: run.map(|run| format!("{}, seed {}, {}", run.name, run.seed, &run.run[..8])),
        }
    }
}

/// Looks up the bloodstains of these names, by name: this run's from its table, those of earlier runs from its copy of the Lethe. A name
/// that neither has is left out.
pub(super) fn bloodstains(run: &FinishedRun, names: &BTreeSet<String>) -> Result<BTreeMap<String, Traced>> {
    if names.is_empty() {
        return Ok(BTreeMap::new());
    }
    let own = run.bloodstains()?.keep(|left| names.contains(&left.bloodstain))?;
    let mut found: Vec<Traced> = own.into_iter().map(|left| Traced { left, run: None }).collect();
    found.extend(of_earlier_runs(run, names)?);
    Ok(found.into_iter().map(|traced| (traced.left.bloodstain.clone(), traced)).collect())
}

/// Bloodstains of earlier runs, which are in the run's Lethe and not in its tables.
fn of_earlier_runs(run: &FinishedRun, names: &BTreeSet<String>) -> Result<Vec<Traced>> {
    let of_earlier = |name: &String| name.parse().is_ok_and(|id: BloodstainId| id.golem.run() > 0);
    let record = run.manifest.lethe.as_ref().filter(|_| names.iter().any(of_earlier));
    let Some(record) = record else { return Ok(Vec::new()) };
    let start = LetheStart::again(&run.manifest.scenario, record, &run.lethe())
        .map_err(|error| lethe_start::folder_error(&run.lethe(), &error))?;
    let earlier = record.started_from.iter().flat_map(|start| &start.runs).collect::<Vec<_>>();
    let left = start.ancestry.earlier_bloodstains.bloodstains.iter().map(|earlier| &earlier.bloodstain);
    let wanted = left.filter(|left| names.contains(&left.id.to_string()));
    let name = |left: &Bloodstain| earlier.get(usize::from(left.id.golem.run()) - 1).copied();
    Ok(wanted.map(|left| Traced::of_earlier_run(left, name(left))).collect())
}

/// The golem that left it, its death, and its lesson (provenance text).
pub(super) fn describe(Traced { left, run }: &Traced) -> String {
    let run = run.as_ref().map_or(String::new(), |run| format!(", in an earlier run ({run})"));
    format!("{}{run}", describe_own(left))
}

/// The same of one that was left in this run (provenance text).
pub(crate) fn describe_own(left: &BloodstainRow) -> String {
    let BloodstainRow { bloodstain, golem, died_tick, .. } = left;
    let cause = in_words(&left.cause);
    format!("{bloodstain}, {}; left by {golem}, who died at {died_tick} of {cause}", content_of(left))
}

/// Describes the content of a bloodstain in words.
pub(crate) fn content_of(bloodstain: &BloodstainRow) -> String {
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

/// Truncates a list of ids to its first few.
pub(super) fn short(ids: &str) -> String {
    const SHOWN: usize = 6;
    let ids: Vec<&str> = ids.split(' ').collect();
    match ids.len().checked_sub(SHOWN) {
        None | Some(0) => ids.join(" "),
        Some(more) => format!("{} and {more} more", ids[..SHOWN].join(" ")),
    }
}
