//! Trend following: hold with the sign of a slow trend that is stronger than chance (a t-statistic of the mean return over 48 ticks).
//!
//! A t-statistic of 1 is the dead zone; the strength runs from −1 to 1. The stop is 4 average true ranges (ATR) away, the horizon is 48
//! ticks. It gains in lasting trends and loses in ranges, where the sign keeps turning. Golems get the signal in their view and weigh it as
//! a candidate among others; truth tables follow it on paper.

use super::{Signal, beyond};
use crate::market::Reading;

/// t-statistics nearer to 0 than this are no trend.
const DEAD_ZONE: f64 = 1.0;
/// Slope of the answer beyond it.
const STEEPNESS: f64 = 0.7;
/// Wide: a nearer stop would be set off by the pullbacks of a trend that goes on.
const STOP_ATR: f64 = 4.0;
/// As long as the window from which the trend is read: the signal says nothing of a longer stretch.
const HORIZON_TICKS: u32 = 48;

/// Long in a rising trend, short in a falling one, 0 while the t-statistic is within the dead zone.
pub(super) fn signal(reading: &Reading) -> Signal {
    let strength = beyond(reading.trend_strength, DEAD_ZONE, STEEPNESS);
    Signal::new(reading, strength, STOP_ATR, HORIZON_TICKS)
}
