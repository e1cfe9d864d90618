//! Whole worlds, one file for each thing they are looked at for. One program: what reads a scenario's keys is compiled once, which is most
//! of what such a test takes to build.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod common;

mod bounds;
mod changes;
mod claim_kinds;
mod daimon;
mod dark_pawns;
mod dream_schedule;
mod dreams;
mod dying;
mod gate;
mod holding;
mod leverage;
mod openclaw;
mod outside;
mod own_memory;
mod predator;
mod rank;
mod self_feeding;
mod services;
mod skill;
mod snapshots;
mod succession;
