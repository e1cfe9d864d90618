//! What the program says on standard output.

use morta_lab::text::{View, escaped};
use serde::Serialize;
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal as _, Write};
use std::process::ExitCode;

/// Prints a line, nothing in which a terminal obeys. When nobody reads any more (`morta … | head`), the process ends quietly with code 0.
///
/// # Errors
/// When standard output can't be written for another reason.
pub fn line(text: impl Display) -> anyhow::Result<()> {
    match writeln!(std::io::stdout().lock(), "{}", escaped(&text.to_string())) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        written => Ok(written?),
    }
}

/// Most steps that are named: more would be a menu.
const STEPS_MAX: usize = 3;

/// What to type next, after an empty line: what each command shows, and the command, at most three. On a terminal the commands stand out,
/// unless `NO_COLOR` says otherwise (<https://no-color.org>).
///
/// # Errors
/// When standard output can't be written.
pub fn steps(next: &[(String, String)]) -> anyhow::Result<()> {
    let next = &next[..next.len().min(STEPS_MAX)];
    let width = next.iter().map(|(about, _)| about.chars().count()).max().unwrap_or(0);
    if !next.is_empty() {
        line("")?;
    }
    for (about, command) in next {
        if has_colours() {
            let (about, command) = (escaped(about), escaped(command));
            raw(&format!("{about}:{:1$}  \x1b[36m{command}\x1b[0m\n", "", width - about.chars().count()))?;
        } else {
            line(format!("{:1$}  {command}", format!("{about}:"), width + 1))?;
        }
    }
    Ok(())
}

/// Whether standard output is a terminal whose user wants colours.
fn has_colours() -> bool {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !plain && std::io::stdout().is_terminal()
}

/// Prints text as it is, with the same manners; on a terminal nothing in it is obeyed.
///
/// # Errors
/// When standard output can't be written for another reason.
pub fn text(text: &str) -> anyhow::Result<()> {
    raw(&if std::io::stdout().is_terminal() { escaped(text) } else { text.into() })
}

fn raw(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        written => Ok(written?),
    }
}

/// Says something on standard error. Nobody may be reading there, and the work is worth more than what is said of it.
pub fn remark(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", escaped(&text.to_string()));
}

/// Standard error for the logs, which may have gone away too.
#[derive(Clone, Copy, Debug)]
pub struct Remarks;

impl Write for Remarks {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = std::io::stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<T: View> Told for T {
    fn lines(&self) -> Vec<String> {
        View::lines(self)
    }
}

/// Something to say, as text or as an object.
pub trait Told: Serialize {
    /// Lines of text.
    fn lines(&self) -> Vec<String>;

    /// Says it.
    ///
    /// # Errors
    /// When standard output can't be written.
    fn tell(&self, json: bool) -> anyhow::Result<ExitCode> {
        if json {
            line(serde_json::to_string_pretty(self)?)?;
        } else {
            self.lines().into_iter().try_for_each(line)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
