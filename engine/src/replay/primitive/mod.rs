//! Market primitives: the parts that situations are made of, so that a golem can prepare for a situation it hasn't met from parts it has
//! (Bakermans et al. 2025; replay spec, "compositional primitives"). The field's term is compositional generalisation. A set of primitives
//! is a bitmask; nothing here has a unit but the thresholds, which say theirs. They serve the combinational sessions of rich dreams, where
//! `imagination.unmet_situations` is on: each takes one situation never met (`unmet`) that no known claim names, if there is one, and a
//! model is asked how strategies would fare in it. Episodes are labelled here and counted in `ledger`; `transfer` puts the unmet together.

use crate::episode::{EpisodeKind, EpisodeRecord};
use crate::market::{GasClass, LiquidityClass, Regime, Strategy};
use morta_base::Tick;
use serde::{Deserialize, Serialize};
use std::fmt;

mod ledger;
mod transfer;

pub use ledger::PrimitiveLedger;
pub use transfer::unmet;

// The replay spec ("compositional primitives") names the primitives and leaves open how they are recognised; these are our choice, in the
// classes that a golem sees when it trades.

/// Volatility quintile from which a trend is a breakout: that of the wild band, by which a waking golem recognises it.
const BREAKOUT_QUINTILE: u8 = 4;
/// Volatility quintile from which a falling, thinning market is a cascade.
const CASCADE_QUINTILE: u8 = 5;
/// Gas above its prediction that counts as a spike, in bps of the prediction: five times the prediction, the factor of the replay spec's
/// perturbation ("perturbed replay").
const GAS_SPIKE_BPS: f64 = 40_000.0;
/// Most ticks between two episodes that are compared for a change of regime or of correlation: an hour of the spec's 40-second
/// ticks. Our choice: further apart, a difference says that time has passed and not that something changed.
const NEIGHBOUR_TICKS: Tick = 90;
/// Most primitives in a recombination: as many as in the replay spec's example (liquidity crisis + correlation shift + gas spike). Of eight
/// primitives there are 84 sets of two or three; sets of four would add 70 that no golem meets.
const MAX_RECOMBINED: u32 = 3;

/// A part that market situations are made of. The market generates shocks of the same eight, so that a primitive in an episode
/// can be traced to the shock behind it.
pub use crate::market::ShockKind as Primitive;

impl Primitive {
    /// Whether two different primitives may directly occur together: a symmetric compatibility relation. The spec's table is read both
    /// ways, because it lists most pairs on one side alone; gas spikes and regime changes go with everything. Partners that it names and
    /// doesn't define (recovering liquidity, compressed volatility, arbitrage) are left out; "momentum break" and "liquidation cascade"
    /// are read as the primitives of nearly that name.
    pub fn is_composable_with(self, other: Self) -> bool {
        self != other && (self.lists(other) || other.lists(self))
    }

    fn lists(self, other: Self) -> bool {
        match self {
            Self::GasSpike | Self::RegimeChange => true,
            Self::LiquidityCrisis => {
                matches!(other, Self::MomentumBreakout | Self::CascadingLiquidation)
            }
            Self::MomentumBreakout => matches!(other, Self::GasSpike | Self::CorrelationShift),
            Self::MeanReversion => false,
            Self::OracleDeviation => matches!(other, Self::CascadingLiquidation),
            Self::CascadingLiquidation => {
                matches!(other, Self::LiquidityCrisis | Self::CorrelationShift)
            }
            Self::CorrelationShift => matches!(other, Self::MomentumBreakout | Self::RegimeChange),
        }
    }
}

/// Some of the eight primitives, one bit each: a bitset (bitmask) of shock types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PrimitiveSet(u8);

impl PrimitiveSet {
    /// Adds one more primitive to the set (builder).
    #[must_use]
    pub const fn with(self, primitive: Primitive) -> Self {
        Self(self.0 | (1 << primitive as u8))
    }

    /// Whether the set contains a primitive.
    pub const fn contains(self, primitive: Primitive) -> bool {
        self.0 & (1 << primitive as u8) != 0
    }

    /// Whether it contains all of another's (a subset test).
    pub const fn includes(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Number of primitives in the set (cardinality).
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over its members, in the usual order.
    pub fn iter(self) -> impl Iterator<Item = Primitive> {
        Primitive::ALL.into_iter().filter(move |primitive| self.contains(*primitive))
    }

    /// Whether its members may occur together: each is linked to each other, directly or through members between them (graph connectivity).
    /// Direct links for all pairs would reject the replay spec's own example: a crisis and a correlation shift aren't listed as partners,
    /// but a gas spike goes with both. True of the empty set and of single primitives.
    pub fn is_composable(self) -> bool {
        let mut linked: Self = self.iter().take(1).collect();
        loop {
            let is_partner = |new: &Primitive| linked.iter().any(|known| known.is_composable_with(*new));
            let next = linked.iter().chain(self.iter().filter(is_partner)).collect();
            if next == linked {
                return linked == self;
            }
            linked = next;
        }
    }

    /// Every set of `low` to `high` members.
    pub(crate) fn of_sizes(low: u32, high: u32) -> impl Iterator<Item = Self> {
        (0..=u8::MAX).map(Self).filter(move |set| (low..=high).contains(&set.len()))
    }
}

impl FromIterator<Primitive> for PrimitiveSet {
    fn from_iter<I: IntoIterator<Item = Primitive>>(primitives: I) -> Self {
        primitives.into_iter().fold(Self::default(), Self::with)
    }
}

impl fmt::Display for PrimitiveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(|primitive| primitive.name().replace('_', " ")).collect();
        f.write_str(&names.join(" + "))
    }
}

/// Episodes before the one to be labelled, a context window for labelling. Those more than 90 ticks away are ignored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbours<'a> {
    /// The one before it on the same asset.
    pub before: Option<&'a EpisodeRecord>,
    /// The nearest before it on another asset.
    pub elsewhere: Option<&'a EpisodeRecord>,
}

/// Labels an episode with the primitives that it shows (multi-label classification), by fields that the golem itself could see:
///
/// - liquidity crisis: its class is that;
/// - momentum breakout: a trending regime in a high volatility quintile;
/// - mean reversion: the strategy of that name gained in a range;
/// - gas spike: its class is that, or gas came out far above its prediction;
/// - oracle deviation: a trade on it was taken;
/// - cascading liquidation: a falling or volatile regime in the highest quintile with thin liquidity or less;
/// - regime change: another regime than shortly before on the same asset;
/// - correlation shift: a trend against that of another asset at about the same time.
pub fn label(episode: &EpisodeRecord, neighbours: Neighbours<'_>) -> PrimitiveSet {
    let context = &episode.context;
    let is_trade = episode.kind == EpisodeKind::Trade;
    let gas_off = episode.verification.is_some_and(|v| v.gas_deviation_bps() >= GAS_SPIKE_BPS);
    let trends = matches!(context.regime, Regime::TrendingUp | Regime::TrendingDown);
    let breaks_down = matches!(context.regime, Regime::TrendingDown | Regime::Volatile);
    let is_near = |other: &&EpisodeRecord| episode.opened.abs_diff(other.opened) <= NEIGHBOUR_TICKS;
    let before = neighbours.before.filter(is_near);
    let elsewhere = neighbours.elsewhere.filter(is_near);
    let shows = |primitive: &Primitive| match primitive {
        Primitive::LiquidityCrisis => context.liquidity == LiquidityClass::Crisis,
        Primitive::MomentumBreakout => trends && context.volatility_quintile >= BREAKOUT_QUINTILE,
        Primitive::MeanReversion => {
            episode.strategy == Strategy::MeanReversion
                && context.regime == Regime::RangeBound
                && episode.realised_r > 0.0
        }
        Primitive::GasSpike => context.gas == GasClass::Spike || gas_off,
        Primitive::OracleDeviation => is_trade && episode.strategy == Strategy::OracleArbitrage,
        Primitive::CascadingLiquidation => {
            breaks_down
                && context.volatility_quintile >= CASCADE_QUINTILE
                && context.liquidity <= LiquidityClass::Thin
        }
        Primitive::RegimeChange => before.is_some_and(|other| other.context.regime != context.regime),
        Primitive::CorrelationShift => {
            elsewhere.is_some_and(|other| opposed(other.context.regime, context.regime))
        }
    };
    Primitive::ALL.into_iter().filter(shows).collect()
}

/// Whether one trends up and the other down.
fn opposed(a: Regime, b: Regime) -> bool {
    matches!((a, b), (Regime::TrendingUp, Regime::TrendingDown) | (Regime::TrendingDown, Regime::TrendingUp))
}
