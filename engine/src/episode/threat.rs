//! Threats: their taxonomy, their signs in episodes, and a golem's record of rehearsals (digest section 6). It is a risk register with
//! stress testing: threat simulation in dreams is meant to prepare for rare events.
//!
//! Losses are in R, slippage and gas in basis points, arousal and severity run from 0 to 1, times are in ticks, cycles are numbered dreams.
//! The market has traces of some threats only; the others borrow the signs of the nearest. Signs are read off an episode after the fact;
//! they decide what a dream rehearses, what a pheromone names and when a threat counts as struck. The record's arousal is its own and moves
//! no mood; its true and false positives count how the guard did, and no decision reads them.

use crate::episode::{Claim, ClaimKind, Context, Episode, EpisodeKind, VolatilityBand};
use crate::market::{GasClass, LiquidityClass, Regime, Strategy};
use morta_base::Tick;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// Gravity of a threat, and the pace of its rehearsals. A severity level (risk tier), with its rehearsal interval.
    pub enum ThreatTier {
        /// Kills at once; rehearsed every cycle.
        Acute = "acute",
        /// Wears down; every other cycle.
        Wearing = "wearing",
        /// Creeps up; weekly.
        Creeping = "creeping",
    }
}

impl ThreatTier {
    /// Severity (risk score): .8, .5, .3 (digest section 10, "dream threat").
    pub const fn severity(self) -> f64 {
        match self {
            Self::Acute => 0.8,
            Self::Wearing => 0.5,
            Self::Creeping => 0.3,
        }
    }
}

morta_base::words! {
    /// The taxonomy. A risk category: taxonomy of attacks, failures and market risks.
    #[allow(missing_docs)]
    pub enum ThreatKind {
        FlashCrash = "flash_crash",
        ContractExploit = "contract_exploit",
        CascadingLiquidation = "cascading_liquidation",
        RugPull = "rug_pull",
        OracleManipulation = "oracle_manipulation",
        Sandwich = "sandwich",
        ImpermanentLossSpike = "impermanent_loss_spike",
        GasWar = "gas_war",
        LiquidityWithdrawal = "liquidity_withdrawal",
        Regulatory = "regulatory",
        YieldCompression = "yield_compression",
        FeeChange = "fee_change",
        CorrelationShift = "correlation_shift",
        ConceptDrift = "concept_drift",
        MemoryPoisoning = "memory_poisoning",
    }
}

/// Excess of slippage over its prediction from which execution looks like a sandwich, bps of the stake. Digest section 6 names the threats
/// and gives no signs; this and the two limits below are our choice. It is about the costs of a round trip by default, because a smaller
/// excess is ordinary.
const SANDWICH_BPS: f64 = 10.0;
/// Excess of gas over its prediction from which it looks like a fee change, bps of the prediction: a fifth, which the default walk of gas exceeds now
/// and then.
const FEE_CHANGE_BPS: f64 = 2_000.0;
/// Surprise of a loss from which the market looks like one that has changed, in R: the loss of a stop where nothing was expected.
const DRIFT_R: f64 = 1.0;

impl ThreatKind {
    /// Its tier (risk category), by the order of the list: five of each.
    pub const fn tier(self) -> ThreatTier {
        match self as u8 {
            0..=4 => ThreatTier::Acute,
            5..=9 => ThreatTier::Wearing,
            _ => ThreatTier::Creeping,
        }
    }

    /// Whether an episode shows the signs of such a threat (threat detection by rules), by what the golem could see. Threats of which this
    /// market has no trace (exploits, regulation) have the signs of the nearest that it has: without signs, they would never be rehearsed
    /// with a memory.
    pub(crate) fn shows_in<E>(self, episode: &Episode<E>) -> bool {
        let here = Circumstances::from_context(&episode.context);
        let is = |strategy| episode.strategy == strategy;
        let traded = episode.kind == EpisodeKind::Trade;
        let off = episode.verification.as_ref();
        match self {
            Self::FlashCrash => here.wild && matches!(here.regime, Regime::TrendingDown | Regime::Volatile),
            Self::ContractExploit => here.drained && is(Strategy::LiquidityProvision),
            Self::CascadingLiquidation => here.wild && here.thin && here.regime != Regime::TrendingUp,
            Self::RugPull => here.drained,
            Self::OracleManipulation => traded && is(Strategy::OracleArbitrage) && episode.realised_r < 0.0,
            Self::Sandwich => off.is_some_and(|v| v.slippage_deviation_bps() > SANDWICH_BPS),
            Self::ImpermanentLossSpike => {
                is(Strategy::LiquidityProvision)
                    && (here.wild || matches!(here.regime, Regime::TrendingUp | Regime::TrendingDown))
            }
            Self::GasWar => here.gas == GasClass::Spike,
            Self::LiquidityWithdrawal => here.thin,
            Self::Regulatory => here.regime == Regime::TrendingDown && here.thin,
            Self::YieldCompression => is(Strategy::LiquidityProvision) && episode.realised_r < 0.0,
            Self::FeeChange => off.is_some_and(|v| v.gas_deviation_bps() > FEE_CHANGE_BPS),
            Self::CorrelationShift => episode.asset > 0 && here.regime == Regime::Volatile,
            Self::ConceptDrift => traded && episode.surprise > DRIFT_R && episode.realised_r < 0.0,
            Self::MemoryPoisoning => episode.is_inherited(),
        }
    }
}

struct Circumstances {
    regime: Regime,
    gas: GasClass,
    wild: bool,
    thin: bool,
    drained: bool,
}

impl Circumstances {
    fn from_context(context: &Context) -> Self {
        Self {
            regime: context.regime,
            gas: context.gas,
            wild: VolatilityBand::from_quintile(context.volatility_quintile) == VolatilityBand::Wild,
            thin: matches!(context.liquidity, LiquidityClass::Thin | LiquidityClass::Crisis),
            drained: context.liquidity == LiquidityClass::Crisis,
        }
    }
}

/// One golem's record of a threat: an entry of its risk register, with a confusion matrix of its warnings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreatRecord {
    /// The threat, by the taxonomy.
    pub kind: ThreatKind,
    /// Times it was rehearsed in a dream.
    pub rehearsals: u32,
    /// The dream, by its number in this life, in which it last was.
    pub last_cycle: u32,
    /// Tick of the last rehearsal.
    pub last_rehearsed: Tick,
    /// Arousal by the thought of it, 0 to 1.
    pub arousal: f64,
    /// Loss by the last rehearsal that has found one, in R.
    pub imagined_loss_r: Option<f64>,
    /// The responses of the last rehearsal that has found any: guards first, then what to do instead.
    pub responses: Vec<Claim>,
    /// Times it struck while awake, since its first rehearsal made this record: a loss of the whole stop under its signs.
    pub activations: u32,
    /// Tick of its last strike.
    pub last_struck: Option<Tick>,
    /// Losing trades that a guard against it had warned of.
    pub true_positives: u32,
    /// Gaining trades that a guard against it had warned of.
    pub false_positives: u32,
}

/// Arousal of a threat never rehearsed (digest section 6).
const FIRST_AROUSAL: f64 = 0.8;
/// Factor of a rehearsal on arousal: the fifth root of a half, so that five take .8 to .4 (digest section 6).
const REHEARSAL_FACTOR: f64 = 0.870_550_563_296_124_1;

impl ThreatRecord {
    /// The record of a threat that has never been rehearsed, with an initial arousal of .8.
    pub fn new(kind: ThreatKind) -> Self {
        Self {
            kind,
            rehearsals: 0,
            last_cycle: 0,
            last_rehearsed: 0,
            arousal: FIRST_AROUSAL,
            imagined_loss_r: None,
            responses: Vec::new(),
            activations: 0,
            last_struck: None,
            true_positives: 0,
            false_positives: 0,
        }
    }

    /// Notes a trade: a loss of the whole stop under its signs is a strike, and trades that its guard warned of are counted as true or
    /// false positives (confusion matrix). A trade of exactly 0 R counts as a false positive.
    pub(crate) fn note_outcome(&mut self, episode: &Episode, now: Tick) {
        const STOP_R: f64 = -1.0;
        let lost = episode.realised_r < 0.0;
        if self.kind.shows_in(episode) && episode.realised_r <= STOP_R {
            self.activations += 1;
            self.last_struck = Some(now);
        }
        let warns = |response: &Claim| {
            response.kind() == ClaimKind::Guard && response.applies(episode.strategy, &episode.context)
        };
        if self.responses.iter().any(warns) {
            *(if lost { &mut self.true_positives } else { &mut self.false_positives }) += 1;
        }
    }

    /// Notes a rehearsal. Threat simulation with habituation: arousal falls by exposure (extinction learning).
    pub fn rehearse(&mut self, cycle: u32, now: Tick, loss_r: Option<f64>) {
        self.rehearsals += 1;
        self.last_cycle = cycle;
        self.last_rehearsed = now;
        self.arousal *= REHEARSAL_FACTOR;
        self.imagined_loss_r = loss_r.or(self.imagined_loss_r);
    }
}
