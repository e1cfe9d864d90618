//! A sweep shown by `morta watch` while other processes live its cells: only from the files of its folder, by polling (at most twice a
//! second).
//!
//! The registered comparison is judged when all cells are there, and not shown before, but for looks that were registered too: a user who looks early and stops
//! at will has another error rate than the registered one.
//!
//! It is a progress dashboard of an experiment: cells done, means with confidence intervals, time left (ETA) in seconds. Means are over the
//! worlds that every arm has lived, with registered looks only up to the last of them, in the unit of the primary measure. It reads files
//! alone, so that cells of other machines are shown as well; nothing is written and the folder isn't locked.

use super::audience::{Audience, Exhibit};
use super::page::Page;
use super::parts::{self, Parts, cell, each, keep_newest};
use super::server::Server;
use super::{WatchOptions, listen, url};
use crate::io::error::{Error, Result};
use crate::io::locked::locked;
use crate::io::short_names::ShortNames;
use crate::io::text::markup::escape;
use crate::io::text::{between, figure, percent, range};
use crate::run::laboratory::Laboratory;
use crate::sweep::analysis::{SoFar, analyse};
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::packed::archives;
use crate::sweep::sweep_folder::{
    CellId, CellOutcome, CellRecord, CellStore, Counts, MANIFEST, Status, cells_dir, read_manifest, restore,
};
use morta_stats::Computed;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Shortest pause between two looks at the folder (our choice: a reader would hardly notice a shorter one).
const LOOK: Duration = Duration::from_millis(500);

/// A look costs at most a twentieth of a core, however many cells there are.
const LOOK_SHARE: u32 = 20;

/// Arms that a page shows. Our choice, because a row each makes about two screens, and nobody compares more by eye; the page states how many it
/// leaves off.
const ARMS_MAX: usize = 80;

/// Cells that a page lists, the latest ones. Our choice, because they only show that work goes on; the tables of the sweep have all.
const RECENT: usize = 12;

/// Points of the course that are kept (our choice: about the pixels of its plot). Of more, every other is dropped, so that a sweep of any
/// length takes the same room.
const COURSE_MAX: usize = 400;

/// A dashboard server that shows a sweep while other processes live its cells.
pub struct SweepWatch {
    view: Arc<SweepView>,
    folder: Folder,
    server: Server,
    url: String,
}

/// The state of a sweep that viewers are sent.
struct SweepView {
    state: Mutex<Value>,
    audience: Audience,
}

impl Exhibit for SweepView {
    fn audience(&self) -> &Audience {
        &self.audience
    }

    fn description(&self) -> Value {
        locked(&self.state).clone()
    }
}

impl SweepWatch {
    /// Reads what a sweep's folder says of itself, and begins to listen (dashboard).
    ///
    /// # Errors
    /// [`Error::Invalid`] when the folder holds no sweep, a file that its arms were made from is gone, or the address can't be listened on.
    pub fn open(options: &WatchOptions, dir: &Path) -> Result<Self> {
        if !dir.join(MANIFEST).exists() {
            return Err(Error::invalid(format!(
                "{}: its units haven't been collected yet, and only then does it say what it is: `morta sweep FILE --out {0} --collect \
                 --allow-missing` collects those that are there",
                dir.display()
            )));
        }
        let folder = Folder::open(dir, &options.laboratory)?;
        let place = listen(options)?;
        let url = url(&place);
        let view = Arc::new(SweepView {
            state: Mutex::new(folder.description(None)),
            audience: Audience::default(),
        });
        let server = Server::start(Arc::clone(&view) as Arc<dyn Exhibit>, Page::Sweep, |_| {}, place)?;
        Ok(Self { view, folder, server, url })
    }

    /// The URL at which a browser finds the dashboard, with the token if one is needed.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Shows the cells that have ended until all have and the sweep is written up, or `stop` is set; says how many cells have (polling).
    ///
    /// # Errors
    /// When the folder can't be read any more.
    pub fn follow(&mut self, stop: &AtomicBool) -> Result<Counts> {
        loop {
            let begun = Instant::now();
            let news = self.folder.look()?;
            let verdict = self.folder.verdict()?;
            if news || verdict.is_some() {
                let description = self.folder.description(verdict.as_deref());
                *locked(&self.view.state) = description;
                self.view.audience.touch();
            }
            if verdict.is_some() || stop.load(Ordering::Relaxed) {
                return Ok(self.folder.counts);
            }
            let next = Instant::now() + LOOK.max(begun.elapsed() * LOOK_SHARE);
            while Instant::now() < next && !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }

    /// Shuts down: lets viewers go and stops listening.
    pub fn close(self) {
        self.view.audience.close();
        self.server.stop();
    }
}

/// A sweep's folder as far as it has been looked at.
struct Folder {
    dir: PathBuf,
    laboratory: Laboratory,
    sweep: Sweep,
    /// Cells that haven't ended, by hash.
    left: BTreeMap<String, CellId>,
    /// The archives of units, and the cells in them.
    archives: Vec<(PathBuf, u64)>,
    packed: Option<CellStore>,
    so_far: SoFar,
    counts: Counts,
    /// Cells of each arm that are done, and that failed.
    arms: Vec<(u64, u64)>,
    /// Markup of the last cells.
    recent: VecDeque<String>,
    since: Instant,
    /// Cells that had ended at the first look; none before it. The estimate of the time left doesn't count them, because they may have been lived days ago.
    before: Option<u64>,
    /// Seconds since then, and cells ended.
    course: Vec<(f64, u64)>,
}

impl Folder {
    fn open(dir: &Path, laboratory: &Laboratory) -> Result<Self> {
        let manifest = read_manifest(dir)?;
        let (sweep, _) = restore(dir, &manifest, laboratory)?;
        let left = sweep.cells().map(|id| (sweep.cell_hash(id, &manifest.build), id)).collect();
        let (so_far, arms) = (SoFar::new(&sweep), vec![(0, 0); sweep.arms.len()]);
        Ok(Self {
            dir: dir.to_owned(),
            laboratory: laboratory.clone(),
            left,
            archives: Vec::new(),
            packed: None,
            so_far,
            counts: Counts { total: manifest.cells.total, ..Counts::default() },
            arms,
            recent: VecDeque::new(),
            since: Instant::now(),
            before: None,
            course: Vec::new(),
            sweep,
        })
    }

    /// Takes in the cells that have ended since the last look; whether there were any.
    fn look(&mut self) -> Result<bool> {
        let mut found: Vec<(CellId, CellRecord)> = Vec::new();
        for entry in std::fs::read_dir(cells_dir(&self.dir)).into_iter().flatten().flatten() {
            let name = entry.file_name();
            // A record that can't be read stays among those that haven't ended: its cell may be lived again, and is read at a later look.
            if let Some(id) = name.to_str().and_then(|name| self.left.get(name))
                && let Some(cell) = CellRecord::read(&entry.path())
            {
                found.push((*id, cell));
            }
        }
        let archives = archives(&self.dir)?;
        if archives != self.archives {
            self.packed = Some(CellStore::open(&self.dir)?);
            self.archives = archives;
            let packed = self.packed.iter();
            let there = packed.flat_map(|packed| self.left.iter().filter(|(hash, _)| packed.is_packed(hash)));
            let there: Vec<_> = there.map(|(hash, id)| (hash.clone(), *id)).collect();
            let read = |(hash, id): (String, CellId)| Some((id, self.packed.as_ref()?.read(&hash)?));
            found.extend(there.into_iter().filter_map(read));
        }
        let news = !found.is_empty();
        for (id, cell) in found {
            self.take(id, &cell);
        }
        let ended = self.counts.done + self.counts.failed;
        let is_first = self.before.is_none();
        self.before.get_or_insert(ended);
        if news || is_first {
            if self.course.len() >= COURSE_MAX {
                let mut number = 0;
                self.course.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
            }
            self.course.push((self.since.elapsed().as_secs_f64(), ended));
        }
        Ok(news || is_first)
    }

    fn take(&mut self, id: CellId, cell: &CellRecord) {
        // The same cell may lie there by itself and packed.
        if self.left.remove(&cell.hash).is_none() {
            return;
        }
        self.so_far.take(id, cell);
        let (done, failed) = &mut self.arms[id.arm];
        let how = match &cell.outcome {
            CellOutcome::Done(_) => {
                (self.counts.done, *done) = (self.counts.done + 1, *done + 1);
                format!("{:.1} s", cell.wall_s)
            }
            CellOutcome::Failed(why) => {
                (self.counts.failed, *failed) = (self.counts.failed + 1, *failed + 1);
                format!("failed: {why}")
            }
        };
        let by = cell.by.as_ref().map_or_else(String::new, |by| format!(", {} ({})", by.host, by.engine));
        let line = escape(&format!("{}, seed {}: {how}{by}", cell.arm, cell.seed));
        keep_newest(&mut self.recent, RECENT, line);
    }

    /// The analysis in words; none before the sweep is complete.
    fn verdict(&self) -> Result<Option<Vec<String>>> {
        let manifest = read_manifest(&self.dir)?;
        // A sweep that stopped at a look has cells that will never be lived.
        let is_lived = self.left.is_empty() || manifest.ends_at.is_some();
        if !is_lived || manifest.status != Status::Complete {
            return Ok(None);
        }
        Ok(Some(analyse(&self.dir, &self.laboratory)?.lines()))
    }

    fn description(&self, verdict: Option<&[String]>) -> Value {
        let ended = self.counts.done + self.counts.failed;
        let (common, means) = self.so_far.means();
        let names: Vec<String> = self.sweep.arms.iter().map(|arm| arm.name.clone()).collect();
        let short = ShortNames::new(&names);
        let worlds = self.sweep.worlds();
        let (mut arms, mut rows) = (Vec::new(), Vec::new());
        let all = self.sweep.arms.iter().zip(&short.names).zip(&self.arms).zip(&means).take(ARMS_MAX);
        for (((arm, short), (done, failed)), mean) in all {
            let interval = mean.as_ref().and_then(|mean| match &mean.interval {
                Computed::Known(interval) => Some(*interval),
                Computed::Unknown { .. } => None,
            });
            let mean = mean.as_ref().map(|mean| mean.mean);
            let shown = parts::or_dash(mean, figure);
            let within =
                interval.as_ref().map_or_else(String::new, |interval| format!(" {}", between(interval)));
            let not = if *failed == 0 { String::new() } else { format!(", {failed} failed") };
            let title = if arm.description.is_empty() { &arm.name } else { &arm.description };
            rows.push(
                [
                    cell(format!("<span title=\"{}\">{}</span>", escape(title), escape(&arm.name))),
                    parts::figure(done),
                    parts::figure(failed),
                    parts::figure(&shown),
                    parts::figure(parts::or_dash(interval, range)),
                ]
                .concat(),
            );
            arms.push(json!({
                "name": arm.name,
                "short": short,
                "ended": done + failed,
                "mean": mean,
                "interval": interval.map(|interval| [interval.low, interval.high]),
                "tip": format!("{}: {shown}{within}\n{done} of {worlds} worlds done{not}", arm.name),
            }));
        }
        let state = match verdict {
            Some(_) => "complete",
            None if ended == self.counts.total => "all cells have ended, and are being written up",
            None => "under way",
        };
        let mut parts = Parts::default();
        parts.text("name", &self.sweep.file.name);
        parts.text("status", state);
        parts.text("cells", self.cells_in_words(ended));
        parts.text("measured", self.measured_in_words(common, &short, verdict.is_some()));
        parts.text("h-arms", if verdict.is_some() { "Means" } else { "Means so far" });
        parts.markup("arms", each("tr", rows));
        let left_off = self.sweep.arms.len().saturating_sub(ARMS_MAX);
        parts.text("more", if left_off == 0 { String::new() } else { format!("and {left_off} more arms") });
        self.write_verdict(verdict, &mut parts);
        parts.markup("recent", each("li", self.recent.iter().rev().cloned()));
        json!({
            "name": self.sweep.file.name,
            "state": state,
            "cells": self.counts.total,
            "done": self.counts.done,
            "failed": self.counts.failed,
            "worlds_in_all_arms": common,
            "worlds": worlds,
            "arms": arms,
            "course": self.course,
            "verdict": verdict,
            "parts": parts.into_value(),
        })
    }

    fn cells_in_words(&self, ended: u64) -> String {
        let left = self.left_s(ended).map_or_else(String::new, |left| {
            let left = match left {
                ..90.0 => format!("{:.0} s", left.ceil()),
                ..5_400.0 => format!("{:.0} min", left / 60.0),
                _ => format!("{:.1} h", left / 3_600.0),
            };
            format!(", about {left} left")
        });
        format!("{ended} of {} cells, {} failed{left}", self.counts.total, self.counts.failed)
    }

    fn is_looked_at(&self) -> bool {
        !self.so_far.looks().is_empty() || self.so_far.next_look().is_some()
    }

    /// What the means are means of.
    fn measured_in_words(&self, common: u64, short: &ShortNames, is_complete: bool) -> String {
        let (measure, level) = (self.so_far.measure(), percent(self.so_far.level()));
        let (cohort, worlds) = (self.so_far.cohort(), self.sweep.worlds());
        let looks = self.is_looked_at();
        let which = if looks { "up to the last registered look" } else { "that every arm has lived" };
        let warning = match (is_complete, looks) {
            (true, _) => "",
            (false, true) => " Between looks nothing is shown.",
            (false, false) => " They decide nothing: who stops when they please has made the test worthless.",
        };
        format!(
            "{} of {cohort}, {}; means and {level} t intervals over the {common} of {worlds} worlds {which}. Rows fill as cells \
             end.{}{warning}",
            measure.label,
            measure.unit,
            short.besides()
        )
    }

    /// What was registered, and what came of it: the looks that were registered too, and all of it once every cell has ended.
    fn write_verdict(&self, verdict: Option<&[String]>, parts: &mut Parts) {
        let hypothesis = self.sweep.file.preregistration.as_ref().map(|registered| &registered.hypothesis);
        parts.text("h-verdict", if hypothesis.is_some() { "What was registered" } else { "What it says" });
        parts.text("hypothesis", hypothesis.map_or("", String::as_str));
        let verdict_markup = match verdict {
            Some(verdict) => parts::lines(verdict),
            None if self.is_looked_at() => {
                let looks = self.so_far.looks().iter().map(|look| escape(&look.in_words()));
                let next = self.so_far.next_look();
                let next =
                    next.map(|worlds| parts::note(&format!("The next look is after {worlds} worlds.")));
                each("p", looks) + &next.unwrap_or_default()
            }
            None if hypothesis.is_none() => parts::note("Told when every cell has ended."),
            None => {
                parts::note("The verdict is hidden until every cell has ended: that is what was promised.")
            }
        };
        parts.markup("verdict", verdict_markup);
    }

    /// About how long the rest takes, by what has ended since it is looked at.
    fn left_s(&self, ended: u64) -> Option<f64> {
        let new = ended.saturating_sub(self.before?);
        let left = self.counts.total.saturating_sub(ended);
        (new > 0 && left > 0).then(|| self.since.elapsed().as_secs_f64() / new as f64 * left as f64)
    }
}
