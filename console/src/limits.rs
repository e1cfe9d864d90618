//! The flag for the limits of files, which both programs have: resource limits in bytes or rows, as `NAME=NUMBER`. It stands on every
//! command, because any may read a user's file. Names, defaults and their enforcement are `morta_lab`'s (`Limits`); this is only the
//! command line of them. Of several settings of one limit the last counts. Only settings are handed to child processes, no defaults.

use morta_lab::limits::{Limit, LimitSetting, Limits};

/// `--at-most`, wherever it stands.
#[derive(clap::Args)]
pub struct LimitArgs {
    /// Read larger files than usual, or only smaller ones, as in --at-most bars-rows=50M; may be repeated. The program's own --help lists the limits.
    #[arg(long, global = true, value_name = "NAME=NUMBER", help_heading = "Limits")]
    at_most: Vec<LimitSetting>,
}

impl LimitArgs {
    /// Makes the resource limits: the default ones, replaced where the flag names them.
    pub fn limits(self) -> Limits {
        Limits::new(self.at_most)
    }
}

/// Writes the list of limits at the end of a program's help text.
pub fn list() -> String {
    let line = |limit: Limit| format!("  {:<13} {:>10}  {}", limit.name(), limit.usual(), limit.meaning());
    let lines: Vec<String> = Limit::ALL.into_iter().map(line).collect();
    format!("Limits of files that are read, as --at-most takes them:\n{}", lines.join("\n"))
}

/// Writes the limits that were set as command-line flags, to be forwarded to a child process: `morta memory` hands them on to
/// `morta-memory`, and `morta sweep submit` to its batch jobs, because these read the same files.
pub fn as_flags(limits: &Limits) -> impl Iterator<Item = String> {
    limits.settings().iter().flat_map(|limit| ["--at-most".to_owned(), limit.to_string()])
}
