//! A record of another program under our names, after `exports::read`. Its accessors read single fields; an error names the field and its
//! value, and `import` or `own_trades` skips the row. Numbers left as text have a decimal point here: the column's own sign was applied
//! before. Fields are read by lists of names, because programs call one thing differently.

use super::numbers;
use crate::owm::mistake::Mistake;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use serde_json::{Map, Value};

/// An imported record with fields under our names. Numbers are parsed, moments are seconds since 1970.
#[derive(Debug)]
pub struct ExportRow(pub Map<String, Value>);

/// Looks up a time zone of the IANA database, by the name that `--zone` gives. The bundled database is used, so that all machines agree.
///
/// # Errors
/// When the database doesn't have it.
pub fn zone(name: &str) -> Result<TimeZone, Mistake> {
    if name.eq_ignore_ascii_case("utc") {
        return Ok(TimeZone::UTC);
    }
    TimeZoneDatabase::bundled().get(name).map_err(|_| Mistake::NoZone(name.to_owned()))
}

impl ExportRow {
    /// Finds the first of these fields that isn't null or blank (coalesce).
    pub fn any(&self, names: &[&'static str]) -> Option<(&'static str, &Value)> {
        let is_given =
            |value: &&Value| !value.is_null() && value.as_str().is_none_or(|text| !text.trim().is_empty());
        names.iter().find_map(|name| Some((*name, self.0.get(*name).filter(is_given)?)))
    }

    /// Reads a string: the first of these fields that isn't blank, as [`Self::any`] finds it.
    pub fn text(&self, names: &[&'static str]) -> Option<String> {
        self.any(names).map(|(_, value)| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    /// Reads a required string, as [`Self::text`]; a missing field is an error that names it.
    pub fn needed(&self, names: &[&'static str]) -> Result<String, Mistake> {
        self.text(names).ok_or(Mistake::NoColumn(names[0]))
    }

    /// Reads a number from a field; none if the field is missing or blank.
    pub fn number(&self, name: &'static str) -> Result<Option<f64>, Mistake> {
        self.any(&[name]).map(|(name, value)| number(name, value)).transpose()
    }
}

/// Parses a number, or a text that holds one. `exports` asks it too whether every row of an unknown table has an outcome, so is a trade and
/// no fill; `import` reads fields of a context by it.
///
/// # Errors
/// When the value isn't a number.
pub fn number(name: &str, value: &Value) -> Result<f64, Mistake> {
    let found = match value {
        Value::String(text) => {
            numbers::written(text).and_then(|written| written.value(numbers::Decimal::Point))
        }
        other => other.as_f64(),
    };
    let wrong = || Mistake::NotANumber { name: name.to_owned(), value: value.clone() };
    found.filter(|number: &f64| number.is_finite()).ok_or_else(wrong)
}
