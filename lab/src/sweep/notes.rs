//! Notes on a sweep besides those on its scenarios: worlds that share prices, and seeds that were used before. They are warnings on
//! experimental design: pseudo-replication, reused seeds, looks or a horizon that no world reaches. `morta sweep` prints them before the
//! first cell and with `--dry-run`, the Python package returns them. They don't stop a sweep, because an author may know better. The
//! overlapping stretches of recorded prices found here also go to the analysis, which counts fewer effective worlds by them; where all
//! worlds share one stretch (`market.start_within_bars = 0`) there is the note alone and the analysis corrects nothing.

use crate::run::notes::is_replayed;
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{MANIFEST, read_manifest};
use morta_base::WorldSeed;
use morta_stats::overlap::{Stretch, effective_worlds};
use std::path::Path;

/// Most folders beside a sweep's own that are looked into.
const FOLDERS_MAX: usize = 10_000;

impl Sweep {
    /// Checks a design before it is run: everything to be noted of the sweep and its folder, one line each with the remedy (preflight):
    /// shared prices, seeds used before, looks and a horizon beyond the end. Nothing is refused by them.
    pub fn notes_before(&self, dir: &Path) -> Vec<String> {
        let mut notes = self.notes.clone();
        notes.extend(self.shared_prices());
        notes.extend(self.seeds_used_before(dir));
        notes.extend(self.looks_beyond_the_end());
        notes.extend(self.horizon_beyond_the_end());
        notes
    }

    /// A horizon of survival up to which no life is observed: no world then has a restricted mean. Sweeps under a profile aren't noted,
    /// because profiles shorten worlds by design.
    fn horizon_beyond_the_end(&self) -> Option<String> {
        let horizon = self.file.preregistration.as_ref()?.survival.as_ref()?.horizon_ticks;
        let ticks = self.arms.iter().map(|arm| arm.scenario.ticks).max()?;
        // A golem born in the first tick has an age of one tick less than the run in the last one.
        (self.profile.is_none() && horizon >= ticks).then(|| {
            format!(
                "{}: preregistration.survival.horizon_ticks = {horizon}: no life of a world of {ticks} ticks is seen so long, so there is no \
                 restricted mean: {} at most",
                self.path.display(),
                ticks.saturating_sub(1)
            )
        })
    }

    /// Looks beyond the registered number of worlds; a profile or a flag with fewer worlds has fewer looks by design.
    fn looks_beyond_the_end(&self) -> Option<String> {
        let registered = self.file.preregistration.as_ref()?;
        let is_registered = self.profile.is_none() && self.seeds_flag.is_none();
        let planned = self.file.seeds.count;
        let beyond = registered.looks.iter().find(|look| **look > planned).filter(|_| is_registered)?;
        Some(format!(
            "{}: preregistration.looks: nobody looks after {beyond} worlds, for seeds.count = {planned}: leave it out, or plan more worlds",
            self.path.display()
        ))
    }

    /// The stretch of recorded prices that each world lives through, where worlds begin at bars of their own and some stretches overlap.
    pub(super) fn overlapping_stretches(&self) -> Option<Vec<Stretch>> {
        let market = &self.base.market;
        if !is_replayed(market) || market.start_within_bars == 0 {
            return None;
        }
        // The warm-up counts, because it is read from the recording too: worlds that share only that share data.
        let span = self.base.ticks + u64::from(market.warmup_ticks);
        let stretch = |world: u64| {
            let start = market.first_bar(WorldSeed(self.file.seeds.first + world));
            Stretch { start, end: start + span }
        };
        let stretches: Vec<Stretch> = (0..self.worlds()).map(stretch).collect();
        let mut sorted = stretches.clone();
        sorted.sort_unstable();
        let overlap = sorted.windows(2).any(|pair| pair[1].start < pair[0].end);
        overlap.then_some(stretches)
    }

    /// Worlds of one recording with overlapping or equal stretches. Their number is no number of independent worlds, and an interval that
    /// took it for one would be too narrow.
    fn shared_prices(&self) -> Option<String> {
        let (market, worlds) = (&self.base.market, self.worlds());
        if !is_replayed(market) || worlds < 2 {
            return None;
        }
        let path = self.path.display();
        if market.start_within_bars == 0 {
            return Some(format!(
                "{path}: seeds.count = {worlds}: all worlds live through the same recorded prices, so they differ in luck alone and say nothing of \
                 other prices: set market.start_within_bars, and market.start_every_bars so that stretches don't overlap"
            ));
        }
        let stretches = self.overlapping_stretches()?;
        let span = stretches[0].end - stretches[0].start;
        let effective = effective_worlds(&stretches).unwrap_or(1.0);
        let disjoint = market.start_within_bars / span + 1;
        Some(format!(
            "{path}: seeds.count = {worlds}: stretches of recorded prices overlap, so that {worlds} worlds are worth {effective:.1}: set \
             market.start_every_bars = {span} and seeds.count = {disjoint} at most"
        ))
    }

    /// Seeds that an earlier registered sweep beside this one has used: a hypothesis that was made from them can't be confirmed by them.
    fn seeds_used_before(&self, dir: &Path) -> Vec<String> {
        if self.file.preregistration.is_none() {
            return Vec::new();
        }
        let folder = dir.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut paths: Vec<_> = entries.flatten().take(FOLDERS_MAX).map(|entry| entry.path()).collect();
        // A file system lists folders in any order; sorted, the notes are the same each time.
        paths.sort();
        let own = self.file.seeds.first..self.file.seeds.first + self.worlds();
        let used = |path: &std::path::PathBuf| {
            if path == dir || !path.join(MANIFEST).is_file() {
                return None;
            }
            let manifest = read_manifest(path).ok()?;
            // The same registration again is a repetition and no new question; a sweep under a profile decided nothing.
            let is_other_question = manifest.name != self.file.name && manifest.as_registered == Some(true);
            let is_same_world = manifest.scenario["name"] == self.base.name.as_str();
            (is_other_question && is_same_world).then_some(())?;
            let seeds = &manifest.configuration["seeds"];
            let first = seeds["first"].as_u64()?;
            let count = manifest.ends_at.or_else(|| seeds["count"].as_u64())?;
            let (low, high) = (own.start.max(first), own.end.min(first.saturating_add(count)));
            (low < high).then(|| {
                format!(
                    "{}: seeds.first = {}: the registered sweep in {} has used seeds {low} to {} of this scenario: what was seen there can't be \
                     confirmed there: take a block that nobody has used",
                    self.path.display(),
                    own.start,
                    path.display(),
                    high - 1
                )
            })
        };
        paths.iter().filter_map(used).collect()
    }
}
