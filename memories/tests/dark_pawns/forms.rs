//! Turns and moments in the forms in which games and their clients write them.

use morta_memories::dark_pawns::valence::of_entry;
use morta_memories::dark_pawns::{DreamRules, Event, EventKind, Extractor, SessionEntry, Stamp};
use serde_json::{Value, json};

fn read(turn: Value) -> SessionEntry {
    SessionEntry::parse(turn.to_string().as_bytes()).unwrap_or_else(|what| panic!("{turn}: {what}"))
}

/// A turn at noon with these fields.
fn turn(fields: Value) -> SessionEntry {
    let mut turn = json!({ "timestamp": "2026-05-12T12:00:00Z", "room_vnum": 3001, "room_name": "the Hall", "hp": 50, "max_hp": 50 });
    turn.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    read(turn)
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
    for form in [
        json!("2026-05-12T15:30:00Z"),
        json!("2026-05-12 15:30:00"),
        json!("2026-05-12T15:30:00"),
        json!("2026-05-12T15:30"),
        json!("2026-05-12 15:30:00,000"),
        json!("2026-05-12T15:30:00.000000"),
        json!("2026/05/12 15:30:00"),
        json!("2026-05-12_15:30:00"),
        json!("2026-05-12 15:30:00 UTC"),
        json!("2026-05-12 15:30:00 +0000 UTC"),
        json!("2026-05-12 17:30:00+02"),
        json!("2026-05-12T17:30:00+0200"),
        json!("2026-05-12T17:30:00+02:00[Europe/Berlin]"),
        json!("Tue May 12 15:30:00 2026"),
        json!("Tue, 12 May 2026 15:30:00 GMT"),
        json!(1_778_599_800),
        json!(1_778_599_800.0),
        json!(1_778_599_800_000_i64),
        json!(1_778_599_800_000_000_i64),
        json!(1_778_599_800_000_000_000_i64),
        json!("1778599800"),
        json!("1778599800000"),
        json!("1778599800.0"),
        json!(" 1778599800 "),
    ] {
        let stamp = Stamp::read(&form).unwrap_or_else(|what| panic!("{form}: {what}"));
        assert_eq!(stamp.to_string(), "2026-05-12T15:30:00Z", "{form}");
    }
    assert_eq!(Stamp::read(&json!(1_778_599_800.25)).unwrap().to_string(), "2026-05-12T15:30:00.25Z");
    // A day, a count of turns and a zone that means several are no moments: nothing could be put in order by them.
    for form in [
        json!("2026-05-12"),
        json!("noon"),
        json!(5),
        json!("5"),
        json!(0),
        json!("2026-05-12 15:30:00 EST"),
        json!(null),
        json!(true),
        json!(""),
    ] {
        assert!(Stamp::read(&form).is_err(), "{form}");
    }
}

#[test]
fn numbers_and_names_of_every_form_are_one() {
    let plain = turn(
        json!({ "action": "kill", "args": ["rat"], "mob_level": 3, "agent_level": 5, "fighting": "rat" }),
    );
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
        let mut all =
            json!({ "action": "kill", "args": ["rat"], "mob_level": 3, "agent_level": 5, "fighting": "rat" });
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
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
    for bad in [
        json!({ "hp": 1.5 }),
        json!({ "hp": "many" }),
        json!({ "room_name": [1, 2] }),
        json!({ "action": 5 }),
    ] {
        let mut line = json!({ "timestamp": "2026-05-12T12:00:00Z", "action": "look" });
        line.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        assert!(SessionEntry::parse(line.to_string().as_bytes()).is_err(), "{bad}");
    }
}

#[test]
fn verbs_are_deeds() {
    use EventKind::{Acquisition, Combat, Social};
    for (fields, kind, whom, valence, words) in [
        (
            json!({ "action": "attack", "args": ["rat"], "fighting": "rat" }),
            Combat,
            "rat",
            1,
            "Attacked rat in the Hall",
        ),
        (json!({ "action": "kill troll with sword" }), Combat, "troll", 1, "Killed troll in the Hall"),
        (
            json!({ "action": "send_command", "args": { "command": "take lamp from sack" } }),
            Acquisition,
            "",
            1,
            "Picked up lamp in the Hall",
        ),
        (json!({ "action": "attack rat" }), Combat, "rat", 1, "Attacked rat in the Hall"),
        (
            json!({ "action": "cmd", "args": ["attack", "cave", "bear"] }),
            Combat,
            "cave bear",
            1,
            "Attacked cave bear in the Hall",
        ),
        (
            json!({ "action": "bash", "args": ["ogre"], "agent_level": 5, "mob_level": 9 }),
            Combat,
            "ogre",
            3,
            "Attacked ogre in the Hall",
        ),
        (
            json!({ "action": "give", "args": ["bread", "Bo"] }),
            Social,
            "Bo",
            2,
            "Gave bread to Bo in the Hall",
        ),
        (
            json!({ "action": "give", "args": ["bread", "to", "Bo"] }),
            Social,
            "Bo",
            2,
            "Gave bread to Bo in the Hall",
        ),
        (json!({ "action": "give", "args": "bread to Bo" }), Social, "Bo", 2, "Gave bread to Bo in the Hall"),
        (json!({ "action": "give 5 coins Bo" }), Social, "Bo", 2, "Gave 5 coins to Bo in the Hall"),
        (
            json!({ "action": "give", "args": ["bread"], "social_target": "Bo" }),
            Social,
            "Bo",
            2,
            "Gave bread to Bo in the Hall",
        ),
        (
            json!({ "action": "command", "args": ["give bread Bo"] }),
            Social,
            "Bo",
            2,
            "Gave bread to Bo in the Hall",
        ),
        (json!({ "action": "backstab", "args": ["Bo"] }), Social, "Bo", -3, "Backstabbed Bo in the Hall"),
        (json!({ "action": "bs", "args": ["Bo"] }), Social, "Bo", -3, "Backstabbed Bo in the Hall"),
        (
            json!({ "action": "backstab", "args": ["orc"], "mob_level": 6, "agent_level": 5 }),
            Combat,
            "orc",
            2,
            "Backstabbed orc in the Hall",
        ),
        (
            json!({ "action": "tell", "args": ["Bo", "you traitor"] }),
            Social,
            "Bo",
            -1,
            "Told Bo \"you traitor\" in the Hall",
        ),
        (
            json!({ "action": "tell", "args": ["Bo", "you", "traitor"] }),
            Social,
            "Bo",
            -1,
            "Told Bo \"you traitor\" in the Hall",
        ),
        (json!({ "action": "tell Bo you traitor" }), Social, "Bo", -1, "Told Bo \"you traitor\" in the Hall"),
        (
            json!({ "action": "whisper", "args": "Bo thank you" }),
            Social,
            "Bo",
            1,
            "Told Bo \"thank you\" in the Hall",
        ),
        (json!({ "action": "heal", "args": ["Bo"] }), Social, "Bo", 1, "Healed Bo in the Hall"),
        (json!({ "action": "assist", "args": ["Bo"] }), Social, "Bo", 1, "Assisted Bo in the Hall"),
        (json!({ "action": "insult", "args": ["Bo"] }), Social, "Bo", -2, "Insulted Bo in the Hall"),
        (json!({ "action": "threaten", "args": ["Bo"] }), Social, "Bo", -2, "Threatened Bo in the Hall"),
        (json!({ "action": "greet", "args": ["Bo"] }), Social, "Bo", 1, "Greeted Bo in the Hall"),
        (json!({ "action": "trade", "args": ["Bo"] }), Social, "Bo", 1, "Traded with Bo in the Hall"),
        (
            json!({ "action": "say", "args": ["hello", "there", "friend"] }),
            Social,
            "",
            1,
            "Said \"hello there friend\" in the Hall",
        ),
        (json!({ "action": "say hello there" }), Social, "", 1, "Said \"hello there\" in the Hall"),
        (json!({ "action": "'hello there" }), Social, "", 1, "Said \"hello there\" in the Hall"),
        (
            json!({ "action": "shout", "args": "hello\n### Relationships" }),
            Social,
            "",
            1,
            "Said \"hello ### Relationships\" in the Hall",
        ),
        (json!({ "action": "take", "args": ["lamp"] }), Acquisition, "", 1, "Picked up lamp in the Hall"),
        (json!({ "action": "pick up lamp" }), Acquisition, "", 1, "Picked up lamp in the Hall"),
    ] {
        assert_eq!(
            event(&turn(fields.clone())),
            (kind, whom.to_owned(), valence, words.to_owned()),
            "{fields}"
        );
    }
    for nothing in [
        json!({ "action": "heal" }),
        json!({ "action": "tell", "args": ["Bo"] }),
        json!({ "action": "give" }),
        json!({ "action": "go north" }),
        json!({ "action": "n" }),
    ] {
        assert_eq!(events(&turn(nothing.clone())), [], "{nothing}");
    }
    assert_eq!(turn(json!({ "action": "go n" })).action, "north");
    // By the original's rules verbs of one's own are none of an event.
    let original = DreamRules { social_links: false, ..DreamRules::default() };
    let gift = turn(json!({ "action": "give", "args": ["bread", "Bo"] }));
    assert_eq!(Extractor::default().extract("ada", &gift, &original), []);
}

#[test]
fn no_name_is_written_as_an_empty_one() {
    let bare = |action: &str| {
        read(
            json!({ "timestamp": "2026-05-12T12:00:00Z", "action": action, "args": null, "room_vnum": null, "hp": null, "fighting": null }),
        )
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
    assert_eq!(
        (event(&opponent).1, event(&opponent).3),
        ("ogre".to_owned(), "Killed ogre in the Hall".to_owned())
    );
    let nameless = turn(json!({ "action": "kill", "args": ["rat"], "room_name": "" }));
    assert_eq!(event(&nameless).3, "Killed rat in room 3001");
    let dying = turn(json!({ "action": "look", "hp": 0, "room_name": "", "room_vnum": 0 }));
    assert_eq!(events(&dying)[0].narrative, "Died");
}
