//! The load test of scoring: golems about to dream send requests to scorer actors, and every latency counts.
//!
//! | to | see |
//! |---|---|
//! | plan arrivals, put a load on a target, find the knee; without a clock | [`generator`] |
//! | score Grimoires with actors, each on a thread of its own | [`scorer`] |
//! | live a population, put its scorers under load, keep the figures | [`loadtest`] |
//! | make a page of them | [`page`] |
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod generator;
pub mod loadtest;
pub mod page;
pub mod scorer;
