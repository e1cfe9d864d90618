//! The rule table: how a golem feels about what happens to it (digest section 10, A01).

use crate::daimon::Pad;
use serde::{Deserialize, Serialize};

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Happening {
    /// A trade closed with this profit (above 0) or loss, per cent of its stake.
    TradeClosed {
        /// Profit, per cent of the stake.
        percent: f64,
    },
    /// An expectation missed by this much, in [0, 1].
    PredictionMissed {
        /// Size of the miss.
        error: f64,
    },
    /// The market's regime, as read by the golem, changed.
    RegimeShifted,
    /// A rule the golem was testing proved right.
    RuleValidated,
    /// A rule the golem was testing proved wrong.
    RuleContradicted,
}

/// How it feels, and how strongly (0 to 1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Appraisal {
    /// The feeling.
    pub pad: Pad,
    /// Its strength.
    pub intensity: f64,
}

/// Looks a happening up in the rule table.
pub fn appraise(happening: Happening) -> Appraisal {
    let (pad, intensity) = match happening {
        Happening::TradeClosed { percent } if percent >= 0.0 => {
            (Pad::new(0.6, 0.3, 0.5), (percent / 10.0).clamp(0.1, 0.9))
        }
        Happening::TradeClosed { percent } => {
            let loss = -percent;
            let arousal = if loss > 5.0 { 0.7 } else { 0.2 };
            (Pad::new(-0.5, arousal, -0.3), (loss / 20.0).clamp(0.1, 0.9))
        }
        Happening::PredictionMissed { error } => {
            let pleasure = if error > 0.5 { -0.3 } else { -0.1 };
            (Pad::new(pleasure, 0.6, -0.2), error.clamp(0.2, 0.8))
        }
        Happening::RegimeShifted => (Pad::new(-0.2, 0.7, -0.3), 0.6),
        Happening::RuleValidated => (Pad::new(0.3, -0.1, 0.3), 0.4),
        Happening::RuleContradicted => (Pad::new(-0.3, 0.2, 0.1), 0.4),
    };
    Appraisal { pad, intensity }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daimon::{DaimonConfig, Mood};

    #[test]
    fn the_rule_table() {
        let check = |happening, (p, a, d), intensity| {
            assert_eq!(appraise(happening), Appraisal { pad: Pad::new(p, a, d), intensity }, "{happening:?}");
        };
        check(Happening::TradeClosed { percent: 5.0 }, (0.6, 0.3, 0.5), 0.5);
        check(Happening::TradeClosed { percent: 50.0 }, (0.6, 0.3, 0.5), 0.9);
        check(Happening::TradeClosed { percent: -4.0 }, (-0.5, 0.2, -0.3), 0.2);
        check(Happening::TradeClosed { percent: -6.0 }, (-0.5, 0.7, -0.3), 0.3);
        check(Happening::PredictionMissed { error: 0.4 }, (-0.1, 0.6, -0.2), 0.4);
        check(Happening::PredictionMissed { error: 1.0 }, (-0.3, 0.6, -0.2), 0.8);
        check(Happening::RegimeShifted, (-0.2, 0.7, -0.3), 0.6);
    }

    /// One regime shift from a neutral mood: .05 · .6 = .03 of the feeling.
    #[test]
    fn a_mood_moves_by_intensity() {
        let mut mood = Mood::default();
        mood.feel(appraise(Happening::RegimeShifted), &DaimonConfig::default());
        let Pad { pleasure, arousal, dominance } = mood.pad();
        assert!((pleasure + 0.006).abs() < 1e-12 && (arousal - 0.021).abs() < 1e-12);
        assert!((dominance + 0.009).abs() < 1e-12);
        let mut numb = Mood::default();
        numb.feel(appraise(Happening::RegimeShifted), &DaimonConfig { enabled: false, ..Default::default() });
        assert_eq!(numb.pad(), Pad::default());
    }
}
