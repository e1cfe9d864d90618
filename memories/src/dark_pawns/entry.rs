//! One line of a session log: what an agent saw and did in one turn (digest section 2).

use crate::dark_pawns::Stamp;
use crate::dark_pawns::entry_forms::in_one_form;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// Longest line of a log, in bytes (digest section 2: 1 MiB). A longer one fails the original's run; ours passes over it.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// A line that holds no turn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct NotAnEntry {
    why: String,
}

/// One turn. `timestamp` and `action` are needed; what is left out or null is unknown. Unknown fields are not looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionEntry {
    /// When the turn was.
    pub timestamp: Stamp,
    /// Number of the room; 0 for unknown.
    #[serde(default, deserialize_with = "or_default")]
    pub room_vnum: i64,
    /// Name of the room.
    #[serde(default, deserialize_with = "or_default")]
    pub room_name: String,
    /// Hit points; may fall below 0.
    pub hp: Option<i64>,
    /// Most hit points; 0 or less for unknown.
    #[serde(default, deserialize_with = "or_default")]
    pub max_hp: i64,
    /// Level of the agent; 0 for unknown.
    #[serde(default, deserialize_with = "or_default")]
    pub agent_level: i64,
    /// Monsters in the room.
    #[serde(default, deserialize_with = "or_default")]
    pub mobs_present: i64,
    /// Current opponent; empty for none.
    #[serde(default, deserialize_with = "or_default")]
    pub fighting: String,
    /// Level of the opponent; 0 for unknown.
    #[serde(default, deserialize_with = "or_default")]
    pub mob_level: i64,
    /// What the agent did: a verb.
    pub action: String,
    /// The verb's arguments; the first is the target, the item or the spoken text.
    #[serde(default, deserialize_with = "or_default")]
    pub args: Vec<String>,
    /// What was said along with the action.
    #[serde(default, deserialize_with = "or_default")]
    pub say_line: String,
    /// With whom the agent dealt.
    #[serde(default, deserialize_with = "or_default")]
    pub social_target: String,
    /// How: gift, betrayal and so on.
    #[serde(default, deserialize_with = "or_default")]
    pub social_type: String,
    /// Quality of the item, 0 to 100.
    #[serde(default, deserialize_with = "or_default")]
    pub item_level: i64,
    /// `won`, `lost`, `fled` or empty.
    #[serde(default, deserialize_with = "or_default")]
    pub combat_result: String,
    /// The valence that was recorded; dreaming computes its own.
    #[serde(default, deserialize_with = "or_default")]
    pub valence: i64,
}

impl SessionEntry {
    /// Reads a line, in any of the forms that clients write a turn in: moments with or without a zone or as numbers, numbers as text, arguments
    /// as one text, a whole command as the action, letters of an old encoding.
    ///
    /// # Errors
    /// When it is no object with a time and an action, or a field has the wrong type.
    pub fn parse(line: &[u8]) -> Result<Self, NotAnEntry> {
        let fail = |error: serde_json::Error| NotAnEntry { why: error.to_string() };
        match serde_json::from_str(&Self::line_text(line)).map_err(fail)? {
            Value::Object(turn) => serde_json::from_value(Value::Object(in_one_form(turn))).map_err(fail),
            other => serde_json::from_value(other).map_err(fail),
        }
    }

    /// The text of a line, without what may stand around an object: the mark that begins a file, blanks, and the comma of a list of turns that was
    /// written a line each. What isn't UTF-8 loses its letters.
    pub fn line_text(line: &[u8]) -> String {
        let text = String::from_utf8_lossy(line);
        text.trim_start_matches('\u{feff}').trim().trim_end_matches(',').to_owned()
    }

    /// All arguments, as one text.
    pub fn words(&self) -> String {
        self.args.join(" ")
    }

    /// Whom the turn is about: the target of the command, else the opponent; empty when the log doesn't say.
    pub fn target(&self) -> &str {
        if self.argument().is_empty() { &self.fighting } else { self.argument() }
    }

    /// Where it was, as it is told after a deed; empty when the log doesn't say.
    pub fn place(&self) -> String {
        match (self.room_name.is_empty(), self.room_vnum) {
            (false, _) => format!(" in {}", self.room_name),
            (true, 0) => String::new(),
            (true, vnum) => format!(" in room {vnum}"),
        }
    }

    /// The first argument; empty when there is none.
    pub fn argument(&self) -> &str {
        self.args.first().map_or("", String::as_str)
    }

    /// Hit points and the most of them, when both are known.
    pub fn health(&self) -> Option<(i64, i64)> {
        self.hp.filter(|_| self.max_hp > 0).map(|hp| (hp, self.max_hp))
    }

    /// Whether a fight is on with at most a quarter of the hit points left, rounded down.
    pub fn is_near_death(&self) -> bool {
        !self.fighting.is_empty() && self.health().is_some_and(|(hp, most)| hp <= most / 4)
    }
}

fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
