//! Validation of a table as a whole, after its rows were read: mandatory columns, and the strategy. A table of an unknown program needs
//! timestamp, symbol, direction and entry_price, one of a known format only a symbol; a missing one refuses the file before any store is
//! made. `--symbol`, `--direction`, a column of the context (for symbol and price) or the sign of a fill's quantity can stand in for one.
//! The error lists the columns that were found, so that the user can assign one by `--map` or another flag.

use super::formats::{NAMED_COLUMNS, NAMED_FILLS};
use super::names::{self, Naming};
use super::row::ExportRow;
use super::{Export, Options, Problem, side};
use morta_lab::error::Result;
use serde_json::Value;

/// The strategy of trades where neither the file nor the user names one.
const UNNAMED: &str = "unnamed";

/// Reports a mandatory column that the file doesn't have, as an error of the whole file (missing column). So are a file without any trade,
/// unless it is a database, and a `--map` of a column that isn't there.
pub(super) fn missing(
    export: &Export,
    has: &[&str],
    columns: &[String],
    line: usize,
    of_trades: bool,
    is_database: bool,
    options: &Options<'_>,
) -> Result<()> {
    // An empty journal is accepted. An empty text isn't, because it may be something else altogether.
    if export.rows.is_empty() && of_trades && !is_database {
        let what = "holds no row of trades: a header with names such as timestamp, symbol, direction, entry_price, and rows below it, or JSON";
        return Err(Problem { line: None, what: what.to_owned() }.in_file(&export.name));
    }
    if columns.is_empty() || !of_trades {
        return Ok(());
    }
    let in_file = |what: String| Problem { line: Some(line), what }.in_file(&export.name);
    let is_there =
        |naming: &&Naming| columns.iter().any(|name| names::key(name) == names::key(&naming.theirs));
    if let Some(Naming { theirs, ours }) = options.reading.maps.iter().find(|naming| !is_there(naming)) {
        return Err(in_file(format!(
            "--map \"{theirs}={ours}\": there is no such column; the columns are {}",
            listed(columns)
        )));
    }
    // A known format has its own columns; a row that lacks a value there reports it itself.
    let is_known = export.format != NAMED_COLUMNS.name && export.format != NAMED_FILLS.name;
    let has = |name: &str| has.contains(&name);
    let ends = ["exit_price", "pnl", "pnl_r"].iter().any(|name| has(name));
    let is_fills = export.format == NAMED_FILLS.name;
    let circumstances = ["market_context", "context", "context_json"].iter().any(|name| has(name));
    let is_there = |name: &&str| match *name {
        "symbol" => has("symbol") || circumstances || options.reading.symbol.is_some(),
        // A price without an exit belongs to an order, or to the trade of another account.
        "entry_price" => has("entry_price") || circumstances || has("price") && (ends || is_fills),
        // The quantity of a fill has a sign.
        "direction" => has("direction") || options.reading.direction.is_some() || is_fills,
        name => has(name),
    };
    let needed: &[&str] =
        if is_known { &["symbol"] } else { &["timestamp", "symbol", "direction", "entry_price"] };
    let missing: Vec<&str> = needed.iter().copied().filter(|name| !is_there(name)).collect();
    let Some(first) = missing.first() else { return Ok(()) };
    let remedy = match *first {
        "symbol" => "--symbol NAME gives all trades one, or --map \"COLUMN=symbol\" names it".to_owned(),
        "direction" => {
            "--direction long (or short) gives all trades one, or --map \"COLUMN=direction\" names it"
                .to_owned()
        }
        name => format!("--map \"COLUMN={name}\" names it"),
    };
    let also =
        if missing.len() > 1 { format!(", and so is {}", missing[1..].join(", ")) } else { String::new() };
    let what = format!(
        "{first}: missing{also}: the columns are {}; {remedy}; nothing is taken over, no store is made",
        listed(columns)
    );
    Err(in_file(what))
}

/// As many names as fit in a line.
fn listed(names: &[String]) -> String {
    let shown: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| !name.is_empty()).take(24).collect();
    let more = names.len().saturating_sub(shown.len());
    format!("{}{}", shown.join(", "), if more > 0 { ", ..." } else { "" })
}

/// Gives trades without a strategy the user's `--strategy`, or "unnamed" where no row names one. A column with sides isn't taken for one of
/// strategies. Where some rows name one and no flag is given, the others stay without and fail later, row by row.
pub(crate) fn name_strategies(export: &mut Export, options: &Options<'_>) {
    let mut rows: Vec<&mut ExportRow> =
        export.rows.iter_mut().filter_map(|(_, row)| row.as_mut().ok()).collect();
    let is_side = |row: &&mut ExportRow| {
        row.0.get("strategy").and_then(Value::as_str).is_some_and(|word| side::is_long(word).is_some())
    };
    if !rows.is_empty() && rows.iter().all(is_side) {
        for row in &mut rows {
            let side = row.0.remove("strategy").unwrap_or_default();
            // The trade's own side has precedence over that of its first order.
            row.0.insert("direction".to_owned(), side);
        }
        export.remarks.push("the column of strategies holds sides".to_owned());
    }
    let without = rows.iter().filter(|row| row.any(&["strategy"]).is_none()).count();
    let strategy = match options.reading.strategy {
        Some(name) => name,
        None if without == rows.len() => UNNAMED,
        // Some trades have a strategy, so the others are incomplete and are reported row by row.
        None => return,
    };
    if without == 0 {
        return;
    }
    for row in rows {
        if row.any(&["strategy"]).is_none() {
            row.0.insert("strategy".to_owned(), Value::from(strategy));
        }
    }
    export.remarks.push(match options.reading.strategy {
        Some(name) => format!("{without} trades without a strategy are of {name:?}"),
        None => format!("no strategy is named: trades are of {UNNAMED:?}, or --strategy NAME"),
    });
}
