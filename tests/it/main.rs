//! The program as its users call it, and the shipped files: one executable, because each links the whole program library.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod architecture;
mod bad_input;
mod bars;
mod branch;
mod cassette;
mod checkpoints;
mod command_line;
#[path = "../common/mod.rs"]
mod common;
mod completions;
mod coverage;
mod damage;
mod earlier_build;
mod elsewhere;
mod export;
mod fit;
mod follow;
mod hand_over;
mod lived;
mod loadtest;
mod loopback_model;
mod memory_process;
mod notes;
mod persistent_lethe;
mod quick;
mod races;
mod real_mind;
mod recorded_digests;
mod replays;
mod replicate;
mod report;
mod reproduce;
mod scenario_reference;
mod score;
mod shipped_scenarios;
mod stats;
mod submit;
mod sweep;
mod units;
mod watch;
mod words;
