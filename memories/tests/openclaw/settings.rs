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
    assert_eq!(
        serde_json::to_value(&settings.extras[1].sources).unwrap(),
        json!(["daily", "memory", "sessions", "logs", "recall"])
    );
    let deep = serde_json::to_value(&settings.dreaming.deep).unwrap();
    for (key, expected) in [
        ("cron", json!("0 3 * * *")),
        ("limit", json!(10)),
        ("min_score", json!(0.8)),
        ("min_recall_count", json!(3)),
        ("min_unique_queries", json!(3)),
        ("recency_half_life_days", json!(14.0)),
        ("max_age_days", json!(30)),
    ] {
        assert_eq!(deep[key], expected, "{key}");
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
        let file = json!({
            "agents": { "defaults": { "userTimezone": user } },
            "plugins": { "entries": { "memory-core": { "config": { "dreaming": dreaming } } } },
        });
        let settings = Settings::from_json(&file);
        (settings.dreaming.timezone, settings.mended.len())
    };
    let (own, user) = (json!({ "timezone": "Asia/Tokyo" }), json!("Europe/Vienna"));
    assert_eq!(zone(json!({}), user.clone()), ("Europe/Vienna".to_owned(), 0));
    assert_eq!(zone(own, user), ("Asia/Tokyo".to_owned(), 0));
    assert_eq!(zone(json!({}), json!("Mars/Olympus")), ("UTC".to_owned(), 1));
    assert_eq!(zone(json!({}), Value::Null), ("UTC".to_owned(), 0));
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
fn the_users_zone_counts_where_dreaming_has_none() {
    let agents = json!({ "defaults": { "userTimezone": "Europe/Berlin" } });
    let zone = |block: Value| {
        let plugins = json!({ "entries": { "memory-core": { "config": { "dreaming": block } } } });
        Settings::from_json(&json!({ "agents": agents, "plugins": plugins })).dreaming.timezone
    };
    assert_eq!(zone(json!({})), "Europe/Berlin");
    assert_eq!(zone(json!({ "timezone": "Asia/Tokyo" })), "Asia/Tokyo");
    assert_eq!(Settings::from_json(&json!({ "agents": agents })).dreaming.timezone, "Europe/Berlin");
    let bad = json!({ "agents": { "defaults": { "userTimezone": "Mars/Olympus" } } });
    assert!(Settings::from_json(&bad).mended[0].contains("agents.defaults.userTimezone"));
}

#[test]
fn a_frequency_is_that_of_one_job_for_all() {
    let settings = Settings::from_json(&json!({ "frequency": "0 4 * * *", "timezone": "europe/berlin" }));
    assert_eq!(settings.dreaming.cron(Phase::Light), "0 4 * * *");
    assert!(settings.mended.is_empty() && is_settings(&json!({ "phases": {} })));
    assert!(!is_settings(&json!({ "entries": {} })));
}
