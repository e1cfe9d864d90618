//! OpenClaw's dreaming on a user's own recall store: light, REM and deep sleep, and the recording of searches.
//! They are stores, notes and schedules on the disk around the algorithms of `morta-memories`. Algorithms are
//! apart from files, so that the simulation uses the same ones. `record` fills a store (`store_file`, under its `lock`),
//! `phases` and `promote` sleep on it, `live` and `watch` run them by schedule, `timer` writes the schedule out as lines for
//! cron or systemd and installs nothing; `room`, `configuration` (in `json5`) and `fan_out` find files, settings and
//! workspaces, `sources` and `transcripts` say which entries a phase takes, `status`, `page` and `diary` show what there is.
//!
//! A user's other files are touched as well: applied phases write notes, `dreaming` edits openclaw.json. `wording` alone
//! uses the network: it asks a model. `morta-memory openclaw` and the MCP server call them.

pub mod configuration;
pub mod diary;
pub mod dreaming;
pub mod fan_out;
pub(crate) mod json5;
pub mod live;
mod lock;
pub mod page;
pub mod phases;
pub mod promote;
pub mod record;
mod room;
mod sources;
pub mod status;
mod store_file;
pub mod timer;
mod transcripts;
pub mod watch;
mod wording;

pub use room::{STORE, Surroundings};
pub use store_file::LeftOut;
