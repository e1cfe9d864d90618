//! OpenClaw dreaming: what is recalled often, by different queries, on different days, is worth keeping.
//!
//! # Three phases of sleep
//!
//! | phase | does | leaves |
//! |---|---|---|
//! | light: [`light::light`] | sorts what was found lately, one of each | a block of candidates in the daily note |
//! | REM: [`rem::rem`] | looks for tags that keep coming up | a block of themes in the daily note |
//! | deep: [`promote::promote`] | promotes what passes every gate | facts in `MEMORY.md` |
//!
//! Searches fill a [`store::RecallStore`] with entries for the snippets they hit. Deep sleep scores each entry by six signals
//! ([`signals::Signals`]: frequency, relevance, diversity, recency, consolidation, conceptual richness), asks the gates
//! ([`rank::Gate`]), reads the live note again and writes what is left of it to long-term memory, once. When long-term memory is
//! thin, recovery looks further back ([`health`]). Schedules are cron expressions in a time zone ([`schedule::Timetable`]).
//!
//! A store and an instant in, what was done and the new texts out: reading and writing files, and knowing the time, is for the caller.
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
//! // A fact is written once.
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
//! | `openclaw.json`, or its dreaming block | [`settings::Settings::from_json`], which mends what it can't use and says so |
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
//! Where they differ, the document is the default and the program's way a key (`cadence`, `order`, `age_measure`). What came later is off
//! (`daily_signals`, `light_boost`, `rem_boost`, `truths`). Texts are compared by words of any script, and live notes by sentences, where the
//! program knows ASCII and letters alone; on people's own files ([`promote::Care::WholeMemory`], [`light::Among::Notes`], [`rem::rem_of`]) a fact is
//! written once, whichever note it stands in. Both name health and recovery and define neither; the formula is ours. So are what a
//! run costs, the clusters of themes and of candidates, and the word lists of tags.
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
