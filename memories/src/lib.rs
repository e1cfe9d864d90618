//! Three memories for agents, each importable and citable alone: formulas, stores and formats, without I/O, clocks or threads.
//!
//! | memory | for | in a sentence |
//! |---|---|---|
//! | [`owm`] | traders | recall ranks memories by their outcome |
//! | [`dark_pawns`] | characters of a game | memories of strong feeling stay, faint ones are forgotten in a dream |
//! | [`openclaw`] | assistants | notes that are found often, by different queries, on different days, become long-term memory |
//!
//! Each implements published work of other authors. Its page names the sources, says how to cite them, maps their terms onto the types here,
//! and holds a program to start from. No memory depends on another one, on a market or on Morta's golems, so that each can be used and
//! cited alone. Morta's engine connects them to golems in its modules of the same names.
//!
//! # Guarantees
//!
//! - **Same bytes.** The same calls give the same bits on every platform: elementary functions are those of [`morta_base::math`], sums have a
//!   fixed order, nothing iterates over a hash map.
//! - **The caller's clock.** Functions that depend on time take the time as an argument, so that a run can be repeated.
//! - **Plain data.** All state can be written and read by serde. Readers of the originals' files repair a damaged value where its meaning is
//!   certain, and otherwise return an error of a named type. No file makes them panic.
//! - **Sources and their contradictions.** Where a source contradicts itself or its own program, both ways are values of a key, and the page
//!   says which one is the default and why.
//!
//! # Terms in comments
//!
//! The *document* (or *seed*) is the authors' text, the *original* the program that they published. The *digest* is our reading of both:
//! the document made precise, section by section, with rulings where it contradicts itself, and vectors: numbers that were computed
//! without this code. Each page lists the sections of its digest and its rulings; the vectors are the tests with their ids
//! (`O01` to `O91`, `D01` to `D39`, `C01` to `C36`).
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unreachable_pub))]

pub mod dark_pawns;
pub mod openclaw;
pub mod owm;
