//! From a bloodstain back to the golem that left it.

use crate::commands::inspect::register::in_words;
use crate::layout::plain;
use crate::run_folder::FinishedRun;
use crate::run_folder::read::{Stain, rows};
use std::collections::{BTreeMap, BTreeSet};

/// The bloodstains of these names.
pub fn stains(run: &FinishedRun, names: &BTreeSet<String>) -> anyhow::Result<BTreeMap<String, Stain>> {
    if names.is_empty() {
        return Ok(BTreeMap::new());
    }
    let found = rows(run, |stain: &Stain| names.contains(&stain.bloodstain))?;
    Ok(found.into_iter().map(|stain| (stain.bloodstain.clone(), stain)).collect())
}

/// Who left it, how they died, and what it says.
pub fn describe(stain: &Stain) -> String {
    let Stain { bloodstain, golem, died_tick, .. } = stain;
    let cause = in_words(&stain.cause);
    format!("{bloodstain}, {}; left by {golem}, who died at {died_tick} of {cause}", what(stain))
}

/// What it says.
pub fn what(stain: &Stain) -> String {
    match (&stain.claim, stain.scar_realised_r) {
        (Some(claim), _) => {
            let learned = stain.learned_from.as_deref().filter(|ids| !ids.is_empty());
            let learned = learned.map_or(String::new(), |ids| format!(", learned from {}", short(ids)));
            let trust = stain.confidence.unwrap_or(0.0);
            format!("a {} ({claim}; trust {trust:.2}{learned})", stain.kind)
        }
        (None, Some(r)) => {
            let (strategy, regime) = (plain(&stain.strategy), plain(&stain.regime_read));
            let expected = stain.scar_expected_r.unwrap_or(0.0);
            let episode = stain.scar_episode.as_deref().unwrap_or("?");
            format!("a scar ({episode}: {strategy} in {regime}, expected {expected:+.2} R, made {r:+.2} R)")
        }
        (None, None) => format!("a {}", stain.kind),
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
