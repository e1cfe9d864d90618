//! One module for each command (subcommand): flags for clap and a `run` that calls the laboratory, so that
//! nothing is computed here.

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
