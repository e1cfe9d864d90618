//! Header detection in rows of cells (CSV, HTML, worksheets): a row with at least three known column names begins a table, and the rows
//! below belong to it. The requirement falls to two where no row has three; without any, the first row with several cells is the header.
//! Reports have titles and totals around their tables, so that the first line can't be taken for the header. Rows of wrong length are
//! errors of their row, titles are skipped.

use super::names::{self, Naming};
use super::numbers;
use super::sheet::{Cells, Sheet};
use crate::owm::mistake::Mistake;

pub(super) use morta_lab::as_written::delimited::NumberedRow;

/// Number of known names that make a row a header.
const NAMES_MIN: usize = 3;

/// Number of cells with a known name; 0 if any cell can't be a name (header detection). The delimiter of a text is chosen by it too.
pub(super) fn names_of(cells: &[String], named: &[Naming]) -> usize {
    let filled: Vec<&String> = cells.iter().filter(|cell| !cell.trim().is_empty()).collect();
    let is_value = |cell: &&String| {
        numbers::written(cell).is_some_and(|number| number.unit.is_none())
            || cell.trim().starts_with(|sign: char| sign.is_ascii_digit())
    };
    // A number or a date is a value, so the row isn't a header. A name may end with digits, but doesn't begin with them.
    if filled.iter().any(is_value) {
        return 0;
    }
    let is_name = |cell: &&&String| {
        let key = names::key(cell);
        names::is_known(&key) || named.iter().any(|naming| names::key(&naming.theirs) == key)
    };
    filled.iter().filter(is_name).count()
}

/// The tables in rows: each header with the rows below it (table detection). If no row has enough known names, the first row with several
/// cells is the header.
pub(super) fn sheets(lines: Vec<NumberedRow>, named: &[Naming]) -> Vec<Sheet> {
    // The requirement is lowered where no row has three known names, so that a short table has a header as well.
    let least = lines.iter().map(|(_, cells)| names_of(cells, named)).max().unwrap_or(0).clamp(2, NAMES_MIN);
    let mut sheets: Vec<Sheet> = Vec::new();
    let is_header = |cells: &[String]| names_of(cells, named) >= least;
    let nobody = !lines.iter().any(|(_, cells)| is_header(cells));
    for (line, cells) in lines {
        let filled = cells.iter().filter(|cell| !cell.trim().is_empty()).count();
        if is_header(&cells) || nobody && sheets.is_empty() && filled > 1 {
            // Empty cells at the end of the header are dropped: spreadsheets write them, and they would give every row too few cells.
            let width = cells.iter().rposition(|cell| !cell.trim().is_empty()).map_or(0, |last| last + 1);
            sheets.push(Sheet::new(&cells[..width], true));
        } else if let Some(sheet) = sheets.last_mut()
            // A single cell is a heading or a note below the table.
            && filled > usize::from(sheet.columns.len() > 2)
        {
            let width = sheet.columns.len();
            let beyond = cells.iter().skip(width).any(|cell| !cell.trim().is_empty());
            // More cells than the header's are an error, because they can't be assigned; empty ones beyond it are ignored.
            let record = if beyond || cells.len() < width {
                Err(Mistake::OtherColumns { found: cells.len(), expected: width })
            } else {
                Ok(Cells::from_texts(cells))
            };
            sheet.records.push((line, record));
        }
    }
    sheets
}

#[cfg(test)]
mod tests {
    use super::sheets;

    fn lines(text: &str) -> Vec<super::NumberedRow> {
        let cells = |line: &str| line.split(',').map(str::to_owned).collect();
        (1..).zip(text.lines()).map(|(line, text)| (line, cells(text))).collect()
    }

    #[test]
    fn a_header_below_a_preamble_is_found_and_the_next_header_ends_a_table() {
        let found = sheets(
            lines(
                "Account,,,5551\nPositions,,,\nTime,Symbol,Type,Time,,\na,b,c,d,,\n\nTotal,,,\nOrders,,,\nOpen Time,Symbol,Type,State\nx,y,z,w",
            ),
            &[],
        );
        let seen: Vec<_> = found.iter().map(|sheet| (sheet.columns.len(), sheet.records.len())).collect();
        assert_eq!(seen, [(4, 1), (4, 1)]);
        assert_eq!(found[0].columns, ["Time", "Symbol", "Type", "Time 2"]);
        assert_eq!(found[0].records[0].0, 4);
    }
}
