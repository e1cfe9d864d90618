//! Scents: what a golem went through is smelled by its siblings for a while (digest section 15, M10).

pub mod config;
pub mod field;

pub use config::{ConfirmationRule, PheromoneConfig};
pub use field::{PheromoneField, PheromoneTrace};

use crate::episode::ThreatKind;
use crate::market::{AssetIndex, Regime, Strategy};
use serde::{Deserialize, Serialize};

/// What a pheromone says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PheromoneKind {
    /// Here somebody lost, or died.
    Threat,
    /// Here somebody gained.
    Opportunity,
    /// Here somebody died who knew something.
    Wisdom,
}

impl PheromoneKind {
    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Threat => "threat",
            Self::Opportunity => "opportunity",
            Self::Wisdom => "wisdom",
        }
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
