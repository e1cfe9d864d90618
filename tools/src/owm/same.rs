//! Recognition of trades without an id: deduplication by a content hash (idempotent import), so that reading a file twice adds nothing the
//! second time. Ingestion and import ask it before each trade without an id; trades with an id are compared by `log`. A server's
//! `remember_trade` doesn't ask, so a repeated call without an id adds a second trade. For `import` it also finds the open trade that a row
//! closes. A line with an id is the trade of a row that had none, where their contents are equal. Numbers are compared by twelve digits,
//! because formats round differently.

use super::context::moment_s;
use super::export;
use super::store::Store;
use morta_memories::owm::episodic::Shelf;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The numbers that identify a trade, beside its moment, strategy, symbol and direction.
const NUMBERS: [&str; 6] = ["entry_price", "exit_price", "pnl", "pnl_r", "lot_size", "hold_duration_seconds"];

/// A trade as a text that is equal for two reports of it. Numbers have twelve digits, so that a difference in the last digits of a float doesn't
/// count.
fn content(fields: &Map<String, Value>) -> String {
    let word = |names: &[&str]| {
        let found = names.iter().find_map(|name| fields.get(*name)?.as_str());
        found.unwrap_or_default().trim().to_ascii_lowercase()
    };
    let moment = fields.get("timestamp").and_then(moment_s);
    let numbers = NUMBERS.map(|name| fields.get(name).and_then(Value::as_f64));
    let mut text =
        [word(&["symbol"]), word(&["strategy_name", "strategy"]), word(&["direction"])].join("\u{1f}");
    for number in std::iter::once(moment).chain(numbers) {
        text.push('\u{1f}');
        text.extend(number.map(|number| format!("{number:.11e}")));
    }
    text
}

/// The trades of each content in a store that aren't matched with a line yet (multiset).
pub(super) struct Held {
    /// All of its ids.
    ids: BTreeSet<String>,
    /// Ids of unmatched trades, by content.
    left: BTreeMap<String, Vec<String>>,
    /// Ids of open trades, by what was known at their entry.
    open: BTreeMap<String, Vec<String>>,
}

impl Held {
    /// Hashes the trades of a store by content, to detect duplicates.
    pub(crate) fn from_store(store: &Store) -> Self {
        let mut held = Self { ids: BTreeSet::new(), left: BTreeMap::new(), open: BTreeMap::new() };
        for trade in store.mind().shelves().iter().flat_map(Shelf::records) {
            let Value::Object(fields) = export::line(store, trade) else { continue };
            let id = store.id(trade.id).to_owned();
            if !trade.is_closed() {
                held.open.entry(entry(&fields)).or_default().push(id.clone());
            }
            held.ids.insert(id.clone());
            held.left.entry(content(&fields)).or_default().push(id);
        }
        held
    }

    /// Whether the store holds the trade of a line (duplicate detection). Each stored trade matches one line only, because a file may have
    /// two equal trades. A line with an id matches trades alone that came without: equal trades with ids of their own are two.
    pub(crate) fn matches_line(&mut self, line: &str) -> bool {
        let Ok(Value::Object(fields)) = serde_json::from_str(line) else { return false };
        let is_trade = fields.get("action").is_none_or(|action| action == "remember_trade");
        is_trade && self.matches(&fields)
    }

    /// Detects duplicates as [`Self::matches_line`] does, for parsed fields.
    pub(super) fn matches(&mut self, fields: &Map<String, Value>) -> bool {
        take(self.left.get_mut(&content(fields)), fields, &self.ids).is_some()
    }

    /// Finds the id of the open trade that these fields close, which have no id or one that the store doesn't know; none if they have no
    /// outcome or no open trade fits.
    pub(crate) fn opened_as(&mut self, fields: &Map<String, Value>) -> Option<String> {
        // Only a row with an outcome can be the end of an open trade; another one is a second open trade.
        let ends =
            ["exit_price", "pnl", "pnl_r"].iter().any(|name| fields.get(*name).is_some_and(Value::is_number));
        if ends { take(self.open.get_mut(&entry(fields)), fields, &self.ids) } else { None }
    }
}

/// Takes the id of a trade that fields may be another report of: the last one, or for fields with an id the last that an import made. An id
/// of the store says by itself which trade it is.
fn take(
    alike: Option<&mut Vec<String>>,
    fields: &Map<String, Value>,
    ids: &BTreeSet<String>,
) -> Option<String> {
    let alike = alike?;
    let place = match fields.get("id").map(Value::as_str) {
        None => alike.len().checked_sub(1)?,
        Some(id) if id.is_some_and(|id| ids.contains(id)) => return None,
        Some(_) => alike.iter().rposition(|id| is_made(id))?,
    };
    Some(alike.remove(place))
}

/// Whether an id is one of [`id_of`].
fn is_made(id: &str) -> bool {
    let hash = id.strip_prefix("t-").and_then(|rest| rest.get(..12));
    hash.is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The entry of a trade as a text. The moment is rounded to seconds.
fn entry(fields: &Map<String, Value>) -> String {
    let held = fields.get("hold_duration_seconds").and_then(Value::as_f64).unwrap_or(0.0);
    let entered = fields.get("timestamp").and_then(moment_s).map(|ended| ended - held);
    let mut only = fields.clone();
    only.retain(|name, _| {
        ["symbol", "strategy_name", "strategy", "direction", "entry_price"].contains(&name.as_str())
    });
    only.insert("timestamp".to_owned(), entered.map(f64::round).into());
    content(&only)
}

/// Makes an id for a trade without one: a BLAKE3 hash of its content, so that it doesn't depend on the rest of the file.
pub(crate) fn id_of(fields: &Map<String, Value>, store: &Store) -> String {
    let hash = blake3::hash(content(fields).as_bytes()).to_hex();
    let short = format!("t-{}", &hash[..12]);
    let again = (2_u32..).map(|time| format!("{short}-{time}"));
    std::iter::once(short.clone()).chain(again).find(|id| !store.has_seen(id)).unwrap_or(short)
}
