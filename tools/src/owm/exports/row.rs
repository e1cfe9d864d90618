//! A record of another program under our names.

use super::numbers;
use crate::owm::mistake::Mistake;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use serde_json::{Map, Value};

/// A row: numbers are numbers, and moments seconds since 1970.
#[derive(Debug)]
pub struct Row(pub Map<String, Value>);

/// A zone by its name in the IANA database.
///
/// # Errors
/// When there is none of that name.
pub fn zone(name: &str) -> Result<TimeZone, Mistake> {
    if name.eq_ignore_ascii_case("utc") {
        return Ok(TimeZone::UTC);
    }
    TimeZoneDatabase::bundled().get(name).map_err(|_| Mistake::NoZone(name.to_owned()))
}

impl Row {
    /// The first of these fields that says anything.
    pub fn any(&self, names: &[&'static str]) -> Option<(&'static str, &Value)> {
        let told =
            |value: &&Value| !value.is_null() && value.as_str().is_none_or(|text| !text.trim().is_empty());
        names.iter().find_map(|name| Some((*name, self.0.get(*name).filter(told)?)))
    }

    /// The same as a text.
    pub fn text(&self, names: &[&'static str]) -> Option<String> {
        self.any(names).map(|(_, value)| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    /// The same where it must be there.
    pub fn needed(&self, names: &[&'static str]) -> Result<String, Mistake> {
        self.text(names).ok_or(Mistake::NoColumn(names[0]))
    }

    /// The same as a number.
    pub fn number(&self, name: &'static str) -> Result<Option<f64>, Mistake> {
        self.any(&[name]).map(|(name, value)| number(name, value)).transpose()
    }
}

/// A number, or a text that is one.
///
/// # Errors
/// When it isn't.
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
