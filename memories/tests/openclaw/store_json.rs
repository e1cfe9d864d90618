use morta_memories::openclaw::store::RecallStore;
use morta_memories::openclaw::time::StoredInstant;
use serde_json::{Value, json};

fn file(entry: Value) -> Value {
    json!({ "version": 1, "updatedAt": "2026-04-05T03:00:00.000Z", "entries": { "k": entry } })
}

fn good() -> Value {
    json!({
        "key": "k", "path": ".\\memory\\2026-04-03.md", "startLine": 1, "endLine": 2, "source": "memory",
        "snippet": " a  router ", "recallCount": -3, "totalScore": -1.5, "maxScore": 0.9,
        "firstRecalledAt": "2026-04-01T00:00:00.000Z", "lastRecalledAt": "some day",
        "queryHashes": ["a", "b", "a", 7], "recallDays": ["2026-04-03", "2026-04-01", "never"],
        "groundedCount": 4
    })
}

#[test]
fn reading_mends_what_can_be_mended() {
    let (store, dropped) = RecallStore::from_json(&file(good())).unwrap();
    assert!(dropped.is_empty());
    let entry = &store.entries["k"];
    assert_eq!((entry.path.as_str(), entry.snippet.as_str()), ("memory/2026-04-03.md", "a router"));
    assert_eq!((entry.recall_count, entry.total_score), (0, 0.0));
    assert_eq!(entry.last_recalled_at, StoredInstant::Unreadable("some day".to_owned()));
    assert_eq!(entry.query_hashes, ["a", "b"]);
    let days: Vec<String> = entry.recall_days.iter().map(ToString::to_string).collect();
    assert_eq!(days, ["2026-04-01", "2026-04-03"]);
    assert_eq!(entry.concept_tags, ["router"], "missing tags are derived");
    // The original derives tags where there is no list, not where there is an empty one.
    let mut none = good();
    none["conceptTags"] = json!([]);
    let (store, _) = RecallStore::from_json(&file(none)).unwrap();
    assert!(store.entries["k"].concept_tags.is_empty(), "an empty list stays empty");
}

#[test]
fn what_a_file_says_besides_is_kept() {
    let old = file(good());
    let (store, _) = RecallStore::from_json(&old).unwrap();
    let new = store.to_json(Some(&old));
    assert_eq!(new["entries"]["k"]["groundedCount"], 4);
    assert_eq!(new["entries"]["k"]["lastRecalledAt"], "some day");
    assert_eq!(RecallStore::from_json(&new).unwrap().0, store);
}

#[test]
fn the_order_of_a_file_is_kept() {
    let entries = json!({ "k:13": good(), "k:1": good(), "k:2": good() });
    let mut old = json!({ "version": 1, "updatedAt": null, "entries": entries });
    let (store, _) = RecallStore::from_json(&old).unwrap();
    let keys =
        |file: &Value| -> Vec<String> { file["entries"].as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys(&store.to_json(Some(&old))), ["k:13", "k:1", "k:2"]);
    old["entries"].as_object_mut().unwrap().shift_remove("k:13");
    assert_eq!(keys(&store.to_json(Some(&old))), ["k:1", "k:2", "k:13"], "what is new comes last");
}

#[test]
fn what_cannot_be_mended_is_named() {
    for (field, value, why) in [
        ("path", json!("  "), "missing field `path`"),
        ("path", json!(null), "missing field `path`"),
        ("startLine", json!(1.5), "startLine = 1.5"),
        ("endLine", json!("2"), "endLine = \"2\""),
        ("startLine", json!(0), "startLine = 0"),
        ("startLine", json!(3), "endLine = 2: must not be before"),
        ("source", json!("sessions"), "source = \"sessions\""),
    ] {
        let mut entry = good();
        entry[field] = value;
        let (store, dropped) = RecallStore::from_json(&file(entry)).unwrap();
        assert!(store.entries.is_empty() && dropped[0].why.to_string().contains(why), "{dropped:?}");
    }
    for bad in [json!([]), json!({ "version": 2, "entries": {} }), json!({ "version": 1 })] {
        assert!(RecallStore::from_json(&bad).is_err(), "{bad}");
    }
}
