//! `morta score` on a user's own episodes, against figures worked out by hand.

use crate::common::{Program as _, morta, written};
use assert_cmd::Command;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const STATE: &str = r#"{ "tick": 5000, "embedding": [1.0, 0.0], "regime": "volatile" }"#;

fn episode(id: &str, more: Value) -> String {
    let mut episode = json!({
        "episode_id": id, "tick": 2840, "market_state_embedding": [1.0, 0.0], "regime": "volatile",
        "expected_outcome": 1.0, "actual_outcome": -1.0, "pnl": -5.0, "position_size": 100.0,
        "counterfactual_regret": 3.0
    });
    for (key, value) in more.as_object().unwrap() {
        episode[key] = value.clone();
    }
    episode.to_string()
}

/// The program in a folder with these episodes.
fn scoring(room: &Path, lines: &[String]) -> Command {
    fs::write(room.join("state.json"), STATE).unwrap();
    fs::write(room.join("episodes.jsonl"), lines.join("\n")).unwrap();
    let mut command = morta();
    command.current_dir(room).args(["score", "--state", "state.json", "--episodes", "episodes.jsonl"]);
    command
}

fn score(room: &Path, lines: &[String], flags: &[&str]) -> Result<Vec<Value>, String> {
    match scoring(room, lines).arg("--json").args(flags).ended() {
        (0, out, _) => Ok(serde_json::from_str(&out).unwrap()),
        (code, _, err) => {
            assert_eq!(code, 2, "{err}");
            Err(err)
        }
    }
}

fn close(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-6, "found {found}, expected {expected}");
}

/// All three gain terms are the file's largest, so gain is 1; one half-life of 2,160 ticks leaves a recency of .5, so need is
/// .4 + .3 + .15 = .85. Replayed twice, the last time one half-life of 500 ticks ago: .85² of the gain, and a quarter off.
#[test]
fn the_spec_by_hand() {
    let room = tempfile::tempdir().unwrap();
    let lines = [
        episode("fresh", json!({})),
        episode("tired", json!({ "last_replayed": 4500, "replay_count": 2 })),
        episode("bloodstain", json!({ "provenance": "inherited", "source_type": "death_testament" })),
        episode("tagged", json!({ "dream_priority": "high" })),
        episode("elsewhere", json!({ "regime": "range_bound", "market_state_embedding": [0.0, 1.0] })),
    ];
    let scored = score(room.path(), &lines, &[]).unwrap();
    let by_id = |id: &str| scored.iter().find(|s| s["episode_id"] == id).unwrap();
    close(&by_id("fresh")["gain"], 1.0);
    close(&by_id("fresh")["need"], 0.85);
    close(&by_id("fresh")["utility"], 0.85);
    close(&by_id("tired")["gain"], 0.7225);
    close(&by_id("tired")["spacing_penalty"], 0.5);
    close(&by_id("tired")["utility"], 0.7225 * 0.85 * 0.75);
    close(&by_id("bloodstain")["boosts"]["bloodstain"], 1.2);
    close(&by_id("bloodstain")["utility"], 1.2 * 0.85);
    close(&by_id("tagged")["boosts"]["curator"], 2.0);
    close(&by_id("tagged")["utility"], 1.7);
    close(&by_id("elsewhere")["need"], 0.3 * 0.3 + 0.15);
    assert!(scored.iter().all(|s| s["selected"] == true), "there is room for all of them");
}

#[test]
fn places_and_keys_can_be_chosen() {
    let (room, config) = written("replay.toml", "bloodstainBoost = 3.0\ndiversityShare = 0.0\n");
    let lines: Vec<String> = (0..10)
        .map(|n| match n {
            7 => episode("7", json!({ "provenance": "inherited", "source_type": "death_testament" })),
            n => episode(&n.to_string(), json!({})),
        })
        .collect();
    let flags = ["--places", "1", "--config", config.to_str().unwrap()];
    let scored = score(room.path(), &lines, &flags).unwrap();
    let chosen: Vec<&Value> = scored.iter().filter(|s| s["selected"] == true).collect();
    assert_eq!(chosen.len(), 1);
    assert_eq!(chosen[0]["episode_id"], "7");
    assert_eq!(chosen[0]["pass"], "utility_ranked");
    assert!(scored[0]["reason"].as_str().unwrap().starts_with("outranked"));
    fs::write(&config, "[dream.replay]\nbloodstainBoost = 3.0\ndiversityShare = 0.0\n").unwrap();
    assert_eq!(scored, score(room.path(), &lines, &flags).unwrap(), "the heading makes no difference");
    fs::write(&config, "batchSise = 3\n").unwrap();
    let error = score(room.path(), &lines, &flags).unwrap_err();
    assert!(error.contains("replay.toml:1: unknown field `batchSise`"), "{error}");
}

/// Twenty episodes all alike, so that what is chosen shows how: the best by slot, or a draw that the seed decides.
#[test]
fn the_prioritization_can_be_chosen() {
    let room = tempfile::tempdir().unwrap();
    let lines: Vec<String> = (0..20).map(|n| episode(&n.to_string(), json!({}))).collect();
    let chosen = |way: &str| {
        let scored = score(room.path(), &lines, &["--places", "4", "--prioritization", way]).unwrap();
        let reason = |one: &Value| one["reason"].as_str().unwrap().to_owned();
        let selected = scored.iter().filter(|one| one["pass"] == "utility_ranked");
        let refused = scored.iter().find(|one| one["selected"] == false).map(reason);
        (selected.map(reason).collect::<Vec<String>>(), refused.unwrap())
    };
    for way in ["proportional", "rank"] {
        let (reasons, refused) = chosen(way);
        assert!(
            reasons.len() >= 3 && reasons.iter().all(|reason| reason == "drawn_by_priority"),
            "{reasons:?}"
        );
        assert_eq!(refused, "not_drawn");
        assert_eq!(chosen(way), (reasons, refused), "the same seed draws the same");
    }
    let (reasons, refused) = chosen("utility");
    assert!(reasons.iter().all(|reason| reason == "top_utility") && refused.starts_with("outranked"));
    let error = score(room.path(), &lines, &["--prioritization", "luck"]).unwrap_err();
    assert!(error.contains("utility, recency, surprise, uniform, proportional or rank"), "{error}");
}

#[test]
fn a_log_may_say_more_than_scoring_needs() {
    let room = tempfile::tempdir().unwrap();
    let line = episode("a", json!({ "action": "buy" })).replace("episode_id", "id");
    let (code, _, said) = scoring(room.path(), &[line]).ended();
    assert!(code == 0 && said.contains("fields not looked at: action (1 lines)"), "{said}");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let room = tempfile::tempdir().unwrap();
    let good = episode("a", json!({}));
    let with = |more: Value| episode("b", more);
    let huge = "expected_outcome = 1e308: must be a number of at most 1e90 in size";
    for (bad, expected) in [
        ("{\"episode_id\": ".to_owned(), "episodes.jsonl:2: EOF while parsing"),
        ("{}".to_owned(), "episodes.jsonl:2: missing field `episode_id`"),
        (good.clone(), "episodes.jsonl:2: episode_id \"a\" has come before"),
        (with(json!({ "position_size": 0 })), "position_size = 0: must be a number above 0"),
        (with(json!({ "tick": 5001 })), "tick = 5001: is after the state's tick 5000"),
        (with(json!({ "regime": "sideways" })), "unknown variant `sideways`"),
        (with(json!({ "market_state_embedding": [1.0] })), "has 1 numbers, the state's has 2"),
        (good.replace("-5.0", "NaN"), "episodes.jsonl:2:"),
        // Two of these make no number, and every episode's surprise would be a share of it.
        (with(json!({ "expected_outcome": 1e308 })), huge),
        (with(json!({ "position_size": 1e-300 })), "position_size = 1e-300: must be from 1e-90 to 1e90"),
    ] {
        let error = score(room.path(), &[good.clone(), bad], &[]).unwrap_err();
        assert!(error.contains(expected) && error.lines().count() == 1, "{error}");
    }
    assert!(score(room.path(), &[], &[]).unwrap_err().contains("there are no episodes"));
}
