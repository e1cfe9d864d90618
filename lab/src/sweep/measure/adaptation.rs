//! How long golems take to know the market again after a planned shock, or after a change of its law.
//!
//! t = ticks from the disturbance until mean epistemic fitness (0 to 1) is back at [`BACK_SHARE`] of its mean over the [`WINDOW_TICKS`]
//! before it. 0 where it didn't fall below that until [`WINDOW_TICKS`] after the disturbance's end, for a later fall has other causes; the
//! rest of the run (of the era, after a change of law) where it never came back, so that a population that stays down isn't left out and
//! thereby looks fast. None where nobody lived before the disturbance, or after it. Fitness is the mean over all living golems of the
//! world, so cohorts have no such figure of their own.
//!
//! It is recovery time after a regime change (concept drift, non-stationarity): the measures `adaptation_ticks`, of the first planned
//! shock, and `law_adaptation_ticks`, a mean over changes of law.

use morta_base::Tick;
use morta_engine::event::TickRecord;
use morta_engine::market::config::ScheduledShock;
use std::collections::VecDeque;

/// Ticks before the shock whose mean is the usual fitness, and ticks after its end within which a fall is attributed to it. Our choice:
/// long enough that single trades don't move the mean, short enough that the fitness of then was about the market of then.
const WINDOW_TICKS: Tick = 100;
/// Share of the usual fitness that counts as being back: digest section 16, E1, "ticks to 90 % of pre-shift".
const BACK_SHARE: f64 = 0.9;

/// Follows the mean fitness through one disturbance.
#[derive(Clone, Debug)]
struct Following {
    from: Tick,
    until: Tick,
    /// The fitness that counts as being back, 0 to 1.
    enough: f64,
    fell: bool,
    back: Option<Tick>,
    last: Option<Tick>,
}

impl Following {
    fn new(from: Tick, until: Tick, usual: f64) -> Self {
        Self { from, until, enough: BACK_SHARE * usual, fell: false, back: None, last: None }
    }

    fn take(&mut self, tick: Tick, fitness: f64) {
        self.last = Some(tick);
        let is_low = fitness < self.enough;
        self.fell |= is_low && tick < self.until;
        if self.fell && !is_low && self.back.is_none() {
            self.back = Some(tick);
        }
    }

    /// 0 when fitness never fell, and the ticks that were left when it never came back; `None` when no tick after the disturbance was
    /// taken.
    fn ticks(&self) -> Option<u64> {
        let last = self.last?;
        match (self.fell, self.back) {
            (false, _) => Some(0),
            (true, Some(back)) => Some(back - self.from),
            (true, None) => Some(last + 1 - self.from),
        }
    }
}

/// The fitness of the latest ticks, oldest first.
#[derive(Clone, Debug, Default)]
struct Usual(VecDeque<(Tick, f64)>);

impl Usual {
    fn take(&mut self, tick: Tick, fitness: f64) {
        self.0.push_back((tick, fitness));
        if self.0.len() as u64 > WINDOW_TICKS {
            self.0.pop_front();
        }
    }

    /// The mean over the window before a tick; `None` when no golem lived in it.
    fn before(&self, tick: Tick) -> Option<f64> {
        let window = self.0.iter().filter(|(own, _)| *own < tick && own + WINDOW_TICKS >= tick);
        let (sum, ticks) = window.fold((0.0, 0_u32), |(sum, ticks), (_, fitness)| (sum + fitness, ticks + 1));
        (ticks > 0).then(|| sum / f64::from(ticks))
    }
}

/// Measures the recovery time by the mean fitness: after the first planned shock, or after every change of the law (concept drift).
#[derive(Clone, Debug, Default)]
pub struct Adaptation {
    usual: Usual,
    following: Option<Following>,
    /// A change that is announced and not yet in force: its first tick, and how many ticks it takes to be wholly in force.
    coming: Option<(Tick, Tick)>,
    ticks: u64,
    changes: u64,
}

impl Adaptation {
    /// Follows the earliest of these shocks, if there is one. Later shocks aren't followed, because fitness before them is that of a world
    /// that was shocked already.
    pub fn to_first_of(planned: &[ScheduledShock]) -> Self {
        let first = planned.iter().min_by_key(|shock| shock.tick);
        let coming = first.map(|shock| (shock.tick, Tick::from(shock.duration_ticks)));
        Self { coming, ..Self::default() }
    }

    /// Takes in a change of the law that comes into force from a tick on, over so many (regime switch).
    pub fn changes(&mut self, tick: Tick, over_ticks: Tick) {
        self.coming = Some((tick, over_ticks));
    }

    /// Takes in the close of a tick, with its mean fitness.
    pub fn take(&mut self, tick: Tick, closed: &TickRecord) {
        if closed.alive == 0 {
            return;
        }
        if let Some((from, over_ticks)) = self.coming.take_if(|(from, _)| *from <= tick) {
            self.end_following();
            let until = from.saturating_add(over_ticks.saturating_add(WINDOW_TICKS));
            self.following = self.usual.before(from).map(|usual| Following::new(from, until, usual));
        }
        self.usual.take(tick, closed.fitness_mean);
        if let Some(following) = &mut self.following {
            following.take(tick, closed.fitness_mean);
        }
    }

    fn end_following(&mut self) {
        if let Some(ticks) = self.following.take().and_then(|following| following.ticks()) {
            self.ticks += ticks;
            self.changes += 1;
        }
    }

    /// The mean recovery time over all changes, in ticks until fitness was back; a change after which it wasn't counts with the rest of its
    /// era. `None` without a change before which golems had lived.
    pub fn mean_ticks(&self) -> Option<f64> {
        let mut whole = self.clone();
        whole.end_following();
        (whole.changes > 0).then(|| whole.ticks as f64 / whole.changes as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::fixtures::closed;

    fn followed(fitness: impl Fn(Tick) -> f64) -> Option<f64> {
        let shock = |tick| ScheduledShock {
            tick,
            kinds: Vec::new(),
            duration_ticks: 10,
            magnitude: 1.0,
            asset: None,
        };
        let mut adaptation = Adaptation::to_first_of(&[shock(400), shock(200)]);
        (0..500).for_each(|tick| adaptation.take(tick, &closed(3, fitness(tick), 1.0)));
        adaptation.mean_ticks()
    }

    /// Usual is the mean of ticks 100 to 199, .6; back is .54.
    #[test]
    fn back_is_nine_tenths_of_the_hundred_ticks_before() {
        let usual = |tick: Tick| if tick < 100 { 0.1 } else { 0.6 };
        let dip = |from, to, low| move |tick| if (from..to).contains(&tick) { low } else { usual(tick) };
        assert_eq!(followed(dip(205, 240, 0.5)), Some(40.0));
        assert_eq!(followed(dip(205, 240, 0.55)), Some(0.0), "it never was low");
        assert_eq!(followed(dip(205, 500, 0.5)), Some(300.0), "it never came back");
        assert_eq!(followed(dip(320, 400, 0.5)), Some(0.0), "a fall so late is another's doing");
    }

    /// Usual is .6 before the first change, and back 30 ticks after it; the second, gradual, comes at .6 again and never heals.
    #[test]
    fn every_change_of_the_law_counts() {
        let mut adaptation = Adaptation::default();
        let fitness = |tick: Tick| if (200..230).contains(&tick) || tick >= 450 { 0.3 } else { 0.6 };
        for tick in 0..500 {
            if tick == 199 || tick == 399 {
                adaptation.changes(tick + 1, (tick - 199) / 4);
            }
            adaptation.take(tick, &closed(3, fitness(tick), 1.0));
            if tick < 200 {
                assert_eq!(adaptation.mean_ticks(), None);
            }
        }
        assert_eq!(adaptation.mean_ticks(), Some((30.0 + 100.0) / 2.0));
    }

    #[test]
    fn without_a_planned_shock_there_is_nothing_to_adapt_to() {
        assert_eq!(Adaptation::to_first_of(&[]).mean_ticks(), None);
    }
}
