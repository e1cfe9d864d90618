//! Text in columns: the delimiter is the one by which a line has the most names of columns.

use super::grid::{self, Line};
use super::names::Naming;
use super::sheet::Sheet;

/// Signs between columns; of equally good ones the first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Lines in which a header is looked for.
const LOOKED_AT: usize = 400;

/// The tables of a text.
pub fn sheets(text: &str, named: &[Naming]) -> Vec<Sheet> {
    // The library counts a line of Windows' after the next has begun.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = without_sep(&text);
    let merit = |delimiter: &u8| {
        let lines = lines(&text, *delimiter, LOOKED_AT);
        let names = lines.iter().map(|(_, cells)| grid::names_of(cells, named)).max().unwrap_or(0);
        // Where no name is known, the delimiter that cuts the first line into most is it.
        (names, lines.first().map_or(0, |(_, cells)| cells.len()))
    };
    let mut best = (DELIMITERS[0], merit(&DELIMITERS[0]));
    for delimiter in DELIMITERS.into_iter().skip(1) {
        let merit = merit(&delimiter);
        if merit > best.1 {
            best = (delimiter, merit);
        }
    }
    grid::sheets(lines(&text, best.0, usize::MAX), named)
}

/// Excel's `sep=;` on the first line is no line of the table, but keeps its number.
fn without_sep(text: &str) -> std::borrow::Cow<'_, str> {
    let is_sep = text.lines().next().is_some_and(|line| {
        line.trim().trim_matches('"').len() == 5 && line.trim_matches('"').starts_with("sep=")
    });
    if is_sep {
        format!("\n{}", text.split_once('\n').map_or("", |(_, rest)| rest)).into()
    } else {
        text.into()
    }
}

fn lines(text: &str, delimiter: u8, most: usize) -> Vec<Line> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut lines = Vec::new();
    // The text is UTF-8 and its rows may differ in length, so nothing is left that the library refuses.
    for record in reader.records().take(most).flatten() {
        let line = record.position().map_or(lines.len() + 1, |position| position.line() as usize);
        lines.push((line, record.iter().map(|cell| cell.trim().to_owned()).collect()));
    }
    lines
}
