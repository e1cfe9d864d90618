//! The subcommands of `morta`, one module each: flags for clap and a `run` that calls the laboratory and prints, so that nothing is
//! computed here. Exit codes are shared: 0 for success, 1 for a failed check or a failure underway, 2 for a mistake of the user, 130
//! after Ctrl-C.

pub mod bars;
pub mod branch;
pub mod cassette;
pub mod compare;
pub mod export;
pub mod fit;
pub mod inspect;
pub mod lethe;
pub mod list;
pub mod loadtest;
pub mod memory;
pub mod replicate;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod schema;
pub mod score;
pub mod sensitivity;
pub mod stats;
pub mod sweep;
pub mod validate;
pub mod verify;
pub mod watch;
