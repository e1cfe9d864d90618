//! How the program ends: what it says of an error, and the exit code.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | the work was done and its answer is no (`verify` found a difference), or it failed underway |
//! | 2 | what was asked can't be done as asked: a mistake in a flag, a file or a folder |

use std::fmt;
use std::process::ExitCode;

/// A mistake the caller can mend; each line names the place, the value and the remedy.
#[derive(Debug)]
pub struct UserError(pub Vec<String>);

impl UserError {
    /// One line.
    #[expect(clippy::new_ret_no_self, reason = "it is only ever returned as an error")]
    pub fn new(line: impl Into<String>) -> anyhow::Error {
        anyhow::Error::new(Self(vec![line.into()]))
    }
}

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for UserError {}

/// Prints an error, one line for each mistake, and says with which code the process should end.
pub fn exit_code(result: anyhow::Result<ExitCode>) -> ExitCode {
    let error = match result {
        Ok(code) => return code,
        Err(error) => error,
    };
    if let Some(UserError(lines)) = error.downcast_ref() {
        lines.iter().for_each(|line| eprintln!("error: {line}"));
        return ExitCode::from(2);
    }
    eprintln!("error: {error:#}");
    ExitCode::FAILURE
}
