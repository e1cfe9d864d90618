//! Decay of a replay's worth: with time (recency and spacing) and with repetition.
//!
//! left(Δ) = 2^(−Δ/h), Δ ticks elapsed, h the half-life in ticks. The replay spec names its constants half-lives and writes e^(−Δ/h);
//! ruling 2 takes the name at its word, so a half-life halves, and the literal form stays as [`DecayForm::EFold`]. Repetition multiplies
//! the gain by 0.85ⁿ after n replays ([`replay_decay`]). The defaults of h are 2,160 ticks for recency, a term of need, and 500 for
//! spacing, whose penalty the scorer weighs by `spacing_weight` (.5). Either form is an exponential decay (forgetting curve),
//! by a time constant or decay rate.

use crate::replay::exp2::exp2_neg;
use morta_base::{Tick, math};
use std::sync::OnceLock;

morta_base::words! {
    /// How a decay constant h is read.
    #[derive(Default)]
    pub enum DecayForm: Key {
        /// As a half-life: 2^(−Δ/h).
        #[default]
        HalfLife = "half-life",
        /// As a time constant: e^(−Δ/h), the replay spec's own form.
        EFold = "e-fold",
    }
}

impl DecayForm {
    /// Makes the exponential decay with the constant h, in ticks, read as a half-life or a time constant. The configuration refuses an h of
    /// 0 or less.
    pub fn with(self, h: f64) -> Decay {
        let per_tick = match self {
            Self::HalfLife => 1.0 / h,
            Self::EFold => std::f64::consts::LOG2_E / h,
        };
        Decay { halvings_per_tick: if h > 0.0 { per_tick } else { f64::INFINITY } }
    }
}

/// One decay constant, as halvings in a tick (an exponential decay rate), because 2^(−x) of whole columns is a polynomial here (`exp2`)
/// and e^(−x) isn't.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decay {
    /// 1/h for a half-life, log₂ e / h for a time constant; infinite where h isn't above 0.
    halvings_per_tick: f64,
}

impl Decay {
    /// The decay factor: the share left of 1 after `elapsed` ticks, in [0, 1]; 1 when nothing has elapsed. After a thousand halvings, and
    /// after any time at a constant that isn't positive, 2^−1000 is left.
    #[inline(always)]
    pub fn left(self, elapsed: f64) -> f64 {
        exp2_neg(self.halvings(elapsed))
    }

    /// Halvings in one tick.
    pub(crate) const fn per_tick(self) -> f64 {
        self.halvings_per_tick
    }

    /// Halvings in `elapsed` ticks; 0 for a moment ahead.
    #[inline(always)]
    pub(crate) fn halvings(self, elapsed: f64) -> f64 {
        if elapsed > 0.0 { elapsed * self.halvings_per_tick } else { 0.0 }
    }
}

/// Ticks from `then` to `now` (the age of a memory); 0 when `then` lies ahead: an inherited episode carries the ticks of its own life,
/// which may be later. Exact up to 2⁵³ ticks.
#[inline(always)]
pub fn elapsed(now: Tick, then: Tick) -> f64 {
    let ticks = now as f64 - then as f64;
    if ticks > 0.0 { ticks } else { 0.0 }
}

/// The share of the gain that n earlier replays leave: decayⁿ, n = replays so far, decay in [0, 1]; 1 before the first
/// replay. It is always worked out from the stored base gain, because the spec's routine, applied after each replay to a gain
/// that is decayed already, would compound to decay^(n(n+1)/2) (ruling 1). Five replays at 0.85 leave 0.44 and ten leave 0.20,
/// not the "near zero" that the spec promises. (Wilson & McNaughton 1994.) A diminishing returns factor (habituation by repetition).
pub fn replay_decay(decay: f64, replays: u32) -> f64 {
    if replays == 0 { 1.0 } else { math::pow(decay, f64::from(replays)) }
}

/// The first powers of the replay decay. Each is worked out at its first use: few episodes are replayed often.
#[derive(Clone, Debug)]
pub(crate) struct ReplayDecays {
    /// The share that one replay leaves of the gain.
    decay: f64,
    /// decayⁿ by n, filled in at first use.
    first: [OnceLock<f64>; TABULATED_REPLAYS],
}

/// At the default of 0.85, sixteen replays leave 7 % of the gain; an episode that was replayed more often is rare, and takes
/// the formula.
const TABULATED_REPLAYS: usize = 16;

impl ReplayDecays {
    /// An empty table of powers, which are computed on demand (memoization).
    pub(crate) const fn new(decay: f64) -> Self {
        Self { decay, first: [const { OnceLock::new() }; TABULATED_REPLAYS] }
    }

    /// The share that so many replays leave of the gain: a cached power.
    #[inline(always)]
    pub(crate) fn after(&self, replays: u32) -> f64 {
        match self.first.get(replays as usize) {
            Some(known) => *known.get_or_init(|| replay_decay(self.decay, replays)),
            None => replay_decay(self.decay, replays),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_continues_into_the_formula() {
        let decays = ReplayDecays::new(0.97);
        for n in [0, 1, 15, 16, 17, 500] {
            assert_eq!(decays.after(n), replay_decay(0.97, n), "{n}");
        }
    }
}
