//! Morta's laboratory as a library.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod bars;
pub mod branch;
pub mod checkpoint;
pub mod divergence;
pub mod drive;
pub mod error;
pub mod export;
pub mod history;
pub mod inspect;
pub mod lethe_start;
pub mod loadtest;
pub mod measure;
pub mod profile;
pub mod provenance;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod run_folder;
pub mod scenario_file;
pub mod scenario_schema;
pub mod scoring;
pub mod statistics;
pub mod sweep_file;
pub mod sweep_folder;
pub mod sweep_run;
pub mod table_file;
pub mod text;
pub mod whole_file;

pub use error::{Error, Result};
