//! `morta-memory owm share` and `serve --db`: a store and TradeMemory's database. `tools/tests/originals` tests against the published package.

use super::mcp::Client;
use super::{Room, answer, has, read, refuses, remember, write};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use std::path::Path;

fn trade(id: &str, day: u32, pnl_r: f64) -> Value {
    json!({ "id": id, "timestamp": format!("2026-02-{day:02}T14:00:00Z"), "symbol": "XAUUSD", "strategy_name": "breakout", "direction": "long",
        "entry_price": 2000.0, "exit_price": 2010.0, "pnl": 100.0 * pnl_r, "pnl_r": pnl_r, "context_regime": "ranging", "hold_duration_seconds": 3600.0 })
}

/// A trade as TradeMemory's own tool writes it.
fn theirs(base: &Connection, id: &str, day: u32) {
    let at = format!("2026-02-{day:02}T15:00:00+00:00");
    let context = r#"{"symbol": "XAUUSD", "price": 2001.0, "regime": "volatile"}"#;
    base.execute(
        "INSERT INTO trade_records (id, timestamp, symbol, direction, lot_size, strategy, confidence, reasoning, market_context, trade_references, exit_price, \
         pnl, pnl_r) VALUES (?1, ?2, 'XAUUSD', 'short', 0.2, 'fade', 0.5, 'why', ?3, '[]', 1990.0, 50.0, 0.5)",
        params![id, at, context],
    )
    .unwrap();
}

fn ids(base: &Connection, table: &str) -> Vec<String> {
    let mut query = base.prepare(&format!("SELECT id FROM {table} ORDER BY id")).unwrap();
    query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn episodes(room: &Path) -> Value {
    answer(room, &["owm", "state", "store"]).0["episodes"].clone()
}

#[test]
fn sharing_gives_each_the_others_trades() {
    let room = &Room::new();
    remember(room, &[trade("m1", 1, 1.0), trade("m2", 2, -1.0)]);
    let share = || answer(room, &["owm", "share", "store", "--db", "tradememory.db"]).0;
    assert_eq!(share(), json!({ "taken": 0, "known": 0, "skipped": 0, "written": 2 }));
    let base = Connection::open(room.join("tradememory.db")).unwrap();
    assert_eq!(ids(&base, "trade_records"), ["m1", "m2"]);
    assert_eq!(ids(&base, "episodic_memory"), ["m1", "m2"]);
    let query = "SELECT e.pnl_r, e.context_regime, json_extract(e.context_json, '$.symbol'), r.exit_timestamp, r.timestamp FROM episodic_memory e JOIN \
                 trade_records r USING (id) WHERE id = 'm1'";
    let row = base.query_row(query, [], |row| {
        assert_eq!(row.get::<_, f64>(0)?, 1.0);
        Ok([row.get(1)?, row.get(2)?, row.get(3)?, row.get::<_, String>(4)?])
    });
    let texts = ["ranging", "XAUUSD", "2026-02-01T14:00:00+00:00", "2026-02-01T13:00:00+00:00"];
    assert_eq!(row.unwrap(), texts);
    theirs(&base, "theirs-1", 3);
    let shared = share();
    has(&shared, json!({ "taken": 1, "known": 2 }));
    assert_eq!(episodes(room), 3);
    // TradeMemory's own rows are unchanged.
    let kept: String = base
        .query_row("SELECT reasoning FROM trade_records WHERE id = 'theirs-1'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, "why");
    assert_eq!(share()["taken"], 0, "and once");
}

#[test]
fn a_server_shares_at_every_trade() {
    let room = &Room::new();
    let mut client = Client::new(room, &["owm", "serve", "store", "--db", "tradememory.db"]);
    client.call("remember_trade", trade("m1", 1, 1.0)).unwrap();
    let base = Connection::open(room.join("tradememory.db")).unwrap();
    assert_eq!(ids(&base, "episodic_memory"), ["m1"]);
    theirs(&base, "theirs-1", 3);
    let arguments = json!({ "symbol": "XAUUSD", "market_context": "wild", "strategy_name": "fade", "memory_types": ["episodic"] });
    assert_eq!(client.call("recall_memories", arguments).unwrap()["ranked"][0]["id"], "theirs-1");
    let open = json!({ "id": "m3", "symbol": "XAUUSD", "strategy_name": "breakout", "direction": "long", "entry_price": 2000.0,
        "timestamp": "2026-02-04T10:00:00Z" });
    client.call("remember_trade", open.clone()).unwrap();
    let pnl = |base: &Connection| -> Option<f64> {
        base.query_row("SELECT pnl FROM trade_records WHERE id = 'm3'", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(pnl(&base), None);
    let mut closed = open;
    closed["pnl"] = json!(70.0);
    closed["timestamp"] = json!("2026-02-04T12:00:00Z");
    client.call("remember_trade", closed).unwrap();
    assert_eq!(pnl(&base), Some(70.0), "an open trade is completed");
    let plan = json!({ "trigger_condition": { "regime": "ranging" }, "planned_action": { "type": "alert" }, "reasoning": "look" });
    client.call("create_trading_plan", plan).unwrap();
    assert_eq!(ids(&base, "prospective_memory"), ["morta-plan-0"]);
    assert_eq!(episodes(room), 3);
    write(room, "notes.db", "no database at all, and long enough not to be an empty one");
    refuses(
        room,
        &["owm", "share", "store", "--db", "notes.db"],
        &["notes.db: can't be shared as a database of TradeMemory's"],
    );
    assert_eq!(read(room, "notes.db").len(), 58);
}
