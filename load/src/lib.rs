//! The load test of scoring: golems about to dream send requests to scorer actors, and the latency of every request is recorded.
//!
//! | to | see |
//! |---|---|
//! | plan arrivals, put a load on a target, find the knee; without a clock of its own | [`generator`] |
//! | score Grimoires with actors, each on a thread of its own | [`scorer`] |
//! | run a population, put its scorers under load, keep the figures | [`loadtest`] |
//! | make the page of the figures | [`page`] |
//!
//! It is a benchmark of tail latency. It exists because dreams of many golems begin at once, and a mean over a quiet time would
//! not show that.
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unreachable_pub))]

pub mod generator;
pub mod loadtest;
pub mod page;
pub mod scorer;
