//! `morta memory dark-pawns dream`: one dream over an agent's session logs.

use super::lines::{Notes, Place, turns};
use super::rules::RuleFlags;
use super::store::{GRAPH, RESULT, SUMMARY, Stored};
use crate::failure::UserError;
use crate::output;
use morta_lab::whole_file::replace;
use morta_memories::dark_pawns::{DreamResult, DreamRules, Event, Extractor, SessionEntry, Stamp, dream};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is read and written, for `--help`.
pub const HELP: &str = r#"Reads SESSIONS/ID/*.jsonl in the order of their names, each line once: what was read is kept in
the graph's file. --reread reads everything again, which reinforces it. The format of logs:
morta memory dark-pawns --help

Writes in DREAMING/ID, each file whole or not at all:
  memory-graph.json   {nodes: {id: {id, kind, label, salience, valence, created_at, updated_at,
                      visit_count, mean_valence}}, edges: [{from, to, kind, weight, created_at}],
                      progress: how far each log was read}
  memory-summary.txt  the narrative summary
  dream-result.json   {agent_id, session_files_processed, events_extracted,
                      nodes_before_consolidation (once the events are in),
                      nodes_after_consolidation, nodes_pruned, summary_tokens_estimated,
                      lines_malformed, turns_out_of_order, events_repeated}
A dry run counts the same and writes nothing."#;

/// The flags of the command.
#[derive(clap::Args)]
pub struct Args {
    /// Whose logs to dream over.
    #[arg(long, value_name = "ID")]
    agent: String,

    /// Folder of session logs, with a folder for each agent.
    #[arg(long, value_name = "SESSIONS", default_value = "data/sessions")]
    sessions: PathBuf,

    /// Folder of memories, with a folder for each agent.
    #[arg(long, value_name = "DREAMING", default_value = "data/dreaming")]
    output: PathBuf,

    /// Say what the dream would come to, and write nothing.
    #[arg(long)]
    dry_run: bool,

    /// Read logs again that were read before.
    #[arg(long)]
    reread: bool,

    #[command(flatten)]
    rules: RuleFlags,
}

/// The file of figures.
#[derive(Serialize)]
struct Figures<'a> {
    #[serde(flatten)]
    result: &'a DreamResult,
    lines_malformed: u64,
    turns_out_of_order: u64,
    events_repeated: u64,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let rules = args.rules.read()?;
    let agent = args.agent.as_str();
    if agent.is_empty() || agent.contains(['/', '\\', '.', '\0']) {
        return Err(UserError::new(format!("--agent {agent:?}: must not be empty or contain / \\ or .")));
    }
    let folder = args.output.join(agent);
    let path = folder.join(GRAPH);
    let mut stored = if path.exists() { Stored::read(&path)? } else { Stored::default() };
    if args.reread {
        stored.progress = Default::default();
    }
    let logs = logs(&args.sessions.join(agent))?;
    let mut reader = Reader::new(&stored, agent, &rules);
    reader.read(&logs, &mut stored)?;
    reader.notes.close();
    let (result, summary) = dream(&mut stored.graph, agent, reader.files, &reader.events, &rules);
    let figures = Figures {
        result: &result,
        lines_malformed: reader.notes.malformed,
        turns_out_of_order: reader.out_of_order,
        events_repeated: reader.repeated,
    };
    if args.dry_run {
        eprintln!("note: a dry run: nothing is written");
    } else {
        replace(&folder.join(SUMMARY), summary.as_bytes())?;
        replace(&folder.join(RESULT), &pretty(&figures)?)?;
        replace(&folder.join(GRAPH), &pretty(&stored)?)?;
    }
    block(&result)
}

fn pretty(value: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    Ok(text)
}

fn block(result: &DreamResult) -> anyhow::Result<ExitCode> {
    output::line("Dream complete:")?;
    output::line(format!("  {:<18}{}", "Agent:", result.agent_id))?;
    for (name, figure) in [
        ("Sessions read:", result.session_files_processed),
        ("Events extracted:", result.events_extracted),
        ("Nodes before:", result.nodes_before_consolidation),
        ("Nodes after:", result.nodes_after_consolidation),
        ("Pruned:", result.nodes_pruned),
        ("Summary tokens:", result.summary_tokens_estimated),
    ] {
        output::line(format!("  {name:<18}{figure}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Logs by name, in byte order.
fn logs(folder: &Path) -> anyhow::Result<BTreeMap<String, PathBuf>> {
    let fail = |error: std::io::Error| {
        UserError::new(format!("{}: can't read the sessions: {error}", folder.display()))
    };
    let mut logs = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_none_or(|suffix| suffix != "jsonl") || !path.is_file() {
            continue;
        }
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            return Err(UserError::new(format!("{}: the name isn't UTF-8; rename it", path.display())));
        };
        logs.insert(name.to_owned(), path.clone());
    }
    Ok(logs)
}

/// Reads what is new in the logs.
struct Reader<'a> {
    agent: &'a str,
    rules: &'a DreamRules,
    extractor: Extractor,
    events: Vec<Event>,
    known: BTreeSet<(&'static str, Stamp)>,
    last: Option<Stamp>,
    files: u64,
    out_of_order: u64,
    repeated: u64,
    notes: Notes,
}

impl<'a> Reader<'a> {
    fn new(stored: &Stored, agent: &'a str, rules: &'a DreamRules) -> Self {
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
            notes: Notes::default(),
        }
    }

    fn read(&mut self, logs: &BTreeMap<String, PathBuf>, stored: &mut Stored) -> anyhow::Result<()> {
        let mut notes = std::mem::take(&mut self.notes);
        for (name, path) in logs {
            let mut from = stored.progress.files.get(name).copied().unwrap_or_default();
            let length = path.metadata().map_or(0, |metadata| metadata.len());
            if length < from.bytes {
                notes.note(&path.display().to_string(), 1, "the log is shorter than before: read anew");
                from = Place::default();
            }
            if length == from.bytes && length > 0 {
                continue;
            }
            self.files += 1;
            let shown = path.display().to_string();
            let end = turns(path, from, &mut notes, |number, entry, _, notes| {
                self.take(&shown, number, &entry, notes);
                Ok(())
            })?;
            stored.progress.files.insert(name.clone(), end);
        }
        stored.progress.extractor = self.extractor.clone();
        self.notes = notes;
        Ok(())
    }

    fn take(&mut self, log: &str, number: u64, entry: &SessionEntry, notes: &mut Notes) {
        let now = entry.timestamp;
        if let Some(last) = self.last.filter(|last| now < *last) {
            self.out_of_order += 1;
            notes.note(log, number, format!("the clock goes back from {last} to {now}: taken as it is"));
        }
        self.last = Some(now);
        for event in self.extractor.extract(self.agent, entry, self.rules) {
            if !self.known.insert((event.kind.name(), now)) {
                self.repeated += 1;
                let what = format!("another {} event at {now}: counted as the same one", event.kind.name());
                notes.note(log, number, what);
            }
            self.events.push(event);
        }
    }
}
