//! The state of mind (digest section 8): trust in oneself, appetite for risk, momentum, drawdown, streaks.

use super::score::{Mood, sigmoid};
use morta_base::keys;
use serde::{Deserialize, Serialize};

keys! {
    /// How the state of mind moves.
    pub struct AffectConfig {
        /// Share of a new signal in confidence and momentum.
        learning_rate: f64 = 0.1, in 0.0..=1.0, "share";
        /// R that a strategy is expected to make.
        expected_r: f64 = 1.0, in -100.0..=100.0, "R";
        /// Least size of it that outcomes are divided by.
        least_expected_r: f64 = 0.1, in 1e-6..=100.0, "R";
        /// Largest drawdown that is tolerated.
        max_drawdown: f64 = 0.2, in 0.001..=1.0, "share";
        /// Least appetite for risk.
        least_appetite: f64 = 0.1, in 0.0..=1.0, "factor";
        /// Moments that are kept; the oldest leaves.
        history: u32 = 100, in 0..=1_000_000, "moments";
    }
}

impl AffectConfig {
    /// Appetite for risk in a drawdown (a share of the peak): max(least, 1 − (dd/max_dd)²).
    pub fn risk_appetite(&self, drawdown: f64) -> f64 {
        let ratio = drawdown / self.max_drawdown;
        (1.0 - ratio * ratio).max(self.least_appetite)
    }

    /// Confidence after an outcome of a strategy that is expected to make so much; the usual where none is known.
    pub fn confidence_after(&self, confidence: f64, r: f64, expected_r: Option<f64>) -> f64 {
        let expected = expected_r.unwrap_or(self.expected_r).abs().max(self.least_expected_r);
        (1.0 - self.learning_rate) * confidence + self.learning_rate * sigmoid(r / expected)
    }

    /// A drawdown as a share of the largest that is tolerated, 0 to 1.
    pub fn drawdown_state(&self, drawdown: f64) -> f64 {
        (drawdown / self.max_drawdown).min(1.0)
    }
}

/// A moment of the state of mind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffectMoment {
    /// When, in seconds.
    pub timestamp_s: f64,
    /// Trust in oneself.
    pub confidence: f64,
    /// Appetite for risk.
    pub risk_appetite: f64,
    /// Equity then.
    pub equity: f64,
}

/// The state of mind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffectiveState {
    /// Trust in oneself, 0 to 1.
    pub confidence: f64,
    /// Appetite for risk, 0 to 1.
    pub risk_appetite: f64,
    /// Whether trades have gone with the market's last move (towards 1) or against it (towards −1).
    pub momentum_bias: f64,
    /// Highest equity so far.
    pub peak_equity: f64,
    /// Equity as last told.
    pub current_equity: f64,
    /// Drawdown as a share of the largest that is tolerated, 0 to 1.
    pub drawdown_state: f64,
    /// Gains in a row.
    pub consecutive_wins: u32,
    /// Other outcomes in a row.
    pub consecutive_losses: u32,
    /// When it last changed, in seconds.
    pub updated_s: f64,
    /// How it came here, oldest first.
    pub history: Vec<AffectMoment>,
}

impl AffectiveState {
    /// Somebody who has lived nothing yet, with an equity.
    pub const fn new(equity: f64, now_s: f64) -> Self {
        Self {
            confidence: 0.5,
            risk_appetite: 1.0,
            momentum_bias: 0.0,
            peak_equity: equity,
            current_equity: equity,
            drawdown_state: 0.0,
            consecutive_wins: 0,
            consecutive_losses: 0,
            updated_s: now_s,
            history: Vec::new(),
        }
    }

    /// Loss from the peak as a share of it; 0 without a peak.
    pub fn drawdown(&self) -> f64 {
        if self.peak_equity <= 0.0 {
            0.0
        } else {
            (self.peak_equity - self.current_equity) / self.peak_equity
        }
    }

    /// What recall looks at.
    pub const fn mood(&self) -> Mood {
        Mood { drawdown_state: self.drawdown_state, consecutive_losses: self.consecutive_losses }
    }

    /// A trade closed, with an outcome in R if known: confidence moves towards sigmoid(r/expected R), and streaks are counted; an unknown outcome
    /// changes nothing. `expected_r` is what its strategy is expected to make; the usual where none is known.
    pub fn on_outcome(&mut self, pnl_r: Option<f64>, expected_r: Option<f64>, config: &AffectConfig) {
        let Some(r) = pnl_r else { return };
        self.confidence = config.confidence_after(self.confidence, r, expected_r);
        if r > 0.0 {
            self.consecutive_wins = self.consecutive_wins.saturating_add(1);
            self.consecutive_losses = 0;
        } else {
            self.consecutive_losses = self.consecutive_losses.saturating_add(1);
            self.consecutive_wins = 0;
        }
    }

    /// A trade closed before others that were counted already. Trust learns from it when it arrives; streaks are those of the latest trades, and stay.
    pub fn on_late_outcome(&mut self, pnl_r: Option<f64>, expected_r: Option<f64>, config: &AffectConfig) {
        if let Some(r) = pnl_r {
            self.confidence = config.confidence_after(self.confidence, r, expected_r);
        }
    }

    /// A trade followed the market's last move (1), opposed it (−1), or there was none (0).
    pub fn on_direction(&mut self, followed: f64, config: &AffectConfig) {
        let rate = config.learning_rate;
        self.momentum_bias = (1.0 - rate) * self.momentum_bias + rate * followed.clamp(-1.0, 1.0);
    }

    /// Equity was so much at a moment before the last one that is known: it may have been the peak.
    pub fn on_past_equity(&mut self, equity: f64, config: &AffectConfig) {
        self.peak_equity = self.peak_equity.max(equity);
        let drawdown = self.drawdown();
        self.risk_appetite = config.risk_appetite(drawdown);
        self.drawdown_state = config.drawdown_state(drawdown);
    }

    /// Equity is now so much.
    pub fn on_equity(&mut self, equity: f64, now_s: f64, config: &AffectConfig) {
        self.current_equity = equity;
        self.on_past_equity(equity, config);
        self.updated_s = now_s;
        let (confidence, risk_appetite) = (self.confidence, self.risk_appetite);
        self.history.push(AffectMoment { timestamp_s: now_s, confidence, risk_appetite, equity });
        let over = self.history.len().saturating_sub(config.history as usize);
        self.history.drain(..over);
    }
}
