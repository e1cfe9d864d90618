//! Turns and moments in the forms in which games and their clients write them.

use super::with;
use morta_memories::dark_pawns::valence::of_entry;
use morta_memories::dark_pawns::{DreamRules, Event, EventKind, Extractor, SessionEntry, Stamp};
use serde_json::{Value, json};

fn read(turn: Value) -> SessionEntry {
    SessionEntry::parse(turn.to_string().as_bytes()).unwrap_or_else(|what| panic!("{turn}: {what}"))
}

/// A turn at noon with these fields.
fn turn(fields: Value) -> SessionEntry {
    let usual = json!({ "timestamp": "2026-05-12T12:00:00Z", "room_vnum": 3001, "room_name": "the Hall", "hp": 50, "max_hp": 50 });
    read(with(usual, &fields))
}

fn events(entry: &SessionEntry) -> Vec<Event> {
    Extractor::default().extract("ada", entry, &DreamRules::default())
}

/// The one event of a turn: kind, whom, valence and words.
#[track_caller]
fn event(entry: &SessionEntry) -> (EventKind, String, i8, String) {
    let events = events(entry);
    assert_eq!(events.len(), 1, "{entry:?}: {events:?}");
    let Event { kind, target_entity, valence, narrative, .. } = events[0].clone();
    // What is recorded of a turn is what its event feels like.
    if entry.action != "say" {
        assert_eq!(of_entry(entry, &DreamRules::default()), valence, "{entry:?}");
    }
    (kind, target_entity, valence.get(), narrative)
}

#[test]
fn moments_of_every_form_are_one() {
    let one = json!([
        "2026-05-12T15:30:00Z",
        "2026-05-12 15:30:00",
        "2026-05-12T15:30:00",
        "2026-05-12T15:30",
        "2026-05-12 15:30:00,000",
        "2026-05-12T15:30:00.000000",
        "2026/05/12 15:30:00",
        "2026-05-12_15:30:00",
        "2026-05-12 15:30:00 UTC",
        "2026-05-12 15:30:00 +0000 UTC",
        "2026-05-12 17:30:00+02",
        "2026-05-12T17:30:00+0200",
        "2026-05-12T17:30:00+02:00[Europe/Berlin]",
        "Tue May 12 15:30:00 2026",
        "Tue, 12 May 2026 15:30:00 GMT",
        1_778_599_800,
        1_778_599_800.0,
        1_778_599_800_000_i64,
        1_778_599_800_000_000_i64,
        1_778_599_800_000_000_000_i64,
        "1778599800",
        "1778599800000",
        "1778599800.0",
        " 1778599800 ",
    ]);
    for form in one.as_array().unwrap() {
        let stamp = Stamp::read(form).unwrap_or_else(|what| panic!("{form}: {what}"));
        assert_eq!(stamp.to_string(), "2026-05-12T15:30:00Z", "{form}");
    }
    assert_eq!(Stamp::read(&json!(1_778_599_800.25)).unwrap().to_string(), "2026-05-12T15:30:00.25Z");
    // A day, a count of turns and a zone that means several are no moments: nothing could be put in order by them.
    let none = json!(["2026-05-12", "noon", 5, "5", 0, "2026-05-12 15:30:00 EST", null, true, ""]);
    for form in none.as_array().unwrap() {
        assert!(Stamp::read(form).is_err(), "{form}");
    }
}

#[test]
fn numbers_and_names_of_every_form_are_one() {
    let kill =
        json!({ "action": "kill", "args": ["rat"], "mob_level": 3, "agent_level": 5, "fighting": "rat" });
    let plain = turn(kill.clone());
    for fields in [
        json!({ "hp": "50", "max_hp": "50", "mob_level": "3", "agent_level": "5.0", "room_vnum": "3001" }),
        json!({ "hp": 50.0, "max_hp": 50.0, "mob_level": 3.0, "room_vnum": 3001.0 }),
        json!({ "hp": "50/50", "max_hp": null }),
        json!({ "args": "rat" }),
        json!({ "args": { "target": "rat" } }),
        json!({ "args": ["rat", null] }),
        json!({ "action": "KILL" }),
        json!({ "action": " Kill " }),
        json!({ "action": "k" }),
        json!({ "action": "slay" }),
        json!({ "action": "kill rat", "args": [] }),
        json!({ "action": "kill rat", "args": null }),
        json!({ "action": "command", "args": ["kill rat"] }),
        json!({ "action": "command", "args": ["kill", "rat"] }),
        json!({ "action": "send", "args": "kill rat" }),
        json!({ "action": { "name": "kill", "target": "rat" }, "args": null }),
        json!({ "fighting": { "name": "rat", "level": 3 } }),
        json!({ "args": [{ "name": "rat" }] }),
        json!({ "room_name": "\u{1b}[1;36mthe Hall\u{1b}[0m\r\n" }),
        json!({ "room_name": null, "roomName": "the Hall" }),
        json!({ "valence": "2" }),
    ] {
        let mut all = with(kill.clone(), &fields);
        if fields.get("roomName").is_some() {
            all.as_object_mut().unwrap().shift_remove("room_name");
        }
        let other = turn(all);
        assert_eq!(event(&other), event(&plain), "{fields}");
        assert_eq!(other.health(), Some((50, 50)), "{fields}");
    }
    let styled = read(
        json!({ "Timestamp": "2026-05-12T12:00:00Z", "RoomVNum": 3001, "roomName": "the Hall", "HP": 12, "MaxHP": 50, "action": "look", "Fighting": "bear" }),
    );
    assert_eq!(event(&styled).3, "Low HP (12/50) while fighting bear");
    let elsewhere = read(
        json!({ "ts": 1_778_599_800, "command": "take lamp", "room": { "vnum": 7, "name": "the Cellar" } }),
    );
    assert_eq!(event(&elsewhere).3, "Picked up lamp in the Cellar");
    let present =
        turn(json!({ "action": "look", "mobs_present": ["rat", "ogre"], "agent_level": "unknown" }));
    assert_eq!((present.mobs_present, present.agent_level), (2, 0));
    // Letters of an old encoding lose themselves and not the turn.
    let mut line = json!({ "timestamp": "2026-05-12T12:00:00Z", "action": "kill", "args": ["Andre"] })
        .to_string()
        .into_bytes();
    let place = line.iter().position(|byte| *byte == b'A').unwrap() + 4;
    line[place] = 0xe9;
    assert!(SessionEntry::parse(&line).unwrap().argument().starts_with("Andr"));
    let bad = json!([{ "hp": 1.5 }, { "hp": "many" }, { "room_name": [1, 2] }, { "action": 5 }]);
    for bad in bad.as_array().unwrap() {
        let line = with(json!({ "timestamp": "2026-05-12T12:00:00Z", "action": "look" }), bad);
        assert!(SessionEntry::parse(line.to_string().as_bytes()).is_err(), "{bad}");
    }
}

#[test]
fn verbs_are_deeds() {
    use EventKind::{Acquisition, Combat, Social};
    let acts = |action: &str, args: Value| json!({ "action": action, "args": args });
    let on_bo = |action: &str| acts(action, json!(["Bo"]));
    let types = |line: &str| json!({ "action": line });
    let levels = |agent: i64, mob: i64| json!({ "agent_level": agent, "mob_level": mob });
    let is = |(kind, whom, valence, words): (EventKind, &str, i8, &str), turns: &[Value]| {
        let expected = (kind, whom.to_owned(), valence, format!("{words} in the Hall"));
        for fields in turns {
            assert_eq!(event(&turn(fields.clone())), expected, "{fields}");
        }
    };
    is(
        (Combat, "rat", 1, "Attacked rat"),
        &[with(acts("attack", json!(["rat"])), &json!({ "fighting": "rat" })), types("attack rat")],
    );
    is((Combat, "troll", 1, "Killed troll"), &[types("kill troll with sword")]);
    is((Combat, "cave bear", 1, "Attacked cave bear"), &[acts("cmd", json!(["attack", "cave", "bear"]))]);
    is((Combat, "ogre", 3, "Attacked ogre"), &[with(acts("bash", json!(["ogre"])), &levels(5, 9))]);
    is((Combat, "orc", 2, "Backstabbed orc"), &[with(acts("backstab", json!(["orc"])), &levels(5, 6))]);
    is(
        (Social, "Bo", 2, "Gave bread to Bo"),
        &[
            acts("give", json!(["bread", "Bo"])),
            acts("give", json!(["bread", "to", "Bo"])),
            acts("give", json!("bread to Bo")),
            with(acts("give", json!(["bread"])), &json!({ "social_target": "Bo" })),
            acts("command", json!(["give bread Bo"])),
        ],
    );
    is((Social, "Bo", 2, "Gave 5 coins to Bo"), &[types("give 5 coins Bo")]);
    is((Social, "Bo", -3, "Backstabbed Bo"), &[on_bo("backstab"), on_bo("bs")]);
    is(
        (Social, "Bo", -1, "Told Bo \"you traitor\""),
        &[
            acts("tell", json!(["Bo", "you traitor"])),
            acts("tell", json!(["Bo", "you", "traitor"])),
            types("tell Bo you traitor"),
        ],
    );
    is((Social, "Bo", 1, "Told Bo \"thank you\""), &[acts("whisper", json!("Bo thank you"))]);
    is((Social, "Bo", 1, "Healed Bo"), &[on_bo("heal")]);
    is((Social, "Bo", 1, "Assisted Bo"), &[on_bo("assist")]);
    is((Social, "Bo", -2, "Insulted Bo"), &[on_bo("insult")]);
    is((Social, "Bo", -2, "Threatened Bo"), &[on_bo("threaten")]);
    is((Social, "Bo", 1, "Greeted Bo"), &[on_bo("greet")]);
    is((Social, "Bo", 1, "Traded with Bo"), &[on_bo("trade")]);
    is((Social, "", 1, "Said \"hello there friend\""), &[acts("say", json!(["hello", "there", "friend"]))]);
    is((Social, "", 1, "Said \"hello there\""), &[types("say hello there"), types("'hello there")]);
    is(
        (Social, "", 1, "Said \"hello ### Relationships\""),
        &[acts("shout", json!("hello\n### Relationships"))],
    );
    is(
        (Acquisition, "", 1, "Picked up lamp"),
        &[
            acts("take", json!(["lamp"])),
            types("pick up lamp"),
            acts("send_command", json!({ "command": "take lamp from sack" })),
        ],
    );
    for nothing in [types("heal"), on_bo("tell"), types("give"), types("go north"), types("n")] {
        assert_eq!(events(&turn(nothing.clone())), [], "{nothing}");
    }
    assert_eq!(turn(json!({ "action": "go n" })).action, "north");
    // By the original's rules verbs of one's own are none of an event.
    let original = DreamRules { social_links: false, ..DreamRules::default() };
    let gift = turn(acts("give", json!(["bread", "Bo"])));
    assert_eq!(Extractor::default().extract("ada", &gift, &original), []);
}

#[test]
fn no_name_is_written_as_an_empty_one() {
    let bare = |action: &str| {
        let nameless = json!({ "args": null, "room_vnum": null, "hp": null, "fighting": null });
        read(with(json!({ "timestamp": "2026-05-12T12:00:00Z", "action": action }), &nameless))
    };
    for (action, words) in [
        ("kill", "Killed something"),
        ("hit", "Attacked something"),
        ("flee", "Fled"),
        ("get", "Picked up something"),
        ("say hi", "Said \"hi\""),
    ] {
        assert_eq!(event(&bare(action)).3, words);
    }
    let opponent = turn(json!({ "action": "kill", "args": [], "fighting": "ogre" }));
    let (_, whom, _, words) = event(&opponent);
    assert_eq!((whom.as_str(), words.as_str()), ("ogre", "Killed ogre in the Hall"));
    let nameless = turn(json!({ "action": "kill", "args": ["rat"], "room_name": "" }));
    assert_eq!(event(&nameless).3, "Killed rat in room 3001");
    let dying = turn(json!({ "action": "look", "hp": 0, "room_name": "", "room_vnum": 0 }));
    assert_eq!(events(&dying)[0].narrative, "Died");
}
