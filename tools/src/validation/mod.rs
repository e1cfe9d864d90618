//! Does outcome-weighted memory size trades better? The validation plan (digest section 12) on recorded bars.
//!
//! - Trades ([`deals`]) come from the engine's own strategies and their variants ([`trades`]): a decision at a bar's close, a fill at the next bar's
//!   open. Or they are a user's own ([`OwnTrade`]). All arms get the same trades and differ only in lots ([`arms`]).
//! - Training trades close before the split; validation trades are decided after it. A trade across the split is left out, otherwise its outcome
//!   would leak from one part into the other.
//! - A stake knows outcomes up to the close of the bar at which it is decided, and nothing later. With `train_only`, memory ends with the training.
//! - [`measures`] are the digest's table, [`hypotheses`] its expectations, tested by a paired block bootstrap over days.
//!
//! On bars the context of a trade follows the simulated market's mapping (own trades bring theirs): regime and volatility rank as the
//! engine reads them, the session by the market's clock. True ranges are Wilder's over 14 bars and 14 whole days, in price. The spread is a
//! share of the bar's range, because recorded bars have no five-minute range. The drawdown is the account's.
//!
//! It is an out-of-sample backtest of position sizing. `plan` has its settings, `outcome` runs it, `ledger` keeps an arm's lots and
//! profits, `layers` is one of the arms, `days` the trading calendar.

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
pub use outcome::{ArmOutcome, CantValidate, ValidationOutcome, VariantPairs, carry_out, validate};
pub use plan::{Accounts, ArmKind, Plan, Split, VariantGrid};
