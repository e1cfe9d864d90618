//! Column mapping and type conversion of an imported table: which column has which of our names, and the typed values of each record.
//! Moments become Unix epoch seconds, numbers floats. `exports::read` calls `lower` once per table, for every format; the format's own
//! `finish` runs on its result. Of several columns with one meaning the first filled cell counts; a number's currency or unit becomes a
//! second field `NAME_unit`.
//!
//! The decimal sign and the order of day and month are settled per column by `conventions`: by a flag, the cells, or the table's other
//! columns. A column that stays open is an error of the whole file, because a wrong month or decimal sign would change every trade. A
//! single bad cell fails its row only.

use super::conventions;
use super::formats::Format;
use super::moments::{self, DateOrder, EpochUnit};
use super::names::{self, COLUMNS, Kind};
use super::numbers::{self, Decimal};
use super::sheet::{Cells, Sheet};
use super::side;
use super::{Options, Problem};
use crate::owm::mistake::Mistake;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Columns of one meaning whose first non-empty cell is used. Records of several programs in one file spell a name in a few ways.
const ALIKE_MAX: usize = 16;
/// Number of cells that decide whether a column fits its name.
const LOOKED_AT: usize = 1_000;

/// A record's values under our names (map of fields).
pub type Values = Map<String, Value>;

/// What is known of a column before its cells are read.
struct Way {
    /// The column's index.
    place: usize,
    /// Our name for it.
    ours: &'static str,
    /// The decimal sign that `conventions` settled for the column.
    decimal: Decimal,
    /// The order of day and month, settled likewise.
    order: DateOrder,
    /// The time zone of its moments without one, if the column's name has it.
    zone: Option<TimeZone>,
}

/// The typed records of a sheet, with remarks on how its columns were read.
pub struct Lowered {
    /// Records by their place in the file (line or row number, from 1), or their error.
    pub rows: Vec<(usize, Result<Values, Mistake>)>,
    /// Our names of the columns that the sheet has.
    pub has: Vec<&'static str>,
    /// Assumptions that were made.
    pub remarks: Vec<String>,
}

/// Maps columns to our names: pairs of our name and a column's index, in the order of precedence: the user's `--map`, the format's names,
/// the general aliases. One name may have several columns; a column that nothing names is not in the list. `exports` also counts these
/// names to choose the table of an unknown program.
pub fn assigned(sheet: &Sheet, format: &Format, options: &Options<'_>) -> Vec<(&'static str, usize)> {
    let keys = sheet.keys();
    let mut found: Vec<(&'static str, usize)> = Vec::new();
    let mut taken = vec![false; keys.len()];
    // Each column is taken once, so that it can't serve two meanings.
    let mut take =
        |wanted: &str, ours: &'static str, is_asked: bool, found: &mut Vec<(&'static str, usize)>| {
            let mut alike = 0;
            for place in 0..keys.len() {
                // `Profit (USD)` has the key profitusd, so a key is also tried without its currency.
                let is_it = keys[place] == wanted || names::without_currency(&keys[place]) == Some(wanted);
                if is_it
                    && !taken[place]
                    && alike < ALIKE_MAX
                    && (ours.is_empty() || is_asked || can_be(sheet, place, ours))
                {
                    taken[place] = true;
                    alike += 1;
                    // A column without a name of ours isn't read.
                    found.extend((!ours.is_empty()).then_some((ours, place)));
                }
            }
        };
    for naming in options.reading.maps {
        take(&names::key(&naming.theirs), naming.ours, true, &mut found);
    }
    let named: Vec<&str> = options.reading.maps.iter().map(|naming| naming.ours).collect();
    for (key, ours) in format.columns() {
        // A format's name for a meaning that the user assigned is taken without a meaning, otherwise both columns would have it.
        take(key, if named.contains(&ours) { "" } else { ours }, true, &mut found);
    }
    // A meaning that the user has assigned has no other column.
    for column in COLUMNS.iter().filter(|column| !named.contains(&column.name)) {
        // The cells of our own names aren't examined, because these have one meaning; names of other programs may have several.
        take(&names::key(column.name), column.name, true, &mut found);
        column.also().for_each(|key| take(key, column.name, false, &mut found));
    }
    found
}

/// Whether a column's cells fit a meaning that only its name suggests: `result` may be a number or a word, `position` a side or a number.
/// One fitting cell among the first filled ones is enough, because single cells may be malformed.
fn can_be(sheet: &Sheet, place: usize, ours: &str) -> bool {
    let mut seen = sheet
        .records
        .iter()
        .filter_map(|(_, record)| record.as_ref().ok()?.get(place))
        .filter(|cell| !is_blank(cell));
    let reads = |cell: &Value| match (cell.as_str(), names::kind(ours)) {
        (Some(text), Kind::Number) => {
            // A percentage isn't taken for a profit or a price: its base is unknown.
            numbers::written(text).is_some_and(|number| number.unit.as_deref() != Some("%"))
        }
        (Some(text), Kind::Moment) => {
            moments::written(text).is_some() || moments::is_clock(text) || numbers::written(text).is_some()
        }
        // A text with a space, such as `Close Long`, is accepted as well, because a format may take the side out of it.
        (Some(text), Kind::Any) if ours == "direction" => side::is_long(text).is_some() || text.contains(' '),
        _ => ours != "direction" || cell.is_string(),
    };
    // An empty column fits any meaning, because nothing contradicts it.
    let mut first = seen.by_ref().take(LOOKED_AT).peekable();
    first.peek().is_none() || first.any(reads)
}

fn is_blank(cell: &Value) -> bool {
    cell.is_null() || cell.as_str().is_some_and(numbers::is_blank)
}

/// A field that marks rows whose timestamp is a day without a time of day. `import` infers no trading session for them.
pub(crate) const ONLY_DAY: &str = "timestamp_is_day";

/// Converts all cells of a sheet to their types, and so its records to normalised rows.
///
/// # Errors
/// When the numbers or dates of a column can be read in two ways, or are written in two ways.
pub fn lower(mut sheet: Sheet, format: &Format, options: &Options<'_>) -> Result<Lowered, Problem> {
    let assigned = assigned(&sheet, format, options);
    let decimals = conventions::decimals(&sheet, &assigned, options.reading.decimal)?;
    let orders = conventions::orders(&sheet, &assigned, options.reading.dates, format.dates)?;
    let records = std::mem::take(&mut sheet.records);
    let zone = |place: usize| names::zone_in(&sheet.columns[place]).map(TimeZone::fixed);
    let way = |&(ours, place): &(&'static str, usize)| Way {
        place,
        ours,
        decimal: decimals[place],
        order: orders[place],
        zone: zone(place),
    };
    let ways: Vec<Way> = assigned.iter().map(way).collect();
    let mut units = BTreeMap::new();
    let mut value = |cells: Cells| values(&sheet, &cells, &ways, format, options, &mut units);
    let rows = records.into_iter().map(|(line, record)| (line, record.and_then(&mut value))).collect();
    // JSON and databases mostly hold seconds; a remark is only made where the unit was inferred from the size of the numbers.
    let remarks = units.into_iter().filter(|(_, unit)| *unit != EpochUnit::Seconds || sheet.is_text);
    let remarks = remarks.map(|(column, unit)| format!("{column} is read as {}", unit.name())).collect();
    let mut has: Vec<&'static str> = assigned.iter().map(|(ours, _)| *ours).collect();
    has.dedup();
    Ok(Lowered { rows, has, remarks })
}

/// A record's values. Of several columns with one meaning the first non-empty cell counts.
fn values(
    sheet: &Sheet,
    cells: &Cells,
    ways: &[Way],
    format: &Format,
    options: &Options<'_>,
    units: &mut BTreeMap<String, EpochUnit>,
) -> Result<Values, Mistake> {
    let mut values = Values::new();
    let mut wrong = None;
    for way in ways.iter() {
        let Some(cell) = cells.get(way.place) else { continue };
        // A blank cell doesn't end the search: another column of the same meaning may be filled instead.
        if is_blank(cell) || values.contains_key(way.ours) {
            continue;
        }
        let name = &sheet.columns[way.place];
        let value = match names::kind(way.ours) {
            Kind::Any => Ok(cell.as_str().map_or_else(|| cell.clone(), |text| Value::from(text.trim()))),
            Kind::Moment => {
                let zone = way.zone.as_ref().unwrap_or(options.zone);
                let read = moment(cell, way.order, zone, sheet.is_text, format.has_short_years);
                let unit = read.and_then(|(_, unit)| unit);
                units.extend(unit.map(|unit| (name.clone(), unit)));
                if way.ours == "timestamp" && cell.as_str().is_some_and(is_day) {
                    values.insert(ONLY_DAY.to_owned(), true.into());
                }
                // The error is kept and not returned at once, because the row may turn out to be a total.
                let wrong = || Mistake::NoMoment { name: name.clone(), value: cell.clone() };
                read.map(|(seconds, _)| Value::from(seconds)).ok_or_else(wrong)
            }
            Kind::Number => number(cell, way.decimal, way.ours == "confidence")
                .map(|(number, unit)| {
                    values.extend(unit.map(|unit| (format!("{}_unit", way.ours), Value::from(unit))));
                    Value::from(number)
                })
                .ok_or_else(|| Mistake::NotANumber { name: name.clone(), value: cell.clone() }),
        };
        match value {
            Ok(value) => drop(values.insert(way.ours.to_owned(), value)),
            Err(what) => wrong = wrong.or(Some((way.ours, what))),
        }
    }
    // Totals and notes below a table have a word in place of a moment, and no side.
    let has_side =
        // A total also lacks the other signs of a trade; a row with a side and an unreadable moment is reported rather than skipped in silence.
        ["direction", "bought", "is_short", "lot_size"].iter().any(|name| values.contains_key(*name));
    let no_moment = matches!(wrong, Some(("timestamp", _))) || !values.contains_key("timestamp");
    if sheet.is_text && no_moment && !has_side && ways.iter().any(|way| way.ours == "direction") {
        return Err(Mistake::NotATrade("totals or a note"));
    }
    wrong.map_or(Ok(values), |(_, what)| Err(what))
}

/// Whether a moment is a day without a time, from which no session may be inferred.
fn is_day(text: &str) -> bool {
    let text = text.trim();
    // 081500 is a time of day without colons, as in `20260131 081500`.
    let is_clock = |part: &str| part.len() == 6 && part.bytes().all(|byte| byte.is_ascii_digit());
    // Eight digits are a day such as 20260131: as seconds they would be a moment of August 1970, before any file of trades.
    let is_number = text.parse::<f64>().is_ok() && text.len() != 8;
    !is_number && !text.contains(':') && !text.split([' ', 'T']).skip(1).any(is_clock)
}

/// A cell as a number with its unit or currency.
fn number(cell: &Value, decimal: Decimal, is_share: bool) -> Option<(f64, Option<String>)> {
    let Some(text) = cell.as_str() else { return Some((cell.as_f64()?, None)) };
    let written = numbers::written(text)?;
    let number = written.value(decimal)?;
    match written.unit {
        // A percentage is accepted for `confidence` alone, which is a share; elsewhere the error makes the row fail.
        Some(unit) if unit == "%" => is_share.then_some((number / 100.0, None)),
        unit => Some((number, unit)),
    }
}

/// Parses a cell (RFC 3339, a local date, an Excel serial date) as a timestamp in seconds since 1970, with the assumed unit if it is a bare
/// number.
pub fn moment(
    cell: &Value,
    order: DateOrder,
    zone: &TimeZone,
    is_text: bool,
    short_years: bool,
) -> Option<(f64, Option<EpochUnit>)> {
    let Some(text) = cell.as_str() else {
        return moments::counted(cell.as_f64()?, is_text).map(|(seconds, unit)| (seconds, Some(unit)));
    };
    // RFC 3339 first, because it is unambiguous.
    if let Ok(moment) = text.trim().parse::<Timestamp>() {
        return Some((moments::seconds_of(moment), None));
    }
    let written = moments::written(text)
        .and_then(|written| if short_years { written.year_first() } else { Some(written) });
    if let Some(written) = written {
        return written.seconds(order, zone).map(|seconds| (seconds, None));
    }
    // A bare number is read with a decimal point, whatever the signs of other columns.
    let number = numbers::written(text).filter(|number| number.unit.is_none())?.value(Decimal::Point)?;
    // A JSON number may be a moment as well. It is never taken as a spreadsheet's day number, because JSON isn't written by spreadsheets.
    let (seconds, unit) = moments::counted(number, is_text)?;
    // A spreadsheet counts days in local time, so the zone is applied; epoch numbers are in UTC.
    let seconds = if unit == EpochUnit::Days { zone_seconds(seconds, zone)? } else { seconds };
    Some((seconds, Some(unit)))
}

/// A spreadsheet's moment has no zone and is local.
fn zone_seconds(seconds: f64, zone: &TimeZone) -> Option<f64> {
    let local = Timestamp::from_second(seconds as i64).ok()?.to_zoned(TimeZone::UTC).datetime();
    zone.to_timestamp(local).ok().map(moments::seconds_of)
}
