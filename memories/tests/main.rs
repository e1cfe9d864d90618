//! The memories by their public names, a folder for each of them: what moved here from the sources is no reason to build them twice.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod dark_pawns;
mod openclaw;
mod owm;
