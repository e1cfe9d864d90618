//! OpenClaw's dreaming on a recall store of the user's own: deep, light and REM sleep, and the record of searches.

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
