//! Service times of simulated scorers, and stalls in which they all stand still. They are service time distributions of queueing theory
//! (exponential, deterministic), in nanoseconds; known laws are taken so that results can be compared with formulas. Real scorers have no
//! such law: their times are those of the machine.

use crate::generator::arrival::exponential;
use morta_base::{Purpose, WorldSeed};
use serde::{Deserialize, Serialize};

/// The distribution of a simulated scorer's service time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServiceTime {
    /// A constant time, ns.
    Constant(f64),
    /// An exponential time of this mean, ns. With Poisson arrivals and one scorer the queue is M/M/1.
    Exponential(f64),
}

impl ServiceTime {
    /// Draws the service time of one request, ns. It depends on the seed and the request's number alone, so that an arrival plan of another
    /// rate meets the same service times.
    pub fn draw(self, seed: WorldSeed, number: u64) -> u64 {
        match self {
            Self::Constant(ns) => ns as u64,
            Self::Exponential(mean_ns) => {
                (mean_ns * exponential(&mut seed.world(Purpose::ServiceTime, 0, number))) as u64
            }
        }
    }
}

/// A stall (injected pause): a time in which all simulated scorers stand still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stall {
    /// Its beginning, ns.
    pub from_ns: u64,
    /// Its end, ns; not before its beginning.
    pub to_ns: u64,
}

/// The moment at which work is finished that begins at `start_ns` and pauses in each stall. Stalls are in the order of their beginnings and
/// may overlap.
pub(crate) fn finished_at(start_ns: u64, work_ns: u64, stalls: &[Stall]) -> u64 {
    let (mut now, mut left) = (start_ns, work_ns);
    for stall in stalls.iter().filter(|stall| stall.to_ns > start_ns) {
        let free = stall.from_ns.saturating_sub(now);
        if left <= free && now < stall.from_ns {
            break;
        }
        left -= free.min(left);
        now = now.max(stall.to_ns);
    }
    now.saturating_add(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_pauses_during_stalls() {
        let stalls = [Stall { from_ns: 100, to_ns: 200 }, Stall { from_ns: 150, to_ns: 250 }];
        for (start, work, expected) in [
            (0, 100, 100),
            (0, 101, 251),
            (90, 20, 260),
            (100, 1, 251),
            (180, 5, 255),
            (250, 5, 255),
            (300, 5, 305),
        ] {
            assert_eq!(finished_at(start, work, &stalls), expected, "{start} {work}");
        }
    }

    #[test]
    fn service_times_have_the_mean_of_their_law() {
        let service = ServiceTime::Exponential(1e6);
        let n = 40_000;
        let mean = (0..n).map(|k| service.draw(WorldSeed(1), k) as f64).sum::<f64>() / n as f64;
        assert!((mean / 1e6 - 1.0).abs() < 4.0 / (n as f64).sqrt(), "{mean}");
        assert_eq!(ServiceTime::Constant(7.0).draw(WorldSeed(1), 3), 7);
    }
}
