//! The end of the program: the error's text and the exit code.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | the work was done and its answer is no (`verify` found a difference), or it failed underway |
//! | 2 | what was asked can't be done as asked: a mistake in a flag, a file or a folder |
//! | 130 | somebody stopped it (Ctrl-C) before its end; a server that runs until then returns 0 |
//!
//! `main` of both programs passes its result through `exit_code`. Scripts distinguish these exit statuses, so that they can tell a failure
//! that a retry may mend (1) from one that it can't (2) without reading text. Errors go to standard error, a line each.

use crate::output;
use crate::terminal::INTERRUPTED;
use morta_lab::Error;
use morta_lab::text::one_line;
use std::process::ExitCode;

/// A user error: the user can correct it, and the exit code is 2.
pub struct UserError;

impl UserError {
    /// Makes a user error with one line that names the place, the value and the remedy.
    #[expect(clippy::new_ret_no_self, reason = "it is only ever returned as an error")]
    pub fn new(line: impl Into<String>) -> anyhow::Error {
        Error::invalid(line).into()
    }

    /// Makes a user error with one line for each mistake: shown one at a time, each would cost the user another attempt.
    pub fn all(lines: Vec<String>) -> anyhow::Error {
        Error::all(lines).into()
    }
}

/// Prints an error, one line for each mistake, and returns the exit code (exit status): 130 for a stop, 2 for a user error, 1 for any
/// other. A command that ends without an error has chosen its code itself.
pub fn exit_code(result: anyhow::Result<ExitCode>) -> ExitCode {
    let error = match result {
        Ok(code) => return code,
        Err(error) => error,
    };
    if let Some(line) = error.downcast_ref::<Error>().and_then(Error::stopped_line) {
        output::remark(line);
        return ExitCode::from(INTERRUPTED as u8);
    }
    if let Some(lines) = error.downcast_ref::<Error>().and_then(Error::mistakes) {
        lines.iter().for_each(|line| output::remark(format!("error: {line}")));
        return ExitCode::from(2);
    }
    output::remark(format!("error: {}", one_line(format!("{error:#}"))));
    ExitCode::FAILURE
}
