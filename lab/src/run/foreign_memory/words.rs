//! What the dead leave to others, and the names of things, in words that another language knows.

use morta_base::GolemId;
use morta_engine::episode::{Claim, ContextPattern, EntryKind, EpisodeKind, FindingKind, Lesson};
use morta_engine::lethe::{Bequest, Drawn};
use morta_engine::llm::Tier;
use morta_engine::market::{PositionSide, Regime, Strategy};
use serde::{Deserialize, Serialize};

/// The name of a value that tables have too: that of an enum's variant as it is written.
///
/// # Panics
/// When the value is written as something else than a text.
pub fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        other => panic!("{other:?} is no name"),
    }
}

/// The word for the side of a position.
pub const fn side(side: PositionSide) -> &'static str {
    match side {
        PositionSide::Long => "long",
        PositionSide::Short => "short",
        PositionSide::Liquidity => "liquidity",
    }
}

/// The word for the kind of an outcome.
pub const fn kind(kind: EpisodeKind) -> &'static str {
    match kind {
        EpisodeKind::Trade => "trade",
        EpisodeKind::StayedOut => "stayed_out",
    }
}

/// The strategy of a name.
///
/// # Errors
/// When there is none of that name; the line says which there are.
pub fn strategy(name: &str) -> Result<Strategy, String> {
    let known = || Strategy::ALL.map(Strategy::name).join(", ");
    let found = Strategy::ALL.into_iter().find(|strategy| strategy.name() == name);
    found.ok_or_else(|| format!("no strategy `{name}`: one of {}", known()))
}

/// The regime of a name.
///
/// # Errors
/// When there is none of that name; the line says which there are.
pub fn regime(name: &str) -> Result<Regime, String> {
    let known = || Regime::ALL.map(Regime::name).join(", ");
    let found = Regime::ALL.into_iter().find(|regime| regime.name() == name);
    found.ok_or_else(|| format!("no regime `{name}`: one of {}", known()))
}

/// The tier of a number.
///
/// # Errors
/// When it is none of 0, 1 and 2.
pub fn tier(number: u32) -> Result<Tier, String> {
    match number {
        0 => Ok(Tier::T0),
        1 => Ok(Tier::T1),
        2 => Ok(Tier::T2),
        other => Err(format!("tier {other}: 0, 1 or 2")),
    }
}

/// A lesson that has words: trades of a strategy, in a regime or in any, make so much.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToldLesson {
    /// Name of the strategy.
    pub strategy: String,
    /// Expected result of a trade, R net of costs.
    pub expected_r: f64,
    /// Name of the regime; none for all of them.
    #[serde(default)]
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

impl ToldLesson {
    /// What was drawn from the dead, in words. Scars, and claims of another kind or about more than a regime, have none.
    pub fn of(drawn: &Drawn) -> Option<Self> {
        let Bequest::Lesson(lesson) = &drawn.bloodstain.bequest else { return None };
        let Claim { strategy, pattern, expected_r, .. } = lesson.claim;
        let plain = pattern.regime.map_or_else(ContextPattern::default, ContextPattern::of_regime);
        let is_sayable = lesson.claim == Claim::of_worth(strategy, plain, expected_r);
        is_sayable.then(|| Self {
            strategy: strategy.name().to_owned(),
            expected_r,
            regime: pattern.regime.map(|regime| regime.name().to_owned()),
            confidence: lesson.confidence,
            outcomes: lesson.outcomes_behind,
        })
    }

    /// What a golem that told this leaves to others.
    ///
    /// # Errors
    /// When a name is unknown or a number out of its range.
    pub fn to_bequest(&self, origin: GolemId) -> Result<Bequest, String> {
        let pattern = match &self.regime {
            Some(name) => ContextPattern::of_regime(regime(name)?),
            None => ContextPattern::default(),
        };
        finite("expected_r", self.expected_r)?;
        share("confidence", self.confidence)?;
        Ok(Bequest::Lesson(Lesson {
            kind: EntryKind::Heuristic,
            claim: Claim::of_worth(strategy(&self.strategy)?, pattern, self.expected_r),
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

/// A number that is one.
///
/// # Errors
/// When it isn't finite.
pub fn finite(what: &str, number: f64) -> Result<f64, String> {
    if number.is_finite() { Ok(number) } else { Err(format!("{what} is {number}: it must be finite")) }
}

/// A share of something, 0 to 1.
///
/// # Errors
/// When it is none.
pub fn share(what: &str, number: f64) -> Result<f64, String> {
    let is_share = (0.0..=1.0).contains(&number);
    if is_share { Ok(number) } else { Err(format!("{what} is {number}: it must be within 0 and 1")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_files() {
        for strategy in Strategy::ALL {
            assert_eq!(super::strategy(strategy.name()), Ok(strategy));
        }
        for regime in Regime::ALL {
            assert_eq!(super::regime(regime.name()), Ok(regime));
            assert_eq!(word(&regime), regime.name());
        }
        for of in [PositionSide::Long, PositionSide::Short, PositionSide::Liquidity] {
            assert_eq!(word(&of), side(of));
        }
        assert!(regime("calm").unwrap_err().contains("volatile"));
        assert!(strategy("luck").unwrap_err().contains(Strategy::ALL[0].name()));
        assert_eq!((tier(2), tier(3).is_err()), (Ok(Tier::T2), true));
    }

    #[test]
    fn a_lesson_that_can_be_no_lesson_is_refused() {
        let name = Strategy::ALL[0].name();
        let told = |text: &str| serde_json::from_str::<ToldLesson>(&text.replace("NAME", name)).unwrap();
        let origin = GolemId::founder(3);
        let good = told(r#"{"strategy":"NAME","expected_r":-0.25,"regime":"volatile","outcomes":7}"#);
        let Ok(Bequest::Lesson(lesson)) = good.to_bequest(origin) else { panic!("{good:?} is a lesson") };
        assert_eq!((lesson.confidence, lesson.outcomes_behind, lesson.origin), (0.5, 7, origin));
        assert_eq!(lesson.claim.pattern, ContextPattern::of_regime(Regime::Volatile));
        for bad in [
            r#"{"strategy":"luck","expected_r":0}"#,
            r#"{"strategy":"NAME","expected_r":0,"regime":"calm"}"#,
            r#"{"strategy":"NAME","expected_r":0,"confidence":1.5}"#,
        ] {
            assert!(told(bad).to_bequest(origin).is_err(), "{bad}");
        }
    }
}
