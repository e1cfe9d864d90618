//! Switches dreaming on and off in a user's openclaw.json. Comments and all other text are kept. It is a minimal text edit of JSON5. A
//! serializer isn't used, because it would drop comments. Each edit is parsed again before it is written: one that would change anything
//! else is refused, and so are a key that is there twice and one that may be in a file of `$include`. `openclaw dreaming` and the MCP
//! server call it.

use super::configuration::scheduled_by;
use super::json5::{BYTE_ORDER_MARK, Document, parse};
use super::store_file::text;
use jsonc_parser::ast::{self, ObjectProp};
use jsonc_parser::common::Ranged as _;
use morta_lab::error::{Error, Result};
use morta_lab::text::View;
use morta_lab::whole_file::replace;
use morta_lab::write_lock::WriteLock;
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::settings::{Settings, is_settings};
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;

/// Path of the dreaming block in a whole openclaw.json.
const BLOCK: [&str; 5] = ["plugins", "entries", "memory-core", "config", "dreaming"];
/// The phases in the order of the document: light, deep, REM.
const PHASES: [Phase; 3] = [Phase::Light, Phase::Deep, Phase::Rem];

/// What a configuration says of dreaming: which phases are on, and their cron expressions.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DreamingReport {
    /// The file.
    pub config: String,
    /// Whether dreaming is on.
    pub enabled: bool,
    /// Whether the file was changed.
    pub changed: bool,
    /// The time zone in which days are counted.
    pub timezone: String,
    /// Each phase: whether it runs, and its cron expression.
    pub phases: Vec<(Phase, bool, String)>,
}

/// Parses a configuration; an error has its line. `configuration` reads settings and workspaces by it too.
///
/// # Errors
/// When the text isn't JSON5.
pub(super) fn read<'a>(path: &Path, text: &'a str) -> Result<Document<'a>> {
    let no_json5 = |line: usize, what: &dyn std::fmt::Display| {
        Error::invalid(format!("{}:{line}: {what}: it must be JSON5", path.display()))
    };
    let read = parse(text.trim_start_matches(BYTE_ORDER_MARK));
    let read = read.map_err(|error| no_json5(error.line_display(), error.kind()))?;
    if read.root.is_none() { Err(no_json5(1, &"there is no value")) } else { Ok(read) }
}

/// Reads what a configuration file says of dreaming (feature flags).
///
/// # Errors
/// [`Error::Invalid`] when the file, or its schedule or time zone, can't be read.
pub fn status(config: &Path) -> Result<DreamingReport> {
    is_there(config)?;
    report(config, &settings_of(config, &text(config)?)?.value(), false)
}

/// What can be switched on and off in the configuration (feature flag).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Dreaming as a whole. Switching it on switches on all phases; switching it off leaves the phases' switches as they are.
    All,
    /// One phase.
    Phase(Phase),
}

/// Switches dreaming or a phase on or off in its file (feature toggle).
///
/// # Errors
/// [`Error::Invalid`] when the file or a schedule in it can't be read, or the file can't be written, or can't be changed without touching
/// other text; the file is unchanged then.
pub fn switch(config: &Path, what: Switch, on: bool) -> Result<DreamingReport> {
    let invalid = |error: &dyn std::fmt::Display| Error::at(config, error);
    is_there(config)?;
    // The link's target is replaced, otherwise the link would become a file.
    let real = config.canonicalize().map_err(|error| invalid(&error))?;
    let _lock = WriteLock::of_store(&real).map_err(|error| invalid(&error))?;
    let whole = text(&real)?;
    let old = whole.trim_start_matches(BYTE_ORDER_MARK);
    let mark = &whole[..whole.len() - old.len()];
    let before = settings_of(config, old)?.value();
    // The file may be a whole openclaw.json or the dreaming block alone: an empty file counts as whole, because the path is then written out.
    let is_whole = ["plugins", "agents"].iter().any(|key| before.get(key).is_some());
    let alone = !is_whole && before.as_object().is_some_and(|file| !file.is_empty());
    let block = if alone { &[][..] } else { &BLOCK[..] };
    // Phases that are on already aren't written, so that the file changes as little as possible.
    let off = |phase: &Phase| !enabled(&before, *phase);
    let phases: Vec<Phase> = match what {
        Switch::All if on => PHASES.into_iter().filter(off).collect(),
        Switch::All => Vec::new(),
        Switch::Phase(phase) => vec![phase],
    };
    let mut paths: Vec<Vec<&str>> = Vec::new();
    paths.extend((what == Switch::All).then(|| [block, &["enabled"]].concat()));
    paths.extend(phases.iter().map(|phase| [block, &["phases", phase.name(), "enabled"]].concat()));
    let (mut wanted, mut new) = (before.clone(), old.to_owned());
    for path in &paths {
        let known = wanted.clone();
        if set(&mut wanted, path, on).is_none() {
            return Err(invalid(&format!(
                "{}: something on the way to it is no object: mend that by hand",
                path.join(".")
            )));
        }
        // A switch that has its value already needs no edit.
        if wanted == known {
            continue;
        }
        let edits = edits(&new, &settings_of(config, &new)?, path, on).map_err(|what| invalid(&what))?;
        // Each candidate is parsed and compared as a whole, so that an edit that changes anything else is never written.
        let is_it = |new: &String| parse(new).is_ok_and(|new| new.value() == wanted);
        let Some(edited) = edits.into_iter().find(is_it) else {
            return Err(invalid(&format!(
                "can't be changed without touching the rest: write {} = {on} by hand",
                path.join(".")
            )));
        };
        new = edited;
    }
    let changed = wanted != before;
    // The report fails where a schedule can't be read: before the file is written, so that an error leaves it as it was.
    let report = report(config, &wanted, changed)?;
    if changed {
        replace(&real, format!("{mark}{new}").as_bytes())?;
    }
    Ok(report)
}

fn enabled(file: &Value, phase: Phase) -> bool {
    let dreaming = Settings::from_json(file).dreaming;
    match phase {
        Phase::Light => dreaming.light.enabled,
        Phase::Deep => dreaming.deep.enabled,
        Phase::Rem => dreaming.rem.enabled,
    }
}

fn is_there(config: &Path) -> Result<()> {
    match config.exists() {
        true => Ok(()),
        false => {
            let what = "there is no such file: name the one that OpenClaw reads by --config";
            Err(Error::at(config, what))
        }
    }
}

fn settings_of<'a>(config: &Path, text: &'a str) -> Result<Document<'a>> {
    let read = read(config, text)?;
    if is_settings(&read.value()) {
        return Ok(read);
    }
    Err(Error::at(config, "this is neither an openclaw.json nor its dreaming block"))
}

fn report(config: &Path, file: &Value, changed: bool) -> Result<DreamingReport> {
    let settings = scheduled_by(config, Settings::from_json(file))?;
    let dreaming = settings.dreaming;
    let phase = |phase| (phase, dreaming.runs(phase), dreaming.cron(phase).to_owned());
    Ok(DreamingReport {
        config: config.display().to_string(),
        enabled: dreaming.enabled,
        changed,
        phases: PHASES.map(phase).into(),
        timezone: dreaming.timezone,
    })
}

fn set(value: &mut Value, path: &[&str], on: bool) -> Option<()> {
    let Some((key, rest)) = path.split_first() else {
        *value = Value::Bool(on);
        return Some(());
    };
    let empty = || Value::Object(Map::new());
    set(value.as_object_mut()?.entry(*key).or_insert_with(empty), rest, on)
}

/// Candidate texts, the best first. The caller parses each and takes the first one with the intended value.
fn edits(text: &str, read: &Document<'_>, path: &[&str], on: bool) -> Result<Vec<String>, String> {
    let Some(mut value) = read.root.as_ref() else { return Ok(Vec::new()) };
    for (depth, key) in path.iter().enumerate() {
        let ast::Value::Object(object) = value else { break };
        let named = |name: &str| -> Vec<&ObjectProp<'_>> {
            object.properties.iter().filter(|one| one.name.as_str() == name).collect()
        };
        match named(key).as_slice() {
            [found] => value = &found.value,
            // With $include the member may be in another file, where an edit here would have no effect or override it.
            [] if !named("$include").is_empty() => {
                return Err(format!("{key} may be in a file that is included: name that file with --config"));
            }
            [] => return Ok(insertions(text, read, object, &member(&path[depth..], on))),
            // Of two equal keys the last one counts, but the user may mean the other; neither is changed.
            _ => return Err(format!("{key} is there twice: leave one of them")),
        }
    }
    Ok(vec![format!("{}{on}{}", &text[..value.start()], &text[value.end()..])])
}

fn member(path: &[&str], on: bool) -> String {
    let inner = path.iter().rev().fold(on.to_string(), |inner, key| format!("{{ \"{key}\": {inner} }}"));
    inner.trim_start_matches("{ ").strip_suffix(" }").map_or_else(String::new, str::to_owned)
}

/// Inserts a member on a line of its own after the last one, whose comment stays with it; or directly behind the last value.
fn insertions(text: &str, read: &Document<'_>, object: &ast::Object<'_>, member: &str) -> Vec<String> {
    let Some(last) = object.properties.last().map(|last| last.value.end()) else {
        let (head, tail) = text.split_at(object.start() + 1);
        return vec![format!("{head} {member} {}", tail.trim_start()), format!("{head} {member}\n{tail}")];
    };
    let behind = format!("{}, {member}{}", &text[..last], &text[last..]);
    // An object on one line stays on one line.
    let Some(line) = text[last..object.end()].find('\n') else { return vec![behind] };
    let end = last + text[last..last + line].trim_end_matches('\r').len();
    // The line's own ending is used, so that a Windows file keeps its line ends.
    let newline = if text[end..].starts_with('\r') { "\r\n" } else { "\n" };
    let begins = text[..last].rfind('\n').map_or(0, |at| at + 1);
    let begins = &text[begins..];
    let indent = &begins[..begins.len() - begins.trim_start_matches([' ', '\t']).len()];
    // JSON5 allows a comma after the last member, and a second one would be an error.
    let missing = if read.has_comma_after(last) { "" } else { "," };
    let (middle, tail) = (&text[last..end], &text[end..]);
    vec![format!("{}{missing}{middle}{newline}{indent}{member}{tail}", &text[..last]), behind]
}

impl View for DreamingReport {
    fn lines(&self) -> Vec<String> {
        let on = if self.enabled { "on" } else { "off" };
        let changed = if self.changed { ", changed now" } else { "" };
        let mut lines = vec![format!("{}: dreaming {on}, {}{changed}", self.config, self.timezone)];
        lines.extend(self.phases.iter().map(|(phase, runs, cron)| {
            let runs = if *runs { "on" } else { "off" };
            format!("{:<6} {runs:<3} {cron}", phase.name())
        }));
        lines
    }
}
