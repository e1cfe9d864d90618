//! Normalises turns to the form of [`SessionEntry`](super::SessionEntry)'s fields. Clients write numbers as text, arguments as one text,
//! a whole command in place of a verb, or colour codes in names. A value without a certain meaning is left as it is, so that the parser
//! refuses the turn and names it, rather than a guess going into the graph. It is lenient parsing (input normalization).
//! `SessionEntry::parse` runs it before the typed fields are read.

use crate::dark_pawns::Stamp;
use crate::dark_pawns::verbs::Command;
use serde_json::{Map, Number, Value};

/// Fields that hold a whole number.
const NUMBERS: [&str; 8] =
    ["room_vnum", "hp", "max_hp", "agent_level", "mobs_present", "mob_level", "item_level", "valence"];
/// Fields that hold a text.
const TEXTS: [&str; 6] =
    ["room_name", "fighting", "say_line", "social_target", "social_type", "combat_result"];
/// Names of fields in other clients' logs.
const OTHER_NAMES: [(&str, &[&str]); 6] = [
    ("timestamp", &["ts", "time", "datetime", "at"]),
    ("action", &["verb", "command", "cmd"]),
    ("args", &["arguments", "target"]),
    ("max_hp", &["hp_max", "maxhp"]),
    ("room_vnum", &["room_id", "vnum"]),
    ("room_name", &["room", "location"]),
];
/// Texts that clients write for an unknown number.
const UNKNOWN: [&str; 7] = ["", "-", "?", "n/a", "none", "null", "unknown"];

/// Normalises a turn. The order matters: fields are renamed first, because the later steps find them by their own names.
pub(super) fn in_one_form(turn: Map<String, Value>) -> Map<String, Value> {
    let mut turn = renamed(turn);
    if let Some(time) = turn.get_mut("timestamp") {
        *time = match Stamp::read(time) {
            Ok(stamp) => stamp.to_string().into(),
            // As text, so that the parser's error quotes the number.
            Err(_) if time.is_number() => time.to_string().into(),
            Err(_) => time.take(),
        };
    }
    let both = turn.get("hp").and_then(Value::as_str).and_then(|text| text.split_once('/'));
    if let Some((hp, most)) = both.map(|(hp, most)| (hp.to_owned(), most.to_owned())) {
        turn.insert("hp".to_owned(), hp.into());
        if turn.get("max_hp").is_none_or(Value::is_null) {
            turn.insert("max_hp".to_owned(), most.into());
        }
    }
    for (field, value) in &mut turn {
        if NUMBERS.contains(&field.as_str()) {
            *value = whole(value.take());
        } else if TEXTS.contains(&field.as_str()) {
            *value = named(value.take());
        }
    }
    called(&mut turn);
    let args = turn.get_mut("args").map(Value::take);
    if let Some(action) = turn.get("action").and_then(Value::as_str) {
        let Command { verb, args } = Command::read(&clean(action), texts(args.unwrap_or_default()));
        turn.insert("action".to_owned(), verb.into());
        turn.insert("args".to_owned(), args.into());
    } else if let Some(args) = args {
        turn.insert("args".to_owned(), texts(args).into());
    }
    turn
}

/// Unpacks an action that a model wrote as a function call: `{"name": "attack", "target": "goblin"}`.
fn called(turn: &mut Map<String, Value>) {
    let Some(Value::Object(call)) = turn.get("action").cloned() else { return };
    let Some(verb) = ["name", "verb", "command", "type", "action"].into_iter().find_map(|key| call.get(key))
    else {
        return;
    };
    turn.insert("action".to_owned(), verb.clone());
    if let Some(args) = ["args", "arguments", "target", "text"].into_iter().find_map(|key| call.get(key))
        && turn.get("args").is_none_or(Value::is_null)
    {
        turn.insert("args".to_owned(), args.clone());
    }
}

/// Renames the fields of other clients. A field that has its own name already is kept, and its synonyms are ignored.
fn renamed(turn: Map<String, Value>) -> Map<String, Value> {
    let mut turn = turn;
    if let Some(Value::Object(room)) = turn.get("room").cloned() {
        turn.remove("room");
        for (from, to) in [("vnum", "room_vnum"), ("id", "room_vnum"), ("name", "room_name")] {
            if let Some(value) = room.get(from) {
                turn.entry(to).or_insert_with(|| value.clone());
            }
        }
    }
    let known = || ["timestamp", "action", "args"].into_iter().chain(NUMBERS).chain(TEXTS);
    for field in known().filter(|field| *field != "valence") {
        if turn.contains_key(field) {
            continue;
        }
        let others =
            OTHER_NAMES.iter().find(|(name, _)| *name == field).map_or(&[][..], |(_, others)| others);
        let is_field =
            |key: &String| plain(key) == plain(field) || others.contains(&key.to_lowercase().as_str());
        if let Some(key) =
            turn.keys().find(|key| is_field(key) && !known().any(|known| known == *key)).cloned()
        {
            let value = turn.remove(&key).unwrap_or_default();
            turn.insert(field.to_owned(), value);
        }
    }
    turn
}

/// A field's name without case and separators, which differ between naming conventions: `roomVnum`, `RoomVNum`, `room-vnum`.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// A whole number: from a float without a fraction, a text, or a list, which is counted. Floats of 9e15 and more are left, because a float
/// doesn't hold every whole number there.
fn whole(value: Value) -> Value {
    let of_float =
        |float: f64| (float.fract() == 0.0 && float.abs() < 9e15).then(|| Number::from(float as i64));
    match &value {
        Value::Number(number) if number.is_f64() => {
            number.as_f64().and_then(of_float).map_or(value, Value::Number)
        }
        Value::String(text) => {
            let text = text.trim().trim_start_matches('+');
            if UNKNOWN.contains(&text.to_lowercase().as_str()) {
                return Value::Null;
            }
            let number = text.parse::<i64>().map(Number::from).ok();
            number.or_else(|| of_float(text.parse().ok()?)).map_or(value, Value::Number)
        }
        // A list of those present: the field is their number.
        Value::Array(list) => Value::from(list.len()),
        _ => value,
    }
}

/// A name, from a text, number, flag or object with a name. `false` is an empty name.
fn named(value: Value) -> Value {
    match value {
        Value::String(text) => clean(&text).into(),
        Value::Number(number) => number.to_string().into(),
        Value::Bool(is_there) => if is_there { "something" } else { "" }.into(),
        Value::Object(mut object) => {
            let name = ["name", "label", "id"].into_iter().find_map(|key| object.remove(key));
            name.map_or_else(|| Value::Object(object), named)
        }
        other => other,
    }
}

/// Arguments as a list of texts.
fn texts(args: Value) -> Vec<Value> {
    let list = match args {
        Value::Null => Vec::new(),
        Value::Array(list) => list,
        Value::Object(named) => named.into_iter().map(|(_, value)| value).collect(),
        one => vec![one],
    };
    let text = |one: Value| match one {
        Value::Null => None,
        // Speech on one line: a line break in it could otherwise begin a line that an agent takes for the server's.
        Value::String(text) => Some(Value::from(clean(&text))),
        other => Some(named(other)),
    };
    list.into_iter().filter_map(text).collect()
}

/// A text on one line, without control characters and colour codes. A terminal would execute them when the summary is printed.
fn clean(text: &str) -> String {
    let mut letters = text.chars().peekable();
    let mut kept = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            // `ESC [ 1 ; 31 m`: skipped up to the letter that ends the sequence.
            if letters.next_if_eq(&'[').is_some() {
                while letters.next_if(|next| !next.is_ascii_alphabetic()).is_some() {}
                letters.next();
            }
        } else {
            kept.push(if letter.is_control() { ' ' } else { letter });
        }
    }
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}
