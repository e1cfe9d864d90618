//! Session logs of game agents: their feelings, memories and effects. They are stores and logs on the disk
//! around the algorithms of `morta-memories`. Algorithms are apart from files, so that the simulation uses
//! the same ones. `session` writes a log, `record` annotates one, `lines` reads them, `dream` turns them into the
//! graph of `store`; `login` and `notes` give it to an agent; `valence`, `salience` and `effects` measure.

pub mod dream;
pub mod effects;
mod lines;
pub mod login;
pub mod notes;
pub mod record;
pub mod rules;
pub mod salience;
pub mod session;
pub mod store;
pub mod valence;

pub use lines::Place;
