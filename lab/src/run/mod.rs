//! One world: a scenario read and lived, its folder, and uses of the folder. A run is a simulation of one seed; a folder holds its tables,
//! its manifest, and checkpoints while it is under way or where they are kept. Sweeps lie above it, so that a run never depends on the
//! experiment it is part of.

pub mod branch;
pub mod cassette;
pub mod checkpoint;
pub mod conformance;
pub mod connection;
pub mod divergence;
pub mod drive;
pub mod export;
#[cfg(test)]
pub(crate) mod fixtures;
pub mod follow;
pub mod foreign_memory;
pub mod history;
pub mod inspect;
pub mod laboratory;
pub mod lethe_start;
pub mod live;
pub mod model_endpoint;
pub mod notes;
pub mod profile;
pub mod provenance;
pub mod run_folder;
pub mod scenario_file;
pub mod scenario_schema;
pub mod scoring;
pub mod steering;

pub use live::{
    Checkpoints, MemoryNeed, RecordingOptions, ResumeOptions, RunOptions, RunSummary, resume, run,
};
