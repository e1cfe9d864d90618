//! Many worlds: experiments declared, lived and judged, and statistics of tables. It is experiment management: design of experiments,
//! parallel execution, statistical inference. It lies above single runs, because every figure that decides is one number a world. A sweep
//! passes through the modules in this order: `sweep_file` reads it, `notes` warns, `sweep_run` lives its cells by the figures of `measure`,
//! `sweep_folder` keeps them, `analysis` judges them, `reproduce` checks them. `quick` and `sensitivity` make sweeps from flags,
//! `constant_fit` fits a policy, `statistics` judges tables of users by the same tests, `compared_runs` and `listing` look at folders,
//! `memory_effects` reads decisions out of kept runs, `data_dictionary` describes the tables of runs and sweeps.

pub mod analysis;
pub mod compared_runs;
pub mod constant_fit;
pub mod data_dictionary;
pub mod listing;
pub mod measure;
pub mod memory_effects;
mod notes;
pub mod quick;
pub mod reproduce;
pub mod sensitivity;
pub mod statistics;
pub mod sweep_file;
pub mod sweep_folder;
pub mod sweep_run;
