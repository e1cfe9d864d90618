//! One line of a session log: the observation and action of an agent in one turn (digest section 2). It is the JSON Lines schema of an
//! observation-action log: hit points and levels are whole numbers, moments are RFC 3339. Only time and action are required, because clients
//! leave out what they don't know. A line that isn't a turn is an error here; the readers of logs skip it and name it.

use crate::dark_pawns::Stamp;
use crate::dark_pawns::entry_forms::in_one_form;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// The longest line of a log, in bytes (digest section 2: 1 MiB). A longer one fails the original's whole run; here it is skipped, so that
/// one broken line doesn't cost a session.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// The error of a line that isn't a turn (parse error).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct NotAnEntry {
    /// The parser's message.
    why: String,
    /// Whether the turn names no moment: who records turns as they happen knows it.
    pub lacks_timestamp: bool,
}

/// One turn (observation and action). `timestamp` and `action` are required; other fields may be missing or null, which means unknown. Unknown
/// fields are ignored. A missing time is refused, because the original's year 1 would put the turn before all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionEntry {
    /// The moment of the turn.
    pub timestamp: Stamp,
    /// Number of the room; 0 for unknown.
    #[serde(default, deserialize_with = "or_default")]
    pub room_vnum: i64,
    /// Name of the room.
    #[serde(default, deserialize_with = "or_default")]
    pub room_name: String,
    /// Hit points; may fall below 0.
    pub hp: Option<i64>,
    /// Maximum of hit points; 0 or less for unknown.
    #[serde(default, deserialize_with = "or_default")]
    pub max_hp: i64,
    /// Level of the agent; 0 for unknown.
    #[serde(default, deserialize_with = "or_default")]
    pub agent_level: i64,
    /// Number of monsters in the room.
    #[serde(default, deserialize_with = "or_default")]
    pub mobs_present: i64,
    /// Current opponent; empty for none.
    #[serde(default, deserialize_with = "or_default")]
    pub fighting: String,
    /// Level of the opponent; 0 for unknown.
    #[serde(default, deserialize_with = "or_default")]
    pub mob_level: i64,
    /// The agent's action, a verb.
    pub action: String,
    /// The verb's arguments; the first is the target, the item or the spoken text.
    #[serde(default, deserialize_with = "or_default")]
    pub args: Vec<String>,
    /// Speech along with the action; empty for none.
    #[serde(default, deserialize_with = "or_default")]
    pub say_line: String,
    /// The other side of a dealing; empty for none.
    #[serde(default, deserialize_with = "or_default")]
    pub social_target: String,
    /// The kind of dealing: gift, betrayal and so on; empty for none.
    #[serde(default, deserialize_with = "or_default")]
    pub social_type: String,
    /// Quality of the item, 0 to 100.
    #[serde(default, deserialize_with = "or_default")]
    pub item_level: i64,
    /// `won`, `lost`, `fled` or empty.
    #[serde(default, deserialize_with = "or_default")]
    pub combat_result: String,
    /// The recorded valence. It is for analysis only: a dream computes valences itself.
    #[serde(default, deserialize_with = "or_default")]
    pub valence: i64,
}

impl SessionEntry {
    /// Parses a line in any of the forms that clients write a turn in: moments with or without a zone or as numbers, numbers as text, arguments
    /// as one text, a whole command as the action, bytes of an old encoding (lenient JSON parser).
    ///
    /// # Errors
    /// When it isn't an object with a time and an action, or a field has the wrong type.
    pub fn parse(line: &[u8]) -> Result<Self, NotAnEntry> {
        let mut lacks_timestamp = false;
        let turn = serde_json::from_str(&Self::line_text(line)).and_then(|turn| match turn {
            Value::Object(turn) => {
                let turn = in_one_form(turn);
                lacks_timestamp = !turn.contains_key("timestamp");
                serde_json::from_value(Value::Object(turn))
            }
            other => serde_json::from_value(other),
        });
        turn.map_err(|error| NotAnEntry { why: error.to_string(), lacks_timestamp })
    }

    /// Decodes the text of a line, without a byte order mark, blanks, and the trailing comma of a JSON list with one turn a line. Bytes that
    /// aren't UTF-8 become U+FFFD, so that a name in an old encoding doesn't cost the turn.
    pub fn line_text(line: &[u8]) -> String {
        let text = String::from_utf8_lossy(line);
        text.trim_start_matches('\u{feff}').trim().trim_end_matches(',').to_owned()
    }

    /// Joins all arguments by blanks.
    pub fn words(&self) -> String {
        self.args.join(" ")
    }

    /// The target of the turn: the first argument, or the opponent without one; empty when the log names neither.
    pub fn target(&self) -> &str {
        if self.argument().is_empty() { &self.fighting } else { self.argument() }
    }

    /// The place, as it ends a narrative (` in the Dark Corridor`); empty when the log doesn't name it. A room without a name has its
    /// number.
    pub fn place(&self) -> String {
        match (self.room_name.is_empty(), self.room_vnum) {
            (false, _) => format!(" in {}", self.room_name),
            (true, 0) => String::new(),
            (true, vnum) => format!(" in room {vnum}"),
        }
    }

    /// The first argument of the command; empty when there is none.
    pub fn argument(&self) -> &str {
        self.args.first().map_or("", String::as_str)
    }

    /// Hit points (HP) and their maximum; `None` unless both are known.
    pub fn health(&self) -> Option<(i64, i64)> {
        self.hp.filter(|_| self.max_hp > 0).map(|hp| (hp, self.max_hp))
    }

    /// Whether the agent fights with at most a quarter of its hit points, rounded down: the original's condition for damage events (low health).
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
