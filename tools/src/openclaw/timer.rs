//! Schedules of a workspace's phases for a system scheduler: lines of a crontab, or services of systemd with their timers. It translates
//! cron expressions to systemd's `OnCalendar`. Each line runs `morta-memory openclaw light`, `rem` or `promote` with `--apply --now now`.
//! Nothing is installed: the lines are printed. Paths are absolute, because a scheduler starts elsewhere. A phase that is off has no line;
//! it is an error if none is on, or if systemd can't express a schedule (a day of the month and of the week at once).

use super::configuration::{find, scheduled};
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_lab::text::View;
use morta_memories::openclaw::schedule::Phase;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The system scheduler (cron or systemd).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheduler {
    /// Lines of a crontab.
    Cron,
    /// Units of systemd.
    Systemd,
}

/// The schedule's text (crontab or unit files).
#[derive(Debug, Serialize)]
pub struct Timers {
    /// The scheduler.
    pub scheduler: Scheduler,
    /// Lines of a crontab or of unit files.
    pub lines: Vec<String>,
}

/// Writes the schedule of all phases that are on (crontab or systemd units, OnCalendar). `program` is the path of the program to run.
///
/// # Errors
/// [`Error::Invalid`] when a workspace or a schedule can't be read, no phase is on, or systemd can't express a schedule.
pub fn timers(
    workspaces: &[PathBuf],
    config: Option<&Path>,
    program: &Path,
    scheduler: Scheduler,
    notes: Notes<'_>,
) -> Result<Timers> {
    let mut lines = Vec::new();
    for workspace in workspaces {
        // Absolute paths, because a scheduler starts commands in a folder of its own.
        let real = workspace.canonicalize().ok().filter(|folder| folder.is_dir());
        let real = real.ok_or_else(|| Error::at(workspace, "is no folder: name a workspace"))?;
        let config = find(config, workspace);
        let settings = scheduled(config.as_deref(), notes)?;
        let config = config.map(|path| path.canonicalize().unwrap_or(path));
        let dreaming = &settings.dreaming;
        for phase in Phase::ALL.into_iter().filter(|phase| dreaming.runs(*phase)) {
            let command = command(program, phase, &real, config.as_deref());
            let at = (dreaming.cron(phase), dreaming.timezone.as_str());
            match scheduler {
                Scheduler::Cron => lines.extend(crontab(at, &command, lines.is_empty())),
                Scheduler::Systemd => lines.extend(units(at, &command, phase, &real)?),
            }
        }
    }
    if lines.is_empty() {
        return Err(Error::invalid("no phase is on: morta-memory openclaw dreaming on"));
    }
    Ok(Timers { scheduler, lines })
}

fn command(program: &Path, phase: Phase, workspace: &Path, config: Option<&Path>) -> String {
    // The command of deep sleep is `promote`, as in OpenClaw.
    let verb = if phase == Phase::Deep { "promote" } else { phase.name() };
    let store = workspace.join(super::STORE);
    // Quoted for a shell; a quote inside ends the text, adds an escaped quote and begins again.
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', "'\\''"));
    let config = config.map(|path| format!(" --config {}", quoted(path))).unwrap_or_default();
    format!("{} openclaw {verb} {} --apply --now now{config}", quoted(program), quoted(&store))
}

fn crontab((cron, zone): (&str, &str), command: &str, is_first: bool) -> Vec<String> {
    let mut lines = Vec::new();
    // The remark is written once, because all lines are pasted together.
    if is_first {
        lines.push("# crontab -e; a cron without CRON_TZ goes by the zone of the machine".to_owned());
    }
    // In a crontab an unescaped percent sign ends the command.
    lines.extend([format!("CRON_TZ={zone}"), format!("{cron} {}", command.replace('%', "\\%"))]);
    lines
}

fn units((cron, zone): (&str, &str), command: &str, phase: Phase, workspace: &Path) -> Result<Vec<String>> {
    let name = workspace.file_name().unwrap_or_default().to_string_lossy();
    // A unit's name allows few characters, so all others become hyphens.
    let letters = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name = format!("openclaw-{}-{}", phase.name(), name.chars().map(letters).collect::<String>());
    let calendar = calendar(cron)?;
    let about = format!("Description=OpenClaw's {} sleep of {}", phase.name(), workspace.display());
    // A unit's command isn't read by a shell, but a percent sign begins a specifier.
    let command = command.replace('%', "%%");
    let lines = [
        format!("# ~/.config/systemd/user/{name}.service"),
        "[Unit]".to_owned(),
        about.clone(),
        "[Service]".to_owned(),
        "Type=oneshot".to_owned(),
        format!("ExecStart={command}"),
        format!("# ~/.config/systemd/user/{name}.timer; then: systemctl --user enable --now {name}.timer"),
        "[Unit]".to_owned(),
        about,
        "[Timer]".to_owned(),
        format!("OnCalendar={calendar} {zone}"),
        "Persistent=true".to_owned(),
        "[Install]".to_owned(),
        "WantedBy=timers.target".to_owned(),
    ];
    Ok(lines.into())
}

/// A cron expression in systemd's calendar format. The fields have the same meaning, except for weekdays, which are names.
fn calendar(cron: &str) -> Result<String> {
    let cant = |why: &str| {
        Error::invalid(format!(
            "cron = {cron:?}: systemd can't keep it, because {why}: take --as cron, or live --watch"
        ))
    };
    let fields: Vec<&str> = cron.split_whitespace().collect();
    let &[minute, hour, day, month, weekday] = fields.as_slice() else {
        return Err(cant("it has a name and no fields"));
    };
    // Cron runs if either the day of the month or the weekday fits, systemd only if both do.
    if day != "*" && weekday != "*" {
        return Err(cant("it names days of the month or of the week, and systemd takes both together"));
    }
    let part = |field: &str, first: &str| -> Result<String> {
        let listed = field.split(',').map(|one| {
            let (range, step) = one.split_once('/').map_or((one, None), |(range, step)| (range, Some(step)));
            let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let range = match (range, range.split_once('-')) {
                // systemd writes a step from a start, so `*/6` becomes `0/6`.
                ("*", _) if step.is_some() => first.to_owned(),
                ("*", _) => "*".to_owned(),
                (_, Some((from, to))) if plain(from) && plain(to) => format!("{from}..{to}"),
                (one, None) if plain(one) => one.to_owned(),
                _ => return Err(cant("it has names or letters where systemd has numbers")),
            };
            Ok(range + &step.map(|step| format!("/{step}")).unwrap_or_default())
        });
        Ok(listed.collect::<Result<Vec<_>>>()?.join(","))
    };
    const DAYS: [&str; 8] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let named = |text: &str| -> Result<&str> {
        let by_number = text.parse::<usize>().ok().and_then(|number| DAYS.get(number));
        let by_name = || DAYS.iter().find(|day| day.eq_ignore_ascii_case(text));
        by_number.or_else(by_name).copied().ok_or_else(|| cant("of its days of the week"))
    };
    let weekday = if weekday == "*" {
        String::new()
    } else {
        let days = weekday.split(',').map(|one| match one.split_once('-') {
            Some((from, to)) => Ok(format!("{}..{}", named(from)?, named(to)?)),
            None => named(one).map(str::to_owned),
        });
        days.collect::<Result<Vec<_>>>()?.join(",") + " "
    };
    Ok(format!(
        "{weekday}*-{}-{} {}:{}:00",
        part(month, "1")?,
        part(day, "1")?,
        part(hour, "0")?,
        part(minute, "0")?
    ))
}

impl View for Timers {
    fn lines(&self) -> Vec<String> {
        self.lines.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cron_expressions_become_calendar_expressions() {
        for (cron, expected) in [
            ("0 */6 * * *", "*-*-* 0/6:0:00"),
            ("0 5 * * 0", "Sun *-*-* 5:0:00"),
            ("15,45 9-17 * * 1-5", "Mon..Fri *-*-* 9..17:15,45:00"),
            ("*/10 * 1 */2 *", "*-1/2-1 *:0/10:00"),
            ("0 0 * * 7,wed", "Sun,Wed *-*-* 0:0:00"),
        ] {
            assert_eq!(calendar(cron).unwrap(), expected, "{cron}");
        }
        for cron in ["@daily", "0 0 1 * 1", "0 0 L * *", "0 0 * jan *", "0 0 * * 9"] {
            assert!(calendar(cron).unwrap_err().to_string().contains("--as cron"), "{cron}");
        }
    }
}
