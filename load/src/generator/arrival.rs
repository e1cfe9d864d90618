//! The due times of requests: a plan that is made before the load begins and doesn't depend on answers. A plan that waited for answers
//! would send fewer requests to a slow server and hide that it is slow. A closed loop with a rate takes only each client's gaps from it,
//! and does wait for answers. It is an open-loop workload generator (Poisson process, inter-arrival time). Times are nanoseconds, rates are
//! requests a second.

use crate::generator::NS_PER_S;
use morta_base::{Purpose, Stream, WorldSeed, math};

morta_base::words! {
    /// The arrival process, by its gaps: a Poisson process, or constant gaps.
    #[derive(Default)]
    pub enum ArrivalProcess {
        /// A Poisson process: gaps are exponential, and each request is any client's with equal probability.
        #[default]
        Poisson = "poisson",
        /// Equal gaps, clients in turn.
        Constant = "constant",
    }
}

/// The arrivals of a load: their rate, clients and gaps (workload, arrival rate).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrivalPlan {
    /// The process of arrivals.
    pub process: ArrivalProcess,
    /// Requests a second over all clients, above 0.
    pub per_second: f64,
    /// Clients, at least 1.
    pub clients: u32,
    /// Seed of the gaps and of the clients.
    pub seed: WorldSeed,
}

/// A scheduled request: when it is due, and for which client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Its number in the order of due times, from 0.
    pub number: u64,
    /// The client that sends it, from 0.
    pub client: u32,
    /// Its due time, ns since the load began.
    pub due_ns: u64,
}

impl ArrivalPlan {
    /// Draws all arrivals, without end, by ascending due time. Request n is drawn from (seed, n) alone, so that plans of two rates differ
    /// only in scale: common random numbers make rates comparable.
    pub fn arrivals(&self) -> Arrivals {
        Arrivals { plan: *self, number: 0, elapsed_ns: 0.0 }
    }

    /// The gap before the n-th request of a client, ns, when each client has an equal share of the rate. With a constant process the gap
    /// before a client's first request is its phase: otherwise all clients would send at the same moment.
    pub(crate) fn own_gap_ns(&self, client: u32, n: u64) -> u64 {
        let mean_ns = f64::from(self.clients) * NS_PER_S as f64 / self.per_second;
        match self.process {
            ArrivalProcess::Poisson => {
                let mut stream = self.seed.world(Purpose::Arrival, client + 1, n);
                (exponential(&mut stream) * mean_ns) as u64
            }
            ArrivalProcess::Constant if n == 0 => {
                (f64::from(client) * mean_ns / f64::from(self.clients)) as u64
            }
            ArrivalProcess::Constant => mean_ns as u64,
        }
    }
}

/// A value of the exponential distribution of mean 1, for gaps and for service times of simulated scorers.
pub(crate) fn exponential(stream: &mut Stream) -> f64 {
    -math::ln_1p(-stream.uniform())
}

/// The arrival schedule: arrivals by ascending due time, without end.
#[derive(Clone, Debug)]
pub struct Arrivals {
    plan: ArrivalPlan,
    number: u64,
    elapsed_ns: f64,
}

impl Iterator for Arrivals {
    type Item = Arrival;

    fn next(&mut self) -> Option<Arrival> {
        let ArrivalPlan { process, per_second, clients, seed } = self.plan;
        let number = self.number;
        self.number += 1;
        Some(match process {
            ArrivalProcess::Poisson => {
                let mut stream = seed.world(Purpose::Arrival, 0, number);
                self.elapsed_ns += exponential(&mut stream) * NS_PER_S as f64 / per_second;
                let client = stream.below(clients as usize) as u32;
                Arrival { number, client, due_ns: self.elapsed_ns as u64 }
            }
            // Computed from the number instead of the due time before, so that rounding doesn't add up.
            ArrivalProcess::Constant => {
                let due_ns = (number as f64 * NS_PER_S as f64 / per_second) as u64;
                Arrival { number, client: (number % u64::from(clients)) as u32, due_ns }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(process: ArrivalProcess, per_second: f64) -> ArrivalPlan {
        ArrivalPlan { process, per_second, clients: 7, seed: WorldSeed(11) }
    }

    #[test]
    fn constant_arrivals_have_equal_gaps() {
        let at = |n: usize| plan(ArrivalProcess::Constant, 300.0).arrivals().nth(n).unwrap();
        assert_eq!((at(0).due_ns, at(1).due_ns, at(3).due_ns), (0, 3_333_333, 10_000_000));
        assert_eq!((at(3_000).due_ns, at(8).client), (10 * NS_PER_S, 1));
    }

    /// The gaps have mean 1/λ and standard deviation 1/λ, and clients have equal shares.
    #[test]
    fn poisson_arrivals_have_exponential_gaps() {
        let n = 50_000;
        let arrivals: Vec<Arrival> = plan(ArrivalProcess::Poisson, 1_000.0).arrivals().take(n).collect();
        let gaps: Vec<f64> =
            arrivals.windows(2).map(|pair| (pair[1].due_ns - pair[0].due_ns) as f64 / 1e6).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let variance = gaps.iter().map(|gap| (gap - mean) * (gap - mean)).sum::<f64>() / gaps.len() as f64;
        // Standard errors of an exponential's mean and variance: 1/√n and √8/√n.
        let error = 4.0 / (n as f64).sqrt();
        assert!((mean - 1.0).abs() < error && (variance - 1.0).abs() < 3.0 * error, "{mean} {variance}");
        for client in 0..7 {
            let share = arrivals.iter().filter(|arrival| arrival.client == client).count() as f64 / n as f64;
            assert!((share - 1.0 / 7.0).abs() < 0.01, "{client}: {share}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_plan() {
        let seeded = |seed| ArrivalPlan { seed: WorldSeed(seed), ..plan(ArrivalProcess::Poisson, 10.0) };
        assert!(seeded(1).arrivals().take(100).eq(seeded(1).arrivals().take(100)));
        assert!(!seeded(1).arrivals().take(100).eq(seeded(2).arrivals().take(100)));
        // Twice the rate is the same plan in half the time.
        let faster = ArrivalPlan { per_second: 20.0, ..seeded(1) };
        let (slow, fast) = (seeded(1).arrivals().nth(99).unwrap(), faster.arrivals().nth(99).unwrap());
        assert!((slow.due_ns / 2).abs_diff(fast.due_ns) <= 1 && slow.client == fast.client);
    }
}
