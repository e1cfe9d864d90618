//! What time and repetition take away from the worth of a replay.

use crate::base::{Tick, math};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a decay constant h is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DecayForm {
    /// As a half-life: 2^(−Δ/h).
    #[default]
    HalfLife,
    /// As a time constant: e^(−Δ/h), the replay spec's own form.
    EFold,
}

impl DecayForm {
    /// What is left of 1 after `elapsed` ticks at the constant h, in [0, 1]; 1 when nothing has elapsed. A constant
    /// that isn't positive leaves nothing after that. (Ruling 2.)
    pub fn left(self, elapsed: f64, h: f64) -> f64 {
        match self {
            Self::HalfLife => math::half_life_decay(elapsed, h),
            Self::EFold if elapsed <= 0.0 => 1.0,
            Self::EFold if h <= 0.0 => 0.0,
            Self::EFold => math::exp(-elapsed / h),
        }
    }
}

/// Ticks from `then` to `now`; 0 when `then` lies ahead, as it can for an inherited episode.
pub(crate) fn elapsed(now: Tick, then: Tick) -> f64 {
    now.saturating_sub(then) as f64
}

/// What earlier replays leave of the gain: decayⁿ, n = replays so far, decay in [0, 1]. Always taken from the stored
/// base, never compounded; 1 before the first replay. (Wilson & McNaughton 1994; ruling 1. Five replays at 0.85
/// leave 0.44, ten leave 0.20.)
pub fn replay_decay(decay: f64, replays: u32) -> f64 {
    if replays == 0 { 1.0 } else { math::pow(decay, f64::from(replays)) }
}

/// The first powers of the replay decay, since few episodes are replayed often.
#[derive(Clone, Debug)]
pub(crate) struct ReplayDecays {
    decay: f64,
    first: Vec<f64>,
}

const TABULATED_REPLAYS: u32 = 64;

impl ReplayDecays {
    pub(crate) fn new(decay: f64) -> Self {
        Self { decay, first: (0..TABULATED_REPLAYS).map(|n| replay_decay(decay, n)).collect() }
    }

    pub(crate) fn after(&self, replays: u32) -> f64 {
        match self.first.get(replays as usize) {
            Some(&known) => known,
            None => replay_decay(self.decay, replays),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_at_known_points() {
        for (form, elapsed, h, expected) in [
            (DecayForm::HalfLife, 500.0, 500.0, 0.5),
            (DecayForm::HalfLife, 4_320.0, 2_160.0, 0.25),
            (DecayForm::EFold, 500.0, 500.0, 0.367_879_441_171_442_33),
            (DecayForm::EFold, 0.0, 0.0, 1.0),
            (DecayForm::EFold, 1.0, 0.0, 0.0),
        ] {
            let found = form.left(elapsed, h);
            assert!((found - expected).abs() < 1e-15, "{form:?} {elapsed} {h}: {found}");
        }
    }

    /// 0.85⁵ and 0.85¹⁰, as the digest has them.
    #[test]
    fn five_replays_leave_0_44_and_ten_0_20() {
        assert!((replay_decay(0.85, 5) - 0.443_705_312_5).abs() < 1e-12);
        assert!((replay_decay(0.85, 10) - 0.196_874_404_3).abs() < 1e-9);
        assert_eq!((replay_decay(0.85, 0), replay_decay(0.0, 0), replay_decay(0.0, 1)), (1.0, 1.0, 0.0));
    }

    #[test]
    fn the_table_continues_into_the_formula() {
        let decays = ReplayDecays::new(0.97);
        for n in [0, 1, 63, 64, 65, 500] {
            assert_eq!(decays.after(n), replay_decay(0.97, n), "{n}");
        }
    }
}
