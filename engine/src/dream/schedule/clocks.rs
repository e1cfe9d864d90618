//! The influence of the three clocks of mortality on dreams (dream architecture, "three-clock dream intensity modulation").
//!
//! clockUrgency is undefined in the spec; digest section 20 proposes economic = clamp((72 − h)/66), h the hours of money left;
//! epistemic = clamp((.5 − a)/.15), a the accuracy; stochastic = clamp((u − .7)/.15), u the Hayflick ratio. dreamIntensity = base
//! · (1 + .5·economic + .3·epistemic + .2·stochastic). Urgencies and accuracy run from 0 to 1, money is expressed as hours of runway. A
//! golem that is short of money, knowledge or age dreams more often but more narrowly. The golem divides `dream_cycle_interval` by stage
//! factor, intensity and quality factor; the stage also limits the scope and shortens the natural period of urgency. The accuracy passed in
//! is epistemic fitness.

use crate::replay::LegacyConfig;
use morta_base::keys;
use morta_base::{TableChecker, Tick};
use serde::{Deserialize, Serialize};

keys! {
    /// The `[dream.clocks]` table. The stochastic clock's two ratios, .70 and .85, are `dream.replay.legacy`'s.
    pub struct ClocksConfig {
        /// Hours of money left below which dreams come `frequency_factor` times as often; at least
        /// `consolidate_below_hours`.
        // Dream architecture: < 72 h doubles the frequency, < 24 h only consolidates, < 6 h ends dreaming.
        press_below_hours: f64 = 72.0, in 0.0..=1e9, "hours";
        /// Hours of money left below which a dream only consolidates, without replay or imagination; at least
        /// `cease_below_hours`.
        consolidate_below_hours: f64 = 24.0, in 0.0..=1e9, "hours";
        /// Hours of money left below which there are no dreams but the emergency one.
        cease_below_hours: f64 = 6.0, in 0.0..=1e9, "hours";
        /// How much oftener dreams come when money is short.
        frequency_factor: f64 = 2.0, in 1.0..=100.0, "factor";
        /// Hours that an hour of simulated time counts as (our own key): worlds in which weeks pass in hours say so
        /// here.
        time_scale: f64 = 1.0, in 1e-6..=1e6, "factor";
        // Digest section 20: clamp((.5 − accuracy)/.15).
        /// Prediction accuracy at which the epistemic clock begins to press.
        accuracy_from: f64 = 0.5, in 0.0..=1.0, "accuracy";
        /// How far below that it presses fully.
        accuracy_span: f64 = 0.15, in 1e-6..=1.0, "accuracy";
        /// Dream intensity without any pressure.
        base_rate: f64 = 1.0, in 0.0..=100.0, "intensity";
        /// Whether intensity acts: golems then wait only the interval over their intensity between two dreams.
        intensity_acts: bool = true;
        /// Weight of the economic clock in the intensity.
        // The spec's composite formula: 0.5, 0.3, 0.2.
        economic_weight: f64 = 0.5, in 0.0..=10.0, "weight";
        /// Weight of the epistemic clock.
        epistemic_weight: f64 = 0.3, in 0.0..=10.0, "weight";
        /// Weight of the stochastic clock.
        stochastic_weight: f64 = 0.2, in 0.0..=10.0, "weight";
        /// How much oftener dreams come when the latest have been good, and how much less often when they haven't (our own key: the
        /// specs have quality calibrate scheduling, and leave open how): by 1 + weight · (2 · quality − 1); 0 for not at all.
        quality_weight: f64 = 0.5, in 0.0..=1.0, "weight";
        /// Ticks of a full Hayflick count.
        // Digest section 20: hayflickRatio = ticks/100,000.
        hayflick_ticks: u64 = 100_000, in 1..=1_000_000_000_000, "ticks";
    }
    also hours_are_in_order;
}

impl ClocksConfig {
    /// Factor on the frequency of dreams, by the mean quality of the latest; 1 before the first. In this feedback better dreams come
    /// sooner.
    pub fn by_quality(&self, quality: Option<f64>) -> f64 {
        /// Bad dreams come at least a tenth as often as usual: at 0 a golem whose dreams were bad would never find out that they
        /// have become better.
        const SELDOM: f64 = 0.1;
        quality.map_or(1.0, |quality| (1.0 + self.quality_weight * (2.0 * quality - 1.0)).max(SELDOM))
    }

    fn hours_are_in_order(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[
            ("cease_below_hours", self.cease_below_hours),
            ("consolidate_below_hours", self.consolidate_below_hours),
            ("press_below_hours", self.press_below_hours),
        ]);
    }
}

/// The readings of a golem's three clocks: runway, accuracy and relative age.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreeClockReading {
    /// Hours until the balance falls to the reserve at the present rate of spending; none when nothing is spent.
    pub runway_hours: Option<f64>,
    /// Prediction accuracy (the epistemic fitness), 0 to 1.
    pub accuracy: f64,
    /// Age over allotted age, 0 or more.
    pub hayflick: f64,
}

impl ThreeClockReading {
    /// The runway, cash over burn rate: (balance − reserve) / burn, in ticks; times the length of a tick and `time_scale`, in hours.
    pub fn from_balance(
        above_reserve: f64,
        burn_per_tick: f64,
        accuracy: f64,
        age: Tick,
        scale: ClockScale<'_>,
    ) -> Self {
        let tick_hours = f64::from(scale.tick_seconds) / 3_600.0 * scale.clocks.time_scale;
        let runway = above_reserve.max(0.0) / burn_per_tick * tick_hours;
        Self {
            runway_hours: (burn_per_tick > 0.0).then_some(runway),
            accuracy,
            hayflick: age as f64 / scale.clocks.hayflick_ticks as f64,
        }
    }

    /// The stage that the money left allows, by thresholds of the runway; a boundary belongs to the better stage.
    pub fn stage(&self, clocks: &ClocksConfig) -> EconomicStage {
        match self.runway_hours {
            Some(hours) if hours < clocks.cease_below_hours => EconomicStage::OutOfTime,
            Some(hours) if hours < clocks.consolidate_below_hours => EconomicStage::Consolidating,
            Some(hours) if hours < clocks.press_below_hours => EconomicStage::Pressed,
            _ => EconomicStage::Ample,
        }
    }
}

/// The length of a tick, for the clocks: a time unit conversion.
#[derive(Clone, Copy, Debug)]
pub struct ClockScale<'a> {
    /// Simulated seconds.
    pub tick_seconds: u32,
    /// The keys.
    pub clocks: &'a ClocksConfig,
}

morta_base::words! {
    /// The stages of dwindling money. Levels of financial distress by runway.
    pub enum EconomicStage {
        /// As usual.
        Ample = "ample",
        /// Twice as often.
        Pressed = "pressed",
        /// Only to consolidate (and twice as often).
        Consolidating = "consolidating",
        /// No more.
        OutOfTime = "out_of_time",
    }
}

impl EconomicStage {
    /// Multiplier on the frequency of dreams.
    pub fn frequency(self, clocks: &ClocksConfig) -> f64 {
        if self == Self::Ample { 1.0 } else { clocks.frequency_factor }
    }
}

/// Urgency of each clock, 0 to 1: normalised pressures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClockUrgency {
    /// clamp((72 − hours) / 66).
    pub economic: f64,
    /// clamp((.5 − accuracy) / .15).
    pub epistemic: f64,
    /// clamp((hayflick − .7) / .15).
    pub stochastic: f64,
}

impl ClockUrgency {
    /// Computes the urgencies from a reading, by a clamped linear rescaling (ramp). Where the two bounds of money are the same, the
    /// economic urgency is a step.
    pub fn from_reading(reading: &ThreeClockReading, clocks: &ClocksConfig, legacy: &LegacyConfig) -> Self {
        let span = clocks.press_below_hours - clocks.cease_below_hours;
        let economic = reading.runway_hours.map_or(0.0, |hours| {
            if span > 0.0 {
                ((clocks.press_below_hours - hours) / span).clamp(0.0, 1.0)
            } else {
                f64::from(hours < clocks.cease_below_hours)
            }
        });
        Self {
            economic,
            epistemic: ((clocks.accuracy_from - reading.accuracy) / clocks.accuracy_span).clamp(0.0, 1.0),
            stochastic: legacy.turn(reading.hayflick),
        }
    }

    /// Factor on the frequency of dreams, above 0; 1 where intensity doesn't act. An interval is divided by it, so it may not be 0.
    pub fn pace(&self, clocks: &ClocksConfig) -> f64 {
        const SLOWEST: f64 = 1e-6;
        if clocks.intensity_acts { self.dream_intensity(clocks).max(SLOWEST) } else { 1.0 }
    }

    /// dreamIntensity = base · (1 + .5·economic + .3·epistemic + .2·stochastic). It scales the frequency of dreams, not their budget.
    pub fn dream_intensity(&self, clocks: &ClocksConfig) -> f64 {
        clocks.base_rate
            * (1.0
                + clocks.economic_weight * self.economic
                + clocks.epistemic_weight * self.epistemic
                + clocks.stochastic_weight * self.stochastic)
    }
}
