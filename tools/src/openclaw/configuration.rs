//! An openclaw.json: its usual places, its dreaming settings, and the workspaces of its agents. It is configuration discovery
//! (lookup path with precedence) in JSON5. The order of precedence is fixed, because two files would otherwise fight over a workspace. A
//! value that can't be used is replaced by its default and reported; a schedule or time zone that can't be read is an error wherever a
//! schedule matters.

use super::dreaming;
use super::store_file::text;
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_memories::openclaw::settings::{Settings, is_settings};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Name of the configuration file.
const NAME: &str = "openclaw.json";
/// OpenClaw's folder in the user's home, which holds the configuration and the first workspace.
const HOME: &str = ".openclaw";

/// Finds the configuration file of a workspace, in the order of precedence: the named one, the workspace's own, the current folder's, that
/// of `.openclaw` in the workspace, that of the folder `.openclaw` around it, and last the user's, if it names the workspace.
pub fn find(named: Option<&Path>, workspace: &Path) -> Option<PathBuf> {
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    let there = |path: &PathBuf| path.is_file();
    // `.` is dropped, so that the path in messages is `openclaw.json` rather than `./openclaw.json`.
    let here = workspace.strip_prefix(".").unwrap_or(workspace);
    let near = [here.join(NAME), PathBuf::from(NAME), here.join(HOME).join(NAME)];
    near.into_iter().find(there).or_else(|| {
        let real = workspace.canonicalize().ok()?;
        let around = real.parent().filter(|folder| folder.file_name().is_some_and(|name| name == HOME));
        let around = around.map(|folder| folder.join(NAME)).filter(there);
        around.or_else(|| {
            let users = std::env::home_dir()?.join(HOME).join(NAME);
            let named = workspaces(Some(&users).filter(|path| there(path))?).ok()?;
            named.iter().any(|one| one.canonicalize().is_ok_and(|one| one == real)).then_some(users)
        })
    })
}

/// Loads the settings of a configuration file; without a file they are the defaults. Replaced values are reported.
///
/// # Errors
/// [`Error::Invalid`] when the file can't be read, or isn't OpenClaw's.
pub fn settings(config: Option<&Path>, notes: Notes<'_>) -> Result<Settings> {
    let Some(path) = config else { return Ok(Settings::default()) };
    let settings = Settings::from_json(&read(path)?);
    settings.mended.iter().for_each(|what| notes(&format!("{}: {what}", path.display())));
    Ok(settings)
}

/// As [`settings`], for a run by schedule (cron schedule). Here an unreadable schedule is an error, because its default would run at
/// another time.
///
/// # Errors
/// As [`settings`], and [`Error::Invalid`] when a cron expression or a time zone can't be parsed.
pub fn scheduled(config: Option<&Path>, notes: Notes<'_>) -> Result<Settings> {
    let settings = settings(config, notes)?;
    match config {
        Some(path) => scheduled_by(path, settings),
        None => Ok(settings),
    }
}

/// As [`scheduled`], for parsed settings.
pub(super) fn scheduled_by(path: &Path, settings: Settings) -> Result<Settings> {
    let is_schedule = |what: &&String| {
        let key = what.split(" = ").next().unwrap_or_default();
        ["cron", "frequency", "timezone", "userTimezone"]
            .iter()
            .any(|name| key.rsplit('.').next() == Some(name))
    };
    match settings.mended.iter().find(is_schedule) {
        Some(what) => {
            let what = what.trim_end_matches("; its default is used");
            Err(Error::at(path, what))
        }
        None => Ok(settings),
    }
}

/// Reads an openclaw.json, or its dreaming block alone: for settings, for workspaces, and for the model that words themes.
///
/// # Errors
/// [`Error::Invalid`] when the file can't be read, or isn't OpenClaw's.
pub(super) fn read(path: &Path) -> Result<Value> {
    let file = dreaming::read(path, &text(path)?)?.value();
    if is_settings(&file) {
        return Ok(file);
    }
    let what = "this is neither an openclaw.json nor its dreaming block";
    Err(Error::at(path, what))
}

/// The workspaces of a configuration's agents, each once: of `agents.defaults`, of every named agent, and of every one in `agents.list`
/// (workspace discovery).
///
/// # Errors
/// [`Error::Invalid`] when the file can't be read, or isn't OpenClaw's.
pub fn workspaces(config: &Path) -> Result<Vec<PathBuf>> {
    let file = read(config)?;
    let agents = file.get("agents").and_then(Value::as_object);
    let (mut named, mut listed) = (Vec::new(), Vec::new());
    for (name, agent) in agents.into_iter().flatten() {
        match agent {
            Value::Array(list) if name == "list" => listed.extend(list),
            agent => named.push(agent),
        }
    }
    let folder = config.parent().filter(|folder| *folder != Path::new(".")).unwrap_or(Path::new(""));
    let mut workspaces: Vec<PathBuf> = Vec::new();
    for agent in named.into_iter().chain(listed) {
        let Some(text) = agent.get("workspace").and_then(Value::as_str).map(str::trim) else { continue };
        if text.is_empty() {
            continue;
        }
        let at_home =
            || Some(std::env::home_dir()?.join(text.strip_prefix("~")?.trim_start_matches(['/', '\\'])));
        let path = at_home().unwrap_or_else(|| folder.join(text));
        // Two paths of one folder are one workspace.
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        if !workspaces.iter().any(|known| real(known) == real(&path)) {
            workspaces.push(path);
        }
    }
    Ok(workspaces)
}
