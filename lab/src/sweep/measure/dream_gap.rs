//! The price of a dream in time: how much longer golems are without a position because of it.
//!
//! price = (Σ gaps with a dream − their number · the mean gap without one) / dreams, in ticks. Gaps with and without a dream are compared
//! within one cohort, so what golems wait for anyway falls out. It may be below 0, where golems dream in what would have been long waits.
//!
//! It is the opportunity cost of sleeping (downtime), a difference in means of the waiting time between trades: the measure
//! `dream_gap_ticks`. It steers no golem.

use morta_base::{GolemId, Tick};
use std::collections::BTreeMap;

/// Adds up idle times from the close of a trade to the next order, with and without a dream in between.
#[derive(Clone, Debug, Default)]
pub struct DreamGaps {
    /// When each golem closed its last trade, if it has ordered nothing since, and whether it has dreamt since.
    waiting: BTreeMap<GolemId, (Tick, bool)>,
    /// Ticks and number of gaps without a dream.
    without: (u64, u64),
    /// The same with at least one.
    with: (u64, u64),
    dreams: u64,
}

impl DreamGaps {
    /// Takes in the close of a trade: an idle gap begins, which the next order ends.
    pub fn closed(&mut self, golem: GolemId, tick: Tick) {
        self.waiting.insert(golem, (tick, false));
    }

    /// Takes in the beginning of a dream, in a position or out of one: it is counted, and an open gap is marked as one with a dream.
    pub fn dreamt(&mut self, golem: GolemId) {
        self.dreams += 1;
        if let Some((_, dreamt)) = self.waiting.get_mut(&golem) {
            *dreamt = true;
        }
    }

    /// Takes in the order of a position, which ends an idle gap.
    pub fn ordered(&mut self, golem: GolemId, tick: Tick) {
        let Some((closed, dreamt)) = self.waiting.remove(&golem) else { return };
        let gaps = if dreamt { &mut self.with } else { &mut self.without };
        gaps.0 += tick.saturating_sub(closed);
        gaps.1 += 1;
    }

    /// Drops the open gap of a golem whose life has ended: the waiting time isn't counted, because no order ended it.
    pub fn ended(&mut self, golem: GolemId) {
        self.waiting.remove(&golem);
    }

    /// The cost of a dream in ticks: the ticks a dream, of all dreams, by which gaps with a dream are longer than the mean of those
    /// without; `None` without a dream or without a gap to compare with. A dream in a position costs nothing and counts.
    pub(crate) fn ticks_a_dream(&self) -> Option<f64> {
        let ((plain, of_plain), (slept, of_slept)) = (self.without, self.with);
        let usual = (of_plain > 0).then(|| plain as f64 / of_plain as f64)?;
        (self.dreams > 0).then(|| (slept as f64 - of_slept as f64 * usual) / self.dreams as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gaps of 1 and 3 without a dream, one of 8 with one; and a dream in a position: (8 − 2)/2.
    #[test]
    fn a_dream_costs_the_ticks_it_delays() {
        let golem = GolemId::founder(0);
        let mut gaps = DreamGaps::default();
        assert_eq!(gaps.ticks_a_dream(), None);
        for (closed, ordered) in [(10, 11), (20, 23)] {
            gaps.closed(golem, closed);
            gaps.ordered(golem, ordered);
        }
        gaps.dreamt(golem);
        gaps.closed(golem, 30);
        gaps.dreamt(golem);
        gaps.ordered(golem, 38);
        // The first order of a life has no gap before it, and a gap that a death ends isn't counted.
        gaps.ordered(GolemId::founder(1), 5);
        gaps.closed(GolemId::founder(1), 7);
        gaps.ended(GolemId::founder(1));
        gaps.ordered(GolemId::founder(1), 99);
        assert_eq!(gaps.ticks_a_dream(), Some(3.0));
    }
}
