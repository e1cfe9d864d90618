//! Bequests in words that another language knows, and checks of its answers (input validation). Expected results are R; confidence
//! (.5 where it is left out) and shares are 0 to 1; a number that isn't finite is refused, and costs the golem whose memory gave it its
//! life. Only claims of a strategy's worth, in one regime or in any, are passed to a process or a Python class; scars and other claims are
//! left out silently, because a number of the engine's means nothing in another language. `ProcessMemory`, the message types and the Python
//! package use it.

use morta_base::GolemId;
use morta_base::keys::words::UnknownWord;
use morta_engine::episode::{Claim, ContextPattern, EntryKind, FindingKind, Lesson};
use morta_engine::lethe::{Bequest, Drawn};
use morta_engine::llm::Tier;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Looks up the model tier of a number.
///
/// # Errors
/// When it is none of 0, 1 and 2.
pub fn tier(number: u32) -> Result<Tier, String> {
    let tier = Tier::ALL.into_iter().find(|tier| tier.index() == number as usize);
    tier.ok_or_else(|| format!("tier {number}: 0, 1 or 2"))
}

/// A lesson that has words: trades of a strategy, in a regime or in any, make so much (JSON message).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonMessage {
    /// Name of the strategy.
    pub strategy: String,
    /// Expected result of a trade, R net of costs.
    pub expected_r: f64,
    /// Name of the regime; none for all of them.
    pub regime: Option<String>,
    /// The giver's trust, 0 to 1.
    #[serde(default = "even")]
    pub confidence: f64,
    /// Outcomes it rests on.
    #[serde(default)]
    pub outcomes: u32,
}

/// The trust of a giver that says nothing of it.
const fn even() -> f64 {
    0.5
}

impl LessonMessage {
    /// Puts into words what was drawn from the dead, where that is possible (lossy mapping). Scars, and claims of another kind or about
    /// more than a regime, have none.
    pub fn from_drawn(drawn: &Drawn) -> Option<Self> {
        let Bequest::Lesson(lesson) = &drawn.bloodstain.bequest else { return None };
        let Claim { strategy, pattern, expected_r, .. } = lesson.claim;
        let plain = pattern.regime.map_or_else(ContextPattern::default, ContextPattern::from_regime);
        let is_sayable = lesson.claim == Claim::of_worth(strategy, plain, expected_r);
        is_sayable.then(|| Self {
            strategy: strategy.name().to_owned(),
            expected_r,
            regime: pattern.regime.map(|regime| regime.name().to_owned()),
            confidence: lesson.confidence,
            outcomes: lesson.outcomes_behind,
        })
    }

    /// Converts the lesson to the bequest that an heir draws.
    ///
    /// # Errors
    /// When a name is unknown or a number out of its range.
    pub fn to_bequest(&self, origin: GolemId) -> Result<Bequest, String> {
        let regime = self.regime.as_deref().map(|name| word("regime", name)).transpose()?;
        let pattern = regime.map_or_else(ContextPattern::default, ContextPattern::from_regime);
        finite("expected_r", self.expected_r)?;
        share("confidence", self.confidence)?;
        Ok(Bequest::Lesson(Lesson {
            kind: EntryKind::Heuristic,
            claim: Claim::of_worth(word("strategy", &self.strategy)?, pattern, self.expected_r),
            confidence: self.confidence,
            confirmed: 0,
            contradicted: 0,
            origin,
            unfinished: false,
            finding: FindingKind::Insight,
            learned_from: Vec::new(),
            outcomes_behind: self.outcomes,
        }))
    }
}

fn word<T: FromStr<Err = UnknownWord>>(key: &str, word: &str) -> Result<T, String> {
    word.parse().map_err(|error| format!("{key} = {word:?}: {error}"))
}

/// Checks that a number is finite: NaN and infinities are refused.
///
/// # Errors
/// When it isn't finite.
pub fn finite(key: &str, number: f64) -> Result<f64, String> {
    if number.is_finite() { Ok(number) } else { Err(format!("{key} is {number}: it must be finite")) }
}

/// Checks that a number is a share, 0 to 1 (range check).
///
/// # Errors
/// When it is none.
pub fn share(key: &str, number: f64) -> Result<f64, String> {
    let is_share = (0.0..=1.0).contains(&number);
    if is_share { Ok(number) } else { Err(format!("{key} is {number}: it must be within 0 and 1")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_engine::market::{Regime, Strategy};

    #[test]
    fn a_lesson_that_can_be_no_lesson_is_refused() {
        let name = Strategy::ALL[0].name();
        let lesson_in =
            |text: &str| serde_json::from_str::<LessonMessage>(&text.replace("NAME", name)).unwrap();
        let origin = GolemId::founder(3);
        let good = lesson_in(r#"{"strategy":"NAME","expected_r":-0.25,"regime":"volatile","outcomes":7}"#);
        let Ok(Bequest::Lesson(lesson)) = good.to_bequest(origin) else { panic!("{good:?} is a lesson") };
        assert_eq!((lesson.confidence, lesson.outcomes_behind, lesson.origin), (0.5, 7, origin));
        assert_eq!(lesson.claim.pattern, ContextPattern::from_regime(Regime::Volatile));
        for bad in [
            r#"{"strategy":"luck","expected_r":0}"#,
            r#"{"strategy":"NAME","expected_r":0,"regime":"calm"}"#,
            r#"{"strategy":"NAME","expected_r":0,"confidence":1.5}"#,
        ] {
            assert!(lesson_in(bad).to_bequest(origin).is_err(), "{bad}");
        }
    }
}
