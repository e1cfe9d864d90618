//! Membership tests: whether an episode is among those that a mood prefers (mood-congruent memory).
//!
//! Results are in R, times in ticks, shares from 0 to 1. A test only says yes or no; the scorer multiplies the utility of a yes by
//! `bias_weight` (default 2). Scars and abstentions are episodes like others: they can be preferred, and count where a pair of strategy
//! and regime is rare. The tests read columns, because they run for every episode of a choice; the answer is that of double precision all
//! the same.

use super::PadBias;
use crate::episode::Grimoire;
use crate::episode::grimoire::Marks;
use crate::market::Regime;
use crate::replay::decay;
use crate::replay::legacy::Transfer;
use crate::replay::scale::{Scale, inverse, normalize};
use morta_base::Tick;

/// Result in R at or below which an episode is a warning: a trade that lost its whole stop is our reading of the spec's "warning".
const WARNING_R: f64 = -1.0;
/// Share of the buffer under which a pair of strategy and regime is novel. Our choice, for the spec's "exploratory / novel": about the
/// share of a pair where all pairs are alike, so a usual pair isn't novel.
const NOVELTY_SHARE: f64 = 0.05;
/// Normalised surprise below which a gain counts as known. Our choice, half of the scale: near either end nearly all gains or hardly any
/// would count.
const KNOWN_GOOD_SURPRISE: f64 = 0.5;
/// How long a failure is recent, in ticks. Our choice: a day of 40-second ticks, the default half-life of recency, so that "recent" means
/// one thing in replay.
const RECENT_TICKS: f64 = 2_160.0;
/// Transferability from which a despairing mood is drawn to an episode. Our choice: what holds in as many of the other regimes as it
/// doesn't; below that, an heir is more often misled than helped.
const TRANSFERABLE_SHARE: f64 = 0.5;

/// More than rounding to single precision changes in a share, which is at most 1: a share nearer than this to the threshold
/// is worked out again in double precision, so that the answer doesn't depend on the column's precision.
const ROUNDING: f64 = 1e-6;

/// The episodes of a Grimoire that a mood is drawn to: a filter, compiled once, over the column store.
#[derive(Clone, Debug)]
pub(crate) struct MoodPreference<'a> {
    /// The buffer whose slots are tested.
    grimoire: &'a Grimoire,
    /// What the mood is drawn to.
    object: Object<'a>,
}

#[derive(Clone, Debug)]
enum Object<'a> {
    /// Results at or below a number of R, and changes of regime: the "warning / regime_shift episodes" of the replay spec ("emotional
    /// modulation of replay selection").
    Warnings { shifts: &'a [bool] },
    /// Gains with less than a share of the greatest surprise: the spec's "known-good heuristics", read as gains that were
    /// expected.
    KnownGood { per_surprise: f64 },
    /// Losses of late.
    RecentLosses { now: Tick },
    /// Episodes of some kinds (strategy, regime, gain or loss), worked out once for all of a kind.
    Kinds([bool; Marks::KINDS]),
}

impl<'a> MoodPreference<'a> {
    /// Compiles the filter of a mood, with what it needs of the whole buffer computed once.
    pub(crate) fn for_bias(
        bias: PadBias,
        grimoire: &'a Grimoire,
        (now, regime): (Tick, Regime),
        scale: &Scale,
    ) -> Self {
        let object = match bias {
            PadBias::Anxious => Object::Warnings { shifts: grimoire.regime_shifts() },
            PadBias::Depleted => Object::KnownGood { per_surprise: inverse(scale.surprise) },
            PadBias::Hostile => Object::RecentLosses { now },
            PadBias::Confident => {
                let limit = NOVELTY_SHARE * grimoire.len() as f64;
                let results = grimoire.results();
                kinds(|(strategy, regime, _)| f64::from(results[strategy][regime].1) < limit)
            }
            PadBias::Despairing => {
                let transfer = Transfer::from_grimoire(grimoire);
                kinds(|(strategy, regime, gained)| {
                    transfer.of_kind(strategy, regime, gained) >= TRANSFERABLE_SHARE
                })
            }
            PadBias::Disdainful => kinds(|(_, lived, _)| lived != regime.index()),
        };
        Self { grimoire, object }
    }

    /// Whether the mood is drawn to an episode.
    pub(crate) fn is_to(&self, slot: usize) -> bool {
        let marks = self.grimoire.outline().marks()[slot];
        match &self.object {
            Object::Warnings { shifts } => {
                shifts[slot] || f64::from(self.grimoire.realised_r()[slot]) <= WARNING_R
            }
            Object::KnownGood { per_surprise } => {
                marks.gained() && {
                    let near = normalize(f64::from(self.grimoire.surprise()[slot]), *per_surprise);
                    // The record lies outside the columns and costs a cache miss, so it is read only where it can change the answer.
                    let share = if (near - KNOWN_GOOD_SURPRISE).abs() > ROUNDING {
                        near
                    } else {
                        normalize(self.grimoire.record(slot).surprise, *per_surprise)
                    };
                    share < KNOWN_GOOD_SURPRISE
                }
            }
            Object::RecentLosses { now } => {
                marks.lost() && decay::elapsed(*now, self.grimoire.closed()[slot]) <= RECENT_TICKS
            }
            Object::Kinds(kinds) => kinds[marks.kind()],
        }
    }

    /// The kinds of episodes, for a mood that goes by kinds alone; `None` for the others, which look at each episode.
    pub(crate) const fn by_kind(&self) -> Option<&[bool; Marks::KINDS]> {
        match &self.object {
            Object::Kinds(kinds) => Some(kinds),
            Object::Warnings { .. } | Object::KnownGood { .. } | Object::RecentLosses { .. } => None,
        }
    }
}

/// The kinds for which `holds` is true, by indices of strategy and regime and whether the episode gained.
fn kinds<'a>(holds: impl Fn((usize, usize, bool)) -> bool) -> Object<'a> {
    Object::Kinds(std::array::from_fn(|kind| Marks::split_kind(kind).is_some_and(&holds)))
}
