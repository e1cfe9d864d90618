//! A golem's beliefs: one kind of [`BeliefEntry`] for every status, and one store of them.
//!
//! An entry is a [`Belief`] (claim, confidence, evidence, origin, standing) and a [`Status`]. The life of an entry, and who may
//! move it:
//!
//! ```text
//!                    Curator                          life, by tests             integration alone
//!   new ─► (Quarantined) ─► Insight · · proposed · ─► UnderTest ─► AwaitsAdmission ─► InForce
//!   dreams, siblings, the dead ───────────────────────────┘ │                            │
//!                               Insight ─► Archived ◄────── │ ───────────────────────────┤
//!                                  ▲──────────┘             └──────► ProvedWrong ◄───────┘
//! ```
//!
//! A proposal doesn't move an insight: a copy under a number of its own is tested, so that a waking conclusion keeps its voice
//! whatever the test says.
//!
//! Invariant: only integration puts an entry in force. [`InForce`] has no public constructor, an entry's status can't be
//! assigned, and outside integration only its [`Belief`] is lent to be changed, never a whole entry; so the status can't be
//! forged by copying one entry over another either.
//! ```compile_fail,E0451
//! use morta_engine::dream::integration::beliefs::{InForce, Status};
//! let forged = Status::InForce(InForce { since: 0 });
//! ```
//! ```compile_fail,E0616
//! use morta_engine::dream::integration::beliefs::BeliefEntry;
//! fn forge(entry: &mut BeliefEntry, rule: &BeliefEntry) {
//!     entry.status = rule.status();
//! }
//! ```
//! ```compile_fail,E0624
//! use morta_engine::dream::integration::beliefs::{Belief, BeliefEntry};
//! fn forge(belief: Belief) -> BeliefEntry {
//!     BeliefEntry::in_force(belief, 0)
//! }
//! ```
//! ```compile_fail,E0624
//! use morta_engine::dream::integration::beliefs::{Beliefs, BeliefEntry};
//! fn smuggle(beliefs: &mut Beliefs, rule: &BeliefEntry) {
//!     beliefs.put(rule.clone());
//! }
//! ```
//!
//! Confidence runs from 0 to 1, results are in R, times in ticks. The whole is a knowledge base with a life cycle (state machine) and a
//! single writer (capability by privacy). Each golem with the memory `bardo` (or `bardo+owm`) has one store; advice, tests and dreams read
//! it.

mod archive;
mod entry;
mod staging;
mod status;
mod store;

pub use archive::TradeOutcome;
pub use entry::{Belief, BeliefEntry, ClaimSource, Disproof};
pub use status::{InForce, Status, Trial};
pub use store::Beliefs;

pub(super) use staging::Staging;
