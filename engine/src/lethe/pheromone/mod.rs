//! Scents: what a golem went through is smelled by its siblings for a while (digest section 15, M10).

pub mod config;
pub mod field;

pub use config::{ConfirmationRule, PheromoneConfig};
pub use field::{PheromoneField, PheromoneTrace};

use crate::episode::ThreatKind;
use crate::market::{AssetIndex, Regime, Strategy};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// What a pheromone says.
    pub enum PheromoneKind {
        /// Here somebody lost, or died.
        Threat = "threat",
        /// Here somebody gained.
        Opportunity = "opportunity",
        /// Here somebody died who knew something.
        Wisdom = "wisdom",
    }
}

/// What is smelled, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PheromoneSubject {
    /// What it says.
    pub kind: PheromoneKind,
    /// Of which asset.
    pub asset: AssetIndex,
    /// In which regime, as its golem read it.
    pub regime: Regime,
    /// Of which strategy; `None` for a death.
    pub strategy: Option<Strategy>,
}

/// A pheromone as it is left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pheromone {
    /// What it says.
    pub subject: PheromoneSubject,
    /// The danger it smells of, if it was one of those that can be rehearsed.
    pub threat: Option<ThreatKind>,
    /// How strong it is, 0 to 1.
    pub intensity: f64,
}
