//! One dream over an agent's session logs, or one after each log that has new lines (`nightly`): offline consolidation, incremental from
//! where the last dream stopped reading. It writes the memory graph, a summary text and a JSON report of counts. Salience is 0 to 1 and
//! decays by dreams, not by time. The graph is written last, so that a crash repeats a dream and loses none. A lock keeps two dreams of one
//! agent apart; a dry run takes none. A broken line is counted and skipped. `dark-pawns dream` calls it, and the MCP server with the
//! default rules; `salience` borrows the reader of logs.

use super::lines::{LineNotes, Place, turns};
use super::store::{GRAPH, RESULT, SUMMARY, Stored};
use crate::notes::Notes;
use morta_lab::error::{At as _, Error, Result};
use morta_lab::whole_file::replace;
use morta_lab::write_lock::WriteLock;
use morta_memories::dark_pawns::{
    DreamResult, DreamRules, Event, Extractor, SessionEntry, Stamp, dream as dream_over,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The request for a dream: which logs are consolidated into which memory, and how.
#[derive(Clone, Copy, Debug)]
pub struct DreamRequest<'a> {
    /// The agent whose logs are dreamt over; the name of its folders.
    pub agent: &'a str,
    /// Folder of session logs, with a folder for each agent.
    pub sessions: &'a Path,
    /// Folder of memories, with a folder for each agent.
    pub output: &'a Path,
    /// Whether the dream is only computed, and nothing is written.
    pub dry_run: bool,
    /// Whether logs that were read before are read again.
    pub reread: bool,
    /// Whether there is a dream after each log, as on a nightly schedule; false makes one dream over all logs. The two leave different
    /// memories, because salience decays with every dream.
    pub nightly: bool,
}

/// Receives the number of logs read, their total number, and the name of the last one (progress callback).
pub(crate) type ProgressSink<'a> = &'a dyn Fn(u64, u64, &str);

/// The file of figures.
#[derive(Serialize)]
struct Figures<'a> {
    #[serde(flatten)]
    result: &'a DreamResult,
    lines_malformed: u64,
    turns_out_of_order: u64,
    events_repeated: u64,
}

/// Dreams, i.e. consolidates session logs offline: events of new log lines are remembered, weak memories are forgotten, and the graph, the
/// summary and the figures are written.
///
/// # Errors
/// [`Error::Invalid`] when the agent's name can't be a folder's name, or the logs or the graph can't be read.
pub fn dream(request: &DreamRequest<'_>, rules: &DreamRules, notes: Notes<'_>) -> Result<DreamResult> {
    dream_reporting(request, rules, notes, &|_, _, _| ())
}

/// As [`dream`], with reports of progress (progress callback).
///
/// # Errors
/// Those of [`dream`].
pub(crate) fn dream_reporting(
    request: &DreamRequest<'_>,
    rules: &DreamRules,
    notes: Notes<'_>,
    progress: ProgressSink<'_>,
) -> Result<DreamResult> {
    let DreamRequest { agent, sessions, output, dry_run, reread, nightly } = *request;
    check_agent(agent)?;
    let folder = output.join(agent);
    let path = folder.join(GRAPH);
    let lock = || WriteLock::of_store(&path).at(&folder);
    // A dry run takes no lock, because it writes nothing and must not wait for a dream.
    let _lock = (!dry_run).then(lock).transpose()?;
    let mut stored = if path.exists() { Stored::read(&path)? } else { Stored::default() };
    if reread {
        // Only the reading state is reset; the memories stay.
        stored.progress = Default::default();
    }
    let logs = logs(&sessions.join(agent))?;
    let mut reader = Reader::new(&stored, agent, rules);
    let total = logs.len() as u64;
    let report = |done: u64, log: &str| progress(done, total, log);
    reader.progress = Some(&report);
    let mut notes = LineNotes::new(notes);
    let nights: Vec<Logs> = match nightly {
        true => logs.into_iter().map(|log| Logs::from([log])).collect(),
        false => vec![logs],
    };
    let (result, summary) = reader.dream(&nights, &mut stored, &mut notes)?;
    notes.close();
    if !dry_run {
        let figures = Figures {
            result: &result,
            lines_malformed: notes.malformed,
            turns_out_of_order: reader.out_of_order,
            events_repeated: reader.repeated,
        };
        // All three are made before any is written, so that one that can't be made leaves the others as they were.
        let (figures, graph) = (pretty(&figures)?, pretty(&stored.to_json()?)?);
        // The graph is last, because it records how far the logs were read: a crash before it repeats the dream.
        replace(&folder.join(SUMMARY), summary.as_bytes())?;
        replace(&folder.join(RESULT), &figures)?;
        replace(&folder.join(GRAPH), &graph)?;
    }
    Ok(result)
}

/// Checks that an agent's name can be a folder's name, for dreams, logins, notes, salience curves and recordings.
///
/// # Errors
/// When it is empty, contains a separator, or is `.` or `..`.
pub(crate) fn check_agent(agent: &str) -> Result<()> {
    // A name with dots, such as `ada.v2` or `ada@example.org`, is valid. Only `.` and `..` lead out of the agent's own folder.
    if agent.is_empty()
        || agent == "."
        || agent == ".."
        || agent.contains(|one: char| "/\\".contains(one) || one.is_control())
    {
        return Err(Error::invalid(format!(
            "--agent {agent:?}: must not be empty, . or .., and must not contain / or \\ or what can't be printed"
        )));
    }
    Ok(())
}

/// Lists the agents that have a summary in a folder of memories, by name; none if the folder doesn't exist yet.
///
/// # Errors
/// [`Error::Invalid`] when the folder can't be listed.
pub fn agents(dreaming: &Path) -> Result<Vec<String>> {
    let folder = match std::fs::read_dir(dreaming) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        folder => folder.at(dreaming)?,
    };
    let mut agents = Vec::new();
    for entry in folder {
        let entry = entry.at(dreaming)?;
        let name = entry.file_name().into_string().ok();
        agents.extend(name.filter(|_| entry.path().join(SUMMARY).is_file()));
    }
    agents.sort_unstable();
    Ok(agents)
}

fn pretty(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    Ok(text)
}

/// Logs by name, in byte order.
pub(super) type Logs = BTreeMap<String, PathBuf>;

/// The logs of a folder.
pub(super) fn logs(folder: &Path) -> Result<Logs> {
    let fail = |error: std::io::Error| {
        Error::at(
            folder,
            format!(
                "can't read the sessions: {error}: --sessions names the folder that has a folder of logs for each agent"
            ),
        )
    };
    let mut logs = Logs::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_none_or(|suffix| suffix != "jsonl") || !path.is_file() {
            continue;
        }
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            return Err(Error::at(path, "the name isn't UTF-8; rename it"));
        };
        logs.insert(name.to_owned(), path.clone());
    }
    Ok(logs)
}

/// The sum of several dreams' results, with the state of the last one.
fn together(before: DreamResult, last: &DreamResult) -> DreamResult {
    let nodes_pruned = before.nodes_pruned + last.nodes_pruned;
    DreamResult {
        session_files_processed: before.session_files_processed + last.session_files_processed,
        events_extracted: before.events_extracted + last.events_extracted,
        nodes_before_consolidation: last.nodes_after_consolidation + nodes_pruned,
        nodes_pruned,
        ..last.clone()
    }
}

/// Receives the number of logs read, and the name of the last one.
type LogProgress<'a> = &'a dyn Fn(u64, &str);

/// Reads new lines of the logs.
pub(super) struct Reader<'a> {
    agent: &'a str,
    rules: &'a DreamRules,
    /// Finds events; what it finds depends on the turns before.
    extractor: Extractor,
    events: Vec<Event>,
    /// Kind and moment of every event found, to count repetitions.
    known: BTreeSet<(&'static str, Stamp)>,
    /// The moment of the last turn, to notice a clock that goes back.
    last: Option<Stamp>,
    /// Logs that were opened.
    files: u64,
    out_of_order: u64,
    repeated: u64,
    /// Logs that were looked at, unchanged ones included; for progress.
    looked_at: u64,
    progress: Option<LogProgress<'a>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(stored: &Stored, agent: &'a str, rules: &'a DreamRules) -> Self {
        Self {
            agent,
            rules,
            extractor: stored.progress.extractor.clone(),
            events: Vec::new(),
            known: BTreeSet::new(),
            last: None,
            files: 0,
            out_of_order: 0,
            repeated: 0,
            looked_at: 0,
            progress: None,
        }
    }

    /// The events found so far.
    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    pub(super) fn read(&mut self, logs: &Logs, stored: &mut Stored, notes: &mut LineNotes<'_>) -> Result<()> {
        for (name, path) in logs {
            self.looked_at += 1;
            if let Some(progress) = self.progress {
                progress(self.looked_at, name);
            }
            let mut from = stored.progress.files.get(name).copied().unwrap_or_default();
            let length = path.metadata().map_or(0, |metadata| metadata.len());
            // A log that has shrunk is another file under the same name, so the old position would lie inside of a line.
            if length < from.bytes {
                notes.note(&path.display().to_string(), 1, "the log is shorter than before: read anew");
                from = Place::default();
            }
            // An unchanged log isn't opened, so that a night with years of logs reads only the new ones.
            if length == from.bytes && length > 0 {
                continue;
            }
            self.files += 1;
            let shown = path.display().to_string();
            let end = turns(path, from, notes, |number, entry, _, notes| {
                self.take(&shown, number, &entry, notes);
                Ok::<_, Error>(())
            })?;
            stored.progress.files.insert(name.clone(), end);
        }
        stored.progress.extractor = self.extractor.clone();
        Ok(())
    }

    /// Dreams after each night's logs that hold new turns, at least once. Returns the sum of the results and the last summary.
    fn dream(
        &mut self,
        nights: &[Logs],
        stored: &mut Stored,
        notes: &mut LineNotes<'_>,
    ) -> Result<(DreamResult, String)> {
        let mut dreamt: Option<(DreamResult, String)> = None;
        for (place, logs) in nights.iter().enumerate() {
            let read_before = self.files;
            self.read(logs, stored, notes)?;
            let (new, is_last) = (self.files - read_before, place + 1 == nights.len());
            if new == 0 && !(is_last && dreamt.is_none()) {
                continue;
            }
            let events = std::mem::take(&mut self.events);
            let (result, summary) = dream_over(&mut stored.graph, self.agent, new, &events, self.rules);
            let so_far =
                dreamt.take().map_or_else(|| result.clone(), |(before, _)| together(before, &result));
            dreamt = Some((so_far, summary));
        }
        Ok(dreamt.unwrap_or_else(|| dream_over(&mut stored.graph, self.agent, 0, &[], self.rules)))
    }

    fn take(&mut self, log: &str, number: u64, entry: &SessionEntry, notes: &mut LineNotes<'_>) {
        let now = entry.timestamp;
        if let Some(last) = self.last.filter(|last| now < *last) {
            self.out_of_order += 1;
            notes.note(log, number, format!("the clock goes back from {last} to {now}: taken as it is"));
        }
        self.last = Some(now);
        for event in self.extractor.extract(self.agent, entry, self.rules) {
            // Two events of one kind and moment have one node, so they are counted as one, because nothing else tells them apart.
            if !self.known.insert((event.kind.name(), now)) {
                self.repeated += 1;
                let what = format!("another {} event at {now}: counted as the same one", event.kind.name());
                notes.note(log, number, what);
            }
            self.events.push(event);
        }
    }
}
