//! What a golem may fear, and what it has done about it (digest section 6).

use crate::episode::{Claim, Context, Episode, EpisodeKind, VolatilityBand};
use crate::market::{GasClass, LiquidityClass, Regime, Strategy};
use morta_base::Tick;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// How grave a threat is, and how often it is rehearsed.
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
    /// Severity: .8, .5, .3 (digest section 10, "dream threat").
    pub const fn severity(self) -> f64 {
        match self {
            Self::Acute => 0.8,
            Self::Wearing => 0.5,
            Self::Creeping => 0.3,
        }
    }
}

morta_base::words! {
    /// The taxonomy.
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

/// Execution this much worse than predicted looks like a sandwich, bps of the stake.
const SANDWICH_BPS: f64 = 10.0;
/// Gas this much above its prediction looks like a fee change, bps of the prediction.
const FEE_CHANGE_BPS: f64 = 2_000.0;
/// A result this far from what was expected looks like a world that has changed, in R.
const DRIFT_R: f64 = 1.0;

impl ThreatKind {
    /// Its tier.
    pub const fn tier(self) -> ThreatTier {
        match self as u8 {
            0..=4 => ThreatTier::Acute,
            5..=9 => ThreatTier::Wearing,
            _ => ThreatTier::Creeping,
        }
    }

    /// Whether an episode was lived through under such a threat, going by what the golem could see. What this market has no
    /// trace of (exploits, regulation) looks like the nearest thing it has.
    pub fn shows_in<E>(self, episode: &Episode<E>) -> bool {
        let here = Circumstances::of(&episode.context);
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
    fn of(context: &Context) -> Self {
        Self {
            regime: context.regime,
            gas: context.gas,
            wild: VolatilityBand::of(context.volatility_quintile) == VolatilityBand::Wild,
            thin: matches!(context.liquidity, LiquidityClass::Thin | LiquidityClass::Crisis),
            drained: context.liquidity == LiquidityClass::Crisis,
        }
    }
}

/// A threat as one golem knows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreatRecord {
    /// The threat, by the taxonomy.
    pub kind: ThreatKind,
    /// Times it was rehearsed in a dream.
    pub rehearsals: u32,
    /// The dream, by its number in this life, in which it last was.
    pub last_cycle: u32,
    /// When it last was.
    pub last_rehearsed: Tick,
    /// How strongly it would be felt, 0 to 1.
    pub arousal: f64,
    /// What a rehearsal put the loss at, in R, if any has found one.
    pub imagined_loss_r: Option<f64>,
    /// What the last rehearsal would leave alone.
    pub guard: Option<Claim>,
    /// Times it struck while awake: a loss of the whole stop under its signs.
    pub activations: u32,
    /// When it last struck.
    pub last_struck: Option<Tick>,
    /// Losing trades that a guard against it had warned of.
    pub true_positives: u32,
    /// Gaining trades that a guard against it had warned of.
    pub false_positives: u32,
}

/// Arousal of a threat never rehearsed, and what five rehearsals leave of it (digest section 6: .8 to .4).
const FIRST_AROUSAL: f64 = 0.8;
const REHEARSAL_FACTOR: f64 = 0.870_550_563_296_124_1;

impl ThreatRecord {
    /// A threat that has not been thought of yet.
    pub fn new(kind: ThreatKind) -> Self {
        Self {
            kind,
            rehearsals: 0,
            last_cycle: 0,
            last_rehearsed: 0,
            arousal: FIRST_AROUSAL,
            imagined_loss_r: None,
            guard: None,
            activations: 0,
            last_struck: None,
            true_positives: 0,
            false_positives: 0,
        }
    }

    /// Notes what a trade says: a loss of the whole stop under its signs is a strike, and what its guard warned of is counted.
    pub fn note_outcome(&mut self, episode: &Episode, now: Tick) {
        const STOP_R: f64 = -1.0;
        let lost = episode.realised_r < 0.0;
        if self.kind.shows_in(episode) && episode.realised_r <= STOP_R {
            self.activations += 1;
            self.last_struck = Some(now);
        }
        if self.guard.is_some_and(|guard| guard.applies(episode.strategy, &episode.context)) {
            *(if lost { &mut self.true_positives } else { &mut self.false_positives }) += 1;
        }
    }

    /// Notes a rehearsal.
    pub fn rehearse(&mut self, cycle: u32, now: Tick, loss_r: Option<f64>) {
        self.rehearsals += 1;
        self.last_cycle = cycle;
        self.last_rehearsed = now;
        self.arousal *= REHEARSAL_FACTOR;
        self.imagined_loss_r = loss_r.or(self.imagined_loss_r);
    }
}
