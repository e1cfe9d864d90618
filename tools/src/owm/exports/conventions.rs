//! The notation of a whole column (locale inference): decimal comma or point, day-first or month-first dates. A cell that can be read in
//! two ways is settled by one that can't. The order of evidence: the flag `--decimal` or `--dates`, the column's own cells, the other
//! columns of the table where these agree, and the format's usual order (American programs: month first).
//!
//! What stays open is an error that names the flag, because more than a third of all dates can be read in two ways. Without any ambiguous
//! cell the result is a decimal point and day first, which then changes nothing. Cells of JSON and databases always have a decimal point.
//! A column that shows both notations is an error too; with a flag nothing is inferred, and cells that don't fit fail their rows.
//! `join_clocks` also joins a column of days with a column of times.

use super::Problem;
use super::moments::{self, DateOrder};
use super::names::{self, Kind};
use super::numbers::{self, Decimal};
use super::sheet::{Record, Sheet};
use morta_lab::as_written::{FormEvidence, Shown};
use serde_json::Value;
use std::fmt::Display;

/// Texts of a decision's errors.
struct Words {
    /// The kind of columns.
    kind: Kind,
    /// The difference, such as a decimal comma.
    what: &'static str,
    /// The flag that settles it.
    flag: &'static str,
}

/// The decimal sign of each column, by index (decimal separator inference). The user's flag counts first, then the column's own cells, and
/// last all other columns, because a program writes its numbers in one way.
///
/// # Errors
/// When nothing settles it, or a column is written in two ways.
pub(super) fn decimals(
    sheet: &Sheet,
    assigned: &[(&'static str, usize)],
    given: Option<Decimal>,
) -> Result<Vec<Decimal>, Problem> {
    // Programs write JSON and databases for programs, always with a decimal point.
    let usual = if sheet.is_text { None } else { Some(Decimal::Point) };
    let words = Words { kind: Kind::Number, what: "a decimal", flag: "--decimal point or --decimal comma" };
    let evidence = |cell: &str| numbers::written(cell).map(|written| written.evidence());
    let decided = decided(sheet, assigned, given, usual, evidence, &words)?;
    Ok(decided.into_iter().map(|decimal| decimal.unwrap_or(Decimal::Point)).collect())
}

/// Infers the order of day and month of each column likewise (date format). `usual` is the format's order, used last.
///
/// # Errors
/// As [`decimals`].
pub(super) fn orders(
    sheet: &Sheet,
    assigned: &[(&'static str, usize)],
    given: Option<DateOrder>,
    usual: Option<DateOrder>,
) -> Result<Vec<DateOrder>, Problem> {
    let words = Words { kind: Kind::Moment, what: "the order", flag: "--dates dmy or --dates mdy" };
    let evidence = |cell: &str| moments::written(cell).map(|written| written.evidence());
    let decided = decided(sheet, assigned, given, usual, evidence, &words)?;
    Ok(decided.into_iter().map(|order| order.unwrap_or(DateOrder::DayFirst)).collect())
}

fn decided<T: Copy + PartialEq + Display>(
    sheet: &Sheet,
    assigned: &[(&'static str, usize)],
    given: Option<T>,
    usual: Option<T>,
    evidence: impl Fn(&str) -> Option<FormEvidence<T>>,
    words: &Words,
) -> Result<Vec<Option<T>>, Problem> {
    let mut decided = vec![given; sheet.columns.len()];
    if given.is_some() {
        return Ok(decided);
    }
    let mut open = None;
    let Words { what, flag, .. } = words;
    for &(_, place) in assigned.iter().filter(|(ours, _)| names::kind(ours) == words.kind) {
        let name = &sheet.columns[place];
        let mut shown = Shown::default();
        for (line, cell) in cells(sheet, place) {
            let Some(evidence) = evidence(cell) else { continue };
            shown.take(line, cell, evidence).map_err(|((first, other, before), way)| {
                let what = format!(
                    "{name} = {cell:?} has {what} {way}, and {other:?} on line {first} {what} {before}: write the column in one way, or say {flag}, \
                     and rows that don't fit are skipped"
                );
                Problem::at(line, what)
            })?;
        }
        decided[place] = shown.way();
        if let (None, None, Some((line, cell))) = (decided[place], &open, shown.both) {
            let what = format!("{name} = {cell:?} and the rest of its column read both ways: say {flag}");
            open = Some(Problem::at(line, what));
        }
    }
    // One program writes all of its columns alike, so a decided column also decides the open ones.
    let mut known = decided.iter().flatten();
    let by_others = known.next().copied().filter(|first| known.all(|way| way == first)).or(usual);
    match (by_others, open) {
        (None, Some(problem)) => Err(problem),
        _ => Ok(decided.into_iter().map(|way| way.or(by_others)).collect()),
    }
}

/// The texts of a column with their line numbers.
fn cells<'a>(sheet: &'a Sheet, place: usize) -> impl Iterator<Item = (usize, &'a str)> {
    let cell = move |(line, record): &'a Record| Some((*line, record.as_ref().ok()?.get(place)?.as_str()?));
    sheet.records.iter().filter_map(cell).filter(|(_, cell)| !numbers::is_blank(cell))
}

/// Joins columns of days and columns of times to moments (timestamps). An exit's time takes the exit's day, or the entry's where there is
/// none. Only tables of text are joined, and only a column whose filled cells are all times of day.
pub(crate) fn join_clocks(sheet: &mut Sheet) {
    let keys = sheet.keys();
    let days = |wanted: &[&str]| keys.iter().position(|key| wanted.contains(&key.as_str()));
    let entry = days(&[
        "entrydate", "opendate", "date", "tradedate", "td", "executiondate", "transactiondate", "datum",
    ]);
    let exit = days(&["exitdate", "closedate", "dateclosed"]);
    let clocks = [
        (
            &[
                "entrytime", "opentime", "time", "exectime", "executiontime", "tradetime", "transactiontime",
                "uhrzeit",
            ][..],
            entry,
        ),
        (&["exittime", "closetime", "time2"][..], exit.or(entry)),
    ];
    for (names, day) in clocks {
        let Some(day) = day else { continue };
        for clock in (0..keys.len()).filter(|place| names.contains(&keys[*place].as_str())) {
            let are_clocks = cells(sheet, clock).all(|(_, cell)| moments::is_clock(cell));
            if !are_clocks {
                continue;
            }
            for cells in sheet.records.iter_mut().filter_map(|(_, record)| record.as_mut().ok()) {
                let text = |place: usize| cells.get(place).and_then(Value::as_str);
                let Some(joined) = text(day).zip(text(clock)).map(|(day, clock)| format!("{day} {clock}"))
                else {
                    continue;
                };
                cells.set(clock, Value::from(joined));
            }
        }
    }
}
