//! Labels of feelings: eight names of Plutchik's wheel of emotions, by octant of PAD space (digest section 10, A00).
//!
//! A label is a discrete emotion for logs and for tables by emotion; moods are computed from PAD points themselves. The stake goes by the
//! label (`BehaviourConfig::risk_factor`), and the trust in a legacy by the number of labels that a life had (`golem::succession`). A point
//! no longer than a limit is neutral: .05 for moods, 0 for single feelings.

use crate::daimon::Pad;

morta_base::words! {
    /// One of the named feelings of Plutchik's wheel, or none. A discrete emotion category (classification label).
    #[derive(Default)]
    #[allow(missing_docs)]
    pub enum Emotion {
        /// Too faint to have a name.
        #[default]
        Neutral = "neutral",
        Joy = "joy",
        Trust = "trust",
        Anticipation = "anticipation",
        Anger = "anger",
        Fear = "fear",
        Disgust = "disgust",
        Sadness = "sadness",
        /// No octant has this name (fear has its): a bad surprise is felt so, and the mood is called so for ten ticks after it.
        Surprise = "surprise",
    }
}

impl Emotion {
    /// Feelings a mood can have, the neutral one first.
    pub const OF_MOODS: [Self; 8] = [
        Self::Neutral,
        Self::Joy,
        Self::Trust,
        Self::Anticipation,
        Self::Anger,
        Self::Fear,
        Self::Disgust,
        Self::Sadness,
    ];

    /// Classifies a point as a feeling by its octant, i.e. the signs of its coordinates; 0 counts as positive. Points no longer than
    /// `faint` are neutral.
    pub fn from_pad(pad: Pad, faint: f64) -> Self {
        if pad.length() <= faint {
            return Self::Neutral;
        }
        match (pad.pleasure >= 0.0, pad.arousal >= 0.0, pad.dominance >= 0.0) {
            (true, true, true) => Self::Joy,
            (true, true, false) => Self::Trust,
            (true, false, _) => Self::Anticipation,
            (false, true, true) => Self::Anger,
            (false, true, false) => Self::Fear,
            (false, false, true) => Self::Disgust,
            (false, false, false) => Self::Sadness,
        }
    }
}
