//! Published results about replay, run again: tabular worlds, a learner by temporal differences, and orders of replay.
//!
//! An instrument is trusted once it reproduces known values. Here are the worlds in which the theory of replay was developed
//! (mazes and chains, where decisions follow on each other), the published orders of replay
//! (Sutton 1990; Moore & Atkeson 1993; Schaul et al. 2016; Mattar & Daw 2018), and the formula by which Morta's golems choose their dreams
//! ([`order::specs`]).
//!
//! | to | see |
//! |---|---|
//! | draw a world | [`world`]; [`maze`] by chance |
//! | learn from transitions | [`mind`], [`memory`], [`successor`], [`policy`] |
//! | put backups in order | [`order`] |
//! | live laps, with sessions of replay | [`life`]; [`events`] for runs of backups that go forward or backward |
//! | hand on what a life has learned, and what it died of | [`lineage`] |
//! | learn a fixed memory by heart | [`cliffwalk`] |
//! | register what was published, and hold it against ours | [`registered`], [`figure`] |
//! | compare orders, or heirs, in the same worlds | [`comparison`] |
//!
//! The files are in `scenarios/replications`, and `morta replicate` runs them. The crate is pure: values in, values out. Random numbers
//! are keyed by seed, part and lap, and sums have a fixed order, so that one seed gives the same bytes on any number of threads.
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unreachable_pub))]

pub mod cliffwalk;
pub mod comparison;
pub mod events;
pub mod figure;
pub mod life;
pub mod lineage;
pub mod maze;
pub mod memory;
pub mod mind;
pub mod order;
pub mod policy;
pub mod registered;
pub mod successor;
pub mod world;
