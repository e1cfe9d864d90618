//! Interrupts that wake a dreamer, with their reasons (dream architecture, "dream state": `WakeInterrupt { source, reason,
//! timestamp }`). The timestamp is the tick of the event. Moves are shares of a price, relevance runs from 0 to 1, windows are in ticks. It
//! is an interrupt (wake-up event, alert) with an audit trail. A dreamer perceives nothing, so nothing but these wakes it before its dream
//! is over. The golem looks for them in every tick of sleep; the dream is broken off, the rest of its budget is lost, and it stays awake
//! for the rest of a sleep window. `dream.wake_interrupts.enabled = false` switches all off but death. A memory that
//! an experiment replaces ends a dream as well, without an interrupt (`Golem::replace_memory`).

use crate::lethe::pheromone::PheromoneSubject;
use crate::market::AssetIndex;
use crate::mortality::Cause;
use morta_base::{GolemId, Tick};
use serde::{Deserialize, Serialize};
use std::fmt;

morta_base::words! {
    /// The source of an interrupt. An interrupt source: what may preempt sleep.
    pub enum WakeSource {
        /// The owner.
        Owner = "owner",
        /// An alert of its clade.
        CladeAlert = "clade_alert",
        /// A price moved far.
        MarketThreshold = "market_threshold",
        /// It died.
        Death = "death",
    }
}

/// A price that has moved further than an alarm allows: a price alert.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriceMove {
    /// The asset.
    pub asset: AssetIndex,
    /// The move of its pool price, as a share of the earlier price; negative for a fall.
    pub moved: f64,
    /// Within so many ticks.
    pub within_ticks: Tick,
    /// The share from which the alarm rings.
    pub alarm: f64,
}

/// A threat pheromone that a sibling left: a warning by stigmergy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiblingsThreat {
    /// The sibling.
    pub left_by: GolemId,
    /// The subject of the pheromone.
    pub subject: PheromoneSubject,
    /// Its relevance to the dreamer, 0 to 1.
    pub relevance: f64,
    /// The relevance above which it wakes.
    pub alarm: f64,
}

/// The reason for an interrupt that wakes a dreamer, with the figures that decided it: without them nobody could check an alarm afterwards.
/// A planned call is such a reason for a waking golem too: its waking gate reads it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WakeReason {
    /// Its owner called, as the scenario had planned or, in a steered run, at that moment (`lab::run::steering`).
    OwnersCall,
    /// An alert of its clade, as the scenario had planned.
    PlannedAlert,
    /// A sibling left a threat.
    Threat(SiblingsThreat),
    /// A price moved.
    Price(PriceMove),
    /// It died.
    Died(Cause),
}

impl WakeReason {
    /// Its interrupt source, the coarser word of the spec.
    pub const fn source(&self) -> WakeSource {
        match self {
            Self::OwnersCall => WakeSource::Owner,
            Self::PlannedAlert | Self::Threat(_) => WakeSource::CladeAlert,
            Self::Price(_) => WakeSource::MarketThreshold,
            Self::Died(_) => WakeSource::Death,
        }
    }
}

impl fmt::Display for WakeReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OwnersCall => f.write_str("its owner called (`dream.interrupts`)"),
            Self::PlannedAlert => f.write_str("its clade called (`dream.interrupts`)"),
            Self::Threat(SiblingsThreat { left_by, subject, relevance, alarm }) => write!(
                f,
                "{left_by} left a threat: asset {}, {}, relevance {relevance:.2} above {alarm:.2}",
                subject.asset, subject.regime
            ),
            Self::Price(PriceMove { asset, moved, within_ticks, alarm }) => write!(
                f,
                "the price of asset {asset} moved by {:+.2} % within {within_ticks} ticks, {:.2} % or more wake",
                100.0 * moved,
                100.0 * alarm
            ),
            Self::Died(cause) => write!(f, "it died: {cause}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_its_figures() {
        let price = PriceMove { asset: 1, moved: -0.1234, within_ticks: 7, alarm: 0.1 };
        let text = "the price of asset 1 moved by -12.34 % within 7 ticks, 10.00 % or more wake";
        assert_eq!(WakeReason::Price(price).to_string(), text);
        assert_eq!(WakeReason::Price(price).source(), WakeSource::MarketThreshold);
        assert_eq!(WakeReason::PlannedAlert.source(), WakeSource::CladeAlert);
    }
}
