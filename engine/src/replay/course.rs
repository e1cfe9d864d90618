//! The course of one trade: its open result over time, and its costs, in R. Times are in ticks since the opening. It is the equity curve
//! of one position, piecewise linear, from which what-ifs read missed gains and falls (drawdown). The costs come from the episode's
//! verification; where it has none, what-ifs about slippage, gas, liquidity and decoupling are left out, and those about delays and
//! missing prices are not.

use crate::episode::{EpisodeRecord, StepKind};

/// The position's R-multiple over time (equity curve), linear between the steps of its decision chain. Prices between decisions aren't
/// stored: they would be most of an episode.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ResultCourse {
    /// Ticks since the opening and R, by time; at least two.
    knots: Vec<(f64, f64)>,
}

impl ResultCourse {
    /// From the entry, through the holds, to the realised R at the close. Without a chain: a straight line from 0. A trade closed
    /// in the tick of its opening lasts one tick, so that no time is divided by zero.
    pub(crate) fn from_episode(episode: &EpisodeRecord) -> Self {
        let ticks = episode.closed.saturating_sub(episode.opened).max(1) as f64;
        let since = |tick: u64| tick.saturating_sub(episode.opened) as f64;
        let steps = episode.chain.iter().filter(|step| step.kind != StepKind::Analysis);
        let mut knots: Vec<(f64, f64)> =
            steps.map(|step| (since(step.tick), step.r)).filter(|(at, _)| *at < ticks).collect();
        match knots.first() {
            Some(&(at, r)) if at > 0.0 => knots.insert(0, (0.0, r.min(0.0))),
            Some(_) => {}
            None => knots.push((0.0, 0.0)),
        }
        knots.push((ticks, episode.realised_r));
        Self { knots }
    }

    /// Ticks from opening to close, at least 1.
    pub(crate) fn ticks(&self) -> f64 {
        self.knots.last().expect("a course has two knots").0
    }

    /// R at `at` ticks after the opening, by linear interpolation; before it as at the opening, after the close as at the close.
    pub(crate) fn at(&self, at: f64) -> f64 {
        let next = self.knots.partition_point(|(tick, _)| *tick <= at);
        match (next.checked_sub(1).map(|before| self.knots[before]), self.knots.get(next)) {
            (None, Some(&(_, r))) | (Some((_, r)), None) => r,
            (Some((t0, r0)), Some(&(t1, r1))) => r0 + (r1 - r0) * (at - t0) / (t1 - t0),
            (None, None) => unreachable!("a course has two knots"),
        }
    }

    /// The gain that a position opened `delay` ticks late misses: R then minus R at the opening (opportunity cost of latency).
    pub(crate) fn missed(&self, delay: f64) -> f64 {
        self.at(delay) - self.at(0.0)
    }

    /// The least delay that misses `headroom` R or more, if any does. The course between knots is straight, so the first crossing
    /// is exact.
    pub(crate) fn first_delay_missing(&self, headroom: f64) -> Option<f64> {
        let level = self.at(0.0) + headroom;
        self.knots.windows(2).find_map(|pair| {
            let ((t0, r0), (t1, r1)) = (pair[0], pair[1]);
            if r0 >= level {
                Some(t0)
            } else if r1 >= level {
                Some(t0 + (t1 - t0) * (level - r0) / (r1 - r0))
            } else {
                None
            }
        })
    }

    /// The deepest fall of R within any `window` ticks, at least 0. The course is straight between knots, so the deepest fall begins or
    /// ends at one: only knots are tried (maximum drawdown within a window).
    pub(crate) fn worst_fall(&self, window: f64) -> f64 {
        let mut worst = 0.0_f64;
        for (place, &(from, r)) in self.knots.iter().enumerate() {
            let later = self.knots[place..].iter().take_while(|(tick, _)| *tick <= from + window);
            let lowest = later.map(|(_, r)| *r).fold(self.at(from + window), f64::min);
            let earlier = self.at((from - window).max(0.0));
            worst = worst.max(r - lowest).max(earlier - r);
        }
        worst
    }

    /// The shortest window with a fall of `headroom` R or more, to a 64th of a tick, if any has it. By bisection, because the
    /// fall only grows with the window; a 64th, because a guard's magnitude is read in blocks and minutes.
    pub(crate) fn shortest_window_falling(&self, headroom: f64) -> Option<f64> {
        if self.worst_fall(self.ticks()) < headroom {
            return None;
        }
        let (mut short, mut long) = (0.0, self.ticks());
        while long - short > 1.0 / 64.0 {
            let middle = 0.5 * (short + long);
            if self.worst_fall(middle) >= headroom { long = middle } else { short = middle }
        }
        Some(long)
    }
}

/// Result and costs of a trade, in R (profit and transaction costs).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Accounts {
    /// Dollars at risk at the stop: one R.
    pub(crate) dollars_per_r: f64,
    /// Realised, net of costs.
    pub(crate) net_r: f64,
    /// Slippage of the round trip.
    pub(crate) slippage_r: f64,
    /// Gas of the round trip.
    pub(crate) gas_r: f64,
}

impl Accounts {
    /// From the episode's own figures; `None` for abstentions, without a verification, and where one R in dollars doesn't follow
    /// from profit and R (either is zero, or their signs differ).
    pub(crate) fn from_episode(episode: &EpisodeRecord) -> Option<Self> {
        let verification = episode.verification?;
        let dollars_per_r = dollars_per_r(episode)?;
        let slippage = verification.realised_slippage_bps / 1e4 * episode.stake.dollars();
        Some(Self {
            dollars_per_r,
            net_r: episode.realised_r,
            slippage_r: slippage / dollars_per_r,
            gas_r: verification.realised_gas.dollars() / dollars_per_r,
        })
    }

    /// The result of the price's movement alone, before costs (gross profit).
    pub(crate) fn gross_r(&self) -> f64 {
        self.net_r + self.slippage_r + self.gas_r
    }
}

/// The dollars of one R (unit conversion), of profit over R; `None` where that is no number above 0.
fn dollars_per_r(episode: &EpisodeRecord) -> Option<f64> {
    let dollars = episode.pnl.dollars() / episode.realised_r;
    (dollars.is_finite() && dollars > 0.0).then_some(dollars)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::{record, trade};
    use morta_base::Usdc;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn accounts_by_hand() {
        let accounts = Accounts::from_episode(&trade()).unwrap();
        near(accounts.dollars_per_r, 100.0);
        near(accounts.slippage_r, 0.02);
        near(accounts.gas_r, 0.01);
        near(accounts.gross_r(), 0.53);
        let mut even = trade();
        (even.pnl, even.realised_r) = (Usdc::ZERO, 0.0);
        assert_eq!(Accounts::from_episode(&even), None);
    }

    #[test]
    fn the_course_is_straight_between_steps() {
        let course = ResultCourse::from_episode(&trade());
        for (at, r) in [(-1.0, -0.03), (0.0, -0.03), (20.0, 0.185), (50.0, 0.25), (100.0, 0.5), (200.0, 0.5)]
        {
            near(course.at(at), r);
        }
        near(ResultCourse::from_episode(&record(0, 100)).at(2.5), 0.1);
    }

    #[test]
    fn falls_and_delays_by_hand() {
        let course = ResultCourse::from_episode(&trade());
        near(course.worst_fall(20.0), 0.3);
        near(course.worst_fall(10.0), 0.15);
        near(course.worst_fall(100.0), 0.3);
        assert!((course.shortest_window_falling(0.15).unwrap() - 10.0).abs() < 1.0 / 64.0);
        assert_eq!(course.shortest_window_falling(0.31), None);
        near(course.missed(20.0), 0.215);
        near(course.first_delay_missing(0.215).unwrap(), 20.0);
        assert_eq!(course.first_delay_missing(0.6), None);
    }
}
