//! Pheromones: marks of losses, gains and deaths that a golem's siblings can sense for a while (digest section 15, M10). They are
//! stigmergy: communication by traces in the environment, without addressees.
//!
//! Intensity runs from 0 to 1 and fades by half-lives in simulated hours. They warn at once, where a lesson has first to be concluded,
//! shared and tested. They carry no claim and change no belief. A golem never responds to its own.
//! They are off by default (`pheromones.enabled`) and need clades; a golem that can't pay for one leaves none.

pub mod config;
pub mod field;

pub use config::{ConfirmationRule, PheromoneConfig};
pub use field::{PheromoneField, PheromoneTrace};

use crate::episode::ThreatKind;
use crate::market::{AssetIndex, Regime, Strategy};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The message of a pheromone. A signal type: danger, opportunity or shared insight.
    pub enum PheromoneKind {
        /// A golem lost here, or died.
        Threat = "threat",
        /// A golem gained here.
        Opportunity = "opportunity",
        /// A golem with knowledge died here.
        Wisdom = "wisdom",
    }
}

/// The kind and the place of a pheromone: the composite key by which the same trace is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PheromoneSubject {
    /// Its kind.
    pub kind: PheromoneKind,
    /// The asset of the trade; for a death the first.
    pub asset: AssetIndex,
    /// The regime, as its golem read it.
    pub regime: Regime,
    /// The strategy of the trade; `None` for a death.
    pub strategy: Option<Strategy>,
}

/// A pheromone as it is left: a stigmergic signal, before the field adds time, clade and confirmations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pheromone {
    /// Its kind, asset, regime and strategy.
    pub subject: PheromoneSubject,
    /// The danger behind it, if that can be rehearsed.
    pub threat: Option<ThreatKind>,
    /// Its intensity, 0 to 1.
    pub intensity: f64,
}
