//! Nodes of a golem's graph: the subjects of its memories (typed keys of a knowledge graph). Nothing here has a unit.
//!
//! Events happen once; rooms and entities are met again and again. Events are apart from the others so that feelings gather on what is met
//! again. The order within a moment decides how the summary lists events of one time. `llm::reading` parses the
//! names of strategies and pairings in a summary.

use crate::market::{AssetIndex, Regime, Strategy};
use morta_base::{BloodstainId, EpisodeId, GolemId};
use morta_memories::dark_pawns::{NodeKind, NodeName};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A typed node key (vertex id) of the golem's memory graph, in an order of its own for maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarketNode {
    /// An own trade, or an abstention: an event.
    Lived(EpisodeId),
    /// A near-death in a trade: an event.
    NearDeath(EpisodeId),
    /// A bloodstain: an event.
    Met(BloodstainId),
    /// A sibling's lesson, by its number: an event.
    #[serde(rename = "told")]
    Lesson(u32),
    /// A regime: the room in which an event happened. It has no valence.
    Regime(Regime),
    /// A strategy in a regime: an entity.
    Pairing(Strategy, Regime),
    /// A strategy anywhere: an entity.
    Strategy(Strategy),
    /// An asset: an entity.
    Asset(AssetIndex),
    /// A dead golem whose bloodstain it met, or a sibling that sent a lesson: an entity.
    Kin(GolemId),
}

impl MarketNode {
    /// The node type (category): event, room or entity.
    pub const fn kind(self) -> NodeKind {
        match self {
            Self::Lived(_) | Self::NearDeath(_) | Self::Met(_) | Self::Lesson(_) => NodeKind::Event,
            Self::Regime(_) => NodeKind::Room,
            Self::Pairing(..) | Self::Strategy(_) | Self::Asset(_) | Self::Kin(_) => NodeKind::Entity,
        }
    }
}

impl fmt::Display for MarketNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |name: &str| name.replace('_', " ");
        match self {
            Self::Lived(id) | Self::NearDeath(id) => write!(f, "{id}"),
            Self::Met(id) => write!(f, "{id}"),
            Self::Lesson(number) => write!(f, "told {number}"),
            Self::Regime(regime) => f.write_str(&words(regime.name())),
            Self::Pairing(strategy, regime) => {
                write!(f, "{} when {}", words(strategy.name()), words(regime.name()))
            }
            Self::Strategy(strategy) => f.write_str(&words(strategy.name())),
            Self::Asset(asset) => write!(f, "asset {asset}"),
            Self::Kin(golem) => write!(f, "{golem}"),
        }
    }
}

impl NodeName for MarketNode {
    fn order_within_moment(&self) -> u32 {
        match self {
            Self::Met(_) | Self::Lesson(_) => 0,
            Self::NearDeath(_) => 1,
            _ => 2,
        }
    }
}
