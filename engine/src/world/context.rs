//! The context of a tick, as golems get it: market view, classes to be predicted, pheromones, and what only oracles read (shared immutable
//! state of a simulation step). Prices are in dollars a unit. All golems share one copy, so that services build it once a tick and not once
//! a golem; it shows the market at the end of the last tick. No memory but an oracle's acts on true regimes and the law; events record the
//! regime besides.

use crate::golem::Moment;
use crate::lethe::PheromoneField;
use crate::market::{LawInForce, MarketView, Regime};
use crate::mortality::Observed;
use crate::world::Plan;
use morta_base::Tick;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The context of a tick: the same read-only snapshot for every golem, a shared observation (shared state).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TickContext {
    /// The view of the market.
    pub view: MarketView,
    /// The classes observed in the five domains of prediction.
    pub observed: Observed,
    /// True regimes by asset: hidden ground truth, on which only an oracle acts; the records of ticks and decisions have it too.
    pub true_regimes: Vec<Regime>,
    /// The law in force, on which only an oracle acts.
    pub law: LawInForce,
    /// Pheromones in the air; shared, because they seldom change.
    #[serde(with = "morta_base::shared")]
    pub pheromones: Arc<PheromoneField>,
}

impl TickContext {
    /// The tick as a golem of a cohort lives through it: its observation, with the rules of that cohort.
    pub fn moment<'a>(&'a self, tick: Tick, plan: &'a Plan, cohort: u16) -> Moment<'a> {
        Moment {
            tick,
            seed: plan.seed(),
            view: &self.view,
            observed: self.observed,
            true_regimes: &self.true_regimes,
            law: self.law,
            pheromones: &self.pheromones,
            rules: plan.rules(cohort),
        }
    }
}
