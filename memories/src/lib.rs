//! Three memories for agents, each importable and citable alone: formulas, stores and formats, without I/O, clocks or threads.
//!
//! | memory | for | in a sentence |
//! |---|---|---|
//! | [`owm`] | traders | what is recalled depends on how it turned out |
//! | [`dark_pawns`] | characters of a game | what is felt strongly stays, what is faint is forgotten in a dream |
//! | [`openclaw`] | assistants | what is searched for often, by different queries, on different days, becomes long-term memory |
//!
//! Each begins from somebody else's work. Its page names the sources, says how to cite them, maps their terms onto the types here, and
//! holds a program to start from. None knows the others, a market or Morta's golems; how Morta's engine lives with them is written
//! there, in the rooms of the same name.
//!
//! # What is promised
//!
//! - **Same bytes.** The same calls give the same bits on every platform: elementary functions are those of [`morta_base::math`], sums have a
//!   fixed order, nothing iterates over a hash map.
//! - **The caller's clock.** Whatever depends on time is told the time.
//! - **Plain data.** All state can be written and read by serde. Readers of the originals' files mend what can be mended and name what can't, as an error
//!   with a type; no file makes them panic.
//! - **Sources and their contradictions.** Where a source contradicts itself, its program or common sense, both ways are keys, and the
//!   page says which one is the default and why.
//!
//! # What comments refer to
//!
//! The *document* (or *seed*) is what the authors wrote, the *original* the program they published. The *digest* is our reading of both:
//! the document made precise, section by section, with rulings where it contradicts itself and vectors, numbers that were computed
//! apart from this code. Each page lists the sections of its digest and its rulings; the vectors are the tests that bear their ids
//! (`O01` to `O91`, `D01` to `D39`, `C01` to `C36`).
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod dark_pawns;
pub mod openclaw;
pub mod owm;
