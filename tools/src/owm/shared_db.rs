//! A database that TradeMemory and a store share: the store's trades, beliefs, habits and plans are written into the tables of the specification
//! (section 2), beside the rows of TradeMemory.
//!
//! A trade belongs to the program that wrote it first. The other program completes it if it is open, and changes nothing else. Each program has its
//! own beliefs, habits and plans (ours are named `morta-...`), because the formulas differ; only a table `patterns` is taken in as beliefs.
//! The state of mind is written only where there is none.
//!
//! It is two-way synchronization through SQLite, one transaction at a time. `morta-memory owm share` does it once; a server started with
//! `--db` reads the database before a call if another program wrote to it, and writes to it after that and after each action of a tool; a
//! plan that `check_active_plans` expires is written with the next of these. The moments of its rows without a zone are in UTC.

use super::context::written;
use super::import;
use super::priced::Prices;
use super::remember::USUAL_EQUITY;
use super::store::Store;
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_memories::owm::episodic::{EpisodicMemory, Shelf};
use morta_memories::owm::induction::Names as _;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, named_params};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time to wait for another program's write lock. TradeMemory's own transactions take milliseconds, so this is ample: our choice, because the time is
/// spent only behind a program that hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// The shared tables, as TradeMemory creates them; existing tables are left as they are.
const TABLES: &str = "
CREATE TABLE IF NOT EXISTS trade_records (
  id TEXT PRIMARY KEY, timestamp TEXT NOT NULL, symbol TEXT NOT NULL, direction TEXT NOT NULL, lot_size REAL NOT NULL, strategy TEXT NOT NULL,
  confidence REAL NOT NULL, reasoning TEXT NOT NULL, market_context TEXT NOT NULL, trade_references TEXT NOT NULL, exit_timestamp TEXT,
  exit_price REAL, pnl REAL, pnl_r REAL, hold_duration INTEGER, exit_reasoning TEXT, slippage REAL, execution_quality REAL, lessons TEXT,
  tags TEXT, grade TEXT, tenant_id TEXT);
CREATE TABLE IF NOT EXISTS episodic_memory (
  id TEXT PRIMARY KEY, timestamp TEXT NOT NULL, context_json TEXT NOT NULL, context_regime TEXT, context_volatility_regime TEXT,
  context_session TEXT, context_atr_d1 REAL, context_atr_h1 REAL, strategy TEXT NOT NULL, direction TEXT NOT NULL, entry_price REAL NOT NULL,
  lot_size REAL, exit_price REAL, pnl REAL, pnl_r REAL, hold_duration_seconds INTEGER, max_adverse_excursion REAL, reflection TEXT,
  confidence REAL DEFAULT 0.5, tags TEXT, retrieval_strength REAL DEFAULT 1.0, retrieval_count INTEGER DEFAULT 0, last_retrieved TEXT,
  created_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS semantic_memory (
  id TEXT PRIMARY KEY, proposition TEXT NOT NULL, alpha REAL NOT NULL DEFAULT 1.0, beta REAL NOT NULL DEFAULT 1.0,
  sample_size INTEGER NOT NULL DEFAULT 0, strategy TEXT, symbol TEXT, regime TEXT, volatility_regime TEXT, validity_conditions TEXT,
  last_confirmed TEXT, last_contradicted TEXT, source TEXT NOT NULL, retrieval_strength REAL DEFAULT 1.0, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS procedural_memory (
  id TEXT PRIMARY KEY, strategy TEXT NOT NULL, symbol TEXT NOT NULL, behavior_type TEXT NOT NULL, sample_size INTEGER NOT NULL DEFAULT 0,
  avg_hold_winners REAL, avg_hold_losers REAL, disposition_ratio REAL, actual_lot_mean REAL, actual_lot_variance REAL,
  kelly_fraction_suggested REAL, lot_vs_kelly_ratio REAL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS affective_state (
  id TEXT PRIMARY KEY, confidence_level REAL NOT NULL DEFAULT 0.5, risk_appetite REAL NOT NULL DEFAULT 1.0,
  momentum_bias REAL NOT NULL DEFAULT 0.0, peak_equity REAL NOT NULL, current_equity REAL NOT NULL, drawdown_state REAL NOT NULL DEFAULT 0.0,
  max_acceptable_drawdown REAL NOT NULL DEFAULT 0.20, consecutive_wins INTEGER NOT NULL DEFAULT 0,
  consecutive_losses INTEGER NOT NULL DEFAULT 0, last_updated TEXT NOT NULL, history_json TEXT DEFAULT '[]');
CREATE TABLE IF NOT EXISTS prospective_memory (
  id TEXT PRIMARY KEY, trigger_type TEXT NOT NULL, trigger_condition TEXT NOT NULL, planned_action TEXT NOT NULL, action_type TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active', priority REAL NOT NULL DEFAULT 0.5, expiry TEXT, source_episodic_ids TEXT, source_semantic_ids TEXT,
  reasoning TEXT NOT NULL, triggered_at TEXT, outcome_pnl_r REAL, outcome_reflection TEXT, created_at TEXT NOT NULL);
";

/// A connection to the SQLite database that TradeMemory and a store share.
#[derive(Debug)]
pub struct SharedDb {
    path: PathBuf,
    base: Connection,
    /// SQLite's `data_version` at the last look: it counts commits of other connections.
    version: Option<i64>,
}

impl SharedDb {
    /// Opens a database, and creates it with the schema's tables where it doesn't exist.
    ///
    /// # Errors
    /// [`Error::Invalid`] when it can't be opened, or the file isn't a database.
    pub fn open(path: &Path) -> Result<Self> {
        let open = || -> rusqlite::Result<Connection> {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
            let base = Connection::open_with_flags(path, flags)?;
            base.busy_timeout(PATIENCE)?;
            // A database from elsewhere could call SQL functions from its schema, so these are switched off.
            base.pragma_update(None, "trusted_schema", false)?;
            base.execute_batch(TABLES)?;
            Ok(base)
        };
        let base = open().map_err(|error| refused(path, &error))?;
        Ok(Self { path: path.to_owned(), base, version: None })
    }

    /// The path of the database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether another program has written to it since the last call; true at the first call (PRAGMA `data_version`).
    ///
    /// # Errors
    /// [`Error::Invalid`] when it can't be read.
    pub fn has_changed(&mut self) -> Result<bool> {
        let counted = self.base.query_row("PRAGMA data_version", [], |row| row.get(0));
        let now: i64 = counted.map_err(|error| refused(&self.path, &error))?;
        Ok(self.version.replace(now) != Some(now))
    }

    /// Makes the next [`Self::has_changed`] true, because reading or writing failed this time (retry after an I/O error,
    /// cache invalidation).
    pub(crate) const fn look_again(&mut self) {
        self.version = None;
    }

    /// Whether it holds any trade.
    fn has_trades(&self) -> Result<bool> {
        let query = "SELECT EXISTS (SELECT 1 FROM trade_records) OR EXISTS (SELECT 1 FROM episodic_memory)";
        self.base.query_row(query, [], |row| row.get(0)).map_err(|error| refused(&self.path, &error))
    }

    /// Writes a store's content in one transaction: one trade, or all (upsert). Returns the number of trades that were added or completed.
    /// Beliefs, habits and plans are written each time.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the database can't be written.
    pub fn write(&mut self, store: &Store, only: Option<&str>) -> Result<usize> {
        let path = self.path.clone();
        let mut write = || -> rusqlite::Result<usize> {
            let all = self.base.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut changed = 0;
            for trade in store.mind().shelves().iter().flat_map(Shelf::records) {
                if only.is_none_or(|id| id == store.id(trade.id)) {
                    changed += write_trade(&all, store, trade)?;
                }
            }
            write_beliefs(&all, store)?;
            write_habits(&all, store)?;
            write_plans(&all, store)?;
            write_mind(&all, store)?;
            all.commit()?;
            Ok(changed)
        };
        let written = write().map_err(|error| refused(&path, &error));
        if written.is_err() {
            self.look_again();
        }
        written
    }
}

/// What a synchronization has moved in each direction, in counts.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Shared {
    /// Trades and patterns that the store has taken from the database.
    pub taken: u64,
    /// Those that the store had already.
    pub known: u64,
    /// Rows that were skipped.
    pub skipped: u64,
    /// Trades that were added to the database, or completed in it.
    pub written: usize,
}

/// Reads a database into a store, then writes the store into the database (two-way synchronization).
///
/// # Errors
/// [`Error::Invalid`] when either can't be read or written. Trades read before the error stay in the store.
pub fn share(folder: &Path, db: &mut SharedDb, notes: Notes<'_>) -> Result<Shared> {
    let mut shared = take_in(folder, db, notes)?;
    shared.written = db.write(&Store::open_or_empty(folder)?, None)?;
    Ok(shared)
}

/// Imports a database into a store; nothing, patterns included, where it holds no trade.
///
/// # Errors
/// As [`share`].
pub(crate) fn take_in(folder: &Path, db: &SharedDb, notes: Notes<'_>) -> Result<Shared> {
    if !db.has_trades()? {
        return Ok(Shared::default());
    }
    let request = import::ImportRequest {
        store: folder,
        trades: &db.path,
        patterns: None,
        zone: "UTC",
        equity: USUAL_EQUITY,
        backfill: false,
        prices: &Prices::default(),
    };
    let account = import::import(&request, notes)?.account;
    let (taken, known) = (account.trades + account.closed + account.beliefs_seeded, account.known);
    Ok(Shared { taken, known, skipped: account.skipped, written: 0 })
}

fn refused(path: &Path, error: &rusqlite::Error) -> Error {
    Error::at(path, format!("can't be shared as a database of TradeMemory's: {error}"))
}

/// A moment in the form that TradeMemory writes.
fn moment(moment_s: f64) -> String {
    match written(moment_s) {
        Value::String(text) => text.replace('Z', "+00:00"),
        other => other.to_string(),
    }
}

/// Writes a trade as a record and as an episode. A row that is closed already is left as it is.
fn write_trade(all: &Transaction<'_>, store: &Store, trade: &EpisodicMemory) -> rusqlite::Result<usize> {
    let names = store.names();
    let (strategy, symbol) = (names.strategy(trade.domain.strategy), names.symbol(trade.domain.symbol));
    let ended_s = trade.made_s.unwrap_or_else(|| store.last_s());
    let entered = moment(ended_s - trade.hold_s.unwrap_or(0.0));
    let ended = trade.is_closed().then(|| moment(ended_s));
    let mut context = store.context(trade.id).cloned().unwrap_or_default();
    // TradeMemory looks for the symbol in the context.
    context.insert("symbol".to_owned(), symbol.into());
    let context_json = Value::Object(context).to_string();
    let (tags, held_s) = (json!(trade.tags).to_string(), trade.hold_s.map(|held| held.round() as i64));
    let confidence = trade.confidence.unwrap_or(0.5);
    let direction = trade.direction.name();
    let changed = all.prepare(
        "INSERT INTO trade_records (id, timestamp, symbol, direction, lot_size, strategy, confidence, reasoning, market_context, trade_references, \
         exit_timestamp, exit_price, pnl, pnl_r, hold_duration, lessons, tags) VALUES (:id, :entered, :symbol, :direction, :lots, :strategy, \
         :confidence, '', :context, '[]', :ended, :exit, :pnl, :r, :held, :lessons, :tags) ON CONFLICT (id) DO UPDATE SET \
         exit_timestamp = :ended, exit_price = :exit, pnl = :pnl, pnl_r = :r, hold_duration = :held, lessons = coalesce(lessons, :lessons) \
         WHERE trade_records.pnl IS NULL AND trade_records.exit_price IS NULL AND :ended IS NOT NULL",
    )?.execute(named_params! {
        ":id": store.id(trade.id), ":entered": entered, ":symbol": symbol, ":direction": direction, ":lots": trade.lots.unwrap_or(0.0),
        ":strategy": strategy, ":confidence": confidence, ":context": context_json, ":ended": ended, ":exit": trade.exit_price,
        ":pnl": trade.pnl, ":r": trade.pnl_r, ":held": held_s, ":lessons": trade.reflection, ":tags": tags,
    })?;
    all.prepare(
        "INSERT INTO episodic_memory (id, timestamp, context_json, context_regime, context_volatility_regime, context_session, context_atr_d1, \
         context_atr_h1, strategy, direction, entry_price, lot_size, exit_price, pnl, pnl_r, hold_duration_seconds, max_adverse_excursion, reflection, \
         confidence, tags, created_at) VALUES (:id, :made, :context, :regime, :volatility, :session, :atr_d1, :atr_h1, :strategy, :direction, :entry, \
         :lots, :exit, :pnl, :r, :held, :mae, :reflection, :confidence, :tags, :made) ON CONFLICT (id) DO UPDATE SET timestamp = :made, \
         exit_price = :exit, pnl = :pnl, pnl_r = :r, hold_duration_seconds = :held, max_adverse_excursion = :mae, \
         reflection = coalesce(reflection, :reflection) \
         WHERE episodic_memory.pnl IS NULL AND episodic_memory.exit_price IS NULL AND :ended IS NOT NULL",
    )?.execute(named_params! {
        ":id": store.id(trade.id), ":made": moment(ended_s), ":context": context_json,
        ":regime": trade.context.regime.map(|it| it.name()),
        ":volatility": trade.context.volatility_regime.map(|it| it.name()),
        ":session": trade.context.session.map(|it| it.name()),
        ":atr_d1": trade.context.atr_d1, ":atr_h1": trade.context.atr_h1, ":strategy": strategy, ":direction": direction,
        ":entry": trade.entry_price, ":lots": trade.lots, ":exit": trade.exit_price, ":pnl": trade.pnl, ":r": trade.pnl_r, ":held": held_s,
        ":mae": trade.max_adverse_excursion, ":reflection": trade.reflection, ":confidence": confidence, ":tags": tags, ":ended": ended,
    })?;
    Ok(changed)
}

fn write_beliefs(all: &Transaction<'_>, store: &Store) -> rusqlite::Result<()> {
    let mut write = all.prepare(
        "INSERT OR REPLACE INTO semantic_memory (id, proposition, alpha, beta, sample_size, strategy, symbol, regime, volatility_regime, \
         validity_conditions, last_confirmed, last_contradicted, source, retrieval_strength, created_at, updated_at) VALUES (:id, :proposition, \
         :alpha, :beta, :cases, :strategy, :symbol, :regime, :volatility, :conditions, :confirmed, :contradicted, :source, :strength, :created, :updated)",
    )?;
    let names = store.names();
    for belief in store.mind().beliefs() {
        let scope = &belief.scope;
        write.execute(named_params! {
            ":id": format!("morta-belief-{}", belief.id), ":proposition": belief.proposition, ":alpha": belief.belief.alpha,
            ":beta": belief.belief.beta, ":cases": belief.sample_size, ":strategy": scope.strategy.map(|it| names.strategy(it)),
            ":symbol": scope.symbol.map(|it| names.symbol(it)), ":regime": scope.regime.map(|it| it.name()),
            ":volatility": scope.volatility_regime.map(|it| it.name()), ":conditions": belief.validity_conditions.to_json().to_string(),
            ":confirmed": belief.last_confirmed.map(|id| store.id(id)), ":contradicted": belief.last_contradicted.map(|id| store.id(id)),
            ":source": belief.source.name(), ":strength": belief.retrieval_strength, ":created": moment(belief.created_s),
            ":updated": moment(belief.updated_s),
        })?;
    }
    Ok(())
}

fn write_habits(all: &Transaction<'_>, store: &Store) -> rusqlite::Result<()> {
    let mut write = all.prepare(
        "INSERT OR REPLACE INTO procedural_memory (id, strategy, symbol, behavior_type, sample_size, disposition_ratio, actual_lot_mean, \
         actual_lot_variance, kelly_fraction_suggested, lot_vs_kelly_ratio, created_at, updated_at) VALUES (:id, :strategy, :symbol, 'morta', \
         :trades, :disposition, :lots, :variance, :kelly, :ratio, :updated, :updated)",
    )?;
    let names = store.names();
    for habit in store.mind().habits() {
        let (strategy, symbol) = (names.strategy(habit.domain.strategy), names.symbol(habit.domain.symbol));
        write.execute(named_params! {
            ":id": format!("morta-{strategy}-{symbol}"), ":strategy": strategy, ":symbol": symbol, ":trades": habit.trades,
            // TradeMemory stores the ratio of winners' to losers' holding times; ours is its inverse less 1.
            ":disposition": 1.0 / (1.0 + habit.disposition_effect), ":lots": habit.actual_avg_lots, ":variance": habit.actual_lot_variance,
            ":kelly": habit.kelly_fraction, ":ratio": habit.actual_lot_fraction_vs_kelly, ":updated": moment(habit.updated_s),
        })?;
    }
    Ok(())
}

fn write_plans(all: &Transaction<'_>, store: &Store) -> rusqlite::Result<()> {
    let mut write = all.prepare(
        "INSERT OR REPLACE INTO prospective_memory (id, trigger_type, trigger_condition, planned_action, action_type, status, priority, expiry, \
         source_episodic_ids, source_semantic_ids, reasoning, triggered_at, outcome_pnl_r, outcome_reflection, created_at) VALUES (:id, :kind, :trigger, \
         :action, :action_type, :status, :priority, :expiry, :episodes, :beliefs, :reasoning, :triggered, :outcome, :reflection, :created)",
    )?;
    for plan in store.mind().plans() {
        let episodes: Vec<&str> = plan.source_episodic.iter().map(|id| store.id(*id)).collect();
        let beliefs: Vec<String> =
            plan.source_semantic.iter().map(|id| format!("morta-belief-{id}")).collect();
        write.execute(named_params! {
            ":id": format!("morta-plan-{}", plan.id), ":kind": plan.trigger_type.name(), ":trigger": plan.trigger.to_json().to_string(),
            ":action": json!(plan.action).to_string(), ":action_type": plan.action.kind.name(), ":status": plan.status.name(),
            ":priority": plan.priority, ":expiry": plan.expiry_s.map(moment), ":episodes": json!(episodes).to_string(),
            ":beliefs": json!(beliefs).to_string(), ":reasoning": plan.reasoning, ":triggered": plan.triggered_s.map(moment),
            ":outcome": plan.outcome_pnl_r, ":reflection": plan.outcome_reflection, ":created": moment(plan.created_s),
        })?;
    }
    Ok(())
}

/// Writes the state of mind if the table is empty. Otherwise TradeMemory's row stays, because it updates it by other formulas.
fn write_mind(all: &Transaction<'_>, store: &Store) -> rusqlite::Result<()> {
    let mind = store.mind();
    let affect = mind.affect();
    all.prepare(
        "INSERT OR IGNORE INTO affective_state (id, confidence_level, risk_appetite, momentum_bias, peak_equity, current_equity, drawdown_state, \
         max_acceptable_drawdown, consecutive_wins, consecutive_losses, last_updated, history_json) VALUES ('current', :confidence, :appetite, \
         :momentum, :peak, :equity, :drawdown, :most, :wins, :losses, :updated, '[]')",
    )?.execute(named_params! {
        ":confidence": affect.confidence, ":appetite": affect.risk_appetite, ":momentum": affect.momentum_bias, ":peak": affect.peak_equity,
        // TradeMemory stores the drawdown itself, not its share of the largest tolerated one.
        ":equity": affect.current_equity, ":drawdown": affect.drawdown(), ":most": mind.config().affect.max_drawdown,
        ":wins": affect.consecutive_wins, ":losses": affect.consecutive_losses, ":updated": moment(affect.updated_s),
    })?;
    Ok(())
}
