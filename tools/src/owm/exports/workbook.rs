//! An XLSX reader of only what tables of trades need: the shared strings, and the cells of a worksheet by their references. The zip is
//! opened by `archive`, which passes every sheet. Formulas give their stored values; dates stay serial day numbers, which `columns` reads
//! as moments. Columns beyond 512 are dropped. Nothing more is parsed, so that a hostile workbook can do little.

use super::grid::NumberedRow;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;

/// Largest number of columns that are read. A sheet may have 16,384, and one stray cell in the last would make every row that long.
const COLUMNS_MAX: usize = 512;

/// The shared texts, which cells refer to by number (XLSX shared strings).
///
/// # Errors
/// When it isn't XML.
pub(super) fn texts(xml: &str) -> Result<Vec<String>, quick_xml::Error> {
    let mut reader = Reader::from_str(xml);
    let (mut texts, mut text, mut is_text) = (Vec::new(), String::new(), false);
    loop {
        match reader.read_event()? {
            Event::Start(tag) if tag.local_name().as_ref() == "si" => text.clear(),
            Event::Start(tag) if tag.local_name().as_ref() == "t" => is_text = true,
            Event::End(tag) if tag.local_name().as_ref() == "t" => is_text = false,
            Event::End(tag) if tag.local_name().as_ref() == "si" => texts.push(std::mem::take(&mut text)),
            Event::Text(part) if is_text => text.push_str(&part),
            Event::GeneralRef(name) if is_text => text.push(referred(&name)),
            Event::Eof => return Ok(texts),
            _ => {}
        }
    }
}

/// Parses the rows of a worksheet, without empty ones: a single cell in the last row gives one row, not a million.
///
/// # Errors
/// When it isn't XML.
pub(super) fn lines(xml: &str, texts: &[String]) -> Result<Vec<NumberedRow>, quick_xml::Error> {
    let mut reader = Reader::from_str(xml);
    let mut rows = BTreeMap::<usize, Vec<String>>::new();
    let (mut row, mut column) = (0, 0);
    let (mut kind, mut value, mut is_value) = (String::new(), String::new(), false);
    loop {
        match reader.read_event()? {
            Event::Start(tag) if tag.local_name().as_ref() == "row" => {
                // Some writers number neither rows nor cells.
                row = attribute(&tag, "r").and_then(|number| number.parse().ok()).unwrap_or(row + 1);
                column = 0;
            }
            Event::Start(tag) if tag.local_name().as_ref() == "c" => {
                column = attribute(&tag, "r").and_then(|place| column_of(&place)).unwrap_or(column + 1);
                kind = attribute(&tag, "t").unwrap_or_default();
                value.clear();
            }
            Event::Empty(tag) if tag.local_name().as_ref() == "c" => {
                column = attribute(&tag, "r").and_then(|place| column_of(&place)).unwrap_or(column + 1);
            }
            Event::Start(tag) if matches!(tag.local_name().as_ref(), "v" | "t") => is_value = true,
            Event::End(tag) if matches!(tag.local_name().as_ref(), "v" | "t") => is_value = false,
            Event::Text(part) if is_value => value.push_str(&part),
            Event::GeneralRef(name) if is_value => value.push(referred(&name)),
            Event::End(tag) if tag.local_name().as_ref() == "c" && (1..=COLUMNS_MAX).contains(&column) => {
                let cells = rows.entry(row).or_default();
                if cells.len() < column {
                    cells.resize(column, String::new());
                }
                cells[column - 1] = text(&kind, &value, texts);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let width = rows.values().map(Vec::len).max().unwrap_or(0);
    let line = |(row, mut cells): (usize, Vec<String>)| {
        // Rows have equal lengths, otherwise a row with empty cells at its end would be reported as too short.
        cells.resize(width, String::new());
        (row, cells)
    };
    Ok(rows.into_iter().map(line).collect())
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == name)?;
    Some(attribute.value.into_owned())
}

/// The column of a reference such as AB12, from 1.
fn column_of(place: &str) -> Option<usize> {
    // Four letters at most, because the last column of a workbook is XFD: a longer reference can't overflow the sum.
    let letters = place.bytes().take_while(u8::is_ascii_uppercase).take(4);
    let column = letters.fold(0, |column, letter| column * 26 + usize::from(letter - b'A') + 1);
    (column > 0).then_some(column)
}

/// The character of `&amp;` or `&#160;`.
fn referred(name: &str) -> char {
    let code = match name.strip_prefix("#x") {
        Some(code) => u32::from_str_radix(code, 16).ok(),
        None => name.strip_prefix('#').and_then(|code| code.parse().ok()),
    };
    match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => code.and_then(char::from_u32).unwrap_or(' '),
    }
}

/// A cell as text. A number is written with an exponent, which no person would, so that it can't be ambiguous; a whole number is written plainly,
/// because it may be an id or a day.
fn text(kind: &str, value: &str, texts: &[String]) -> String {
    match kind {
        "s" => {
            value.trim().parse::<usize>().ok().and_then(|place| texts.get(place)).cloned().unwrap_or_default()
        }
        // A cell with an error such as #DIV/0! has no value, so it is treated as empty.
        "e" => String::new(),
        "" | "n" => match value.trim().parse::<f64>() {
            // Beyond 1e15 a float doesn't hold every whole number, so an id of that size would be wrong without notice.
            Ok(number) if number.fract() == 0.0 && number.abs() < 1e15 => format!("{number:.0}"),
            Ok(number) => format!("{number:e}"),
            Err(_) => value.to_owned(),
        },
        _ => value.to_owned(),
    }
}
