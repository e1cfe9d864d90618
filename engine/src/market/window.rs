//! The last few values of a series, in the series' own unit: a rolling window (sliding window, ring buffer) of bounded length. A window
//! that isn't full yet answers with the values it has. The measures of `reading` keep prices, returns and volatilities in it.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A rolling window with a fixed capacity: at most so many values, the oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Window {
    capacity: u32,
    values: VecDeque<f64>,
}

impl Window {
    /// An empty window (moving window): a circular buffer that is preallocated to its capacity.
    pub(super) fn new(capacity: u32) -> Self {
        Self { capacity, values: VecDeque::with_capacity(capacity as usize + 1) }
    }

    /// Appends a value to the ring buffer; when it is full, the oldest leaves (first in, first out).
    pub(super) fn push(&mut self, value: f64) {
        self.values.push_back(value);
        if self.values.len() > self.capacity as usize {
            self.values.pop_front();
        }
    }

    /// A lagged value of the history: the one `ago` steps before the newest, or the oldest of fewer; `None` when there are none.
    pub(super) fn ago(&self, ago: u32) -> Option<f64> {
        let newest = self.values.len().checked_sub(1)?;
        self.values.get(newest.saturating_sub(ago as usize)).copied()
    }

    /// Iterates over the tail of the rolling window: the newest `count` values, or all there are, oldest first.
    pub(super) fn newest(&self, count: u32) -> impl Iterator<Item = f64> + Clone + '_ {
        self.values.range(self.values.len().saturating_sub(count as usize)..).copied()
    }
}

/// Minimum and maximum in one pass; `None` when there are no values.
pub(crate) fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |seen, value| {
        let (low, high) = seen.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_forgets_the_oldest() {
        let mut window = Window::new(3);
        assert_eq!(window.ago(0), None);
        for value in [1.0, 2.0, 3.0, 4.0] {
            window.push(value);
        }
        assert_eq!((window.ago(0), window.ago(2), window.ago(9)), (Some(4.0), Some(2.0), Some(2.0)));
        assert_eq!(window.newest(2).collect::<Vec<_>>(), [3.0, 4.0]);
        assert_eq!(range(window.newest(9)), Some((2.0, 4.0)));
    }
}
