//! The moment of a decision, and what could be done in it.

use crate::episode::{Conditions, Context};
use crate::market::{AssetIndex, LawInForce, PositionSide, Regime, Signal, Strategy};
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// Something the golem could do now.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The strategy that speaks.
    pub strategy: Strategy,
    /// The asset it speaks of.
    pub asset: AssetIndex,
    /// The position it wants.
    pub side: PositionSide,
    /// How strongly, with which stop and for how long.
    pub signal: Signal,
    /// What to expect of it without any memory, in R net of costs.
    pub prior_r: f64,
    /// What a round trip of the usual size would cost now, in R; it is taken off in `prior_r`.
    pub cost_r: f64,
}

/// The moment of a decision.
#[derive(Clone, Copy, Debug)]
pub struct DecisionContext<'a> {
    /// Now.
    pub tick: Tick,
    /// The circumstances as the golem reads them.
    pub context: Context,
    /// The same in numbers.
    pub conditions: Conditions,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: i64,
    /// The market's embedding.
    pub embedding: &'a [f32],
    /// The market's true regime; only the oracle looks.
    pub true_regime: Regime,
    /// The law in force; only the oracle looks.
    pub law: LawInForce,
}
