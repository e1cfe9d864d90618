//! The mood: a running mean of feelings (digest section 10). The own mood m ← d·m + (1 − d)·i·p for a feeling p of intensity i, d = .95
//! (`daimon.mood_decay_rate`). Coordinates run from −1 to 1. The mood is an exponential moving average of emotions, as in layered models of
//! affect: emotions are short, a mood is slow. In mode `residual` each coordinate has a learning rate of its own, higher after losses. It
//! steps by felt happenings and by memories that come back (in mode `tick` by waking ticks instead); between them personality and grief
//! draw it. Its caught part is kept apart from its own, because siblings must catch the own part alone.

use crate::daimon::{Appraisal, Pad};
use morta_base::keys;
use serde::{Deserialize, Serialize};

keys! {
    /// The `[daimon.residual]` table: rates by which moods follow what was felt when `daimon.mode` is `residual`.
    pub struct ResidualRates {
        /// Rate of pleasure.
        pleasure: f64 = 0.15, in 0.0..=1.0, "share";
        /// Rate of arousal.
        arousal: f64 = 0.20, in 0.0..=1.0, "share";
        /// Rate of dominance.
        dominance: f64 = 0.08, in 0.0..=1.0, "share";
        /// How much faster all three are for losses; a rate is never above 1.
        loss_factor: f64 = 1.6, in 0.0..=10.0, "factor";
    }
}

/// A golem's own mood, a slow affective state (an exponential moving average of emotions), and the one it has caught from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mood {
    own: Pad,
    caught: Pad,
}

impl Mood {
    /// The initial mood: a mood at the given baseline, with nothing caught.
    pub fn new(own: Pad) -> Self {
        Self { own, caught: Pad::default() }
    }

    /// The sum of its own mood and the caught one, clamped to −1 to 1.
    pub fn pad(&self) -> Pad {
        self.own.plus(self.caught)
    }

    /// Its own mood, which emotional contagion transmits. Others can catch this alone, so that a caught mood doesn't echo.
    pub fn own(&self) -> Pad {
        self.own
    }

    /// The mood caught from others, by emotional contagion.
    pub fn caught(&self) -> Pad {
        self.caught
    }

    pub(super) fn set_caught(&mut self, caught: Pad) {
        self.caught = caught;
    }

    /// Moves the mood in the event form (modes `rule` and `chain`): mood ← d·mood + (1 − d)·PAD·intensity, d = .95 (exponential moving
    /// average).
    pub fn feel(&mut self, felt: &Appraisal, keep: f64) {
        self.own = self.own.towards(felt.pad.scaled(felt.intensity), 1.0 - keep);
    }

    /// Moves the mood in the residual form (mode `residual`): every coordinate follows PAD·intensity at its own rate, faster after losses
    /// (a delta rule, loss aversion).
    pub fn follow(&mut self, felt: &Appraisal, is_loss: bool, rates: &ResidualRates) {
        let faster = if is_loss { rates.loss_factor } else { 1.0 };
        let (old, goal) = (self.own, felt.pad.scaled(felt.intensity));
        let step = |from: f64, to: f64, rate: f64| from + (rate * faster).min(1.0) * (to - from);
        self.own = Pad::new(
            step(old.pleasure, goal.pleasure, rates.pleasure),
            step(old.arousal, goal.arousal, rates.arousal),
            step(old.dominance, goal.dominance, rates.dominance),
        );
    }

    /// Draws it towards a point by a share, a linear interpolation: personality, grief, or the appraisal of a tick (share .1).
    pub fn draw_towards(&mut self, point: Pad, share: f64) {
        self.own = self.own.towards(point, share);
    }
}
