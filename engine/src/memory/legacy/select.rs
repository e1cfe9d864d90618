//! The choice of entries that fit into a legacy: a quota-based selection (stratified top-k) within a bounded number of entries.
//!
//! Quality and confidence run from 0 to 1. Quotas by domain keep a legacy from being all about what its giver traded most, where it knew of
//! more than one domain. It is made at the giver's death, with room for 2,048 entries by default; disproofs are handed over besides.

use super::{LegacyEntry, SuccessionConfig};
use crate::episode::{Episode, KnowledgeDomain};
use std::collections::BTreeMap;

/// Selects the entries to hand over, a stratified selection with quotas: a quarter of the room is for scars, at most half of it, and for
/// entries that three generations have proved; half is divided equally among the domains, the best of each; a quarter goes to the best of
/// the rest, of equals to the one confirmed last (digest section 14). Room that one part doesn't need isn't given to another. A single domain
/// therefore takes three quarters at most: the half, because no other divides it, and the quarter of the best. It takes more only by what is
/// proved, and all where enough is proved and there are no scars. Scars come gravest first.
pub fn select(
    mut scars: Vec<Episode>,
    mut entries: Vec<LegacyEntry>,
    heir: u32,
    config: &SuccessionConfig,
) -> (Vec<Episode>, Vec<LegacyEntry>) {
    let room = config.max_entries as usize;
    let (quarter, half) = (room / 4, room / 2);
    scars.sort_by(|a, b| b.surprise.total_cmp(&a.surprise).then(a.id.cmp(&b.id)));
    scars.truncate(quarter / 2);

    entries.sort_by(better);
    let mut chosen: Vec<LegacyEntry> = Vec::new();
    take(&mut entries, &mut chosen, quarter - scars.len(), |entry| proven(entry, heir, config));

    let mut domains: BTreeMap<KnowledgeDomain, usize> = BTreeMap::new();
    entries.iter().for_each(|entry| *domains.entry(entry.lesson.domain()).or_default() += 1);
    let share = half / domains.len().max(1);
    for domain in domains.into_keys() {
        take(&mut entries, &mut chosen, share, |entry| entry.lesson.domain() == domain);
    }
    take(&mut entries, &mut chosen, room - half - quarter, |_| true);
    (scars, chosen)
}

/// The promotion criterion (Baldwin effect): whether an entry has crossed enough generations with enough confidence to be a default, which
/// is in force from birth: at least 3 generations and .7 (digest section 14).
pub fn proven(entry: &LegacyEntry, heir: u32, config: &SuccessionConfig) -> bool {
    entry.generations_to(heir) >= config.default_generations
        && entry.lesson.confidence >= config.default_confidence
}

/// By quality, then by recent validation, then in a fixed order, so that the choice never depends on the order of storage. The matter comes last:
/// a claim of worth and the guard or the stake on the same subject may otherwise be equal. A memory hands in one entry of each subject and
/// matter, so nothing is left to tie.
fn better(a: &LegacyEntry, b: &LegacyEntry) -> std::cmp::Ordering {
    let subject = |entry: &LegacyEntry| {
        let claim = &entry.lesson.claim;
        (claim.strategy, claim.pattern, entry.lesson.origin, claim.matter)
    };
    b.quality()
        .total_cmp(&a.quality())
        .then(b.last_validated.cmp(&a.last_validated))
        .then(b.lesson.confidence.total_cmp(&a.lesson.confidence))
        .then(subject(a).cmp(&subject(b)))
}

/// Moves the first `most` that fit from one list to the other.
fn take(
    from: &mut Vec<LegacyEntry>,
    to: &mut Vec<LegacyEntry>,
    most: usize,
    fits: impl Fn(&LegacyEntry) -> bool,
) {
    let mut left = most;
    let mut rest = Vec::with_capacity(from.len());
    for entry in std::mem::take(from) {
        if left > 0 && fits(&entry) {
            left -= 1;
            to.push(entry);
        } else {
            rest.push(entry);
        }
    }
    *from = rest;
}
