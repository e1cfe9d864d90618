//! A claim: the worth of a strategy in some circumstances, in R (a hypothesis about conditional expected return). Lessons, hypotheses and
//! rules are all claims; they differ in how far they are trusted. One type for all of them, so that whatever becomes a rule passes the same
//! tests and the same gate.
//!
//! A claim about worth says an expected R a trade, net of costs. One about size says by how much growth (log utility, Kelly criterion) half
//! or twice the stake adds, also in R a trade. Its category is its kind: entry, exit or sequence (worth), stake or guard (position sizing).
//! Which kinds are tested at all is `dream.consolidation.kinds` (stakes aren't by default). A claim carries no confidence: that is a
//! belief's. `ClaimKind` is its type, as entry and exit are of a trading rule.

use crate::episode::{Context, ContextPattern};
use crate::market::Strategy;
use morta_base::math;
use serde::{Deserialize, Serialize};
use std::fmt;

morta_base::words! {
    /// What a claim is about.
    pub enum ClaimKind: Key {
        /// Opening a position.
        Entry = "entry",
        /// Staying in one that is held, or leaving it.
        Exit = "exit",
        /// Opening a position after another one, by what came of that.
        Sequence = "sequence",
        /// How much to put into a position.
        Stake = "stake",
        /// What a position must be guarded against.
        Guard = "guard",
    }
}

impl ClaimKind {
    /// Whether such claims are about the worth of a trade (its expected value), and so may move its expectation; the others are about its
    /// size. Size claims change position sizing only.
    pub(crate) const fn is_about_worth(self) -> bool {
        matches!(self, Self::Entry | Self::Exit | Self::Sequence)
    }
}

morta_base::words! {
    /// The stake of a position, as a multiple of the usual one. A position sizing class: half, usual or double size.
    pub enum Stake {
        /// Half of it.
        Half = "half",
        /// Twice as much.
        Double = "double",
    }
}

impl Stake {
    /// The multiple of the usual stake, in position sizing. One step each way: finer ones would take more trades to tell apart than a life
    /// has.
    pub const fn multiple(self) -> f64 {
        match self {
            Self::Half => 0.5,
            Self::Double => 2.0,
        }
    }

    /// The logarithmic growth (log utility, Kelly criterion) that this stake, in place of the usual one, adds by a trade of `r` R, in R:
    /// with f the share of all money that is usually at risk, and m the multiple,
    ///
    /// (ln(1 + m·f·r) − ln(1 + f·r)) / f
    ///
    /// (Kelly 1956). About (m − 1)·r where f is small, less the cost of spread. A loss that leaves less than a hundredth of the money
    /// counts as leaving a hundredth, because the logarithm of nothing would outweigh every other trade.
    pub fn growth_r(self, r: f64, usual_risk: f64) -> f64 {
        const LEAST_LEFT: f64 = 0.01;
        let growth = |share: f64| math::ln((1.0 + share * r).max(LEAST_LEFT));
        (growth(self.multiple() * usual_risk) - growth(usual_risk)) / usual_risk
    }
}

/// The matter of a claim, its target variable: worth, size or danger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matter {
    /// The worth of a trade.
    #[default]
    Worth,
    /// The stake to put into it.
    Stake(Stake),
    /// The danger of a large loss.
    Guard,
}

/// A hypothesis, or if-then rule of condition, action and expected reward: in these circumstances this strategy makes about this much, or
/// deserves such a stake, or must be guarded against.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The strategy.
    pub strategy: Strategy,
    /// The circumstances.
    pub pattern: ContextPattern,
    /// Worth, size or danger.
    pub matter: Matter,
    /// Expected R-multiple a trade, net of costs; for a position that is held, the addition of staying in, less the value of its ticks; for
    /// a stake, its addition to growth, a trade.
    pub expected_r: f64,
}

impl Claim {
    /// Makes a claim about the worth of a trade: a hypothesis about its expected return.
    pub const fn of_worth(strategy: Strategy, pattern: ContextPattern, expected_r: f64) -> Self {
        Self { strategy, pattern, matter: Matter::Worth, expected_r }
    }

    /// Makes a guard against the loss that this one expects; its R is the part of it that half the stake saves. The guard is a warning on
    /// the same subject (a tail risk hedge), judged by log growth.
    pub fn as_guard(self, usual_risk: f64) -> Self {
        Self { matter: Matter::Guard, expected_r: Stake::Half.growth_r(self.expected_r, usual_risk), ..self }
    }

    /// Its kind, by matter and circumstances: a held position makes an exit claim, a trade before a sequence.
    pub const fn kind(&self) -> ClaimKind {
        match (self.matter, &self.pattern.held, &self.pattern.after) {
            (Matter::Stake(_), ..) => ClaimKind::Stake,
            (Matter::Guard, ..) => ClaimKind::Guard,
            (Matter::Worth, Some(_), _) => ClaimKind::Exit,
            (Matter::Worth, None, Some(_)) => ClaimKind::Sequence,
            (Matter::Worth, None, None) => ClaimKind::Entry,
        }
    }

    /// Whether two claims have the same strategy, circumstances and matter, whatever their R: the key for deduplication of claims.
    pub fn same_subject(&self, other: &Self) -> bool {
        self.strategy == other.strategy && self.pattern == other.pattern && self.matter == other.matter
    }

    /// Whether two claims differ in size alone: one subject, one direction (a duplicate hypothesis).
    pub(crate) fn restates(&self, other: &Self) -> bool {
        self.same_subject(other) && self.agrees_with(other)
    }

    /// Whether two claims point the same way, be it gain or loss. A claim of exactly 0 counts as loss.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        (self.expected_r > 0.0) == (other.expected_r > 0.0)
    }

    /// Similarity of two claims, 0 to 1: 0 when they point in opposite directions, else the cosine of their features, that is
    /// shared / √(a·b) where a claim's features are its strategy and the circumstances it names.
    ///
    /// A regime and one further circumstance against the regime alone is 2/√6 = .82, two further ones against one 3/√12 =
    /// .87: with the specs' limit of .85 (digest section 5) the second pair counts as one.
    ///
    /// Claims of different kinds have nothing in common. Cosine similarity of two binary feature sets. It serves deduplication with three
    /// limits of their own (the staging gate's, the Curator's merging, the Lethe's draws), and novelty at admission and at onset.
    pub fn similarity(&self, other: &Self) -> f64 {
        if !self.agrees_with(other) || self.kind() != other.kind() || self.matter != other.matter {
            return 0.0;
        }
        let (a, b) = (&self.pattern, &other.pattern);
        let features = u32::from(self.strategy == other.strategy) + a.shared(b);
        let (of_a, of_b) = (1 + a.specificity(), 1 + b.specificity());
        f64::from(features) / f64::from(of_a * of_b).sqrt()
    }

    /// Whether the claim is about such a decision: rule matching of action and precondition.
    pub fn applies(&self, strategy: Strategy, context: &Context) -> bool {
        self.strategy == strategy && self.pattern.matches(context)
    }

    /// Whether an outcome confirms the claim (hypothesis testing): for a claim of gain the trade made at least `margin_r`, for a claim of
    /// loss it made less than that. Without a margin, a coin toss would promote half of all claims of gain.
    pub fn is_confirmed_by(&self, realised_r: f64, margin_r: f64) -> bool {
        (realised_r >= margin_r) == (self.expected_r > 0.0)
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match (self.kind(), self.expected_r > 0.0) {
            (ClaimKind::Entry | ClaimKind::Sequence, true) => "favour",
            (ClaimKind::Entry | ClaimKind::Sequence, false) => "avoid",
            (ClaimKind::Exit, true) => "stay in",
            (ClaimKind::Exit, false) => "leave",
            (ClaimKind::Guard, _) => "guard against",
            (ClaimKind::Stake, _) => match self.matter {
                Matter::Stake(Stake::Double) => "put twice as much into",
                _ => "put half as much into",
            },
        };
        let where_or_when = if self.kind() == ClaimKind::Exit { "when" } else { "in" };
        write!(
            f,
            "{verb} {} {where_or_when} {}: {:+.2} R",
            self.strategy.name().replace('_', " "),
            self.pattern,
            self.expected_r
        )
    }
}
