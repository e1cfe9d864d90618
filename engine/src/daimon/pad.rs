//! The PAD space: pleasure, arousal, dominance, each from −1 to 1 (digest section 10; the PAD emotional state model of Mehrabian and
//! Russell).
//!
//! Operations clamp to that cube, so that no sum of feelings leaves the range on which formulas and labels are defined; a point that is
//! read from a checkpoint or made of its fields isn't clamped. Moods, single feelings, natures and what is caught of siblings are such
//! points. `towards` moves a mood, `intensity` scales its effect on stakes; `distance` says whether a mood has moved far enough to be
//! reported or to be a turning point of a life, and compares no memories.

use serde::{Deserialize, Serialize};

/// A point in pleasure–arousal–dominance space, the PAD emotion model, each coordinate from −1 to 1; pleasure is also called valence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pad {
    /// Pleasure: bad (−1) to good (1).
    pub pleasure: f64,
    /// Arousal: calm (−1) to excited (1).
    pub arousal: f64,
    /// Dominance: at the mercy of events (−1) to in control (1).
    pub dominance: f64,
}

impl Pad {
    /// Makes a point (vector); each coordinate is clamped to [−1, 1].
    pub const fn new(pleasure: f64, arousal: f64, dominance: f64) -> Self {
        Self {
            pleasure: pleasure.clamp(-1.0, 1.0),
            arousal: arousal.clamp(-1.0, 1.0),
            dominance: dominance.clamp(-1.0, 1.0),
        }
    }

    /// Euclidean length (norm), from 0 to √3.
    pub fn length(self) -> f64 {
        (self.pleasure * self.pleasure + self.arousal * self.arousal + self.dominance * self.dominance).sqrt()
    }

    /// Intensity of a mood, from 0 to 1: its length (Euclidean norm) over √3, that of the corners. An appraised feeling has an intensity of
    /// its own besides, which isn't this one.
    pub fn intensity(self) -> f64 {
        self.length() / LONGEST
    }

    /// Euclidean distance to another point, up to 2√3.
    pub fn distance(self, other: Self) -> f64 {
        let (p, a, d) =
            (self.pleasure - other.pleasure, self.arousal - other.arousal, self.dominance - other.dominance);
        (p * p + a * a + d * d).sqrt()
    }

    /// Interpolates linearly: the point that lies this share (0 to 1) of the way to another, clamped.
    pub fn towards(self, other: Self, share: f64) -> Self {
        self.plus(Self {
            pleasure: share * (other.pleasure - self.pleasure),
            arousal: share * (other.arousal - self.arousal),
            dominance: share * (other.dominance - self.dominance),
        })
    }

    /// Adds another vector and clamps the sum.
    pub const fn plus(self, other: Self) -> Self {
        Self::new(
            self.pleasure + other.pleasure,
            self.arousal + other.arousal,
            self.dominance + other.dominance,
        )
    }

    /// Multiplies all coordinates by a factor (scalar) and clamps them.
    pub const fn scaled(self, factor: f64) -> Self {
        Self::new(self.pleasure * factor, self.arousal * factor, self.dominance * factor)
    }
}

/// √3; written out, because `sqrt` is no constant function.
const LONGEST: f64 = 1.732_050_807_568_877_2;
