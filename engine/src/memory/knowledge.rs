//! Knowledge that is given to the bounding members of the family: privileged information of oracles, computed once for a plan and shared by
//! reference. Results are in R. `None` means that no cohort needs it, which saves seconds of work. Each vector has one entry for each law
//! of `[market.drift]`. An oracle without truth or forecasts panics at birth, since it can't do without; without values of staying it holds
//! positions to their end. A memory swap in a world under way may ask for what its plan hasn't (`Plan::knowing` adds it).

use crate::market::{StayTruth, Truth};
use crate::memory::as_read::ForecastAsRead;
use std::sync::Arc;

/// Privileged information (ground truth) for oracle baselines. It is worked out with the plan, where a cohort needs it; all golems that
/// have it share it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// Mean result of each strategy, by situation, asset and true regime, for each law by its number; `None` where no cohort
    /// needs it.
    pub truth: Option<Arc<Vec<Truth>>>,
    /// Forecasts by what can be observed, for each law by its number; `None` where no cohort needs it.
    pub as_read: Option<Arc<Vec<ForecastAsRead>>>,
    /// Value of staying in a position, by true regime, for each law by its number; `None` where no cohort needs it or golems
    /// don't review positions.
    pub staying: Option<Arc<Vec<StayTruth>>>,
    /// The same by regimes as golems read them.
    pub staying_as_read: Option<Arc<Vec<StayTruth>>>,
}
