//! The state of a position that is held, as classes: the discretised state space of an exit policy (optimal stopping). Thirds of the
//! horizon and bands of half an R are our choice: coarse, because the 3 · 4 · 3 = 36 states share the few positions of one life, and a
//! claim needs several cases of its own.
//!
//! Open results are in R before costs; time is a share of the horizon, itself in ticks. A golem reads the state at each review of its
//! position (every `golem.holding.review_ticks`; none where that is 0), and claims about staying in or leaving name it. The table of what
//! staying is worth (`truth::staying`) is by the same states.

use crate::market::{PositionSide, Signal, Strategy};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// A bin of time in trade (holding period, time bucket): the elapsed share of the horizon, by thirds.
    pub enum HoldStage {
        /// Less than a third.
        Early = "early",
        /// A third, but less than two.
        Middle = "middle",
        /// Two thirds or more.
        Late = "late",
    }

    /// A bin of the unrealised P&L (open profit): the open result before costs.
    pub enum OpenBand {
        /// Half the way to the stop or more: below −.5 R.
        NearStop = "near_stop",
        /// From −.5 R to 0.
        Behind = "behind",
        /// From 0 to .5 R.
        Ahead = "ahead",
        /// .5 R or more.
        FarAhead = "far_ahead",
    }

    /// Signal persistence (agrees, gone or reversed): the present signal of the strategy that opened the position.
    pub enum SignalNow {
        /// The same side still.
        Stands = "stands",
        /// Nothing any more.
        Gone = "gone",
        /// The other side.
        Turned = "turned",
    }
}

/// A discrete state of an open position, one of 36: stage, profit band and signal, for a tabular solution of when to exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Held {
    /// The share of its horizon that is over.
    pub stage: HoldStage,
    /// The open result, before costs.
    pub open: OpenBand,
    /// The present signal of its strategy.
    pub signal: SignalNow,
}

impl Held {
    /// Discretises the state of a position (binning), from the ticks since its decision, its horizon, and its open result in R before
    /// costs.
    pub fn read(ticks: u64, horizon_ticks: u32, open_r: f64, signal: SignalNow) -> Self {
        // A horizon of 0 would divide by zero; as one tick, its position is late from the first tick on.
        let stage = match 3 * ticks / u64::from(horizon_ticks.max(1)) {
            0 => HoldStage::Early,
            1 => HoldStage::Middle,
            _ => HoldStage::Late,
        };
        let open = match open_r {
            r if r < -0.5 => OpenBand::NearStop,
            r if r < 0.0 => OpenBand::Behind,
            r if r < 0.5 => OpenBand::Ahead,
            _ => OpenBand::FarAhead,
        };
        Self { stage, open, signal }
    }
}

impl SignalNow {
    /// A signal reversal check: the present signal of the strategy against the side of the position that it opened.
    pub(crate) fn from_signal(signal: Signal, strategy: Strategy, side: PositionSide) -> Self {
        match signal.side(strategy) {
            None => Self::Gone,
            Some(now) if now == side => Self::Stands,
            Some(_) => Self::Turned,
        }
    }
}
