//! What is known beforehand to members that bound the others.

use crate::market::{StayTruth, Truth};
use crate::memory::as_read::Forecast;
use std::sync::Arc;

/// Worked out with the plan, where a cohort asks; shared by all golems that know it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// What each strategy is worth, by situation, asset and true regime, under each law by its number; `None` when no cohort asks.
    pub truth: Option<Arc<Vec<Truth>>>,
    /// What pays by what can be seen, under each law by its number; `None` when no cohort asks.
    pub as_read: Option<Arc<Vec<Forecast>>>,
    /// What staying in a position is worth, by true regime, under each law by its number; `None` when no cohort asks or golems don't think positions
    /// over.
    pub staying: Option<Arc<Vec<StayTruth>>>,
    /// The same by regimes as they are read.
    pub staying_as_read: Option<Arc<Vec<StayTruth>>>,
}
