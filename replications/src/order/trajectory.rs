//! Orders by time alone: the last lap forward, the last lap backward (reverse replay), or everything from the latest on (recency). A
//! session ends when its list is used up. A step that was taken twice in a lap is in the lap's list twice; recency has each stored
//! transition once. They are baselines, because they use no value of a transition.

use super::{Backup, Made, Order};
use crate::mind::Mind;
use morta_base::Stream;

/// The direction of replay along the last lap, forward or backward, or by recency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// The last lap from its beginning.
    Forward,
    /// The last lap from its end.
    Backward,
    /// All that is remembered, the latest first.
    Recency,
}

/// A list that is made at the beginning of a session and used once (reverse replay).
#[derive(Clone, Debug)]
pub struct Trajectory {
    along: Along,
    /// Items of the session in the order of replay.
    list: Vec<u32>,
}

impl Trajectory {
    /// Makes an order by time, in a direction.
    pub const fn new(along: Along) -> Self {
        Self { along, list: Vec::new() }
    }
}

impl Order for Trajectory {
    fn begin(&mut self, mind: &Mind, _: usize) {
        let lap = mind.lap.iter().copied();
        self.list = match self.along {
            Along::Forward => lap.collect(),
            Along::Backward => lap.rev().collect(),
            Along::Recency => {
                let mut list = mind.memory.candidates().to_vec();
                // Items of tick 0 were known from the beginning and have equal times, so the number decides.
                list.sort_by_key(|item| (std::cmp::Reverse(mind.memory.lived_at(*item)), *item));
                list
            }
        };
        self.list.retain(|item| mind.memory.is_candidate(*item));
    }

    fn choose(&mut self, _: &Mind, made: &[Made], _: &mut Stream) -> Option<Backup> {
        self.list.get(made.len()).map(|&item| Backup { item, steps: 1 })
    }
}
