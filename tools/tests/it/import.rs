//! `morta-memory owm import` and `export`.

use super::{
    Room, answer, count, each, has, lines, names, printed, recalled, refusal, refuses, remember, says,
    values, write,
};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use std::path::Path;

const TRADES: &str = "id,timestamp,exit_timestamp,symbol,strategy,direction,entry_price,exit_price,stop_loss,pnl,pnl_r,lessons,exit_reasoning,market_context,tags
B,2026-02-02 10:00:00,2026-02-02T12:00:00Z,XAUUSD,breakout,sell,2600,2580,2610,200,,,target hit,\"{\"\"regime\"\": \"\"ranging\"\", \"\"atr_d1\"\": \"\"30.5\"\"}\",\"a, b\"
A,2026.02.01 09:00,2026-02-01T10:00:00Z,XAUUSD,breakout,buy,2600,2590,2590,-100,-1.5,too early,stop hit,a bullish breakout in London,
C,2026-02-03T01:00:00Z,,XAUUSD,breakout,long,2600,,,,,,,both bullish and choppy,
D,soon,,XAUUSD,breakout,long,2600,,,,,,,,
E,2026-02-03T01:00:00Z,,XAUUSD,breakout,sideways,2600,,,,,,,,
F,2026-02-03T01:00:00Z,,XAUUSD
";

fn export(room: &Path, store: &str) -> Value {
    json!(values(&printed(room, &["owm", "export", store])))
}

#[test]
fn trades_and_patterns_are_imported_by_the_migration() {
    let room = &Room::new();
    write(room, "trades.csv", TRADES);
    let patterns = [
        json!({ "pattern_id": "p", "description": "breakouts pay", "confidence": 0.7, "sample_size": 20, "strategy": "breakout",
            "symbol": null, "source": "reflection", "discovered_at": "2026-01-01T00:00:00Z" }),
        json!({ "description": "all pays", "confidence": 0.7, "sample_size": 20, "discovered_at": 1_767_225_600_000_i64 }),
    ];
    write(room, "patterns.jsonl", lines(&patterns));
    let flags =
        ["owm", "import", "store", "trades.csv", "--patterns", "patterns.jsonl", "--zone", "Europe/Berlin"];
    let (account, noted) = answer(room, &flags);
    has(
        &account,
        json!({ "lines": 8, "trades": 3, "beliefs_seeded": 1, "skipped": 4, "r_from_stop": 1, "regimes_inferred": 1 }),
    );
    says(
        &noted,
        &[
            "trades.csv:5: timestamp = \"soon\": must be a moment",
            "trades.csv:6: direction = \"sideways\": must be long",
            "trades.csv:7: 4 cells, but the header has 15",
            "patterns.jsonl:2: a pattern must say what it is of: give strategy or symbol",
        ],
    );
    let exported = export(room, "store");
    assert_eq!(each(&exported, "/id"), json!(["A", "B", "C"]), "in the order of time");
    let (a, b, c) = (&exported[0], &exported[1], &exported[2]);
    // 9:00 in Berlin is 8:00 in UTC, two hours before the close.
    has(a, json!({ "hold_duration_seconds": 7200.0, "pnl_r": -1.5, "reflection": "too early" }));
    has(&a["context"], json!({ "regime": "trending_up", "session": "london" }));
    has(b, json!({ "direction": "short", "pnl_r": 2.0, "reflection": "target hit" }));
    has(b, json!({ "/context/atr_d1": 30.5, "tags": ["a", "b"], "timestamp": "2026-02-02T12:00:00Z" }));
    assert_eq!((c.get("pnl_r"), c["context"].get("regime"), &c["confidence"]), (None, None, &json!(0.5)));
    let (analysis, _) = answer(room, &["owm", "analysis", "store"]);
    let belief = &analysis["beliefs"][0];
    // Beta(15, 7) of the pattern, a loss of 1.5 R and a gain of 2 R. The open trade is no evidence.
    has(belief, json!({ "alpha": 17.0, "beta": 8.5 }));
    let (state, _) = answer(room, &["owm", "state", "store"]);
    has(&state, json!({ "open_trades": 1, "current_equity": 10_100.0 }));
    // A second import adds nothing. A file of older trades alone adds nothing either.
    assert_eq!(answer(room, &flags[..4]).0["trades"], 0);
    refuses(room, &["owm", "import", "x", "trades.csv", "--zone", "Mars"], &["--zone \"Mars\": is no zone"]);
}

#[test]
fn an_exported_log_gives_the_same_store() {
    let room = &Room::new();
    let trade = |n: u32| {
        json!({
            "id": format!("t{n}"), "timestamp": format!("2026-01-{:02}T10:00:00.5Z", 1 + n), "symbol": "XAUUSD", "strategy_name": "fade",
            "direction": "short", "entry_price": 2600.1, "exit_price": 2590.0, "pnl": 10.1, "pnl_r": 0.3, "lot_size": 0.1,
            "hold_duration_seconds": 60.0, "max_adverse_excursion": -0.2, "confidence": if n == 2 { Value::Null } else { json!(0.7) },
            "reflection": "so it goes", "tags": ["x"], "entry_timing": -0.5, "context": { "regime": "ranging", "news": "calm" }
        })
    };
    write(room, "log.jsonl", lines((0..12).map(trade)));
    answer(room, &["owm", "remember", "one", "log.jsonl", "--strict"]);
    let exported = export(room, "one");
    assert_eq!(count(&exported), 12);
    write(room, "export.jsonl", printed(room, &["owm", "export", "one"]));
    answer(room, &["owm", "remember", "two", "export.jsonl", "--strict"]);
    assert_eq!(export(room, "two"), exported);
    for what in ["analysis", "state"] {
        assert_eq!(answer(room, &["owm", what, "two"]), answer(room, &["owm", what, "one"]), "{what}");
    }
}

/// The columns of TradeMemory's journal that are read. Price and stop are in the context.
const JOURNAL: &str = "CREATE TABLE trade_records (id TEXT PRIMARY KEY, timestamp TEXT NOT NULL, symbol TEXT NOT NULL, direction TEXT NOT NULL,
    lot_size REAL NOT NULL, strategy TEXT NOT NULL, confidence REAL NOT NULL, reasoning TEXT NOT NULL, market_context TEXT NOT NULL,
    exit_timestamp TEXT, exit_price REAL, pnl REAL, pnl_r REAL, hold_duration INTEGER, exit_reasoning TEXT, lessons TEXT, tags TEXT);
    CREATE TABLE patterns (pattern_id TEXT PRIMARY KEY, description TEXT NOT NULL, confidence REAL NOT NULL, sample_size INTEGER NOT NULL,
    strategy TEXT, symbol TEXT, discovered_at TEXT NOT NULL);";

/// Thirty trades and three patterns as a database, and the same as JSON lines.
fn journal(room: &Path) -> (Vec<Value>, Vec<Value>) {
    let base = Connection::open(room.join("journal.db")).unwrap();
    base.execute_batch(JOURNAL).unwrap();
    let (mut trades, mut patterns) = (Vec::new(), Vec::new());
    for number in 0..30_u32 {
        let won = number % 3 != 0;
        let context = json!({ "price": 2000.5, "stop_loss": 1990.5, "regime": if number % 2 == 0 { "ranging" } else { "volatile" }, "atr_d1": 30.25 });
        let (id, at) = (format!("T{number:02}"), format!("2026-01-{:02}T10:00:00Z", 1 + number % 28));
        let exit = if won { 2015.5 } else { 1990.5 };
        let pnl_r = (number % 4 == 0).then_some(if won { 1.5 } else { -1.0 });
        let pnl = if won { 150.0 } else { -100.0 };
        let hold = 3_600 + number;
        base.execute(
            "INSERT INTO trade_records VALUES (?1, ?2, 'XAUUSD', 'long', 0.1, 'breakout', 0.6, 'why', ?3, NULL, ?4, ?5, ?6, ?7, 'stop', ?8, ?9)",
            params![id, at, context.to_string(), exit, pnl, pnl_r, hold, "waited", "[\"a\", \"b\"]"],
        )
        .unwrap();
        trades.push(json!({ "id": id, "timestamp": at, "symbol": "XAUUSD", "direction": "long", "lot_size": 0.1, "strategy": "breakout",
            "confidence": 0.6, "reasoning": "why", "market_context": context, "exit_price": exit, "pnl": pnl, "pnl_r": pnl_r,
            "hold_duration": hold, "exit_reasoning": "stop", "lessons": "waited", "tags": ["a", "b"] }));
    }
    for number in 0..3 {
        let (id, confidence) = (format!("p{number}"), 0.6 + 0.1 * f64::from(number));
        base.execute(
            "INSERT INTO patterns VALUES (?1, 'breakouts pay', ?2, 40, 'breakout', NULL, '2025-12-01T00:00:00Z')",
            params![id, confidence],
        )
        .unwrap();
        patterns.push(json!({ "pattern_id": id, "description": "breakouts pay", "confidence": confidence, "sample_size": 40,
            "strategy": "breakout", "discovered_at": "2025-12-01T00:00:00Z" }));
    }
    (trades, patterns)
}

/// A database gives the same store as its rows in JSON.
#[test]
fn a_database_is_read_like_its_rows() {
    let room = &Room::new();
    let (trades, patterns) = journal(room);
    write(room, "trades.jsonl", lines(&trades));
    write(room, "patterns.jsonl", lines(&patterns));
    let before = std::fs::read(room.join("journal.db")).unwrap();
    let (by_base, noted) = answer(room, &["owm", "import", "by-base", "journal.db"]);
    let (by_lines, _) =
        answer(room, &["owm", "import", "by-lines", "trades.jsonl", "--patterns", "patterns.jsonl"]);
    assert_eq!(by_base, by_lines, "{noted}");
    has(&by_base, json!({ "trades": 30, "beliefs_seeded": 3, "skipped": 0, "r_from_stop": 22 }));
    assert_eq!(export(room, "by-base"), export(room, "by-lines"));
    let analysis = |store: &str| answer(room, &["owm", "analysis", store]).0;
    assert_eq!(analysis("by-base"), analysis("by-lines"));
    assert_eq!(std::fs::read(room.join("journal.db")).unwrap(), before, "it is only read");
    let beside = names(room);
    assert!(!beside.iter().any(|name| name.starts_with("journal.db-")), "{beside:?}");
    // A validation sizes the same trades.
    let (outcome, _) = answer(room, &["owm", "validate", "--trades", "journal.db", "--json"]);
    assert_eq!(outcome["data"]["trades"]["ended"], 30);
}

/// With `--backfill` older trades are inserted in the order of time: the store is the same as from all trades at once, and recalls are kept.
#[test]
fn backfill_inserts_older_trades_in_order() {
    let room = &Room::new();
    let row = |n: usize| {
        let made = if n.is_multiple_of(3) { 1990 } else { 2015 };
        let context = if (n / 10).is_multiple_of(2) { "sideways" } else { "whipsaw" };
        format!(
            "T{n:02},2026-{:02}-{:02} 10:00,XAUUSD,breakout,long,2000,{made},1990,{context}\n",
            1 + n / 28,
            1 + n % 28
        )
    };
    let header = "id,timestamp,symbol,strategy,direction,entry_price,exit_price,stop_loss,market_context\n";
    let rows = |from, to| header.to_owned() + &(from..to).map(row).collect::<String>();
    for (name, from, to) in [("old.csv", 0, 40), ("new.csv", 40, 80), ("all.csv", 0, 80)] {
        write(room, name, rows(from, to));
    }
    answer(room, &["owm", "import", "whole", "all.csv"]);
    answer(room, &["owm", "import", "store", "new.csv"]);
    let question = json!({ "query_context": {}, "limit": 1, "now": "2026-06-01T00:00:00Z" });
    let first = recalled(room, &question)[0]["id"].clone();
    let (account, _) = answer(room, &["owm", "import", "store", "old.csv", "--backfill"]);
    has(&account, json!({ "trades": 40, "skipped": 0 }));
    assert_eq!(export(room, "store"), export(room, "whole"));
    // A second import counts the trades as known and changes nothing.
    for more in [&["--backfill"][..], &[]] {
        let (account, _) = answer(room, &[&["owm", "import", "store", "all.csv"], more].concat());
        has(&account, json!({ "trades": 0, "known": 80, "skipped": 0 }));
    }
    assert_eq!(export(room, "store"), export(room, "whole"));
    for what in ["analysis", "state"] {
        assert_eq!(answer(room, &["owm", what, "store"]), answer(room, &["owm", what, "whole"]), "{what}");
    }
    has(&recalled(room, &question)[0], json!({ "id": first, "/data/retrieval_count": 1 }));
    write(room, "bad.csv", "symbol,price\nX,1\n");
    refuses(
        room,
        &["owm", "import", "none", "bad.csv"],
        &["bad.csv:2: timestamp: missing", "no store is made"],
    );
    assert!(!room.join("none/owm.json").exists());
    // A store with more than its trades isn't rebuilt, because the rest would be lost.
    let report = json!({ "action": "update_equity", "timestamp": "2026-07-01T00:00:00Z", "equity": 9000 });
    remember(room, &[report]);
    let older = row(0).replace("T00", "OLD").replace("2026-01-01", "2025-01-01");
    write(room, "older.csv", header.to_owned() + &older);
    let (account, noted) = answer(room, &["owm", "import", "store", "older.csv", "--backfill"]);
    assert!(noted.contains("holds more than follows from its trades"), "{noted}");
    assert_eq!(account["trades"], 1, "a late one");
    // The equity that was reported stays.
    assert_eq!(answer(room, &["owm", "state", "store"]).0["current_equity"], 9000.0);
    assert_eq!(count(&export(room, "store")), 81);
}

/// The published package stores a trade twice: a record with little besides the price in its context, and an episode with all of it.
#[test]
fn a_record_and_an_episode_of_one_id_are_one_trade() {
    let room = &Room::new();
    journal(room);
    let base = Connection::open(room.join("journal.db")).unwrap();
    base.execute_batch(
        "CREATE TABLE episodic_memory (id TEXT PRIMARY KEY, timestamp TEXT NOT NULL, context_json TEXT NOT NULL, context_regime TEXT, context_atr_d1 REAL,
         strategy TEXT NOT NULL, direction TEXT NOT NULL, entry_price REAL NOT NULL, max_adverse_excursion REAL, pnl_r REAL, reflection TEXT);
         UPDATE trade_records SET market_context = '{\"description\": \"quiet\", \"entry_price\": 2001.5}', pnl_r = 1.0 WHERE id = 'T05';
         UPDATE trade_records SET market_context = '{\"description\": \"quiet\", \"entry_price\": 2001.5}', pnl_r = 1.0 WHERE id = 'T06';",
    )
    .unwrap();
    let episode = "INSERT INTO episodic_memory VALUES (?1, ?2, ?3, 'volatile', 12.5, 'breakout', 'long', 2001.5, 0.4, 1.0, 'of the episode')";
    let context = r#"{"symbol": "XAUUSD", "price": 2001.5, "volatility_regime": "high"}"#;
    base.execute(episode, params!["T06", "2026-01-07T10:00:00Z", context]).unwrap();
    base.execute(episode, params!["alone", "2026-02-07T10:00:00Z", context]).unwrap();
    let (account, _) = answer(room, &["owm", "import", "store", "journal.db"]);
    has(&account, json!({ "trades": 31, "skipped": 0 }));
    let exported = export(room, "store");
    let of = |id: &str| exported.as_array().unwrap().iter().find(|trade| trade["id"] == id).unwrap();
    assert_eq!((&of("T05")["entry_price"], of("T05")["context"].get("regime")), (&json!(2001.5), None));
    let both = of("T06");
    has(&both["context"], json!({ "regime": "volatile", "atr_d1": 12.5, "volatility_regime": "high" }));
    has(both, json!({ "max_adverse_excursion": 0.4, "lot_size": 0.1, "reflection": "of the episode" }));
    has(of("alone"), json!({ "symbol": "XAUUSD", "/context/regime": "volatile" }));
    base.execute("UPDATE episodic_memory SET direction = 'sideways' WHERE id = 'alone'", []).unwrap();
    let (_, noted) = answer(room, &["owm", "import", "again", "journal.db"]);
    assert!(noted.contains("trade_records and episodic_memory:31: direction = \"sideways\""), "{noted}");
}

#[test]
fn an_unusable_database_is_reported_and_nothing_is_lost() {
    let room = &Room::new();
    journal(room);
    answer(room, &["owm", "import", "store", "journal.db"]);
    let kept = export(room, "store");
    let bytes = std::fs::read(room.join("journal.db")).unwrap();
    let refused = |what: &str| {
        let error = refusal(room, &["owm", "import", "store", "bad.db"]);
        assert!(error.contains("bad.db") && error.contains(what), "{what}: {error}");
        assert_eq!(export(room, "store"), kept);
    };
    std::fs::write(room.join("bad.db"), &bytes[..bytes.len() / 2]).unwrap();
    refused("can't be read as an SQLite database");
    let mut garbled = bytes.clone();
    garbled[100..2_000].fill(0xff);
    std::fs::write(room.join("bad.db"), garbled).unwrap();
    refused("can't be read as an SQLite database");
    std::fs::remove_file(room.join("bad.db")).unwrap();
    let base = Connection::open(room.join("bad.db")).unwrap();
    base.execute_batch("CREATE TABLE theirs (a); CREATE VIEW trade_records AS SELECT 1").unwrap();
    refused("has no table trade_records or episodic_memory; there is theirs");
    // Unusable rows are reported with their place, and the others are imported.
    let other = Connection::open(room.join("journal.db")).unwrap();
    other.execute("UPDATE trade_records SET market_context = '{}' WHERE id = 'T01'", []).unwrap();
    other.execute("UPDATE trade_records SET exit_price = x'00ff' WHERE id = 'T02'", []).unwrap();
    other.execute("UPDATE trade_records SET symbol = CAST(x'ff' AS TEXT) WHERE id = 'T03'", []).unwrap();
    let (account, noted) = answer(room, &["owm", "import", "new", "journal.db"]);
    has(&account, json!({ "trades": 27, "skipped": 3 }));
    says(
        &noted,
        &[
            "trade_records:2: entry_price: missing",
            "trade_records:3: exit_price holds bytes",
            "trade_records:4: symbol holds",
        ],
    );
}
