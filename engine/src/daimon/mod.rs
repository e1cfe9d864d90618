//! Affect: what happens to a golem, felt as pleasure, arousal and dominance.

pub mod appraisal;
pub mod pad;

pub use appraisal::{Appraisal, Happening, appraise};
pub use pad::{DaimonConfig, Mood, Pad};
