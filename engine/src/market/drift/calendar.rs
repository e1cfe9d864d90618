//! The law in force at each tick: as planned, or in eras drawn by the world's seed.
//!
//! A drawn era lasts as long as its law takes to come into force, and from there on ends at each tick with chance 1/m: so many ticks more,
//! where the number is geometric with mean m. The memoryless law is used because no golem can then know from an era's age that it is nearly
//! over. Times are in ticks, progress is from 0 to 1. It is the schedule of concept drift: known change points, or a renewal process with
//! geometric durations. A planned calendar may repeat; a drawn one never ends. Checked keys guarantee that each law is wholly in force
//! before the next begins.

use crate::market::config::DriftConfig;
use morta_base::math::ln;
use morta_base::{Purpose, Tick, WorldSeed};
use serde::{Deserialize, Serialize};

/// The law in force at a tick, by its number in [`crate::market::DriftConfig::names`]: the latent state of concept drift, a mixture of two
/// sets of parameters during a gradual drift. Golems don't see it, but for those whose memory is of the family `oracle` (`oracle-as-read`
/// too).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LawInForce {
    /// The law before; the same as `to` when that is wholly in force.
    pub from: u16,
    /// The law in force, or coming into force.
    pub to: u16,
    /// Its progress, 0 to 1.
    pub weight: f64,
}

impl LawInForce {
    /// The law of the assets' own keys.
    pub const BASE: Self = Self { from: 0, to: 0, weight: 1.0 };

    /// Interpolates linearly a quantity that depends on the law: while one comes into force, the weighted mean of the quantity under the
    /// law before and under it.
    pub(crate) fn mean_under<T>(&self, mut under: impl FnMut(u16) -> T, mean: impl Fn(T, T, f64) -> T) -> T {
        let after = under(self.to);
        if self.weight >= 1.0 { after } else { mean(under(self.from), after, self.weight) }
    }
}

/// A change point: a law that comes into force.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Change {
    pub tick: Tick,
    pub law: u16,
    pub over_ticks: Tick,
}

/// The source of changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Plan {
    /// These, in the order of time, and again every so many ticks unless that is 0.
    Known { changes: Vec<Change>, repeat_ticks: Tick },
    /// Eras of this mean duration among so many laws.
    Drawn { mean_ticks: f64, over_ticks: Tick, laws: u16 },
}

/// The change-point schedule of a world, with a cursor at the change in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LawCalendar {
    seed: WorldSeed,
    plan: Plan,
    /// The law before the one in force.
    before: u16,
    /// The last change that came: its law is in force, or on the way.
    in_force: Change,
    /// The change after it; none when a plan is over.
    next: Option<Change>,
    /// Changes that have come.
    number: u64,
}

impl LawCalendar {
    /// The calendar at tick 0, a cursor in the first era: at the law that is in force then.
    pub(super) fn new(config: &DriftConfig, seed: WorldSeed) -> Self {
        let names = config.names();
        let number = |name: &str| names.iter().position(|own| *own == name).expect("checked: a known law");
        let plan = if config.mean_era_ticks > 0.0 {
            let laws = names.len() as u16;
            Plan::Drawn { mean_ticks: config.mean_era_ticks, over_ticks: config.era_over_ticks, laws }
        } else {
            let changes = config.changes.iter();
            let changes = changes.map(|change| Change {
                tick: change.tick,
                law: number(&change.law) as u16,
                over_ticks: 0,
            });
            Plan::Known { changes: changes.collect(), repeat_ticks: config.repeat_ticks }
        };
        let in_force = Change { tick: 0, law: 0, over_ticks: 0 };
        let mut calendar = Self { seed, plan, before: 0, in_force, next: None, number: 0 };
        calendar.next = calendar.following();
        calendar.advance(0);
        calendar
    }

    /// Moves the cursor past change points up to a tick, and returns the last change that came on the way.
    pub(super) fn advance(&mut self, tick: Tick) -> Option<Change> {
        let mut came = None;
        while let Some(change) = self.next.filter(|change| change.tick <= tick) {
            self.before = self.in_force.law;
            self.in_force = change;
            self.number += 1;
            self.next = self.following();
            came = Some(change);
        }
        came
    }

    /// The law before the one in force (the outgoing concept).
    pub(super) fn before(&self) -> u16 {
        self.before
    }

    /// The law in force at a tick, which must not be before the last one moved to. The mixture weight is linear in time.
    pub(super) fn at(&self, tick: Tick) -> LawInForce {
        let Change { tick: since, law, over_ticks } = self.in_force;
        let passed = tick.saturating_sub(since);
        if passed >= over_ticks {
            return LawInForce { from: law, to: law, weight: 1.0 };
        }
        LawInForce { from: self.before, to: law, weight: passed as f64 / over_ticks as f64 }
    }

    /// The change that follows the last one; `None` when a plan is over and doesn't repeat.
    fn following(&self) -> Option<Change> {
        match &self.plan {
            Plan::Known { changes, repeat_ticks } => {
                let (cycle, place) =
                    (self.number.checked_div(changes.len() as u64)?, self.number % changes.len() as u64);
                if cycle > 0 && *repeat_ticks == 0 {
                    return None;
                }
                let change = changes[place as usize];
                Some(Change { tick: change.tick + cycle * repeat_ticks, ..change })
            }
            Plan::Drawn { mean_ticks, over_ticks, laws } => {
                let mut stream = self.seed.world(Purpose::LawEra, 0, self.number);
                // Geometric by inversion: P(more than n ticks) = (1 − 1/mean)ⁿ.
                let luck = 1.0 - stream.uniform();
                let ticks = if *mean_ticks > 1.0 { ln(luck) / ln(1.0 - 1.0 / mean_ticks) } else { 0.0 };
                let other = stream.below(usize::from(laws - 1)) as u16;
                let law = if other >= self.in_force.law { other + 1 } else { other };
                let lasts = self.in_force.over_ticks + 1 + ticks as Tick;
                Some(Change { tick: self.in_force.tick + lasts, law, over_ticks: *over_ticks })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calendar(drift: &str, seed: u64) -> LawCalendar {
        LawCalendar::new(&serde_json::from_str(drift).unwrap(), WorldSeed(seed))
    }

    fn laws(calendar: &mut LawCalendar, ticks: Tick) -> Vec<(Tick, u16)> {
        (0..ticks).filter_map(|tick| calendar.advance(tick).map(|change| (tick, change.law))).collect()
    }

    #[test]
    fn a_planned_law_comes_when_it_is_due() {
        let mut calendar = calendar(
            r#"{"laws": [{"name": "x"}], "changes": [{"tick": 10, "law": "x"}, {"tick": 20, "law": "base"}]}"#,
            1,
        );
        for (tick, law) in [(9, 0), (10, 1), (19, 1), (20, 0)] {
            calendar.advance(tick);
            assert_eq!(calendar.at(tick), LawInForce { from: law, to: law, weight: 1.0 }, "{tick}");
        }
        assert_eq!(calendar.advance(1_000_000), None);
    }

    #[test]
    fn a_cycle_comes_again() {
        let mut calendar = calendar(
            r#"{"laws": [{"name": "x"}], "changes": [{"tick": 0, "law": "x"}, {"tick": 3, "law": "base"}], "repeat_ticks": 10}"#,
            1,
        );
        assert_eq!(calendar.at(0).to, 1, "a law of tick 0 is in force before anything moves");
        assert_eq!(laws(&mut calendar, 24), [(3, 0), (10, 1), (13, 0), (20, 1), (23, 0)]);
    }

    /// 400 eras of 50 ticks on average: the standard error of the mean is 2.5, and of each law's share of them .024.
    #[test]
    fn drawn_eras_have_their_mean_and_every_law_its_turn() {
        let drift = r#"{"laws": [{"name": "x"}, {"name": "y"}], "mean_era_ticks": 50, "era_over_ticks": 7}"#;
        let mut eras = calendar(drift, 3);
        let changes = laws(&mut eras, 57 * 400);
        let mean = 57.0 * 400.0 / changes.len() as f64;
        assert!((mean - 57.0).abs() < 10.0, "{mean}");
        for law in 0..3 {
            let share = changes.iter().filter(|(_, own)| *own == law).count() as f64 / changes.len() as f64;
            assert!((share - 1.0 / 3.0).abs() < 0.1, "law {law}: {share}");
        }
        assert!(changes.windows(2).all(|pair| pair[0].1 != pair[1].1 && pair[1].0 - pair[0].0 >= 8));
        assert_eq!(
            laws(&mut calendar(drift, 3), 500),
            changes.iter().copied().filter(|(tick, _)| *tick < 500).collect::<Vec<_>>()
        );
        assert_ne!(laws(&mut calendar(drift, 4), 57 * 400), changes);
    }
}
