//! What is known beforehand to members that bound the others.

use crate::market::Truth;
use crate::memory::as_read::Forecast;
use std::sync::Arc;

/// Worked out with the plan, where a cohort asks; shared by all golems that know it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// What each strategy is worth, by situation, asset and true regime, under each law by its number; `None` when no cohort asks.
    pub truth: Option<Arc<Vec<Truth>>>,
    /// What pays by what can be seen, under each law by its number; `None` when no cohort asks.
    pub as_read: Option<Arc<Vec<Forecast>>>,
}
