//! The summary that an agent reads at login.

use super::with;
use morta_memories::dark_pawns::{DreamRules, Extractor, LogGraph, SessionEntry, login_summary, remember};
use serde_json::{Value, json};

/// The graph of turns, each at a day and minute of May.
fn graph(turns: &[(u32, u32, Value)]) -> LogGraph {
    let (mut graph, mut extractor, rules) =
        (LogGraph::default(), Extractor::default(), DreamRules::default());
    for (day, minute, fields) in turns {
        let usual = json!({ "timestamp": format!("2026-05-{day:02}T{:02}:{:02}:00Z", 12 + minute / 60, minute % 60), "room_vnum": 1, "room_name": "the Cave",
            "hp": 40, "max_hp": 50, "agent_level": 5 });
        let entry = SessionEntry::parse(with(usual, fields).to_string().as_bytes()).unwrap();
        extractor.extract("ada", &entry, &rules).iter().for_each(|event| remember(&mut graph, event, &rules));
    }
    graph
}

fn summary(turns: &[(u32, u32, Value)], tokens: u32) -> String {
    login_summary(&graph(turns), &DreamRules::default(), tokens)
}

/// What somebody is to the agent after these turns.
#[track_caller]
fn relation(who: &str, turns: &[Value]) -> String {
    let turns: Vec<(u32, u32, Value)> =
        turns.iter().cloned().enumerate().map(|(n, turn)| (1, n as u32, turn)).collect();
    let text = summary(&turns, 5_000);
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{who} — ")));
    line.map_or_else(|| format!("nobody in {text}"), |line| line.split(" (met").next().unwrap().to_owned())
}

#[test]
fn relations_follow_deeds() {
    let kill = |who: &str, level: i64| json!({ "action": "kill", "args": [who], "mob_level": level, "fighting": who });
    let give = |who: &str| json!({ "action": "give", "args": ["bread", who] });
    let help = |who: &str| json!({ "action": "heal", "args": [who] });
    let shaman = kill("goblin shaman", 12);
    assert_eq!(relation("goblin shaman", &[shaman.clone(), shaman]), "dangerous");
    assert_eq!(relation("dragon", &[kill("dragon", 30)]), "dangerous");
    assert_eq!(relation("orc", &[kill("orc", 0), kill("orc", 0)]), "dangerous", "levels that aren't known");
    assert_eq!(relation("wolf", &[kill("wolf", 1)]), "unfriendly");
    let rats: Vec<Value> = (0..60).map(|_| kill("rat", 1)).collect();
    assert_eq!(relation("rat", &rats), "unfriendly", "what loses every time is no danger");
    assert_eq!(relation("Brenda", &[help("Brenda"), help("Brenda"), help("Brenda")]), "trusted ally");
    assert_eq!(relation("Brenda", &[give("Brenda"), help("Brenda")]), "trusted ally");
    assert_eq!(relation("Brenda", &[give("Brenda")]), "friendly");
    assert_eq!(relation("Brenda", &[help("Brenda")]), "acquaintance");
    assert_eq!(relation("Bo", &[json!({ "action": "backstab", "args": ["Bo"] })]), "dangerous");
    assert_eq!(relation("Bo", &[json!({ "action": "insult", "args": ["Bo"] })]), "dangerous");
    assert_eq!(relation("Bo", &[give("Bo"), json!({ "action": "insult", "args": ["Bo"] })]), "met");
    let wounded = json!({ "action": "look", "hp": 2, "fighting": "bear" });
    assert_eq!(relation("bear", std::slice::from_ref(&wounded)), "dangerous");
    // Killing it felt good and nearly dying bad: neither makes the other undone.
    let killed = json!({ "action": "kill", "args": ["bear"], "mob_level": 20 });
    assert_eq!(relation("bear", &[killed, wounded]), "dangerous");
    // A friend that turns on the agent.
    let flee = |hp: i64| json!({ "action": "flee", "hp": hp, "fighting": "Bo" });
    assert_eq!(relation("Bo", &[give("Bo"), flee(40), flee(20)]), "dangerous");
    // One rat by three names is one.
    let names = ["rat", "Rat", "the rat", "rat"];
    let text = summary(&[0, 1, 2, 3].map(|n| (1, n, kill(names[n as usize], 5))), 500);
    assert!(text.ends_with("### Relationships\n\nrat — dangerous (met 4 times)\n"), "{text}");
    // Of a graph of another maker only the feeling is known.
    let mut other = serde_json::to_value(graph(&[(1, 0, kill("rat", 5))])).unwrap();
    other["edges"] = json!([]);
    let text = login_summary(&serde_json::from_value(other).unwrap(), &DreamRules::default(), 500);
    assert!(text.contains("rat — friendly (met 1 time)"), "{text}");
}

#[test]
fn equal_lines_are_one_and_wounds_are_difficult() {
    let mut turns: Vec<(u32, u32, Value)> =
        (0..60).map(|n| (1, n, json!({ "action": "kill", "args": ["rat"], "mob_level": 4 }))).collect();
    turns.push((1, 61, json!({ "action": "look", "hp": 12, "fighting": "bear" })));
    turns.push((1, 62, json!({ "action": "flee", "hp": 12, "fighting": "bear" })));
    let text = summary(&turns, 500);
    let expected = "## Memory\n\n### Session 1 — May 1 at 12:00 PM – 1:02 PM\n\nKilled rat in the Cave, 60 times (noteworthy).\n\
        Low HP (12/50) while fighting bear, 2 times (a difficult moment).\nFled from bear at low HP (12/50) (unpleasant).\n";
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(text.matches("Killed rat").count(), 1);
}

#[test]
fn the_newest_comes_first_into_the_length_and_relations_keep_their_room() {
    let night = |day: u32, turns: u32| {
        (0..turns).map(move |n| (day, n, json!({ "action": "kill", "args": [format!("orc {day}")], "mob_level": 6, "room_name": format!("Hall {n} of night {day}") })))
    };
    let eight: Vec<(u32, u32, Value)> = (1..=8).flat_map(|day| night(day, 40)).collect();
    for tokens in [120, 200, 500, 1_000, 2_000] {
        let text = summary(&eight, tokens);
        assert!(text.len() <= tokens as usize * 4, "{tokens}: {} bytes", text.len());
        for said in [
            "### Session 8 — May 8",
            "in Hall 39 of night 8",
            "### Relationships\n\n",
            "— dangerous (met 40 times)",
        ] {
            assert!(text.contains(said), "{tokens}: {said}: {text}");
        }
        assert!(text.ends_with("\n_(additional memories consolidated)_\n"), "{text}");
        // In the order of time, whichever came first into it.
        let session = |line: &str| line.strip_prefix("### Session ")?.split(' ').next()?.parse().ok();
        let sessions: Vec<u32> = text.lines().filter_map(session).collect();
        assert!(sessions.is_sorted() && sessions.last() == Some(&8), "{sessions:?}");
    }
    // A long session does not displace all earlier ones; a short one is written whole.
    assert!(summary(&eight, 500).contains("### Session 7"), "{}", summary(&eight, 500));
    let short: Vec<(u32, u32, Value)> = (1..=8).flat_map(|day| night(day, 6)).collect();
    let text = summary(&short, 500);
    assert_eq!((text.matches("of night 8").count(), text.matches("of night 7").count()), (6, 6), "{text}");
    // Everything fits: nothing is said to be left out.
    let text = summary(&short, 5_000);
    assert_eq!((text.matches("### Session").count(), text.contains("additional")), (8, false));
    assert_eq!(summary(&short, 0), "## Memory\n\n\n_(additional memories consolidated)_\n");
    // The strongest of a session stay where not all can.
    let mut mixed: Vec<(u32, u32, Value)> = (0..100).map(|n| (9, n % 60 , json!({ "action": "kill", "args": [format!("rat {n}")], "mob_level": 1, "timestamp": format!("2026-05-09T12:{:02}:{:02}Z", n / 2, n % 2) }))).collect();
    mixed.insert(3, (9, 1, json!({ "action": "kill", "args": ["dragon"], "mob_level": 30, "timestamp": "2026-05-09T12:01:30Z" })));
    assert!(summary(&mixed, 200).contains("Killed dragon in the Cave (a significant moment)"));
}

#[test]
fn a_line_is_a_line_and_no_longer_than_one() {
    let speech = format!("a\n\n### Session 99 {}", "very ".repeat(400));
    let said = (1, 0, json!({ "action": "say", "args": [speech] }));
    let text = summary(&[said, (1, 1, json!({ "action": "kill", "args": ["rat"] }))], 500);
    assert!(text.lines().all(|line| line.chars().count() < 300), "{text}");
    assert!(text.contains("Killed rat") && !text.contains("\n### Session 99"), "{text}");
}
