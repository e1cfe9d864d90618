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
    /// Dreams that began, and of these: drawn by a mood, about confusion, turned to a legacy, of a very unsure golem.
    begun: u64,
    drawn: u64,
    confused: u64,
    turned: u64,
    unsure: u64,
    /// Sum of intensities.
    intensity: f64,
    /// Dreams that were completed, and sums over these.
    completed: u64,
    depotentiated: u64,
    ticks: u64,
    cost: Usdc,
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

    fn share(&self, count: u64) -> Option<f64> {
        (self.begun > 0).then(|| count as f64 / self.begun as f64)
    }

    fn mean(&self, sum: f64) -> Option<f64> {
        (self.completed > 0).then(|| sum / self.completed as f64)
    }

    /// Share of dreams whose choice of episodes was biased by a mood (mood-congruent replay share).
    pub(crate) fn drawn_share(&self) -> Option<f64> {
        self.share(self.drawn)
    }

    /// Share of dreams in the mode that replays confusing episodes (confusion replay share).
    pub(crate) fn confused_share(&self) -> Option<f64> {
        self.share(self.confused)
    }

    /// The share of dreams whose golem had begun to prepare its legacy.
    pub fn legacy_share(&self) -> Option<f64> {
        self.share(self.turned)
    }

    /// The share of dreams whose golem was very unsure of its predictions.
    pub(crate) fn unsure_share(&self) -> Option<f64> {
        self.share(self.unsure)
    }

    /// The mean intensity with which dreams began; 1 without any pressure of the clocks.
    pub fn intensity(&self) -> Option<f64> {
        (self.begun > 0).then(|| self.intensity / self.begun as f64)
    }

    /// The mean number of episodes that a completed dream depotentiated.
    pub fn depotentiated(&self) -> Option<f64> {
        self.mean(self.depotentiated as f64)
    }

    /// The mean duration of a completed dream, in ticks.
    pub fn ticks(&self) -> Option<f64> {
        self.mean(self.ticks as f64)
    }

    /// The mean cost of a completed dream, in dollars.
    pub fn cost(&self) -> Option<f64> {
        self.mean(self.cost.dollars())
    }
}
