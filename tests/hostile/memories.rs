//! The memories' stores and logs, and questions to them: what users of OWM, Dark Pawns and OpenClaw have on their disks.

use super::common::room_with;
use super::kind::Kind;
use super::mutate::Shape;
use morta_lab::Error;
use morta_memories::dark_pawns::DreamRules;
use morta_tools::dark_pawns::store::Stored;
use morta_tools::dark_pawns::{dream, effects, rules};
use morta_tools::openclaw::watch::WatchRequest;
use morta_tools::openclaw::{Surroundings, live, phases, promote, record, status};
use morta_tools::owm::import::{self, ImportRequest};
use morta_tools::owm::open_store::OpenStore;
use morta_tools::owm::priced::Prices;
use morta_tools::owm::remember::{self, RememberRequest};
use morta_tools::owm::report::About;
use morta_tools::owm::store::Store;
use morta_tools::owm::{kelly, plans, recall, report};
use serde_json::{Value, json};
use std::path::Path;

/// One object a line.
pub fn lines(values: impl IntoIterator<Item = Value>) -> String {
    values.into_iter().map(|value| format!("{value}\n")).collect()
}

pub fn trade(n: u32) -> Value {
    json!({
        "id": format!("t{n}"), "timestamp": format!("2026-01-{:02}T{:02}:00:00Z", 1 + n / 24, n % 24), "symbol": "XAUUSD",
        "strategy_name": "breakout", "direction": "long", "entry_price": 2600.0, "exit_price": 2610.0, "pnl": 100.0,
        "pnl_r": f64::from(n % 3) - 1.0, "context_regime": "trending_up", "hold_duration_seconds": 3600, "tags": ["a", "b"]
    })
}

fn owm_log() -> String {
    let belief = json!({
        "action": "create_trading_plan", "timestamp": "2026-01-02T00:00:00Z", "trigger_condition": { "regime": "ranging" },
        "planned_action": { "type": "alert" }, "reasoning": "look out"
    });
    lines(
        (0..8).map(trade).chain([belief, json!({ "timestamp": "2026-01-03T00:00:00Z", "equity": 10_250.0 })]),
    )
}

const TRADES: &str = "id,timestamp,exit_timestamp,symbol,strategy,direction,entry_price,exit_price,stop_loss,pnl,pnl_r,lessons,market_context,tags
B,2026-02-02 10:00:00,2026-02-02T12:00:00Z,XAUUSD,breakout,sell,2600,2580,2610,200,,,\"{\"\"regime\"\": \"\"ranging\"\"}\",\"a, b\"
A,2026.02.01 09:00,2026-02-01T10:00:00Z,XAUUSD,breakout,buy,2600,2590,2590,-100,-1.5,too early,a bullish breakout in London,
C,2026-02-03T01:00:00Z,,XAUUSD,breakout,long,2600,,,,,,both bullish and choppy,
";

fn taken_in(room: &Path) -> Result<(), Error> {
    remember(&room.join("store"), &room.join("log.jsonl"), false)
}

/// Makes a store of a log, or adds to it.
pub fn remember(store: &Path, log: &Path, strict: bool) -> Result<(), Error> {
    let prices = &Prices::default();
    let request = RememberRequest { store, log, equity: 10_000.0, config: None, strict, prices };
    remember::remember(&request, &mut |_| {}).map(drop)
}

/// Makes a store of trades, and of patterns if there are some.
pub fn import(
    store: &Path,
    trades: &Path,
    patterns: Option<&Path>,
    zone: &str,
    note: &mut dyn FnMut(&str),
) -> Result<(), Error> {
    let (prices, equity) = (&Prices::default(), 10_000.0);
    let request = ImportRequest { store, trades, patterns, zone, equity, backfill: false, prices };
    import::import(&request, note).map(drop)
}

/// The store that a log makes.
fn owm_store() -> Vec<u8> {
    let room = room_with([("log.jsonl", owm_log())]);
    taken_in(room.path()).unwrap();
    std::fs::read(room.path().join("store/owm.json")).unwrap()
}

/// What an agent has done since to that store.
fn owm_since() -> Vec<u8> {
    let room = room_with([("store/owm.json", owm_store())]);
    let store = room.path().join("store");
    let mut open = OpenStore::new(store.clone());
    for n in 8..11 {
        open.act(trade(n).as_object().cloned().unwrap()).unwrap();
    }
    std::fs::read(store.join("since.jsonl")).unwrap()
}

/// A journal of forty trades and a pattern, as TradeMemory's database has them.
fn database() -> Vec<u8> {
    let room = tempfile::tempdir().unwrap();
    let path = room.path().join("journal.db");
    let base = rusqlite::Connection::open(&path).unwrap();
    base.execute_batch(
        "CREATE TABLE trade_records (id TEXT PRIMARY KEY, timestamp TEXT NOT NULL, symbol TEXT NOT NULL, direction TEXT NOT NULL, lot_size REAL,
            strategy TEXT NOT NULL, market_context TEXT NOT NULL, exit_price REAL, pnl REAL, pnl_r REAL, tags TEXT);
         CREATE TABLE patterns (pattern_id TEXT PRIMARY KEY, description TEXT, confidence REAL, sample_size INTEGER, strategy TEXT, discovered_at TEXT);
         INSERT INTO patterns VALUES ('p', 'breakouts pay', 0.7, 40, 'breakout', '2025-12-01T00:00:00Z');
         WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 40)
         INSERT INTO trade_records SELECT 'T' || x, 1767225600 + 3600 * x, 'XAUUSD', 'long', 0.1, 'breakout',
            '{\"price\": 2000.0, \"regime\": \"ranging\"}', 2000.0 + x, x * 1.5, x * 0.1, '[\"a\"]' FROM n;",
    )
    .unwrap();
    drop(base);
    std::fs::read(path).unwrap()
}

fn owm() -> Vec<Kind> {
    let asked = json!({
        "strategy_name": "breakout", "symbol": "XAUUSD", "query_context": { "regime": "trending_up", "atr_d1": 30.0 }, "limit": 4,
        "now": "2026-02-01T00:00:00Z"
    });
    let stake = json!({ "strategy_name": "breakout", "symbol": "XAUUSD", "query_context": {} });
    vec![
        Kind::new("owm-log", taken_in)
            .hostile("log.jsonl", Shape::Text, owm_log())
            .sound("store/owm.json", owm_store())
            .writing(),
        Kind::new("owm-store", |room| {
            let store = room.join("store");
            report::state(&Store::open(&store)?);
            report::analysis(&Store::open(&store)?, About::default());
            plans::plans(&store, None, None)?;
            recall::recall(&room.join("asked.json"), Some(&store), true, &mut |_| {})?;
            kelly::kelly(&room.join("stake.json"), Some(&store))?;
            taken_in(room)
        })
        .hostile("store/owm.json", Shape::Text, owm_store())
        .hostile("store/recalls.jsonl", Shape::Text, "")
        .hostile("store/since.jsonl", Shape::Text, owm_since())
        .hostile("asked.json", Shape::Text, asked.to_string())
        .hostile("stake.json", Shape::Text, stake.to_string())
        .sound("log.jsonl", owm_log())
        .writing(),
        Kind::new("owm-database", |room| {
            import(&room.join("new"), &room.join("journal.db"), None, "UTC", &mut |_| {})
        })
        .hostile("journal.db", Shape::Binary, database()),
        Kind::new("owm-import", |room| {
            let (trades, patterns) = (room.join("trades.csv"), room.join("patterns.jsonl"));
            import(&room.join("store"), &trades, Some(&patterns), "Europe/Berlin", &mut |_| {})
        })
        .hostile("trades.csv", Shape::Text, TRADES)
        .hostile(
            "patterns.jsonl",
            Shape::Text,
            lines([json!({ "pattern_id": "p", "description": "breakouts pay", "confidence": 0.7, "sample_size": 20,
                "strategy": "breakout", "symbol": null, "source": "reflection", "discovered_at": "2026-01-01T00:00:00Z" })]),
        )
        .writing(),
    ]
}

pub fn turn(second: u32) -> Value {
    let action = ["kill", "say", "get", "flee"][second as usize % 4];
    json!({
        "timestamp": format!("2026-05-12T15:{:02}:{:02}Z", second / 60 % 60, second % 60), "room_vnum": 1, "room_name": "the Hall",
        "hp": 50, "max_hp": 50, "action": action, "args": [format!("rat {second}")],
        "agent_level": 3, "mob_level": 5, "fighting": "orc"
    })
}

fn dreamt(room: &Path) -> Result<(), Error> {
    let (sessions, output) = (room.join("sessions"), room.join("dreaming"));
    let request = dream::DreamRequest {
        agent: "ada",
        sessions: &sessions,
        output: &output,
        dry_run: false,
        reread: true,
        nightly: false,
    };
    dream::dream(&request, &DreamRules::default(), &mut |_| {}).map(drop)
}

fn graph() -> Vec<u8> {
    let room = room_with([("sessions/ada/a.jsonl", lines((0..8).map(turn)))]);
    dreamt(room.path()).unwrap();
    std::fs::read(room.path().join("dreaming/ada/memory-graph.json")).unwrap()
}

fn dark_pawns() -> Vec<Kind> {
    let decision = |n: u32| {
        let (arm, action) = (["memory", "none"][n as usize % 2], ["attack", "flee"][n as usize / 2 % 2]);
        json!({ "type": "decision", "arm": arm, "stimulus": "orc", "action": action, "sessions": n, "valence": -2 })
    };
    let more = [
        json!({ "type": "encounter", "entity": "orc", "before": "attack", "after": "flee", "valence": -2 }),
        json!({ "type": "cost", "hosting": "server", "tokens": 300 }),
    ];
    let decisions = lines((0..12).map(decision).chain(more));
    let rules = toml::to_string(&DreamRules::default()).unwrap();
    vec![
        Kind::new("dark-pawns-log", dreamt)
            .hostile("sessions/ada/a.jsonl", Shape::Text, lines((0..8).map(turn)))
            .writing(),
        Kind::new("dark-pawns-graph", |room| {
            Stored::read(&room.join("dreaming/ada/memory-graph.json"))?.to_json()?;
            dreamt(room)
        })
        .sound("sessions/ada/b.jsonl", lines((20..24).map(turn)))
        .hostile("dreaming/ada/memory-graph.json", Shape::Text, graph())
        .writing(),
        Kind::of_file("dark-pawns-rules", "rules.toml", Shape::Text, rules, |file| {
            rules::read(file).map(drop)
        }),
        Kind::of_file("dark-pawns-effects", "effects.jsonl", Shape::Text, decisions, |file| {
            effects::effects(file).map(drop)
        }),
    ]
}

pub fn search(at: u32, line: u32) -> Value {
    let hit = json!({ "path": "memory/2026-04-03.md", "startLine": line, "endLine": line, "score": 0.9, "snippet": "Router VLAN" });
    json!({ "at": format!("2026-04-04T10:{:02}:{:02}Z", at / 60 % 60, at % 60), "query": format!("question {at}"), "results": [hit] })
}

pub fn recall_store() -> Value {
    let entry = |line: u32| {
        json!({
            "path": "memory/2026-04-03.md", "startLine": line, "endLine": line, "source": "memory", "snippet": format!("router {line} has a VLAN"),
            "recallCount": 6, "totalScore": 5.7, "maxScore": 0.97, "firstRecalledAt": "2026-04-02T10:00:00.000Z",
            "lastRecalledAt": "2026-04-04T15:00:00.000Z", "queryHashes": ["a", "b", "c", "d", "e"],
            "recallDays": ["2026-04-02", "2026-04-03", "2026-04-04"], "conceptTags": ["vlan", "router"]
        })
    };
    let entries: serde_json::Map<String, Value> =
        (1..4).map(|line| (format!("memory:memory/2026-04-03.md:{line}:{line}"), entry(line))).collect();
    json!({ "version": 1, "updatedAt": "2026-04-05T03:00:00Z", "entries": entries })
}

fn settings() -> Value {
    let dreaming = json!({
        "enabled": true, "frequency": "0 3 * * *", "timezone": "Europe/Berlin", "verboseLogging": true,
        "phases": { "light": { "limit": 10, "sources": ["daily", "recall"] }, "deep": { "minScore": 0.1, "limit": 5 }, "rem": { "limit": 3 } }
    });
    json!({
        "agents": { "defaults": { "userTimezone": "America/Los_Angeles" } },
        "plugins": { "entries": { "memory-core": { "config": { "dreaming": dreaming } } } }
    })
}

pub const NOTE: &str = "# Friday\n\nrouter 1 has a VLAN\nrouter 2 has a VLAN\nrouter 3 has a VLAN\n";

fn openclaw() -> Vec<Kind> {
    let around = |room: &Path| Surroundings {
        store: room.join("memory/.dreams/short-term-recall.json"),
        now: Some("2026-04-05T03:00:00Z".parse().unwrap()),
        config: Some(room.join("openclaw.json")),
        workspace: Some(room.to_owned()),
    };
    vec![
        Kind::new("openclaw", move |room| {
            let around = around(room);
            status::StatusReport::for_workspace(&around, None, &mut |_| {})?;
            record::RecordReport::from_log(
                &around.store,
                &room.join("searches.jsonl"),
                around.config.as_deref(),
                &mut |_| {},
            )?;
            phases::light(&around, true, |config| config, &mut |_| {})?;
            phases::rem(&around, true, |config| config, &mut |_| {})?;
            let request = promote::PromotionRequest {
                around: &around,
                apply: true,
                memory: None,
                include_promoted: false,
            };
            promote::PromotionReport::for_request(&request, |config| config, &mut |_| {}).map(drop)
        })
        .hostile("memory/.dreams/short-term-recall.json", Shape::Text, recall_store().to_string())
        .hostile("searches.jsonl", Shape::Text, lines((0..4).map(|n| search(n, n + 1))))
        .hostile("openclaw.json", Shape::Text, settings().to_string())
        .hostile("memory/2026-04-03.md", Shape::Text, NOTE)
        .hostile("MEMORY.md", Shape::Text, "# What lasts\n\n- router 9 has a VLAN\n")
        .writing(),
        Kind::new("openclaw-live", |room| {
            let request = live::LiveRequest {
                watched: WatchRequest {
                    workspaces: vec![room.to_owned()],
                    config: Some(room.join("openclaw.json")),
                    ablated: Vec::new(),
                },
                searches: Some(room.join("searches.jsonl")),
                until: Some("2026-04-08T00:00:00Z".parse().unwrap()),
            };
            live::live(&request, &mut |_| {}).map(drop)
        })
        .hostile("searches.jsonl", Shape::Text, lines((0..4).map(|n| search(n, n + 1))))
        .hostile("openclaw.json", Shape::Text, settings().to_string())
        .hostile("memory/2026-04-03.md", Shape::Text, NOTE)
        .writing(),
    ]
}

pub fn kinds() -> Vec<Kind> {
    [owm(), dark_pawns(), openclaw()].into_iter().flatten().collect()
}
