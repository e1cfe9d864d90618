//! What time and repetition take away from the worth of a replay.

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
    /// The decay with the constant h, in ticks.
    pub fn with(self, h: f64) -> Decay {
        let per_tick = match self {
            Self::HalfLife => 1.0 / h,
            Self::EFold => std::f64::consts::LOG2_E / h,
        };
        Decay { halvings_per_tick: if h > 0.0 { per_tick } else { f64::INFINITY } }
    }
}

/// A decay with its constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decay {
    halvings_per_tick: f64,
}

impl Decay {
    /// What is left of 1 after `elapsed` ticks, in [0, 1]; 1 when nothing has elapsed. After a thousand halvings, or
    /// any time at a constant that isn't positive, what is left is as good as nothing (2^−1000). (Ruling 2.)
    #[inline(always)]
    pub fn left(self, elapsed: f64) -> f64 {
        exp2_neg(self.halvings(elapsed))
    }

    /// How often it halves in one tick.
    pub(crate) const fn per_tick(self) -> f64 {
        self.halvings_per_tick
    }

    /// How often it halves in that time.
    #[inline(always)]
    pub(crate) fn halvings(self, elapsed: f64) -> f64 {
        if elapsed > 0.0 { elapsed * self.halvings_per_tick } else { 0.0 }
    }
}

/// Ticks from `then` to `now`; 0 when `then` lies ahead, as it can for an inherited episode. Exact up to 2⁵³ ticks.
#[inline(always)]
pub fn elapsed(now: Tick, then: Tick) -> f64 {
    let ticks = now as f64 - then as f64;
    if ticks > 0.0 { ticks } else { 0.0 }
}

/// What earlier replays leave of the gain: decayⁿ, n = replays so far, decay in [0, 1]. Always taken from the stored
/// base, never compounded; 1 before the first replay. (Wilson & McNaughton 1994; ruling 1. Five replays at 0.85
/// leave 0.44, ten leave 0.20.)
pub fn replay_decay(decay: f64, replays: u32) -> f64 {
    if replays == 0 { 1.0 } else { math::pow(decay, f64::from(replays)) }
}

/// The first powers of the replay decay, each worked out when it is first asked for, since few episodes are replayed often.
#[derive(Clone, Debug)]
pub(crate) struct ReplayDecays {
    decay: f64,
    first: [OnceLock<f64>; TABULATED_REPLAYS],
}

/// Ten replays leave a fifth of the gain; more are rare.
const TABULATED_REPLAYS: usize = 16;

impl ReplayDecays {
    pub(crate) const fn new(decay: f64) -> Self {
        Self { decay, first: [const { OnceLock::new() }; TABULATED_REPLAYS] }
    }

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
