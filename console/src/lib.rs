//! What Morta's programs have in common on a terminal: arguments, output, logs, exit codes. No command of one program alone is here, and
//! nothing of a world is computed. It exists so that `morta` and `morta-memory` answer alike, and has no other users. `arguments` and
//! `limits` read the command line, `failure` sets the exit code, `output` and `terminal` print, `logs` installs the logs; `completions` and
//! `man` are two subcommands of both.
#![deny(missing_docs)]
#![forbid(unsafe_code)]
// Two programs are all its users: what neither calls would otherwise look like an interface, and stay.
#![cfg_attr(not(test), warn(unreachable_pub))]
#![warn(clippy::print_stderr, reason = "standard error may be gone: `output::remark` can't panic")]

pub mod arguments;
pub mod completions;
pub mod failure;
pub mod limits;
pub mod logs;
pub mod man;
pub mod output;
pub mod terminal;
