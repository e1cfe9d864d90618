//! The state of a position that is held, as classes: the discretised state space of an exit policy (optimal stopping). Thirds of the
//! horizon and bands of half an R are our choice: coarse, because the 3 · 4 · 3 = 36 states share the few positions of one life, and a
//! claim needs several cases of its own.
//!
//! Open results are in R before costs; time is a share of the horizon, itself in ticks. It is a discretisation (binning) of the position's
//! state.

use crate::market::{PositionSide, Signal, Strategy};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The share of a trade's horizon that is over, by thirds. A bin of time in trade (elapsed share of the horizon).
    pub enum HoldStage {
        /// Less than a third.
        Early = "early",
        /// A third, but less than two.
        Middle = "middle",
        /// Two thirds or more.
        Late = "late",
    }

    /// The open result before costs. A bin of the unrealised P&L.
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

    /// The present signal of the strategy that opened the position. Signal persistence: agrees, gone or reversed.
    pub enum SignalNow {
        /// The same side still.
        Stands = "stands",
        /// Nothing any more.
        Gone = "gone",
        /// The other side.
        Turned = "turned",
    }
}

/// A position at one moment. A discrete state of the position (tabular state). A state of the exit problem.
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
    /// Reads a position held for `ticks` of its horizon, with an open result in R. State discretisation (binning). Quantises a position.
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
    /// Reads a strategy's present signal against the side of a position that it opened. A comparison of current and entry signal. A signal
    /// reversal check.
    pub fn from_signal(signal: Signal, strategy: Strategy, side: PositionSide) -> Self {
        match signal.side(strategy) {
            None => Self::Gone,
            Some(now) if now == side => Self::Stands,
            Some(_) => Self::Turned,
        }
    }
}
