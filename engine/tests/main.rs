//! The engine by its public names: whole worlds, one file for each thing they are looked at for, and each room's rules in a folder
//! that is called as the room. One program: what reads a scenario's keys is compiled once, which is most of what such a test takes to
//! build, and the engine itself is not compiled again for a test that moved here from its sources.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod common;

mod asleep;
mod bounds;
mod changes;
mod claim_kinds;
mod curator;
mod daimon;
mod dark_pawns;
mod dream;
mod dream_schedule;
mod dreams;
mod dying;
mod episode;
mod event;
mod gate;
mod golem;
mod holding;
mod lethe;
mod leverage;
mod llm;
mod market;
mod memory;
mod mortality;
mod openclaw;
mod outside;
mod own_memory;
mod predator;
mod rank;
mod replay;
mod self_feeding;
mod services;
mod skill;
mod snapshots;
mod succession;
mod world;
