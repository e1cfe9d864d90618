//! The mapping from the market's vocabulary to OWM's (adapter, anti-corruption layer).
//!
//! Average true ranges are in dollars, spreads and drawdowns are shares, results are in R, moments in seconds of the memory's clock;
//! `made_s` is the moment of the close. Words that one side lacks are mapped to the nearest, as noted at each function. The mapping is
//! apart so that the library needs to know nothing of this market. The validation of recorded bars in `tools` names regime, volatility and
//! session by it too.

use crate::episode::{Conditions, Context, Episode, VolatilityBand};
use crate::market::{AssetIndex, PositionSide, Regime, Session, Strategy};
use morta_memories::owm::context::{self, ContextVector, VolatilityRegime};
use morta_memories::owm::episodic::{Direction, Domain, EpisodicMemory};

/// Strategy and asset as one composite key.
pub(super) const fn domain(strategy: Strategy, asset: AssetIndex) -> Domain {
    Domain { strategy: strategy.index() as u16, symbol: asset as u16 }
}

/// The circumstances of a decision as a context vector (features).
pub(super) fn context(read: &Context, conditions: &Conditions) -> ContextVector {
    ContextVector {
        regime: Some(regime(read.regime)),
        volatility_regime: Some(volatility(read.volatility_quintile)),
        session: Some(session(read.session)),
        atr_d1: Some(conditions.atr_slow),
        atr_h1: Some(conditions.atr_fast),
        spread_as_atr_pct: Some(conditions.spread_over_atr),
        drawdown_pct: Some(conditions.drawdown),
        price: Some(conditions.price),
    }
}

/// Translates the regime into OWM's words.
pub const fn regime(regime: Regime) -> context::Regime {
    match regime {
        Regime::TrendingUp => context::Regime::TrendingUp,
        Regime::TrendingDown => context::Regime::TrendingDown,
        Regime::RangeBound => context::Regime::Ranging,
        Regime::Volatile => context::Regime::Volatile,
    }
}

/// The same, back.
pub(super) const fn regime_of(regime: context::Regime) -> Regime {
    match regime {
        context::Regime::TrendingUp => Regime::TrendingUp,
        context::Regime::TrendingDown => Regime::TrendingDown,
        context::Regime::Ranging => Regime::RangeBound,
        context::Regime::Volatile => Regime::Volatile,
    }
}

/// Bins quintiles into four words for volatility (1 low, 2 and 3 normal, 4 high, 5 extreme). Our choice: the digest has four words for it
/// and no bounds.
pub const fn volatility(quintile: u8) -> VolatilityRegime {
    match quintile {
        0 | 1 => VolatilityRegime::Low,
        2 | 3 => VolatilityRegime::Normal,
        4 => VolatilityRegime::High,
        _ => VolatilityRegime::Extreme,
    }
}

/// The regime of a band; claims of other architectures name bands. Calm is quintiles 1 and 2, and wild 4 and 5, each a tie of two
/// regimes. Our choice: low and high, the words nearest to calm and wild.
pub(super) const fn volatility_of_band(band: VolatilityBand) -> VolatilityRegime {
    match band {
        VolatilityBand::Calm => VolatilityRegime::Low,
        VolatilityBand::Middling => VolatilityRegime::Normal,
        VolatilityBand::Wild => VolatilityRegime::High,
    }
}

/// Translates the trading session into OWM's words (Europe is London, America New York).
pub const fn session(session: Session) -> context::Session {
    match session {
        Session::Asia => context::Session::Asia,
        Session::Europe => context::Session::London,
        Session::America => context::Session::Newyork,
    }
}

/// The same, back; the market doesn't distinguish the overlap from the American hours.
pub(super) const fn session_of(session: context::Session) -> Session {
    match session {
        context::Session::Asia => Session::Asia,
        context::Session::London => Session::Europe,
        context::Session::Newyork | context::Session::Overlap => Session::America,
    }
}

/// An episode as OWM stores it, made and held for so many seconds.
pub(super) fn memory(
    episode: &Episode,
    id: u64,
    pnl_r: Option<f64>,
    (made_s, hold_s): (f64, f64),
    confidence: f64,
) -> EpisodicMemory {
    let open = episode.chain.iter().map(|step| step.r);
    let domain = domain(episode.strategy, episode.asset);
    let direction = match episode.side {
        PositionSide::Long | PositionSide::Liquidity => Direction::Long,
        PositionSide::Short => Direction::Short,
    };
    EpisodicMemory {
        made_s: Some(made_s),
        context: context(&episode.context, &episode.conditions),
        lots: pnl_r.map(|_| episode.stake.dollars()),
        pnl: pnl_r.map(|_| episode.pnl.dollars()),
        pnl_r,
        hold_s: pnl_r.map(|_| hold_s),
        max_adverse_excursion: pnl_r.map(|_| open.fold(0.0, f64::min)),
        confidence: Some(confidence),
        ..EpisodicMemory::decided(id, domain, direction, episode.conditions.price)
    }
}

/// Whether a trade went with the observed direction of the market (1), against it (−1), or there was none (0).
pub(super) fn followed(episode: &Episode) -> f64 {
    let market = match episode.context.regime {
        Regime::TrendingUp => 1.0,
        Regime::TrendingDown => -1.0,
        Regime::RangeBound | Regime::Volatile => 0.0,
    };
    market * episode.side.sign()
}
