//! Does outcome-weighted memory size trades better? The validation plan (digest section 12) on recorded bars.
//!
//! - Trades ([`deals`]) come from the engine's own strategies and their variants ([`trades`]): a decision at a bar's close, a fill at the next
//!   bar's open. Or they are somebody's own ([`OwnTrade`]).
//!   They are the same for every arm; arms differ in nothing but the lots they put on each ([`arms`]).
//! - Training trades have closed before the split; validation trades are decided after it; those that straddle it are left out.
//! - A stake knows what had closed by the close of the bar at which it was decided, and nothing later. By `train_only`, memory ends
//!   with the training.
//! - [`measures`] are the digest's table, [`hypotheses`] its expectations, tested by a paired block bootstrap over days.
//!
//! The circumstances of a trade are those of the arena's mapping: regime and volatility rank as read by the engine, the session of
//! the market's clock. True ranges are Wilder's over 14 bars and over 14 whole days, in price; the spread is a share of that of a
//! bar, as there is none of five minutes; the drawdown is that of the account.

pub mod arms;
mod days;
pub mod deals;
pub mod hypotheses;
mod layers;
pub mod ledger;
pub mod measures;
mod outcome;
pub mod plan;
#[cfg(test)]
mod tests;
pub mod trades;

pub use deals::{Book, OwnTrade};
pub use outcome::{ArmOutcome, CantValidate, Outcome, VariantPairs, carry_out, validate};
pub use plan::{Accounts, ArmKind, Plan, Split, VariantGrid};
