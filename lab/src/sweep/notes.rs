//! Notes on a sweep besides those on its scenarios: worlds that share prices, and seeds that were used before. They are warnings on
//! experimental design: pseudo-replication, reused seeds, looks or a horizon that no world reaches. `morta sweep` prints them before the
//! first cell and with `--dry-run`, the Python package returns them. They don't stop a sweep, because an author may know better. The
//! overlapping stretches of recorded prices found here also go to the analysis, which counts fewer effective worlds by them; where all
//! worlds share one stretch (`market.start_within_bars = 0`) there is the note alone and the analysis corrects nothing.

use crate::run::notes::is_replayed;
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{MANIFEST, read_manifest};
use morta_base::WorldSeed;
use morta_engine::world::Scenario;
use morta_stats::looks::Spending;
use morta_stats::overlap::{Stretch, effective_worlds};
use std::path::Path;

/// Most folders beside a sweep's own that are looked into.
const FOLDERS_MAX: usize = 10_000;

/// The recorded bars that a world lives through. The warm-up counts, because it is read from the recording too: worlds that share only that
/// share data.
fn span(scenario: &Scenario) -> u64 {
    scenario.ticks + u64::from(scenario.market.warmup_ticks)
}

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
        (self.profile.is_none() && horizon >= ticks).then(|| {
            // A golem born in the first tick has an age of one tick less than the run in the last one. A horizon of 0 is refused.
            let remedy = match ticks.saturating_sub(1) {
                0 => "set ticks higher".to_owned(),
                most => format!("{most} at most"),
            };
            format!(
                "{}: preregistration.survival.horizon_ticks = {horizon}: no life of a world of {ticks} ticks is seen so long, so there is no \
                 restricted mean: {remedy}",
                self.path.display()
            )
        })
    }

    /// Looks beyond the registered number of worlds; a profile or a flag with fewer worlds has fewer looks by design.
    fn looks_beyond_the_end(&self) -> Option<String> {
        let registered = self.file.preregistration.as_ref()?;
        let is_registered = self.profile.is_none() && self.seeds_flag.is_none();
        let planned = self.file.seeds.count;
        let beyond = registered.looks.iter().find(|look| **look > planned).filter(|_| is_registered)?;
        // A way of spending without a look is refused. Looks ascend, so that none is left where the first is beyond the end.
        let is_spent = registered.looks[0] > planned && registered.spending != Spending::default();
        let besides = if is_spent { " with preregistration.spending" } else { "" };
        Some(format!(
            "{}: preregistration.looks: nobody looks after {beyond} worlds, for seeds.count = {planned}: leave it out{besides}, or plan more worlds",
            self.path.display()
        ))
    }

    /// The stretch of recorded prices that each world lives through, where worlds begin at bars of their own and some stretches overlap.
    pub(super) fn overlapping_stretches(&self) -> Option<Vec<Stretch>> {
        let market = &self.base.market;
        if !is_replayed(market) || market.start_within_bars == 0 {
            return None;
        }
        let span = span(&self.base);
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
        let found = if market.start_within_bars == 0 {
            "all worlds live through the same recorded prices, so they differ in luck alone and say nothing of other prices".to_owned()
        } else {
            let effective = effective_worlds(&self.overlapping_stretches()?).unwrap_or(1.0);
            format!("stretches of recorded prices overlap, so that {worlds} worlds are worth {effective:.1}")
        };
        let (path, remedy) = (self.path.display(), self.disjoint_stretches());
        Some(format!("{path}: seeds.count = {worlds}: {found}: {remedy}"))
    }

    /// The settings under which no two worlds share a bar (remedy). A step above `market.start_within_bars` is refused, so that key is raised
    /// with it, as far as the recording lasts.
    fn disjoint_stretches(&self) -> String {
        let longest = self.arms.iter().map(|arm| span(&arm.scenario)).max();
        let span = longest.unwrap_or_default().max(span(&self.base));
        let used = self.arms.iter().flat_map(|arm| &arm.data).chain(&self.data);
        let bars = used.map(|file| file.rows).min().unwrap_or_default();
        let written = self.base.market.start_within_bars;
        let within = if written < span { (bars / span).saturating_sub(1) * span } else { written };
        match within / span + 1 {
            1 => format!(
                "the recording has {bars} bars, which is less than two stretches of {span}: set ticks lower, or take a longer recording"
            ),
            most => format!(
                "set market.start_every_bars = {span}, market.start_within_bars = {within} and seeds.count = {most} at most"
            ),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: &str = "preregistration = { hypothesis = \"x\", baseline = \"a\", analysis = \"x\", effect_of_interest = 1, test = \"t\", \
        primary = { measure = \"trades\", direction = \"more\" }";

    /// A sweep of worlds of 20 ticks and a warm-up of 10 on a recording of so many bars.
    fn sweep(room: &Path, bars: u32, keys: &str, market: &str) -> crate::io::error::Result<Sweep> {
        let day = |bar: u32| format!("20{:02}-{:02}-{:02}", bar / 336, bar / 28 % 12 + 1, bar % 28 + 1);
        let rows: String = (0..bars).map(|bar| format!("{}T00:00:00Z,100,101,99,100\n", day(bar))).collect();
        std::fs::write(room.join("x.csv"), format!("time_utc,open,high,low,close\n{rows}")).unwrap();
        let scenario = format!(
            "name = \"x\"\nseed = 1\nticks = 20\n[[cohorts]]\nname = \"a\"\ngolems = 1\nmemory = \"none\"\n[market]\nwarmup_ticks = 10\n\
             {market}\n[[market.assets]]\nsymbol = \"X\"\nsource = {{ kind = \"replay\", file = \"x.csv\" }}\n"
        );
        std::fs::write(room.join("x.toml"), scenario).unwrap();
        let file = room.join("sweep.toml");
        let text = format!(
            "name = \"s\"\nscenario = \"x.toml\"\narms = [{{ name = \"a\" }}, {{ name = \"b\", set = {{ golem.endowment_usdc = 9.0 }} }}]\n{keys}\n"
        );
        std::fs::write(&file, text).unwrap();
        Sweep::read(&file)
    }

    /// The settings that a note proposes, as keys of the scenario's market and the number of worlds.
    fn proposed(note: &str) -> (String, String) {
        let (_, remedy) = note.rsplit_once(": set ").expect("the note proposes settings");
        let (market, seeds) = remedy.split_once(" and ").expect("the number of worlds comes last");
        (market.replace("market.", "").replace(", ", "\n"), seeds.trim_end_matches(" at most").to_owned())
    }

    /// What is proposed must load, and nothing may be left to note; a recording for one stretch alone has no such settings.
    #[test]
    fn stretches_proposed_for_shared_prices_are_accepted() {
        let room = tempfile::tempdir().unwrap();
        let found = |bars, count: &str, market: &str| {
            sweep(room.path(), bars, count, market).unwrap().shared_prices()
        };
        for (bars, market, expected) in [
            (100, "start_within_bars = 10", "start_every_bars = 30\nstart_within_bars = 60"),
            (100, "", "start_every_bars = 30\nstart_within_bars = 60"),
            (100, "start_within_bars = 69", "start_every_bars = 30\nstart_within_bars = 69"),
            (
                100,
                "start_within_bars = 60\nstart_every_bars = 15",
                "start_every_bars = 30\nstart_within_bars = 60",
            ),
            (60, "start_within_bars = 1", "start_every_bars = 30\nstart_within_bars = 30"),
        ] {
            let note = found(bars, "seeds.count = 40", market).expect("the worlds share prices");
            let (market, seeds) = proposed(&note);
            assert_eq!(market, expected, "{note}");
            assert_eq!(found(bars, &seeds, &market), None, "{note}");
        }
        let note = found(59, "seeds.count = 40", "start_within_bars = 1").unwrap();
        assert!(
            note.ends_with(
                "59 bars, which is less than two stretches of 30: set ticks lower, or take a longer recording"
            ),
            "{note}"
        );
    }

    /// The step alone was proposed before, and is refused.
    #[test]
    fn a_step_above_the_starts_is_refused() {
        let room = tempfile::tempdir().unwrap();
        let refused =
            sweep(room.path(), 100, "seeds.count = 1", "start_within_bars = 10\nstart_every_bars = 30");
        let error = refused.expect_err("the step is above the starts").to_string();
        assert!(error.contains("must not be more than market.start_within_bars"), "{error}");
    }

    /// A way of spending is refused without looks, so it goes with the last of them.
    #[test]
    fn a_look_beyond_the_end_is_left_out_with_its_spending() {
        let room = tempfile::tempdir().unwrap();
        let read = |rest: &str| sweep(room.path(), 100, &format!("seeds.count = 6\n{LOOK}{rest} }}"), "");
        let note = |rest: &str| read(rest).unwrap().looks_beyond_the_end();
        let spending = ", spending = \"pocock\"";
        let all = note(&format!(", looks = [8]{spending}")).unwrap();
        assert!(all.ends_with("leave it out with preregistration.spending, or plan more worlds"), "{all}");
        assert!(note(", looks = [8]").unwrap().ends_with("leave it out, or plan more worlds"));
        assert!(
            note(&format!(", looks = [4, 8]{spending}"))
                .unwrap()
                .ends_with("leave it out, or plan more worlds")
        );
        assert_eq!(note(&format!(", looks = [4]{spending}")), None);
        assert!(read(spending).is_err(), "no look spends");
        assert_eq!(note(""), None);
    }
}
