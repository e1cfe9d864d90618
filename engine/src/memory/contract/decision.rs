//! The moment of a decision, and its candidates: the state and the action set of a contextual bandit.
//!
//! Expected results and costs are in R, time is in ticks and seconds since 1970. Oracles read two more fields, the true regime and the law;
//! any other memory that read them would know what golems can't.

use crate::episode::{Conditions, Context};
use crate::market::{AssetIndex, LawInForce, PositionSide, Regime, Signal, Strategy};
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// A trade that the golem could open now. An available action with its prior value. An arm of the bandit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The strategy that signals.
    pub strategy: Strategy,
    /// Its asset.
    pub asset: AssetIndex,
    /// The side of the position.
    pub side: PositionSide,
    /// Strength, stop and horizon of the signal.
    pub signal: Signal,
    /// Expected result without any memory, in R net of costs.
    pub prior_r: f64,
    /// Cost of a round trip of the usual size, in R; `prior_r` has it taken off.
    pub cost_r: f64,
}

/// The moment of a decision. The state (observation) at the decision. A bandit's context.
#[derive(Clone, Copy, Debug)]
pub struct DecisionContext<'a> {
    /// Now.
    pub tick: Tick,
    /// The circumstances as the golem reads them.
    pub context: Context,
    /// The circumstances in numbers.
    pub conditions: Conditions,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: i64,
    /// The market's embedding.
    pub embedding: &'a [f32],
    /// The market's true regime; only the oracle reads it.
    pub true_regime: Regime,
    /// The law in force; only the oracle reads it.
    pub law: LawInForce,
}
