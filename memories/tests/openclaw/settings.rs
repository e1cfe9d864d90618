use morta_memories::openclaw::config::DreamingConfig;
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::settings::{Settings, Source, is_settings};
use serde_json::{Value, json};

fn read(deep: Value) -> Settings {
    let block = json!({ "phases": { "deep": deep } });
    let file = json!({ "plugins": { "entries": { "memory-core": { "config": { "dreaming": block } } } } });
    let whole = Settings::from_json(&file);
    assert_eq!(whole, Settings::from_json(&block), "the block may stand alone");
    whole
}

#[test]
fn defaults_are_those_of_the_document() {
    let settings = Settings::default();
    assert_eq!(settings.dreaming, DreamingConfig::default());
    let sources = serde_json::to_value(&settings.extras[1].sources).unwrap();
    assert_eq!(sources, json!(["daily", "memory", "sessions", "logs", "recall"]));
    let deep = serde_json::to_value(&settings.dreaming.deep).unwrap();
    let expected = json!({
        "cron": "0 3 * * *", "limit": 10, "min_score": 0.8, "min_recall_count": 3, "min_unique_queries": 3,
        "recency_half_life_days": 14.0, "max_age_days": 30,
    });
    for (key, expected) in expected.as_object().unwrap() {
        assert_eq!(&deep[key], expected, "{key}");
    }
}

#[test]
fn values_are_taken_as_they_are_meant() {
    let settings = read(json!({
        "enabled": "FALSE", "limit": 7.9, "minScore": 1.5, "minRecallCount": -1, "minUniqueQueries": "2",
        "recencyHalfLifeDays": "soon", "maxAgeDays": 0, "sources": ["daily", "stars", "daily"],
        "execution": { "speed": " Fast ", "budget": "free", "temperature": 3, "timeoutMs": 1500.5, "model": "m" },
        "cron": "whenever"
    }));
    let deep = &settings.dreaming.deep;
    assert_eq!((deep.enabled, deep.limit, deep.min_score), (false, 7, 0.8));
    assert_eq!((deep.min_recall_count, deep.min_unique_queries), (3, 2));
    assert_eq!((deep.recency_half_life_days, deep.age_limit_days()), (14.0, 30));
    let extras = &settings.extras[1];
    assert_eq!(extras.sources, [Source::Daily]);
    assert_eq!((extras.temperature, extras.timeout_ms), (Some(2.0), Some(1500)));
    assert_eq!(serde_json::to_value(deep.execution.speed).unwrap(), "fast");
    let mended = settings.mended.join("\n");
    for key in ["minScore", "minRecallCount", "recencyHalfLifeDays", "budget", "cron"] {
        assert!(mended.contains(&format!("{key} = ")), "{key} in {mended}");
    }
    assert_eq!(settings.mended.len(), 5, "{mended}");
    let none = read(json!({ "sources": ["stars"], "execution": { "temperature": -1 } }));
    assert_eq!((none.extras[1].sources.len(), none.extras[1].temperature), (5, None));
}

/// Dreaming goes by its own zone, else by the user's.
#[test]
fn the_zone_of_the_user_counts_where_dreaming_names_none() {
    let zone = |dreaming: Value, user: Value| {
        let agents = json!({ "defaults": { "userTimezone": user } });
        let plugins = json!({ "entries": { "memory-core": { "config": { "dreaming": dreaming } } } });
        let settings = Settings::from_json(&json!({ "agents": agents, "plugins": plugins }));
        // The user's zone counts in a file without plugins too.
        let bare = Settings::from_json(&json!({ "agents": agents }));
        assert!(dreaming != json!({}) || bare.dreaming.timezone == settings.dreaming.timezone, "{bare:?}");
        (settings.dreaming.timezone, settings.mended)
    };
    let (own, user) = (json!({ "timezone": "Asia/Tokyo" }), json!("Europe/Vienna"));
    assert_eq!(zone(json!({}), user.clone()), ("Europe/Vienna".to_owned(), Vec::new()));
    assert_eq!(zone(own, user), ("Asia/Tokyo".to_owned(), Vec::new()));
    let (bad, mended) = zone(json!({}), json!("Mars/Olympus"));
    assert!(bad == "UTC" && mended.len() == 1, "{bad}, {mended:?}");
    assert!(mended[0].contains("agents.defaults.userTimezone"), "{mended:?}");
    assert_eq!(zone(json!({}), Value::Null), ("UTC".to_owned(), Vec::new()));
}

/// A phase runs when dreaming is on, it is on, and its limit is above 0.
#[test]
fn three_switches_stop_a_phase() {
    for (file, runs) in [
        (json!({}), true),
        (json!({ "enabled": false }), false),
        (json!({ "phases": { "rem": { "enabled": "false" } } }), false),
        (json!({ "phases": { "rem": { "limit": 0 } } }), false),
        (json!({ "phases": { "deep": { "limit": 0 } } }), true),
    ] {
        assert_eq!(Settings::from_json(&file).dreaming.runs(Phase::Rem), runs, "{file}");
    }
}

#[test]
fn a_frequency_is_that_of_one_job_for_all() {
    let settings = Settings::from_json(&json!({ "frequency": "0 4 * * *", "timezone": "europe/berlin" }));
    assert_eq!(settings.dreaming.cron(Phase::Light), "0 4 * * *");
    assert!(settings.mended.is_empty() && is_settings(&json!({ "phases": {} })));
    assert!(!is_settings(&json!({ "entries": {} })));
}
