//! What of all that a golem knows fits into its legacy.

use super::{LegacyEntry, SuccessionConfig};
use crate::episode::{Episode, KnowledgeDomain};
use std::collections::BTreeMap;

/// A quarter of the room is for scars (at most half of it) and for what three generations have proved; half is shared out equally
/// among the domains, the best of each; a quarter goes to the best of what is left, of equals to what was borne out last (digest
/// section 14). Room that one part doesn't need isn't given to another. Scars come gravest first.
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

/// Whether it has crossed enough generations at enough confidence to be a default (Baldwin).
pub fn proven(entry: &LegacyEntry, heir: u32, config: &SuccessionConfig) -> bool {
    entry.generations_to(heir) >= config.default_generations
        && entry.lesson.confidence >= config.default_confidence
}

/// By quality, then by recent validation, then in a fixed order.
fn better(a: &LegacyEntry, b: &LegacyEntry) -> std::cmp::Ordering {
    let subject =
        |entry: &LegacyEntry| (entry.lesson.claim.strategy, entry.lesson.claim.pattern, entry.lesson.origin);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::grimoire::tests::episode;
    use crate::market::Strategy;
    use crate::memory::legacy::confidence::tests::entry;
    use morta_base::GolemId;

    fn of(strategy: Strategy, confirmed: u32) -> LegacyEntry {
        let mut new = entry(0.5, confirmed);
        (new.lesson.claim.strategy, new.lesson.origin) = (strategy, GolemId { lineage: 0, generation: 4 });
        new
    }

    /// Room for 16: 2 scars at most, 4 with what is proved; 8 for two domains, 4 each; 4 for the best of the rest.
    #[test]
    fn quotas_are_kept() {
        let config = SuccessionConfig { max_entries: 16, ..SuccessionConfig::default() };
        let scars: Vec<Episode> =
            (0..9).map(|number| Episode { surprise: f64::from(number), ..episode(number, 1) }).collect();
        let mut entries: Vec<LegacyEntry> = (0..20).map(|n| of(Strategy::Momentum, n)).collect();
        entries.extend((0..20).map(|n| of(Strategy::OracleArbitrage, n + 100)));
        let mut old = entry(0.7, 0);
        old.lesson.origin = GolemId { lineage: 0, generation: 2 };
        entries.extend(vec![old; 5]);
        let (scars, chosen) = select(scars, entries, 5, &config);
        assert_eq!(scars.iter().map(|scar| scar.id.number).collect::<Vec<_>>(), [8, 7]);
        let count = |fits: &dyn Fn(&LegacyEntry) -> bool| chosen.iter().filter(|entry| fits(entry)).count();
        assert_eq!(
            count(&|entry| entry.lesson.confidence == 0.7),
            2,
            "what is proved fills the first quarter"
        );
        // What is proved is of Momentum too. The better domain has its four, and the four best of the rest are its too.
        assert_eq!(count(&|entry| entry.lesson.claim.strategy == Strategy::OracleArbitrage), 8);
        assert_eq!(count(&|entry| entry.lesson.claim.strategy == Strategy::Momentum), 4 + 2);
        assert_eq!(scars.len() + chosen.len(), 16);
    }

    #[test]
    fn of_equals_the_one_borne_out_last_is_taken() {
        let config = SuccessionConfig { max_entries: 4, ..SuccessionConfig::default() };
        let at = |last_validated| LegacyEntry { last_validated, ..of(Strategy::Momentum, 3) };
        let (_, chosen) = select(Vec::new(), vec![at(1), at(9), at(5), at(7)], 5, &config);
        let order: Vec<u64> = chosen.iter().map(|entry| entry.last_validated).collect();
        assert_eq!(order, [9, 7, 5]);
    }

    #[test]
    fn three_generations_and_seven_tenths_prove() {
        let config = SuccessionConfig::default();
        assert!(proven(&entry(0.7, 1), 3, &config));
        assert!(!proven(&entry(0.7, 1), 2, &config) && !proven(&entry(0.69, 1), 3, &config));
    }
}
