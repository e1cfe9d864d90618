//! Valences of turns, −3 to +3 (digest section 3). A valence is the emotional value of an event (appraisal, affect), by rules on levels, hit
//! points and words. It is a whole number, because the original's files have whole numbers. Extraction of events and `of_entry` share
//! these rules; a golem's feelings go by results in R, and take only damage and dealings from here.

use crate::dark_pawns::deeds::deed;
use crate::dark_pawns::speech::sentiment;
use crate::dark_pawns::{DamageBands, DreamRules, SessionEntry};
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// A valence, from −3, the worst, to +3, the best: a newtype of a sentiment score (emotional valence).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "i8", into = "i8")]
pub struct Valence(i8);

/// The error of a number outside −3 to +3 (out of range).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("valence = {0}: must be a whole number from -3 to 3")]
pub struct NotAValence(i8);

impl Valence {
    /// Neither good nor bad.
    pub const NEUTRAL: Self = Self(0);
    /// The largest absolute value.
    pub const MOST: i8 = 3;

    /// Clamps a number to a valence, −3 to +3 (a saturating conversion).
    pub const fn new(value: i64) -> Self {
        Self(if value > 3 {
            3
        } else if value < -3 {
            -3
        } else {
            value as i8
        })
    }

    /// The sign (signum) of a number as a valence: +1, 0 or −1.
    pub const fn of_sign(value: i64) -> Self {
        Self(value.signum() as i8)
    }

    /// The valence as a number, −3 to +3.
    pub const fn get(self) -> i8 {
        self.0
    }
}

impl TryFrom<i8> for Valence {
    type Error = NotAValence;

    fn try_from(value: i8) -> Result<Self, NotAValence> {
        let good = (-Self::MOST..=Self::MOST).contains(&value);
        if good { Ok(Self(value)) } else { Err(NotAValence(value)) }
    }
}

impl From<Valence> for i8 {
    fn from(valence: Valence) -> Self {
        valence.0
    }
}

impl fmt::Display for Valence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

/// Health percentage: percent of hit points left, rounded down; 100 when they aren't known. The original rounds for flights and rounds down
/// elsewhere; here it is down throughout, so that one turn has one percentage.
pub fn health_percent(health: Option<(i64, i64)>) -> i64 {
    health.map_or(100, |(hp, most)| {
        let percent = (i128::from(hp) * 100).div_euclid(i128::from(most));
        percent.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    })
}

/// Valence of a kill or a hit in combat, by the level difference, the opponent's less the agent's; +1 when a level isn't known. The
/// document's bands overlap at 3 and 10 below; the limits here are the original's.
pub fn of_fight(mob_level: i64, agent_level: i64) -> Valence {
    if mob_level <= 0 || agent_level <= 0 {
        return Valence(1);
    }
    Valence(match mob_level - agent_level {
        ..=-10 => 0,
        -9..=-3 => 1,
        -2..=3 => 2,
        4.. => 3,
    })
}

/// Valence of a flight, by the percent of hit points left: to flee unhurt is shameful, to flee near death is not.
pub fn of_flight(percent: i64) -> Valence {
    Valence(match percent {
        ..20 => 0,
        20..40 => -1,
        40..80 => -2,
        80.. => -3,
    })
}

/// Looks up the valence of a dealing (social appraisal), by its kind in upper or lower case; `None` for an unknown kind, whose valence is
/// that of the words.
pub fn of_dealing(social_type: &str) -> Option<Valence> {
    Some(Valence(match social_type.to_lowercase().as_str() {
        "betrayal" | "backstab" | "attack_ally" => -3,
        "insult" | "threaten" => -2,
        "gift" | "give" => 2,
        "cooperation" | "assist" | "heal_ally" | "greet" | "introduce" | "trade" | "exchange" => 1,
        _ => return None,
    }))
}

/// Valence of an item that was taken, by its item level, that is its rarity: legendary from 80 on, valuable from 50 on.
pub fn of_item(item_level: i64) -> Valence {
    Valence(match item_level {
        ..50 => 1,
        50..80 => 2,
        80.. => 3,
    })
}

/// Valence of damage, by health bands of hit points; −1 when they aren't known. A golem hands in its money for hit points: the least it had
/// during a trade, and the most it ever had.
pub fn of_damage(health: Option<(i64, i64)>, bands: DamageBands) -> Valence {
    if health.is_none() {
        return Valence(-1);
    }
    Valence(match (bands, health_percent(health)) {
        (_, ..5) | (DamageBands::Original, 5) => -3,
        (_, 5..=15) => -2,
        (DamageBands::Seed, 16..) | (DamageBands::Original, 16..=30) => -1,
        (DamageBands::Original, 31..) => 0,
    })
}

/// Valence of speech: that of the kind of dealing, or the sentiment of the text for an unknown kind.
pub fn of_speech(social_type: &str, text: &str, rules: &DreamRules) -> Valence {
    of_dealing(social_type).unwrap_or_else(|| sentiment(text, rules.speech))
}

/// Whether a turn counts as a dealing by its `social_type`, whatever its verb.
fn is_dealing(entry: &SessionEntry, rules: &DreamRules) -> bool {
    rules.social_links && !entry.social_type.trim().is_empty()
}

/// Valence of a whole turn: the original's `ComputeValence`, which a session log records (rule-based appraisal). It reads speech from
/// `say_line` alone, as the original does; extraction reads the arguments first.
pub fn of_entry(entry: &SessionEntry, rules: &DreamRules) -> Valence {
    if !rules.valence {
        return Valence::NEUTRAL;
    }
    match entry.action.as_str() {
        "hit" | "kill" => of_fight(entry.mob_level, entry.agent_level),
        "flee" => of_flight(health_percent(entry.health())),
        "say" => of_speech(&entry.social_type, &entry.say_line, rules),
        "get" => of_item(entry.item_level),
        _ if is_dealing(entry, rules) => of_speech(&entry.social_type, &entry.say_line, rules),
        "north" | "south" | "east" | "west" | "up" | "down" => Valence::NEUTRAL,
        _ if let Some(deed) = deed(entry, rules) => deed.valence,
        _ if entry.is_near_death() => of_damage(entry.health(), rules.damage_bands),
        _ => Valence::NEUTRAL,
    }
}
