//! How long golems take to know the market again after a shock that was planned.

use morta_engine::base::Tick;
use morta_engine::event::TickRecord;
use morta_engine::market::config::ScheduledShock;

/// Ticks before the shock that say what is usual, and ticks after its end within which a fall is put down to it.
const WINDOW_TICKS: Tick = 100;
/// Share of the usual fitness that counts as being back.
const BACK_SHARE: f64 = 0.9;

/// Follows the mean fitness through the first planned shock.
#[derive(Clone, Debug)]
pub struct Adaptation {
    from: Tick,
    until: Tick,
    before: f64,
    before_ticks: u64,
    fell: bool,
    back: Option<Tick>,
    last: Option<Tick>,
}

impl Adaptation {
    /// Through the earliest of these shocks; `None` without one.
    pub fn new(planned: &[ScheduledShock]) -> Option<Self> {
        let first = planned.iter().min_by_key(|shock| shock.tick)?;
        Some(Self {
            from: first.tick,
            until: first.tick.saturating_add(Tick::from(first.duration_ticks) + WINDOW_TICKS),
            before: 0.0,
            before_ticks: 0,
            fell: false,
            back: None,
            last: None,
        })
    }

    /// Takes in the close of a tick.
    pub fn take(&mut self, tick: Tick, closed: &TickRecord) {
        if closed.alive == 0 {
            return;
        }
        if tick < self.from {
            if tick + WINDOW_TICKS >= self.from {
                self.before += closed.fitness_mean;
                self.before_ticks += 1;
            }
            return;
        }
        self.last = Some(tick);
        let enough = BACK_SHARE * self.before / self.before_ticks.max(1) as f64;
        let is_low = closed.fitness_mean < enough;
        self.fell |= is_low && tick < self.until;
        if self.fell && !is_low && self.back.is_none() {
            self.back = Some(tick);
        }
    }

    /// Ticks from the shock until fitness was back; 0 when it never fell, and what was left of the run when it never came back.
    /// `None` when nobody lived before the shock, or after it.
    pub fn ticks(&self) -> Option<u64> {
        let last = self.last.filter(|_| self.before_ticks > 0)?;
        match (self.fell, self.back) {
            (false, _) => Some(0),
            (true, Some(back)) => Some(back - self.from),
            (true, None) => Some(last + 1 - self.from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::fixtures::closed;

    fn followed(fitness: impl Fn(Tick) -> f64) -> Option<u64> {
        let shock = |tick| ScheduledShock {
            tick,
            kinds: Vec::new(),
            duration_ticks: 10,
            magnitude: 1.0,
            asset: None,
        };
        let mut adaptation = Adaptation::new(&[shock(400), shock(200)]).unwrap();
        (0..500).for_each(|tick| adaptation.take(tick, &closed(3, fitness(tick), 1.0)));
        adaptation.ticks()
    }

    /// Usual is the mean of ticks 100 to 199, .6; back is .54.
    #[test]
    fn back_is_nine_tenths_of_the_hundred_ticks_before() {
        let usual = |tick: Tick| if tick < 100 { 0.1 } else { 0.6 };
        let dip = |from, to, low| move |tick| if (from..to).contains(&tick) { low } else { usual(tick) };
        assert_eq!(followed(dip(205, 240, 0.5)), Some(40));
        assert_eq!(followed(dip(205, 240, 0.55)), Some(0), "it never was low");
        assert_eq!(followed(dip(205, 500, 0.5)), Some(300), "it never came back");
        assert_eq!(followed(dip(320, 400, 0.5)), Some(0), "a fall so late is another's doing");
    }

    #[test]
    fn without_a_planned_shock_there_is_nothing_to_adapt_to() {
        assert!(Adaptation::new(&[]).is_none());
    }
}
