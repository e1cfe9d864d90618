//! The state of golems when they dream, and the effect of dreams on it: checks for experiments on affect, clocks and modes of replay. An
//! arm that switches such a mechanism on and has 0 here has shown nothing about it. They are manipulation checks. Shares are 0 to 1 of
//! dreams; costs are USDC, durations ticks. State is counted at the beginning of every dream, cost and duration only of completed ones.
//! They come before any conclusion, because a mechanism that never acted can't have an effect. Where dreams are off, as by default, all of
//! them are missing.

use morta_base::Usdc;
use morta_engine::dream::DreamOrder;
use morta_engine::event::{DreamMind, DreamResult};
use morta_engine::replay::{ReplayMode, Uncertainty};

/// Adds up the statistics of a cohort's dreams.
#[derive(Clone, Debug, Default)]
pub struct Minds {
    /// Dreams that began, and of these: drawn by a mood (mood-congruent replay), in the mode that replays confusing episodes, of golems that
    /// had begun to prepare their legacy, of golems that were very unsure of their predictions.
    pub begun: u64,
    pub drawn: u64,
    pub confused: u64,
    pub turned: u64,
    pub unsure: u64,
    /// Sum of the intensities with which dreams began; 1 each without any pressure of the clocks.
    pub intensity: f64,
    /// Dreams that were completed, and sums over these.
    pub completed: u64,
    pub depotentiated: u64,
    pub ticks: u64,
    pub cost: Usdc,
}

impl Minds {
    /// Takes in the beginning of a dream.
    pub fn began(&mut self, order: &DreamOrder, mind: &DreamMind) {
        self.begun += 1;
        self.drawn += u64::from(mind.bias.is_some());
        self.confused += u64::from(mind.mode == ReplayMode::Confused);
        self.turned += u64::from(mind.legacy > 0.0);
        self.unsure += u64::from(order.uncertainty == Uncertainty::High);
        self.intensity += order.dream_intensity;
    }

    /// Takes in a dream that was completed.
    pub fn completed(&mut self, result: &DreamResult, ticks: u64, cost: Usdc) {
        self.completed += 1;
        self.depotentiated += u64::from(result.episodes_depotentiated);
        self.ticks += ticks;
        self.cost += cost;
    }
}
