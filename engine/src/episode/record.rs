//! One episode: a trade that was closed, or a decision to stay out. In reinforcement learning it is a transition or experience tuple:
//! state, action, reward.
//!
//! Results are in R, net of costs; money is in dollars, times in ticks; arousal runs from 0 to 1. An abstention has a result of 0 R; what
//! its best candidate made on paper is in its surprise and regret. Surprise is an absolute prediction error, regret a counterfactual
//! difference, both in R and at least 0. They are stored with the episode because replay is chosen by them, long after the market that
//! would be needed to compute them has gone by. In a life `golem::settle` makes episodes; imports, load tests and tools make others.
//!
//! These types are stored. Scars lie in a Lethe as postcard bytes, which have no names: fields and variants are read by their order, so
//! one that is added, removed or moved needs a higher `FORMAT` in `actors/src/lethe_store/record.rs`. `serde(default)` helps only with JSON.

use crate::episode::OutcomeVerification;
use crate::market::{
    AssetIndex, GasClass, Held, LiquidityClass, MarketView, PositionSide, Regime, RegimeThresholds, Session,
    Strategy,
};
use morta_base::{BloodstainId, EpisodeId, GolemId, Tick, Usdc};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The circumstances of a decision, as the golem read them: the state (observation) in discrete features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Context {
    /// The golem's own reading of the regime.
    pub regime: Regime,
    /// Volatility rank, 1 calm … 5 wild.
    pub volatility_quintile: u8,
    /// Pool depth class.
    pub liquidity: LiquidityClass,
    /// Gas class.
    pub gas: GasClass,
    /// Trading session.
    pub session: Session,
    /// The asset.
    #[serde(default)]
    pub asset: AssetIndex,
    /// Whether there was a big move of late, as far as its prices show.
    #[serde(default)]
    pub shock: bool,
    /// The golem's trade before this decision, if there was one: its strategy, and whether it gained.
    pub after: Option<After>,
    /// The position, where the decision is about one that is held; `None` where it is about opening one.
    pub held: Option<Held>,
}

impl Context {
    /// Makes default circumstances: a regime, and nothing else that says anything, i.e. middling volatility, depth and fees, in Asia's
    /// session, no trade before. For what isn't a market of a world: imports, mazes, load tests.
    pub const fn neutral(regime: Regime) -> Self {
        Self {
            regime,
            volatility_quintile: 3,
            liquidity: LiquidityClass::Normal,
            gas: GasClass::Normal,
            session: Session::Asia,
            asset: 0,
            shock: false,
            after: None,
            held: None,
        }
    }

    /// Reads the circumstances of one asset: feature extraction from the market view. `after` and `held` are the caller's to fill in; the
    /// thresholds are the golem's own, so the regime may be misread.
    pub fn read(view: &MarketView, asset: AssetIndex, thresholds: &RegimeThresholds) -> Self {
        let seen = view.asset(asset);
        Self {
            regime: thresholds.classify(seen),
            volatility_quintile: seen.volatility_quintile,
            liquidity: seen.liquidity,
            gas: view.gas_class,
            session: view.session,
            asset,
            shock: seen.shock_lately,
            after: None,
            held: None,
        }
    }
}

/// The trade before a decision (the previous trade), for claims about sequences: the last action and the sign of its reward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct After {
    /// The strategy that was followed.
    pub strategy: Strategy,
    /// Whether it made money.
    pub gained: bool,
}

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, how) =
            (self.strategy.name().replace('_', " "), if self.gained { "gained" } else { "lost" });
        write!(f, "after {what} {how}")
    }
}

/// The circumstances of a decision in numbers: the continuous features of the state, at the time of the decision: price, average true
/// range, spread and drawdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Price of the asset, dollars a unit; above 0.
    pub price: f64,
    /// Average true range, dollars; above 0.
    pub atr_fast: f64,
    /// The same over the slow window, dollars: the fast one divided by the ratio of fast to slow volatility.
    pub atr_slow: f64,
    /// Bid-ask spread over the fast average true range, 0 or more.
    pub spread_over_atr: f64,
    /// Drawdown of the golem's equity from its peak, as a share of the peak, 0 to 1.
    pub drawdown: f64,
}

impl Conditions {
    /// Reads the conditions of one asset for a golem with this drawdown, 0 to 1: average true range, spread and drawdown
    /// (feature extraction).
    pub fn read(view: &MarketView, asset: AssetIndex, drawdown: f64) -> Self {
        let seen = view.asset(asset);
        let atr_fast = seen.atr * seen.pool_price;
        Self {
            price: seen.pool_price,
            atr_fast,
            atr_slow: atr_fast / seen.volatility_ratio.max(f64::MIN_POSITIVE),
            spread_over_atr: 2.0 * seen.half_spread / seen.atr,
            drawdown,
        }
    }
}

morta_base::words! {
    /// The kind of experience: a trade taken, or no trade and a counterfactual one.
    pub enum EpisodeKind {
        /// A position was held and closed.
        Trade = "trade",
        /// Every candidate was turned down; the result is 0 R, and the best of them was followed on paper.
        StayedOut = "stayed_out",
    }
}

/// The provenance of an episode or a rule: the data lineage of knowledge (own, inherited or a sibling's).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Lived through.
    Own,
    /// Drawn from a dead golem's bloodstain.
    Bloodstain(BloodstainId),
    /// Handed over by its predecessor.
    Predecessor(GolemId),
    /// Shared by a living golem of the same clade.
    Clade(GolemId),
}

impl Provenance {
    /// The bloodstain it came from; `None` for every other provenance.
    pub const fn bloodstain(self) -> Option<BloodstainId> {
        match self {
            Self::Bloodstain(id) => Some(id),
            Self::Own | Self::Predecessor(_) | Self::Clade(_) => None,
        }
    }
}

morta_base::words! {
    /// A step of a decision chain. The step type (action) within a decision trace: entry, hold, exit and the like.
    #[allow(missing_docs)]
    #[derive(schemars::JsonSchema)]
    pub enum StepKind {
        Analysis = "analysis",
        Entry = "entry",
        Hold = "hold",
        Exit = "exit",
    }
}

/// One step of the decision trace (audit trail) that made the episode, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionStep {
    /// The kind of step.
    pub kind: StepKind,
    /// Tick of the decision.
    pub tick: Tick,
    /// The position's R-multiple at that moment (for the analysis: the R that was expected).
    pub r: f64,
}

/// Most steps kept: the analysis, the entry, the exit, and the first holds at which the open result had changed notably. Our choice: a prompt lists them all.
pub(crate) const MAX_CHAIN_STEPS: usize = 12;

/// One experience, a transition of the replay buffer (state, action, reward): complete, or without its embedding (`E` is `()`), where that
/// is kept apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Episode<E = Box<[f32]>> {
    /// The golem that lived it, and its number in that life.
    pub id: EpisodeId,
    /// Trade or abstention.
    pub kind: EpisodeKind,
    /// Lived or inherited.
    pub provenance: Provenance,
    /// Tick of the decision.
    pub opened: Tick,
    /// Tick of the outcome.
    pub closed: Tick,
    /// The asset traded, or that of the candidate turned down.
    pub asset: AssetIndex,
    /// The strategy of the trade, or of the best candidate turned down.
    pub strategy: Strategy,
    /// The kind of position.
    pub side: PositionSide,
    /// Circumstances at the decision.
    pub context: Context,
    /// The same in numbers.
    pub conditions: Conditions,
    /// The largest size of the position, a loan included; for an abstention, the size at which its candidate was followed.
    pub stake: Usdc,
    /// Money made, all costs taken off.
    pub pnl: Usdc,
    /// R-multiple expected when deciding.
    pub expected_r: f64,
    /// R-multiple made, net of costs: profit over what was at risk at the stop.
    pub realised_r: f64,
    /// |expected − realised| in R, at least 0; for an abstention, |expected − the candidate's result on paper|.
    pub surprise: f64,
    /// |profit| over the golem's own money put in, at least 0; 0 for an abstention (`outcome_significance` of the replay spec).
    pub significance: f64,
    /// Result of the best other strategy over the same holding time, beyond this one, in R; at least 0.
    pub regret: f64,
    /// The strategy of the regret, if any did better on paper.
    pub better_strategy: Option<Strategy>,
    /// Arousal at encoding, in [0, 1]; in a Grimoire less what reappraisal in dreams has taken off.
    pub arousal: f64,
    /// The market's embedding at the decision.
    pub embedding: E,
    /// Analysis, entry, holds, exit; empty for an abstention and once a dream has abstracted the episode.
    pub chain: Vec<DecisionStep>,
    /// Predicted against realised execution; none for abstentions.
    pub verification: Option<OutcomeVerification>,
}

/// An episode as a Grimoire keeps it: its embedding is a row of a column there, and in no other place.
pub type EpisodeRecord = Episode<()>;

impl Episode {
    /// Makes a default episode, an own trade that was opened and closed at a tick and taught nothing: no stake, result, regret or arousal,
    /// and an empty embedding, in [neutral](Context::neutral) circumstances. Callers fill in what they know.
    pub fn neutral(id: EpisodeId, closed: Tick) -> Self {
        Self {
            id,
            kind: EpisodeKind::Trade,
            provenance: Provenance::Own,
            opened: closed,
            closed,
            asset: 0,
            strategy: Strategy::Momentum,
            side: PositionSide::Long,
            context: Context::neutral(Regime::TrendingUp),
            conditions: Conditions::default(),
            stake: Usdc::ZERO,
            pnl: Usdc::ZERO,
            expected_r: 0.0,
            realised_r: 0.0,
            surprise: 0.0,
            significance: 0.0,
            regret: 0.0,
            better_strategy: None,
            arousal: 0.0,
            embedding: Box::default(),
            chain: Vec::new(),
            verification: None,
        }
    }
}

impl<E> Episode<E> {
    /// The golem that lived it: the agent id of the experience, also of an inherited one.
    pub(crate) fn lived_by(&self) -> GolemId {
        self.id.golem
    }

    /// Whether another golem lived it (off-policy experience): a scar of the dead.
    pub fn is_inherited(&self) -> bool {
        self.provenance != Provenance::Own
    }

    /// Splits the episode into its record and its embedding.
    pub fn parts(self) -> (EpisodeRecord, E) {
        self.exchange_embedding(())
    }

    fn exchange_embedding<F>(self, new: F) -> (Episode<F>, E) {
        let new = Episode {
            embedding: new,
            id: self.id,
            kind: self.kind,
            provenance: self.provenance,
            opened: self.opened,
            closed: self.closed,
            asset: self.asset,
            strategy: self.strategy,
            side: self.side,
            context: self.context,
            conditions: self.conditions,
            stake: self.stake,
            pnl: self.pnl,
            expected_r: self.expected_r,
            realised_r: self.realised_r,
            surprise: self.surprise,
            significance: self.significance,
            regret: self.regret,
            better_strategy: self.better_strategy,
            arousal: self.arousal,
            chain: self.chain,
            verification: self.verification,
        };
        (new, self.embedding)
    }
}

impl EpisodeRecord {
    /// Attaches its embedding to the episode.
    pub fn with_embedding(self, embedding: Box<[f32]>) -> Episode {
        self.exchange_embedding(embedding).0
    }
}
