//! The cost of a change of the law: mean R of trades entered later in an era, less mean R of those entered soon after its beginning: the
//! measure `law_change_cost_r`. Trades before the first change belong to neither, because nothing had to be unlearned then. It is the
//! adaptation cost after concept drift, in R a trade; above 0, trades soon after a change were worse. Only changes of the market's law
//! count, and no shocks.

use morta_base::Tick;

/// Ticks from a change of the law (adaptation window) within which an entry is soon after it. Our choice: the window of `adaptation.rs`,
/// so that both measures speak of the same time.
pub(crate) const SOON_TICKS: Tick = 100;

/// Adds up R of the trades of one cohort by how long ago the law had changed when they were entered (adaptation lag).
#[derive(Clone, Debug, Default)]
pub struct LawLag {
    /// First ticks of eras, in the order of time; bounded by the run's ticks.
    changes: Vec<Tick>,
    /// Sum of R and number of trades.
    soon: (f64, u64),
    later: (f64, u64),
}

impl LawLag {
    /// Takes in a change of the law, which begins an era at a tick.
    pub fn changes(&mut self, tick: Tick) {
        self.changes.push(tick);
    }

    /// Takes in a trade that was entered at a tick and realised this R; its era is found by binary search.
    pub fn take(&mut self, entered: Tick, r: f64) {
        let Some(last) = self.changes.partition_point(|change| *change <= entered).checked_sub(1) else {
            return;
        };
        let soon = entered - self.changes[last] < SOON_TICKS;
        let (sum, trades) = if soon { &mut self.soon } else { &mut self.later };
        *sum += r;
        *trades += 1;
    }

    /// The number of changes of the law.
    pub fn count(&self) -> u64 {
        self.changes.len() as u64
    }

    /// The cost of adaptation: mean R of trades entered later in an era, less that of those entered soon after its beginning; `None`
    /// without either.
    pub fn cost_r(&self) -> Option<f64> {
        let mean = |(sum, trades): (f64, u64)| (trades > 0).then(|| sum / trades as f64);
        Some(mean(self.later)? - mean(self.soon)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trades_are_grouped_by_the_age_of_the_law() {
        let mut lag = LawLag::default();
        lag.take(5, 9.0);
        assert_eq!(lag.cost_r(), None, "nothing has changed yet");
        lag.changes(100);
        // Closed after the next change, entered before it.
        for (entered, r) in [(100, -1.0), (199, 0.0), (200, 1.0), (350, 2.0)] {
            lag.take(entered, r);
        }
        lag.changes(400);
        lag.take(399, 3.0);
        lag.take(401, -2.0);
        assert_eq!((lag.count(), lag.cost_r()), (2, Some(2.0 + 1.0)));
    }
}
