//! Results on standard output, as text or JSON, and remarks on standard error: broken pipe handling and terminal escape sanitization.
//! Control characters become visible escapes (a `\u001b` in six characters), because results may quote a stranger's file and a terminal
//! would obey them; `text` (scripts, manual pages) escapes on a terminal alone, and JSON has its own escapes. A reader that is gone (`morta
//! … | head`) ends the process with code 0; a remark that can't be written is dropped.

use morta_lab::text::{View, escaped};
use serde::Serialize;
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal as _, Write};
use std::process::ExitCode;

/// Prints to stdout, with a newline; every control character but a line end is escaped, because a terminal would obey it. If the reader is
/// gone (broken pipe), the process ends quietly with code 0.
///
/// # Errors
/// When standard output can't be written for another reason.
pub fn line(text: impl Display) -> anyhow::Result<()> {
    match writeln!(std::io::stdout().lock(), "{}", escaped(&text.to_string())) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        written => Ok(written?),
    }
}

/// Prints a result as indented JSON (`--json`), and returns the exit code of a success, so that it can be a command's last word.
///
/// # Errors
/// When standard output can't be written.
pub fn json(result: &(impl Serialize + ?Sized)) -> anyhow::Result<ExitCode> {
    line(serde_json::to_string_pretty(result)?)?;
    Ok(ExitCode::SUCCESS)
}

/// The largest number of next steps, because a longer list would be a menu.
const STEPS_MAX: usize = 3;

/// Prints the next steps, at most three, after an empty line: what each shows, and the command that does it (suggestions). On a terminal
/// the commands are highlighted, unless `NO_COLOR` is set (<https://no-color.org>).
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

/// As [`line()`], for text of several lines that is written to stdout as it is. Only on a terminal are control characters escaped, because
/// a file or a pipe must get every byte (completion script).
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

/// Writes a remark to standard error (stderr message). An error of writing is ignored, because the work is worth more than the remark.
pub fn remark(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", escaped(&text.to_string()));
}

/// Writes logs to standard error; an error of writing is ignored.
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

impl<T: View> Printable for T {
    fn lines(&self) -> Vec<String> {
        View::lines(self)
    }
}

/// A result that can be printed as text or as JSON (text or JSON output).
pub trait Printable: Serialize {
    /// Lines of text.
    fn lines(&self) -> Vec<String>;

    /// Prints it.
    ///
    /// # Errors
    /// When standard output can't be written.
    fn print(&self, json: bool) -> anyhow::Result<ExitCode> {
        if json {
            return self::json(self);
        }
        self.lines().into_iter().try_for_each(line)?;
        Ok(ExitCode::SUCCESS)
    }
}
