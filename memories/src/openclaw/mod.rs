//! OpenClaw dreaming: entries that are recalled often, by different queries, on different days, are promoted to long-term memory.
//!
//! # Three phases of sleep
//!
//! | phase | work | output |
//! |---|---|---|
//! | light: [`light::light`] | sorts and deduplicates entries that were recalled lately | a block of candidates in the daily note |
//! | REM: [`rem::rem`] | finds frequent tags | a block of themes in the daily note |
//! | deep: [`promote::promote`] | promotes entries that pass every gate | facts in `MEMORY.md` |
//!
//! Searches fill a [`store::RecallStore`] with entries for the snippets they hit. Deep sleep scores each entry by six signals
//! ([`signals::Signals`]: frequency, relevance, diversity, recency, consolidation, conceptual richness) and tests the gates
//! ([`rank::Gate`]). It then reads the live note again, because the user may have changed it, and writes the text that is still there to
//! long-term memory, once. When the health of long-term memory is low, recovery selects older entries ([`health`]). Schedules are cron
//! expressions in a time zone ([`schedule::Timetable`]).
//!
//! The functions take a store and an instant, and return the results and new texts. Files and the clock are the caller's, so that a run can be
//! repeated.
//!
//! # A program
//!
//! ```
//! use morta_memories::openclaw::config::DreamingConfig;
//! use morta_memories::openclaw::promote::promote;
//! use morta_memories::openclaw::rank::Ranking;
//! use morta_memories::openclaw::store::{RecallStore, SearchHit};
//! use morta_memories::openclaw::time::{Instant, Zone};
//! use std::collections::BTreeMap;
//!
//! let zone = Zone::utc();
//! let note = "# Friday\n\nVLAN ten of the router is for guests\n";
//! let hit = SearchHit {
//!     path: "memory/2026-04-03.md",
//!     start_line: 3,
//!     end_line: 3,
//!     score: 0.95,
//!     snippet: "VLAN ten of the router is for guests",
//!     tags: None,
//! };
//! let mut store = RecallStore::default();
//! for (day, query) in [
//!     ("2026-04-02", "guest network"),
//!     ("2026-04-03", "which vlan"),
//!     ("2026-04-04", "router"),
//!     ("2026-04-04", "wifi for guests"),
//!     ("2026-04-04", "vlan ten"),
//! ] {
//!     let now: Instant = day.parse()?;
//!     store.record(query, std::slice::from_ref(&hit), now, &zone);
//! }
//!
//! let config = DreamingConfig::default();
//! let now = "2026-04-05T03:00:00Z".parse()?;
//! let ranking = Ranking { now, zone: &zone, config: &config.deep, include_promoted: false };
//! let read_note = |path: &str| (path == "memory/2026-04-03.md").then(|| note.to_owned());
//! let (done, memory) = promote(&mut store, "", read_note, &ranking, &BTreeMap::new());
//! assert_eq!(done.applied.len(), 1);
//! assert!(memory.contains("- VLAN ten of the router is for guests [score="));
//!
//! // A second run doesn't write the fact again.
//! let (done, again) = promote(&mut store, &memory, read_note, &ranking, &BTreeMap::new());
//! assert!(done.applied.is_empty() && again == memory);
//! # Ok::<(), morta_memories::openclaw::time::InstantParseError>(())
//! ```
//!
//! # Coming from OpenClaw
//!
//! | file | here |
//! |---|---|
//! | `memory/.dreams/short-term-recall.json` | [`RecallStore::from_json`](store::RecallStore::from_json), [`to_json`](store::RecallStore::to_json) |
//! | `openclaw.json`, or its dreaming block | [`settings::Settings::from_json`], which replaces invalid values by defaults and lists them |
//! | `memory/YYYY-MM-DD.md` | [`text::note_path`]; blocks by [`block::with_block`] |
//! | `MEMORY.md` | [`long_term::with_facts`], [`long_term::marked_keys`] |
//! | `memory status --deep` | [`status::Status`] |
//!
//! Keys are those of the document in snake_case (`min_recall_count` for its `minRecallCount`). A search engine gives [`store::SearchHit`]s.
//!
//! # How to cite
//!
//! - The document: *Dreaming (experimental)*, `docs/concepts/dreaming.md` of OpenClaw, as of 5 April 2026.
//! - The original: the npm package `openclaw`, version 2026.4.5, released hours later.
//!
//! Where the two differ, the document is the default and the original's way a key (`cadence`, `order`, `age_measure`). Later additions are off by
//! default (`daily_signals`, `light_boost`, `rem_boost`, `truths`). Texts are compared by words of any script and live notes by sentences, because
//! the original compares runs of ASCII letters, and a Chinese text has none. On users' own files
//! ([`promote::Care::WholeMemory`], [`light::Among::Notes`], [`rem::rem_of`]) a fact is written once, whichever notes have it. Health and recovery
//! are named in both sources and defined in neither; the formula is ours. Also ours are the costs of a run, the clusters of themes and of candidates,
//! and the word lists of tags.
//!
//! # The digest
//!
//! Its sections: 2 the recall store ([`entry`], [`store`], [`tags`], [`text`]), 3 configuration ([`config`], [`settings`]), 4 ranking
//! ([`signals`], [`rank`]), 5 deep sleep ([`promote`], [`relocate`], [`known`], [`long_term`]), 6 health and recovery ([`health`]), 7 light sleep
//! ([`light`], [`block`]), 8 REM sleep ([`rem`]), 9 schedules ([`schedule`]), 10 commands ([`status`]), 12 gaps, filled by us
//! ([`execution`]).

pub mod block;
pub mod config;
pub mod entry;
pub mod execution;
pub mod health;
pub mod known;
pub mod light;
pub mod live_note;
pub mod long_term;
pub mod promote;
pub mod rank;
pub mod relocate;
pub mod rem;
pub mod schedule;
pub mod sentence;
pub mod settings;
pub mod signals;
pub mod status;
pub mod store;
mod store_json;
pub mod tags;
pub mod text;
pub mod time;

pub use store_json::{BadEntry, Dropped, NotAStore};
