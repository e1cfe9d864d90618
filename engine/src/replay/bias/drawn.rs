//! Membership tests: whether an episode is among those that a mood prefers (mood-congruent memory).
//!
//! Results are in R, times in ticks, shares from 0 to 1. The tests read columns, because they run for every episode of a choice; the answer
//! is that of double precision all the same.

use super::PadBias;
use crate::episode::Grimoire;
use crate::episode::grimoire::Marks;
use crate::market::Regime;
use crate::replay::legacy::Transfer;
use crate::replay::scale::{Scale, inverse, normalize};
use crate::replay::{ReplayConfig, decay};
use morta_base::Tick;

/// More than rounding to single precision changes in a share, which is at most 1: a share nearer than this to the threshold
/// is worked out again in double precision, so that the answer doesn't depend on the column's precision.
const ROUNDING: f64 = 1e-6;

/// The episodes of a Grimoire that a mood is drawn to. A compiled predicate (filter) over the column store.
#[derive(Clone, Debug)]
pub(crate) struct MoodPreference<'a> {
    grimoire: &'a Grimoire,
    object: Object<'a>,
}

#[derive(Clone, Debug)]
enum Object<'a> {
    /// Results at or below a number of R, and changes of regime: the "warning / regime_shift episodes" of the replay spec ("emotional
    /// modulation of replay selection").
    Warnings { shifts: &'a [bool], warning_r: f64 },
    /// Gains with less than a share of the greatest surprise: the spec's "known-good heuristics", read as gains that were
    /// expected.
    KnownGood { per_surprise: f64, below: f64 },
    /// Losses within the last so many ticks.
    RecentLosses { now: Tick, ticks: f64 },
    /// Episodes of some kinds (strategy, regime, gain or loss), worked out once for all of a kind.
    Kinds([bool; Marks::KINDS]),
}

impl<'a> MoodPreference<'a> {
    pub(crate) fn for_bias(
        bias: PadBias,
        grimoire: &'a Grimoire,
        (now, regime): (Tick, Regime),
        scale: &Scale,
        config: &ReplayConfig,
    ) -> Self {
        let mood = &config.mood;
        let object = match bias {
            PadBias::Anxious => {
                Object::Warnings { shifts: grimoire.regime_shifts(), warning_r: mood.warning_r }
            }
            PadBias::Depleted => {
                Object::KnownGood { per_surprise: inverse(scale.surprise), below: mood.known_good_surprise }
            }
            PadBias::Hostile => Object::RecentLosses { now, ticks: mood.recent_ticks as f64 },
            PadBias::Confident => {
                let limit = mood.novelty_share * grimoire.len() as f64;
                let results = grimoire.results();
                kinds(|(strategy, regime, _)| f64::from(results[strategy][regime].1) < limit)
            }
            PadBias::Despairing => {
                let transfer = Transfer::from_grimoire(grimoire, &config.legacy);
                let least = config.legacy.transferable_share;
                kinds(|(strategy, regime, gained)| transfer.of_kind(strategy, regime, gained) >= least)
            }
            PadBias::Disdainful => kinds(|(_, lived, _)| lived != regime.index()),
        };
        Self { grimoire, object }
    }

    /// Whether the mood is drawn to an episode.
    pub(crate) fn is_to(&self, slot: usize) -> bool {
        let marks = self.grimoire.outline().marks()[slot];
        match &self.object {
            Object::Warnings { shifts, warning_r } => {
                shifts[slot] || f64::from(self.grimoire.realised_r()[slot]) <= *warning_r
            }
            Object::KnownGood { per_surprise, below } => {
                marks.gained() && {
                    let near = normalize(f64::from(self.grimoire.surprise()[slot]), *per_surprise);
                    // The record lies outside the columns and costs a cache miss, so it is read only where it can change the answer.
                    let share = if (near - below).abs() > ROUNDING {
                        near
                    } else {
                        normalize(self.grimoire.record(slot).surprise, *per_surprise)
                    };
                    share < *below
                }
            }
            Object::RecentLosses { now, ticks } => {
                marks.lost() && decay::elapsed(*now, self.grimoire.closed()[slot]) <= *ticks
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
