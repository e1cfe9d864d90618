//! The latest readings of a golem's clocks: fifty, one every four ticks of its age, at 20 bytes each, in a ring buffer.
//!
//! They are the flight recorder of a death: the event of a death holds them, and the page of that death shows the last 200 ticks. No
//! decision reads them. None is kept of the last rites, in which clocks aren't read. Fitness, vitality and pressure
//! (high when survival is easy) run from 0 to 1, the hazard rate is a probability a tick with scale and frailty in it, and the economic
//! figure is the balance over that at birth, which may exceed 1.

use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// Ticks between two readings that are kept; our choice: fifty readings then reach back 200 ticks, to what led to a death, in a kilobyte.
pub const READING_EVERY_TICKS: Tick = 4;
/// Readings kept, the capacity of the ring buffer: the last 200 ticks.
pub const READINGS: usize = 50;

/// Readings for which capacity is reserved at once.
const STEP: usize = 10;

/// One reading of all clocks: a telemetry sample (vital signs), in single precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MortalityReading {
    /// Balance over that at birth.
    pub economic: f32,
    /// Epistemic fitness, 0 to 1.
    pub fitness: f32,
    /// Hazard in that tick.
    pub hazard: f32,
    /// Vitality, 0 to 1.
    pub vitality: f32,
    /// Survival pressure, 0 to 1; near 0 where survival is hard.
    pub pressure: f32,
}

/// The latest readings in a fixed-size ring buffer (circular buffer).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReadingRing {
    /// At most `READINGS` of them; in the order of time until it is full.
    kept: Vec<MortalityReading>,
    /// Place of the oldest, which is overwritten next.
    oldest: u8,
}

impl ReadingRing {
    /// Keeps a reading; beyond [`READINGS`] it takes the place of the oldest.
    pub fn keep(&mut self, reading: MortalityReading) {
        if self.kept.len() < READINGS {
            // Most golems of a large world are young, so room comes in steps.
            if self.kept.len() == self.kept.capacity() {
                self.kept.reserve_exact(STEP.min(READINGS - self.kept.len()));
            }
            self.kept.push(reading);
        } else {
            self.kept[usize::from(self.oldest)] = reading;
            self.oldest = (self.oldest + 1) % READINGS as u8;
        }
    }

    /// Lists the readings in chronological order, oldest first: the ring buffer, unrolled.
    pub fn oldest_first(&self) -> Vec<MortalityReading> {
        let (late, early) = self.kept.split_at(usize::from(self.oldest));
        [early, late].concat()
    }
}
