//! Schedules of a workspace's phases for a system scheduler: lines of a crontab, or services of systemd with their timers. It translates
//! cron expressions to systemd's `OnCalendar`. Each line runs `morta-memory openclaw light`, `rem` or `promote` with `--apply --now now`.
//! Nothing is installed: the lines are printed. Paths are absolute, because a scheduler starts elsewhere. A phase that is off has no line;
//! it is an error if none is on, or if systemd can't express a schedule (as a day of the month and of the week at once).

use super::configuration::{find, scheduled};
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_lab::text::View;
use morta_memories::openclaw::schedule::Phase;
use serde::Serialize;
use std::path::{Path, PathBuf};

morta_base::words! {
    /// The system scheduler that is to run the phases: cron or systemd.
    pub enum Scheduler {
        /// Lines of a crontab.
        Cron = "cron",
        /// Units of systemd.
        Systemd = "systemd",
    }
}

/// The schedule as text for the system scheduler: a crontab, or unit files of systemd.
#[derive(Debug, Serialize)]
pub struct Timers {
    /// The scheduler.
    pub scheduler: Scheduler,
    /// Lines of a crontab or of unit files.
    pub lines: Vec<String>,
}

/// Writes the schedule of all phases that are on (crontab or systemd units). `program` is the path of the program to run.
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
    // Absolute paths, because a scheduler starts commands in a folder of its own.
    let real = workspaces.iter().map(|workspace| {
        let real = workspace.canonicalize().ok().filter(|folder| folder.is_dir());
        real.ok_or_else(|| Error::at(workspace, "is no folder: name a workspace"))
    });
    let real = real.collect::<Result<Vec<PathBuf>>>()?;
    for (workspace, real) in workspaces.iter().zip(&real) {
        let config = find(config, workspace);
        let settings = scheduled(config.as_deref(), notes)?;
        let config = config.map(|path| path.canonicalize().unwrap_or(path));
        let dreaming = &settings.dreaming;
        for phase in Phase::ALL.into_iter().filter(|phase| dreaming.runs(*phase)) {
            let command = command(scheduler, program, phase, (real, config.as_deref()))?;
            let at = (dreaming.cron(phase), dreaming.timezone.as_str());
            match scheduler {
                Scheduler::Cron => lines.extend(crontab(at, &command, lines.is_empty())),
                Scheduler::Systemd => {
                    // Units of earlier builds would run beside these.
                    let before =
                        "# units whose names end without eight digits are of an earlier build: disable them";
                    lines.extend(lines.is_empty().then(|| before.to_owned()));
                    lines.extend(units(at, &command, (phase, &unit_name(real)), line(real)?)?);
                }
            }
        }
    }
    if lines.is_empty() {
        return Err(Error::invalid("no phase is on: morta-memory openclaw dreaming on"));
    }
    Ok(Timers { scheduler, lines })
}

fn command(
    scheduler: Scheduler,
    program: &Path,
    phase: Phase,
    (workspace, config): (&Path, Option<&Path>),
) -> Result<String> {
    // In an argument of a unit's command a dollar sign begins a variable, also between quotes; in the program's path it doesn't.
    let (quoted, dollar): (fn(&str) -> String, &str) = match scheduler {
        Scheduler::Cron => (for_shell, "$"),
        Scheduler::Systemd => (for_unit, "$$"),
    };
    let argument = |path: &Path| Result::<_>::Ok(quoted(&line(path)?.replace('$', dollar)));
    // The command of deep sleep is `promote`, as in OpenClaw.
    let verb = if phase == Phase::Deep { "promote" } else { phase.name() };
    let (program, store) = (quoted(line(program)?), argument(&workspace.join(super::STORE))?);
    let config = match config {
        Some(path) => format!(" --config {}", argument(path)?),
        None => String::new(),
    };
    Ok(format!("{program} openclaw {verb} {store} --apply --now now{config}"))
}

/// A path that can be written on one line.
fn line(path: &Path) -> Result<&str> {
    let text = path.to_str().filter(|text| !text.contains(char::is_control));
    text.ok_or_else(|| {
        Error::invalid(format!("{}: no scheduler can hold such a name: rename it", path.display()))
    })
}

/// Quoted for a shell; a quote inside ends the text, adds an escaped quote and begins again.
fn for_shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Quoted for a unit's command, which no shell reads: escapes are those of C, and a percent sign begins a specifier.
fn for_unit(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('%', "%%"))
}

/// A workspace's name in its units: its folder's, and digits of the hash of its path, because other workspaces may have a folder of that name,
/// and their units may have been written by another call.
fn unit_name(workspace: &Path) -> String {
    let name = workspace.file_name().unwrap_or_default().to_string_lossy();
    // A unit's name allows few characters, so all others become hyphens.
    let name = name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    let hash = blake3::hash(workspace.as_os_str().as_encoded_bytes()).to_hex();
    format!("{name}-{}", &hash[..8])
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

fn units(
    (cron, zone): (&str, &str),
    command: &str,
    (phase, name): (Phase, &str),
    workspace: &str,
) -> Result<Vec<String>> {
    let name = format!("openclaw-{}-{name}", phase.name());
    let calendar = calendar(cron)?;
    // A percent sign begins a specifier, and a backslash at the end would join the next line to this one.
    let workspace = workspace.replace('%', "%%");
    let about =
        format!("Description=OpenClaw's {} sleep of {}", phase.name(), workspace.trim_end_matches('\\'));
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

    /// By the rules of systemd.service(5) and systemd.syntax(7); an argument of a shell stays as it is between single quotes.
    #[test]
    fn paths_are_quoted_for_their_scheduler() {
        let written = |scheduler| {
            let (workspace, config) = (Path::new("/a b/50%/$HOME"), Path::new(r#"/it's/"x"\y"#));
            command(scheduler, Path::new("/bin/m $"), Phase::Light, (workspace, Some(config))).unwrap()
        };
        assert_eq!(
            written(Scheduler::Systemd),
            r#""/bin/m $" openclaw light "/a b/50%%/$$HOME/STORE" --apply --now now --config "/it's/\"x\"\\y""#
                .replace("STORE", super::super::STORE)
        );
        assert_eq!(
            written(Scheduler::Cron),
            r#"'/bin/m $' openclaw light '/a b/50%/$HOME/STORE' --apply --now now --config '/it'\''s/"x"\y'"#
                .replace("STORE", super::super::STORE)
        );
        assert!(line(Path::new("/a\nb")).unwrap_err().to_string().contains("rename it"));
    }

    #[test]
    fn workspaces_of_one_name_get_units_of_their_own() {
        let paths = ["/ada/ws", "/eve/ws", "/ada/a b", "/ada/a-b"];
        let names = paths.map(|path| unit_name(Path::new(path)));
        assert!(names[0] != names[1] && names[1].starts_with("ws-"), "{names:?}");
        assert!(names[2] != names[3] && names[2].starts_with("a-b-"), "{names:?}");
    }

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
