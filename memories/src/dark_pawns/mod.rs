//! Dark Pawns: emotionally valenced autobiographical memory that the world computes for its agents.
//!
//! Session logs ([`SessionEntry`]) become events with a feeling from −3 to +3 ([`Extractor`], [`valence`]); events, and whom and what they
//! met, become nodes of a [`Graph`]; a [`dream`](fn@dream) lets all of them fade, forgets the faint, and tells a [`summary`](fn@summary)
//! that the agent reads before it acts. What the sources leave open is a key of [`DreamRules`]. [`effects`] measures what memory did to
//! behaviour.

mod dream;
pub mod effects;
mod entry;
mod event;
mod graph;
mod rules;
mod speech;
mod stamp;
mod summary;
#[cfg(test)]
mod tests;
pub mod valence;

pub use dream::{DreamResult, LogGraph, dream, remember};
pub use entry::{MAX_LINE_BYTES, SessionEntry};
pub use event::{Event, EventKind, Extractor};
pub use graph::{Edge, EdgeKind, Encounter, Graph, Node, NodeKind, blend};
pub use rules::{DamageBands, DreamRules, ValenceSource, WordMatching};
pub use speech::sentiment;
pub use stamp::{NotAStamp, Stamp};
pub use summary::{SummaryMessage, Told, estimated_tokens, relation, summary};
pub use valence::Valence;
