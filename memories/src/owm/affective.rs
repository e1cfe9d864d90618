//! The affective (emotional) state and its parameters (digest section 8): confidence, risk appetite, momentum bias, drawdown and streaks.
//! Confidence and risk appetite are 0 to 1, momentum bias is −1 to 1, the drawdown is a share of the peak equity (high-water mark). Risk
//! appetite is a factor of the Kelly stake; drawdown and losing streak bend recall (`Mood`); confidence is stored with new episodes by the
//! golem's memory. Momentum bias is only reported. `super::Mind` calls `on_outcome` for each closed trade with a known R, or
//! `on_late_outcome` for a late one; the tools' validation keeps a state for each owner and calls it directly. Equity (a golem's after each
//! close, else hourly by its memory's clock) and direction are reported by the caller. Confidence is an exponential moving average
//! (learning rate .1 by default): without it one trade could swing the confidence of later episodes from 0 to 1. The state also holds
//! `current_equity`, `peak_equity`, `consecutive_wins` and `consecutive_losses`; the keys name `learning_rate`, `max_drawdown` and
//! `least_appetite`.

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
    /// Risk appetite in a drawdown dd, a share of the peak: max(least, 1 − (dd/max_dd)²). The document's text calls it concave and convex;
    /// the formula decides, and it is concave (ruling C-12).
    pub fn risk_appetite(&self, drawdown: f64) -> f64 {
        let ratio = drawdown / self.max_drawdown;
        (1.0 - ratio * ratio).max(self.least_appetite)
    }

    /// Confidence after an outcome of `r`: an exponential moving average towards sigmoid(r/expected R). `expected_r` is the R that the
    /// strategy is expected to make, or `None` for the configured one (1 R). Its size is at least `least_expected_r`, because an
    /// expectation near 0 would make every outcome extreme. The `owm` tools keep a confidence for each strategy by it as well.
    pub fn confidence_after(&self, confidence: f64, r: f64, expected_r: Option<f64>) -> f64 {
        let expected = expected_r.unwrap_or(self.expected_r).abs().max(self.least_expected_r);
        (1.0 - self.learning_rate) * confidence + self.learning_rate * sigmoid(r / expected)
    }

    /// Normalises a drawdown to a share of the largest tolerated one, 0 to 1.
    pub fn drawdown_state(&self, drawdown: f64) -> f64 {
        (drawdown / self.max_drawdown).min(1.0)
    }
}

/// A record of the affective state at one moment: an entry of the mood history, for an equity curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffectMoment {
    /// The moment, in seconds.
    pub timestamp_s: f64,
    /// Confidence, 0 to 1.
    pub confidence: f64,
    /// Risk appetite, 0 to 1.
    pub risk_appetite: f64,
    /// Equity, in money.
    pub equity: f64,
}

/// The affective state (mood) of one trader: confidence, equity peak, and streaks of wins and losses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffectiveState {
    /// Confidence, 0 to 1.
    pub confidence: f64,
    /// Risk appetite, 0 to 1.
    pub risk_appetite: f64,
    /// Momentum bias: whether trades followed the market's last move (towards 1) or opposed it (towards −1).
    pub momentum_bias: f64,
    /// Highest equity so far.
    pub peak_equity: f64,
    /// Equity at the last update.
    pub current_equity: f64,
    /// Drawdown as a share of the largest tolerated one, 0 to 1. The original stores the drawdown itself, so that recall's threshold of 0.5 is a
    /// loss of half the equity there.
    pub drawdown_state: f64,
    /// Gains in a row.
    pub consecutive_wins: u32,
    /// Outcomes other than gains in a row; an outcome of 0 counts, as the document has it.
    pub consecutive_losses: u32,
    /// The moment of the last report of equity, in seconds; outcomes don't move it. A golem reports again after its next close, or an hour
    /// later.
    pub updated_s: f64,
    /// Earlier states, oldest first.
    pub history: Vec<AffectMoment>,
}

impl AffectiveState {
    /// The initial state, before any trade, with an equity in money: confidence ½, full risk appetite, no drawdown.
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

    /// Drawdown: the loss from the peak equity as a share of it; 0 without a positive peak.
    pub fn drawdown(&self) -> f64 {
        if self.peak_equity <= 0.0 {
            0.0
        } else {
            (self.peak_equity - self.current_equity) / self.peak_equity
        }
    }

    /// The mood, i.e. the part of the state that recall uses: drawdown and losing streak.
    pub const fn mood(&self) -> Mood {
        Mood { drawdown_state: self.drawdown_state, consecutive_losses: self.consecutive_losses }
    }

    /// Takes in a closed trade: confidence moves towards sigmoid(r/expected R), and streaks are counted (mood update). An unknown outcome (`None`)
    /// changes nothing. `expected_r` is the R that its strategy is expected to make, or `None` for the configured one.
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

    /// Takes in a trade that closed before others that were counted already (out-of-order arrival). Confidence learns from it; streaks
    /// don't change, because they are about the latest trades.
    pub fn on_late_outcome(&mut self, pnl_r: Option<f64>, expected_r: Option<f64>, config: &AffectConfig) {
        if let Some(r) = pnl_r {
            self.confidence = config.confidence_after(self.confidence, r, expected_r);
        }
    }

    /// Takes in a trade that followed the market's last move (1), opposed it (−1), or was made without one (0) (trend following). The rule
    /// is ours: the document names the bias and gives none.
    pub fn on_direction(&mut self, followed: f64, config: &AffectConfig) {
        let rate = config.learning_rate;
        self.momentum_bias = (1.0 - rate) * self.momentum_bias + rate * followed.clamp(-1.0, 1.0);
    }

    /// Takes in an equity of an earlier moment (late equity update): the peak may rise, and with it the drawdown and the risk appetite; the
    /// current equity and the history stay.
    pub fn on_past_equity(&mut self, equity: f64, config: &AffectConfig) {
        self.peak_equity = self.peak_equity.max(equity);
        let drawdown = self.drawdown();
        self.risk_appetite = config.risk_appetite(drawdown);
        self.drawdown_state = config.drawdown_state(drawdown);
    }

    /// Takes in the current equity: updates peak and drawdown, and adds a moment to the history (equity curve), of which the newest 100
    /// stay by default.
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
