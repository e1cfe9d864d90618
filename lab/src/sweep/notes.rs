//! Notes on a sweep besides those on its scenarios: worlds that share prices, and seeds that were used before.

use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{MANIFEST, read_manifest};
use morta_base::WorldSeed;
use morta_engine::market::AssetSource;
use std::path::Path;

/// Most folders beside a sweep's own that are looked into.
const FOLDERS_MAX: usize = 10_000;

impl Sweep {
    /// Everything to be noted before the sweep is run into a folder, one line each with the remedy.
    pub fn notes_before(&self, dir: &Path) -> Vec<String> {
        let mut notes = self.notes.clone();
        notes.extend(self.shared_prices());
        notes.extend(self.seeds_used_before(dir));
        notes
    }

    /// Worlds of one recording whose stretches overlap, or are one.
    fn shared_prices(&self) -> Option<String> {
        let (market, worlds) = (&self.base.market, self.worlds());
        let is_replayed = market.assets.iter().any(|asset| matches!(asset.source, AssetSource::Replay(_)));
        if !is_replayed || worlds < 2 {
            return None;
        }
        let path = self.path.display();
        if market.start_within_bars == 0 {
            return Some(format!(
                "{path}: seeds.count = {worlds}: all worlds live through the same recorded prices, so they differ in luck alone and say nothing of \
                 other prices: set market.start_within_bars, and market.start_every_bars so that stretches don't overlap"
            ));
        }
        let span = self.base.ticks + u64::from(market.warmup_ticks);
        let seed = |world: u64| WorldSeed(self.file.seeds.first + world);
        let mut starts: Vec<u64> = (0..worlds).map(|world| market.first_bar(seed(world))).collect();
        starts.sort_unstable();
        let apart = starts.windows(2).all(|pair| pair[1] - pair[0] >= span);
        if apart {
            return None;
        }
        let covered: u64 = starts.windows(2).map(|pair| (pair[1] - pair[0]).min(span)).sum::<u64>() + span;
        let disjoint = market.start_within_bars / span + 1;
        Some(format!(
            "{path}: seeds.count = {worlds}: stretches of recorded prices overlap: together they hold {covered} bars, or {:.1} stretches of {span}, and \
             intervals over {worlds} worlds are too narrow: set market.start_every_bars = {span} and seeds.count = {disjoint} at most",
            covered as f64 / span as f64
        ))
    }

    /// Seeds that an earlier registered sweep beside this one has used: what was seen in them can't be confirmed in them.
    fn seeds_used_before(&self, dir: &Path) -> Vec<String> {
        if self.file.preregistration.is_none() {
            return Vec::new();
        }
        let folder = dir.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut paths: Vec<_> = entries.flatten().take(FOLDERS_MAX).map(|entry| entry.path()).collect();
        paths.sort();
        let own = self.file.seeds.first..self.file.seeds.first + self.worlds();
        let used = |path: &std::path::PathBuf| {
            if path == dir || !path.join(MANIFEST).is_file() {
                return None;
            }
            let manifest = read_manifest(path).ok()?;
            let is_same_question = manifest.scenario["name"] == self.base.name.as_str();
            manifest.preregistration_blake3.as_ref().filter(|_| is_same_question)?;
            let seeds = &manifest.configuration["seeds"];
            let (first, count) = (seeds["first"].as_u64()?, seeds["count"].as_u64()?);
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
