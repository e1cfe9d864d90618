//! Knowledge that can be handed over: to a successor, to the clade, to the Lethe (knowledge transfer between agents).
//!
//! A lesson is a claim with the giver's confidence (0 to 1, before demurrage), counts of outcomes, and provenance. It is what a belief is
//! reduced to for the journey: the receiver discounts the confidence by its own rules and tests the claim for itself (if it tests claims),
//! so the giver's bookkeeping isn't sent. Kinds and domains are the words of digest section 2; under most forms of demurrage domains and
//! kinds decide how fast confidence decays. Domains also spread the choice of a legacy, and set the Lethe's delay where that goes by
//! domain. Entry kinds are a taxonomy of knowledge (insight, heuristic, warning); domains are topics. An entry kind is the category of an
//! entry in the knowledge base.

use crate::episode::{Claim, FindingKind};
use crate::market::Strategy;
use morta_base::{EpisodeId, GolemId};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The kind of knowledge that an entry is (digest section 2).
    pub enum EntryKind: Key {
        /// A conclusion from waking episodes that agree.
        Insight = "insight",
        /// A rule that is or was acted on.
        Heuristic = "heuristic",
        /// Something to stay away from.
        Warning = "warning",
        /// A piece of a strategy, from the edge of sleep.
        StrategyFragment = "strategy_fragment",
        /// A hypothesis whose test isn't over.
        Question = "question",
        /// Something that was believed and proved wrong.
        AntiKnowledge = "anti_knowledge",
    }
}

impl EntryKind {
    /// Labels an entry by its claim. A claim of loss is a warning, even if another kind fits as well.
    pub const fn for_claim(claim: &Claim, otherwise: Self) -> Self {
        if claim.expected_r > 0.0 { otherwise } else { Self::Warning }
    }
}

morta_base::words! {
    /// The part of the world that knowledge is about; its rate of decay depends on it (digest sections 12 and 15).
    pub enum KnowledgeDomain: Key {
        /// Transaction costs.
        Gas = "gas",
        /// Direction of prices.
        Price = "price",
        /// Size of price moves.
        Volatility = "volatility",
        /// Earnings of liquidity.
        Yield = "yield",
        /// Behaviour of a protocol or an oracle.
        Protocol = "protocol",
        /// Depth and order of the market.
        Structure = "structure",
        /// Anything else.
        General = "general",
    }
}

impl KnowledgeDomain {
    /// Classifies a claim by its domain (topic): that of its strategy if it is about a venue, then that of the circumstance it names, and
    /// price without either. The specs leave the assignment open; where a claim names several circumstances, the first in this list counts.
    pub const fn for_claim(claim: &Claim) -> Self {
        match claim.strategy {
            Strategy::LiquidityProvision => Self::Yield,
            Strategy::OracleArbitrage => Self::Protocol,
            _ if claim.pattern.liquidity.is_some() => Self::Structure,
            _ if claim.pattern.volatility.is_some() || claim.pattern.shock.is_some() => Self::Volatility,
            _ if claim.pattern.gas.is_some() => Self::Gas,
            _ if claim.pattern.session.is_some() => Self::General,
            _ => Self::Price,
        }
    }
}

/// One piece of knowledge on its way from one golem to another, with its provenance (social learning, transfer learning).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// The kind of knowledge.
    pub kind: EntryKind,
    /// The claim.
    pub claim: Claim,
    /// The giver's trust in it, 0 to 1.
    pub confidence: f64,
    /// Waking outcomes for it, in the giver's life.
    pub confirmed: u32,
    /// Waking outcomes against it.
    pub contradicted: u32,
    /// The golem that first learned it.
    pub origin: GolemId,
    /// Whether it was still under test.
    pub unfinished: bool,
    /// The kind of conclusion.
    pub finding: FindingKind,
    /// The episodes it was learned from.
    pub learned_from: Vec<EpisodeId>,
    /// Outcomes it rests on altogether: those it was concluded from, and those by which it was tested in this and in earlier lives.
    #[serde(default)]
    pub outcomes_behind: u32,
}

impl Lesson {
    /// The domain of its claim: the topic of the lesson, by which a legacy is chosen and a bloodstain may be delayed. (The decay rate goes
    /// by the same domain, taken of the entry.)
    pub const fn domain(&self) -> KnowledgeDomain {
        KnowledgeDomain::for_claim(&self.claim)
    }
}
