//! Extraction of events from turns (digest section 4). It is event detection by rules on a stream of turns; valence is −3 to +3. A death of
//! several turns is one event, because a log repeats it. Kinds, verbs and thresholds are the original's but for deaths and dealings, which
//! `death_events` and `social_links` switch (both on by default). Without `valence` every event is neutral.

use crate::dark_pawns::deeds::deed;
use crate::dark_pawns::valence::{health_percent, of_damage, of_fight, of_flight, of_item, of_speech};
use crate::dark_pawns::{DreamRules, EdgeKind, SessionEntry, Stamp, Valence};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// A kind of event (event type, event category). Events of one moment are sorted in this order.
    pub enum EventKind {
        /// The agent entered another room.
        Movement = "movement",
        /// The agent attacked, killed or fled from somebody.
        Combat = "combat",
        /// The agent spoke to or dealt with somebody.
        Social = "social",
        /// The agent took an item.
        Acquisition = "acquisition",
        /// The agent fought with at most a quarter of its hit points.
        Damage = "damage",
        /// The agent died.
        Death = "death",
    }
}

/// An event of a turn of the log: kind, place, narrative and valence (log event). Fields that don't apply are empty or 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The moment of the turn.
    pub timestamp: Stamp,
    /// The kind of event.
    pub kind: EventKind,
    /// The agent whose turn it was.
    pub agent_id: String,
    /// The other entity in it.
    pub target_entity: String,
    /// Number of the room.
    pub target_room: i64,
    /// Name of the room.
    pub target_room_name: String,
    /// The item that was taken.
    pub item_name: String,
    /// Its valence.
    pub valence: Valence,
    /// Its narrative, a sentence without the full stop.
    pub narrative: String,
    /// The kind of a second edge to the entity. Not written, because the original's events don't have it.
    #[serde(skip)]
    pub deed: Option<EdgeKind>,
    /// The room that was left for this one; 0 for none. Not written either.
    #[serde(skip)]
    pub from_room: i64,
}

/// Extracts events from one agent's turns in their order. Its state carries over from file to file, as in the original.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extractor {
    /// The last known room; 0 for none yet.
    last_room: i64,
    /// Whether the agent was dead in the last turn, so that a death of several turns is one event.
    dead: bool,
}

impl Extractor {
    /// Extracts the events of a turn: movement, action, dealing, damage, death. Movement, action and damage are in the original's order;
    /// the other two are ours.
    pub fn extract(&mut self, agent: &str, entry: &SessionEntry, rules: &DreamRules) -> Vec<Event> {
        let turn = Turn { agent, entry, rules };
        let mut events = Vec::new();
        events.extend(self.movement(&turn));
        events.extend(turn.action());
        events.extend(turn.dealing());
        if entry.is_near_death() {
            events.push(turn.damage());
        }
        events.extend(self.death(&turn));
        events
    }

    fn movement(&mut self, turn: &Turn<'_>) -> Option<Event> {
        let room = turn.entry.room_vnum;
        if room == 0 {
            return None;
        }
        let before = std::mem::replace(&mut self.last_room, room);
        let moved = before != 0 && before != room;
        let name = &turn.entry.room_name;
        let narrative =
            || if name.is_empty() { format!("Moved to room {room}") } else { format!("Moved to {name}") };
        let event = || turn.event(EventKind::Movement, "", Valence::NEUTRAL, narrative());
        moved.then(|| Event { from_room: before, ..event() })
    }

    fn death(&mut self, turn: &Turn<'_>) -> Option<Event> {
        let entry = turn.entry;
        let dead = entry.combat_result == "lost" || entry.health().is_some_and(|(hp, _)| hp <= 0);
        let dies = dead && !std::mem::replace(&mut self.dead, dead);
        (dies && turn.rules.death_events).then(|| turn.death())
    }
}

/// The name, or "something" for an empty one: the original would write "Killed  in .".
fn or_something(name: &str) -> &str {
    if name.is_empty() { "something" } else { name }
}

const FOUGHT: Option<EdgeKind> = Some(EdgeKind::Fought);

struct Turn<'a> {
    /// Whose turn it is.
    agent: &'a str,
    /// The line of the log.
    entry: &'a SessionEntry,
    /// Rules of extraction.
    rules: &'a DreamRules,
}

impl Turn<'_> {
    fn event(&self, kind: EventKind, entity: &str, valence: Valence, narrative: String) -> Event {
        Event {
            timestamp: self.entry.timestamp,
            kind,
            agent_id: self.agent.to_owned(),
            target_entity: entity.to_owned(),
            target_room: self.entry.room_vnum,
            target_room_name: self.entry.room_name.clone(),
            item_name: String::new(),
            valence: if self.rules.valence { valence } else { Valence::NEUTRAL },
            narrative,
            deed: None,
            from_room: 0,
        }
    }

    fn action(&self) -> Option<Event> {
        let (entry, place) = (self.entry, self.entry.place());
        let fight = || of_fight(entry.mob_level, entry.agent_level);
        Some(match entry.action.as_str() {
            "kill" => {
                let target = entry.target();
                let narrative = format!("Killed {}{place}", or_something(target));
                let event = self.event(EventKind::Combat, target, fight(), narrative);
                Event { deed: Some(EdgeKind::Killed), ..event }
            }
            "hit" => {
                let target = entry.target();
                let narrative = format!("Attacked {}{place}", or_something(target));
                Event { deed: FOUGHT, ..self.event(EventKind::Combat, target, fight(), narrative) }
            }
            "flee" => {
                let narrative = format!("Fled{}{}", self.with_opponent("from"), self.at_low_hp());
                let valence = of_flight(health_percent(entry.health()));
                Event { deed: FOUGHT, ..self.event(EventKind::Combat, &entry.fighting, valence, narrative) }
            }
            "say" => return self.speech(),
            "get" => {
                let item = entry.argument();
                let narrative = format!("Picked up {}{place}", or_something(item));
                let event = self.event(EventKind::Acquisition, "", of_item(entry.item_level), narrative);
                Event { item_name: item.to_owned(), ..event }
            }
            _ => return self.deed(),
        })
    }

    fn speech(&self) -> Option<Event> {
        let entry = self.entry;
        let words = entry.words();
        let text = if words.is_empty() { &entry.say_line } else { &words };
        if text.is_empty() {
            return None;
        }
        let whom = if self.rules.social_links { entry.social_target.as_str() } else { "" };
        let valence = of_speech(&entry.social_type, text, self.rules);
        let narrative = format!("Said \"{text}\"{}", entry.place());
        Some(self.event(EventKind::Social, whom, valence, narrative))
    }

    /// The event of a deed; `None` without one.
    fn deed(&self) -> Option<Event> {
        let deed = deed(self.entry, self.rules)?;
        let narrative = format!("{}{}", deed.narrative, self.entry.place());
        let (kind, tie) = if deed.is_fight { (EventKind::Combat, FOUGHT) } else { (EventKind::Social, None) };
        Some(Event { deed: tie, ..self.event(kind, deed.whom, deed.valence, narrative) })
    }

    /// The event of a dealing, by any verb but `say`, whose speech is an event already: the dealing would be counted twice otherwise.
    fn dealing(&self) -> Option<Event> {
        let entry = self.entry;
        let said = entry.action == "say" && !(entry.words().is_empty() && entry.say_line.is_empty());
        let kind = entry.social_type.trim();
        if !self.rules.social_links || kind.is_empty() || said {
            return None;
        }
        let (whom, place) = (&entry.social_target, entry.place());
        let kind = kind.to_lowercase().replace('_', " ");
        let with = if whom.is_empty() { "somebody" } else { whom };
        let narrative = format!("Dealt with {with}{place}: {kind}");
        let valence = of_speech(&entry.social_type, &entry.say_line, self.rules);
        Some(self.event(EventKind::Social, whom, valence, narrative))
    }

    fn damage(&self) -> Event {
        let entry = self.entry;
        let valence = of_damage(entry.health(), self.rules.damage_bands);
        let narrative = format!("Low HP ({}){}", self.points(), self.with_opponent("while fighting"));
        Event { deed: FOUGHT, ..self.event(EventKind::Damage, &entry.fighting, valence, narrative) }
    }

    /// The event of a death. A log doesn't mark players, so an opponent that is also the target of a dealing counts as one. The valences, −2 by
    /// a monster and −3 by a player, are those of the original's server.
    fn death(&self) -> Event {
        let (killer, place) = (&self.entry.fighting, self.entry.place());
        let by_player = !killer.is_empty() && *killer == self.entry.social_target;
        let narrative =
            if killer.is_empty() { format!("Died{place}") } else { format!("Killed by {killer}{place}") };
        let valence = Valence::new(if by_player { -3 } else { -2 });
        Event { deed: FOUGHT, ..self.event(EventKind::Death, killer, valence, narrative) }
    }

    /// The opponent after a preposition; empty when the log doesn't name one.
    fn with_opponent(&self, preposition: &str) -> String {
        let opponent = &self.entry.fighting;
        if opponent.is_empty() { String::new() } else { format!(" {preposition} {opponent}") }
    }

    /// The remark on hit points after a flight. The original writes "at low HP" for every flight, and so does this, except where hit points
    /// aren't known.
    fn at_low_hp(&self) -> String {
        if self.entry.health().is_some() { format!(" at low HP ({})", self.points()) } else { String::new() }
    }

    fn points(&self) -> String {
        format!("{}/{}", self.entry.hp.unwrap_or(0), self.entry.max_hp)
    }
}
