//! The moment of a decision, and its candidates: the state and the action set of a contextual bandit.
//!
//! Expected results and costs are in R, time is in ticks and seconds since 1970. A candidate is a strategy that signals on an asset and
//! costs no more than `golem.max_cost_r`; memory is asked once for each asset, about all its candidates, at every decision interval, and
//! for forecasts also where the golem's gate then decides nothing. The review of a held position and the laboratory's interviews of
//! memories make such a moment too. Oracles read two more fields, the true regime and the law; any other memory that read them would know
//! what golems can't.

use crate::episode::{Conditions, Context};
use crate::market::{AssetIndex, LawInForce, PositionSide, Regime, Signal, Strategy};
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// An available action (a bandit arm of the action space) with its prior value and expected cost: a trade that the golem could open now.
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
    /// Expected result without any memory, in R net of costs: `golem.prior_edge_r` (.5) times the absolute strength of the signal, less
    /// `cost_r`.
    pub prior_r: f64,
    /// Cost of a round trip of the largest stake (`golem.max_position_share` of the equity), in R; `prior_r` has it taken off.
    pub cost_r: f64,
}

/// The state (observation) at a decision, or at the review of a position: the context of a bandit, the input of a policy.
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
    /// The market's true regime; only oracles read it, and of them `oracle-as-read` doesn't.
    pub true_regime: Regime,
    /// The law in force; only oracles read it, `oracle-as-read` too.
    pub law: LawInForce,
}
