//! The subcommands of `morta`, one module each: flags for clap and a `run` that calls the laboratory and prints, so that nothing is
//! computed here. Exit codes are shared: 0 for success, 1 for a failed check or a failure underway, 2 for a mistake of the user, 130
//! after Ctrl-C.

pub(crate) mod bars;
pub(crate) mod branch;
pub(crate) mod cassette;
pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod inspect;
pub(crate) mod lethe;
pub(crate) mod list;
pub(crate) mod loadtest;
pub(crate) mod memory;
pub(crate) mod replicate;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod score;
pub(crate) mod sensitivity;
pub(crate) mod stats;
pub(crate) mod sweep;
pub(crate) mod validate;
pub(crate) mod verify;
pub(crate) mod watch;
