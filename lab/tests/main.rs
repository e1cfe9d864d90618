//! Memories from outside: what they must keep, and how they are lived and judged.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod conformance;
mod own_memory;
