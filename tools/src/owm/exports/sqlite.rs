//! Tables of an SQLite database that another program wrote (TradeMemory, freqtrade, or any with known columns). It is opened read-only,
//! with a limit of 16 MiB per value and without views and virtual tables, because a file may come from anybody. A file is a database by
//! its first bytes, not its name. A table of an unknown program is taken only with five known column names. Rows are numbered from 1 in
//! messages.

use super::Table;
use super::formats;
use super::journal::joined;
use super::names;
use super::sheet::Sheet;
use crate::owm::files;
use crate::owm::mistake::Mistake;
use morta_lab::error::{Error, Result};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Map, Value};
use std::io::Read as _;
use std::path::Path;

/// The first bytes of every database (SQLite file format, section 1.3).
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Largest value that is read, in bytes, so that a hostile database can't exhaust memory.
const LONGEST: i32 = 16 << 20;

/// Tables of TradeMemory's trades.
const RECORDS: &str = "trade_records";
const EPISODES: &str = "episodic_memory";
/// Number of known columns from which a table of an unknown program is taken for trades.
const KNOWN_MIN: usize = 5;

/// A row by its number, with its fields or its error.
pub(crate) type Numbered = super::sheet::Object;

/// Whether a file is a database, by its first bytes (magic bytes). A pipe is none.
pub(crate) fn is_database(path: &Path) -> bool {
    // Only a regular file is opened: reading from a pipe would take bytes that can't be read a second time.
    let mut head = [0; 16];
    let regular = std::fs::metadata(path).is_ok_and(|about| about.is_file());
    regular
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok()
        && head == *MAGIC
}

/// The trades or patterns of a database, with its name for messages: TradeMemory's tables, or without them the table that is most like trades
/// (SQLite table).
///
/// # Errors
/// [`Error::Invalid`] when the database can't be read, or has no such table.
pub(super) fn sheet(path: &Path, table: Table) -> Result<(String, Sheet)> {
    let names: &[&'static str] = match table {
        Table::Trades => &[RECORDS, EPISODES],
        Table::Patterns => &["patterns"],
    };
    let shown = files::shown(path);
    let Some((name, mut rows)) = rows(path, names)? else {
        let other = if table == Table::Trades { most_likely(path)? } else { None };
        if let Some((name, rows)) = other {
            return Ok((format!("{shown} {name}"), Sheet::from_objects(rows)));
        }
        let there = tables(path)?;
        let there = if there.is_empty() { "no table".to_owned() } else { there.join(", ") };
        let what = format!("has no table {}; there is {there}", names.join(" or "));
        return Err(files::refuse(path, what));
    };
    let mut name = name.to_owned();
    // Episodes are joined to records, because TradeMemory writes each trade into both tables.
    if name == RECORDS
        && let Some((episodes, episode_rows)) = self::rows(path, &[EPISODES])?
    {
        let records = rows.len();
        rows = joined(rows, episode_rows);
        if rows.len() > records {
            name = format!("{RECORDS} and {episodes}");
        }
    }
    Ok((format!("{shown} {name}"), Sheet::from_objects(rows)))
}

/// The table of a known format, such as freqtrade's `trades`; without one that with the most known columns, as for any other file.
fn most_likely(path: &Path) -> Result<Option<(String, Vec<Numbered>)>> {
    let read = || -> rusqlite::Result<_> {
        let base = open(path)?;
        let mut best: Option<((bool, usize), String)> = None;
        for table in all(&base)? {
            if !has_table(&base, &table)? {
                continue;
            }
            let keys: Vec<String> = columns(&base, &table)?.iter().map(|name| names::key(name)).collect();
            let known = keys.iter().filter(|key| names::is_known(key)).count();
            let merit = (formats::known().any(|format| format.matches(&keys)), known);
            if (merit.0 || known >= KNOWN_MIN) && best.as_ref().is_none_or(|(before, _)| merit > *before) {
                best = Some((merit, table));
            }
        }
        best.map(|(_, table)| Ok((table.clone(), of_table(&base, &table)?))).transpose()
    };
    read().map_err(|error| refused(path, &error))
}

/// The name and rows of the first of these tables that has rows; none if none of them exists.
///
/// # Errors
/// [`Error::Invalid`] when the database can't be read.
fn rows(path: &Path, tables: &[&'static str]) -> Result<Option<(&'static str, Vec<Numbered>)>> {
    let read = || -> rusqlite::Result<_> {
        let base = open(path)?;
        let mut found = None;
        for &table in tables {
            if has_table(&base, table)?
                && found.as_ref().is_none_or(|(_, rows): &(_, Vec<_>)| rows.is_empty())
            {
                found = Some((table, of_table(&base, table)?));
            }
        }
        Ok(found)
    };
    read().map_err(|error| refused(path, &error))
}

/// Lists the names of all tables, for a message and for the search for patterns.
///
/// # Errors
/// [`Error::Invalid`] when the database can't be read.
pub(super) fn tables(path: &Path) -> Result<Vec<String>> {
    let read = || -> rusqlite::Result<Vec<String>> { all(&open(path)?) };
    read().map_err(|error| refused(path, &error))
}

fn all(base: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut names = base.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")?;
    names.query_map([], |row| row.get(0))?.collect()
}

fn refused(path: &Path, error: &rusqlite::Error) -> Error {
    files::refuse(
        path,
        format!("can't be read as an SQLite database: {error}; try a copy made by sqlite3's .recover"),
    )
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let base = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    base.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
    // A database from elsewhere could call SQL functions from its schema, so these are switched off.
    base.pragma_update(None, "trusted_schema", false)?;
    base.pragma_update(None, "cell_size_check", true)?;
    Ok(base)
}

/// Whether a table of this name exists. A view isn't accepted, because it is a query, which may never end.
fn has_table(base: &Connection, name: &str) -> rusqlite::Result<bool> {
    let question = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1 AND sql NOT LIKE 'CREATE VIRTUAL%'";
    base.query_row(question, [name], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}

fn of_table(base: &Connection, table: &str) -> rusqlite::Result<Vec<Numbered>> {
    let names = columns(base, table)?;
    let listed: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    let mut question =
        base.prepare(&format!("SELECT {} FROM \"{}\"", listed.join(", "), table.replace('"', "\"\"")))?;
    let mut rows = question.query([])?;
    let mut read = Vec::new();
    while let Some(row) = rows.next()? {
        let mut fields = Ok(Map::new());
        for (place, name) in names.iter().enumerate() {
            let value = value(name, row.get_ref(place)?);
            fields = fields.and_then(|mut fields: Map<String, Value>| {
                fields.extend(value?.map(|value| (name.clone(), value)));
                Ok(fields)
            });
        }
        read.push((read.len() + 1, fields));
    }
    Ok(read)
}

/// The columns of a table. Columns whose name isn't text are skipped. The pragma is read directly, because the library's own list panics at such a
/// name.
fn columns(base: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut question = base.prepare("SELECT name FROM pragma_table_info(?1)")?;
    let mut rows = question.query([table])?;
    let mut names = Vec::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(0)?;
        names.extend(name.as_str().ok().map(str::to_owned));
    }
    if names.is_empty() { Err(rusqlite::Error::InvalidColumnName(table.to_owned())) } else { Ok(names) }
}

fn value(name: &str, value: ValueRef<'_>) -> Result<Option<Value>, Mistake> {
    Ok(match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(Value::from(number)),
        ValueRef::Real(number) => Some(Value::from(number)),
        ValueRef::Text(text) => {
            let text = std::str::from_utf8(text).map_err(|_| Mistake::NoText(name.to_owned()))?;
            Some(Value::from(text))
        }
        ValueRef::Blob(_) => return Err(Mistake::NoText(name.to_owned())),
    })
}
