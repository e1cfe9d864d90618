//! Interleaved rounds, and what they come to.

use crate::drivers::Driver;
use crate::worlds::World;
use std::collections::BTreeMap;

/// Nanoseconds a golem-tick, by driver.
pub struct Rounds(BTreeMap<Driver, Vec<f64>>);

impl Rounds {
    /// Lives through a world by every driver, over and over.
    pub fn of(world: &World, drivers: &[Driver], rounds: usize) -> Self {
        let mut times: BTreeMap<Driver, Vec<f64>> = BTreeMap::new();
        for _ in 0..rounds {
            for driver in drivers {
                times.entry(*driver).or_default().push(driver.live(world).ns_per_golem_tick());
            }
        }
        times.values_mut().for_each(|times| times.sort_by(f64::total_cmp));
        Self(times)
    }

    fn quantile(&self, driver: Driver, share: f64) -> f64 {
        let sorted = &self.0[&driver];
        sorted[((sorted.len() - 1) as f64 * share).round() as usize]
    }

    /// Prints medians with the middle half.
    pub fn print(&self, title: &str) {
        println!("{title}: ns a golem-tick, median (middle half)");
        for driver in self.0.keys() {
            let [low, middle, high] = [0.25, 0.5, 0.75].map(|share| self.quantile(*driver, share));
            println!("  {:24} {middle:9.0}  ({low:.0} to {high:.0})", driver.name());
        }
    }

    /// Prints how fast one driver is against another.
    pub fn compare(&self, driver: Driver, against: Driver) {
        let ratio = self.quantile(against, 0.5) / self.quantile(driver, 0.5);
        println!("  {} at {ratio:.2} of {}", driver.name(), against.name());
    }
}
