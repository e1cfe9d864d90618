//! The earliest time of the next attempt: by the rate limit (requests a minute, evenly spaced as by a leaky bucket), and by the endpoint's
//! `Retry-After`, which holds all threads of the pool. Without a limit (the default) only `Retry-After` makes attempts wait. Calls are
//! spaced evenly, so that a burst never uses up a minute's share at once.

use crate::io::locked::locked;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Spaces attempts of all threads (leaky bucket).
#[derive(Debug)]
pub(super) struct Pace {
    /// Time between the beginnings of two attempts; zero without a limit.
    spacing: Duration,
    /// Before this no attempt begins; none where the next may begin at once.
    next: Mutex<Option<Instant>>,
}

impl Pace {
    /// At most so many attempts begin in a minute, evenly spaced (rate limiter).
    pub(super) fn new(requests_per_minute: Option<u32>) -> Self {
        let spacing = requests_per_minute.map_or(Duration::ZERO, |most| Duration::from_secs(60) / most);
        Self { spacing, next: Mutex::new(None) }
    }

    /// How long to wait before asking for a turn again; none when it is this attempt's turn, which then is taken
    /// (rate limit wait).
    pub(super) fn wait(&self, now: Instant) -> Option<Duration> {
        let mut next = locked(&self.next);
        match *next {
            Some(at) if at > now => Some(at - now),
            _ => {
                *next = (!self.spacing.is_zero()).then(|| now + self.spacing);
                None
            }
        }
    }

    /// No attempt of any thread begins before this time (Retry-After). The back-off of a single call isn't kept here.
    pub(super) fn hold(&self, now: Instant, wait: Duration) {
        let mut next = locked(&self.next);
        *next = (*next).max(Some(now + wait));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_spaced_and_held() {
        let (pace, now) = (Pace::new(Some(600)), Instant::now());
        let after = |ms| now + Duration::from_millis(ms);
        assert_eq!(pace.wait(now), None);
        assert_eq!(pace.wait(after(40)), Some(Duration::from_millis(60)));
        assert_eq!(pace.wait(after(100)), None);
        pace.hold(after(100), Duration::from_secs(1));
        assert_eq!(pace.wait(after(300)), Some(Duration::from_millis(800)));
        // What was asked for longer holds.
        pace.hold(after(300), Duration::from_millis(1));
        assert_eq!(pace.wait(after(1_100)), None);
        let unlimited = Pace::new(None);
        assert!((0..100).all(|_| unlimited.wait(now).is_none()));
    }
}
