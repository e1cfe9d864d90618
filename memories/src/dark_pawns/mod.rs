//! Dark Pawns: emotionally valenced autobiographical memory that the world computes for its agents. The agent only reads the summary.
//!
//! # From a log to a memory
//!
//! ```text
//! session log ─► SessionEntry ─► Extractor ─► Event ─► Graph ─► consolidate ─► summary ─► the agent reads it at login
//! ```
//!
//! A turn ([`SessionEntry`]) becomes events with a valence from −3 to +3 ([`Extractor`], [`valence`]). Events, and the entities, rooms
//! and items in them, become nodes of a [`Graph`] with edges between them. A repeated visit strengthens a node and blends the valences. A
//! [`dream`](fn@dream) adds the events, lets all nodes fade, prunes the faint ones, and writes a [`login_summary`](fn@login_summary).
//! [`effects`] measures the effect of memory on behaviour. Rules that the sources leave open are keys of [`DreamRules`].
//!
//! # A program
//!
//! ```
//! use morta_memories::dark_pawns::{DreamRules, Extractor, LogGraph, SessionEntry, SummaryMessage, dream};
//!
//! let log = r#"
//! {"timestamp":"2026-01-12T15:15:00Z","room_vnum":3001,"room_name":"the Dark Corridor","hp":50,"max_hp":50,"agent_level":20,"mob_level":30,"action":"kill","args":["dragon"]}
//! {"timestamp":"2026-01-12T15:20:00Z","room_vnum":3001,"room_name":"the Dark Corridor","hp":50,"max_hp":50,"action":"say","say_line":"thank you","social_target":"Elara","social_type":"gift"}
//! "#;
//! let rules = DreamRules::default();
//! let mut extractor = Extractor::default();
//! let mut events = Vec::new();
//! for line in log.lines().filter(|line| !line.is_empty()) {
//!     let turn = SessionEntry::parse(line.as_bytes())?;
//!     events.extend(extractor.extract("brenda", &turn, &rules));
//! }
//! let mut graph = LogGraph::default();
//! let (result, summary) = dream(&mut graph, "brenda", 1, &events, &rules);
//! assert_eq!((result.events_extracted, result.nodes_after_consolidation), (2, 5));
//! let lines: Vec<&str> = summary.lines().filter(|line| !line.is_empty()).collect();
//! assert_eq!(
//!     lines,
//!     [
//!         "## Memory",
//!         "### Session 1 — Jan 12 at 3:15 PM – 3:20 PM",
//!         "Killed dragon in the Dark Corridor (a significant moment).",
//!         "Said \"thank you\" in the Dark Corridor (noteworthy).",
//!         "### Relationships",
//!         "dragon — dangerous (met 1 time)",
//!         "Elara — friendly (met 1 time)",
//!     ]
//! );
//! let message = SummaryMessage::of(&summary).expect("the summary has text");
//! assert!(message.summary.starts_with("## Memory"));
//! # Ok::<(), morta_memories::dark_pawns::NotAnEntry>(())
//! ```
//!
//! (In the original a killed dragon is a *trusted ally*, because a relation follows from the valence of the events, and a kill has a positive one.
//! Here, in the summary of a log, a relation follows from the deeds: an opponent is never a friend.)
//!
//! # Coming from Dark Pawns
//!
//! | original | here |
//! |---|---|
//! | `data/sessions/{agent}/*.jsonl` | one [`SessionEntry`] a line, of at most [`MAX_LINE_BYTES`] |
//! | `ComputeValence` | [`valence::of_entry`] |
//! | `add_or_reinforce`, `add_edge` | [`Graph::meet`], [`Graph::tie`] |
//! | `DecayRate`, `PruneThreshold`, `ReinforceBonus` | `decay_rate`, `prune_threshold`, `reinforce_bonus` of [`DreamRules`] |
//! | `memory-graph.json` | [`LogGraph`], by serde |
//! | `memory-summary.txt`, `dream-result.json` | the text and the [`DreamResult`] of [`dream`](fn@dream) |
//! | the message `memory_summary` | [`SummaryMessage`] |
//! | BPS, SCS, decay curves, cost ratio | [`effects::account`] |
//! | salience of the server's facts, at first and by night | `first_salience` and `fading` of [`DreamRules`]; [`SalienceLog`] for the curves |
//!
//! The ids of a [`Graph`]'s nodes may be of any ordered type, not only those of log files.
//!
//! # How to cite
//!
//! - The document: *Memory & Dreaming System*, of the documentation of Dark Pawns.
//! - The original: Dark Pawns by zax0rz, <https://github.com/zax0rz/darkpawns>, commit `fad534d` (`pkg/dreaming`, `pkg/agentcli`,
//!   `cmd/dp-agent`).
//!
//! Where the two differ, this module follows the document, and the original's way is a key. These rules are in neither and are ours:
//!
//! - events of death, and entities for those spoken to (both can be switched off, the latter together with dealings by other verbs than `say`);
//! - edges of deeds (`killed`, `fought`), of rooms (`transitioned_to`) and of likeness (`similar_to`), which the original names and never makes;
//! - whole words instead of substrings in speech, because "skill" contains "kill";
//! - the mean that is kept beside the whole number, because truncation drags a feeling towards 0;
//! - an order for relations of equal feeling, which is random in the original;
//! - dealings by their verbs;
//! - the summary of a log ([`login_summary`](fn@login_summary)): the newest sessions first, equal lines as one, relations by deeds. Relations by
//!   feeling are those of [`summary`](fn@summary).
//!
//! # The digest
//!
//! Its sections: 2 session logs, 3 valences ([`valence`], [`sentiment`]), 4 events ([`Extractor`]), 5 the graph and the dream ([`Graph`],
//! [`dream`](fn@dream)), 6 the summary ([`summary`](fn@summary)), 7 files, 8 the message ([`SummaryMessage`]), 10 measures ([`effects`]).

mod deeds;
mod dream;
pub mod effects;
mod entry;
mod entry_forms;
mod event;
mod graph;
mod login_summary;
mod relations;
mod rules;
mod salience;
mod speech;
mod stamp;
mod stamp_forms;
mod summary;
mod verbs;

pub mod valence;

pub use dream::{DreamResult, LogGraph, dream, remember};
pub use entry::{MAX_LINE_BYTES, NotAnEntry, SessionEntry};
pub use event::{Event, EventKind, Extractor};
pub use graph::{BadGraph, BadNode, Edge, EdgeKind, Graph, Node, NodeKind, NodeVisit, blend};
pub use login_summary::login_summary;
pub use rules::{DamageBands, DreamRules, FirstSalience, ForgettingForm, ValenceSource, WordMatching};
pub use salience::{SalienceCurve, SalienceLog, SaliencePoint, half_life_ratio};
pub use speech::sentiment;
pub use stamp::{NotAStamp, Stamp};
pub use summary::{NodeName, SummaryMessage, estimated_tokens, relation, summary};
pub use valence::{NotAValence, Valence};
