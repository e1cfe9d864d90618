//! Tables in rows of cells: where a header is, which rows are under it, and which are none.

use super::names::{self, Naming};
use super::numbers;
use super::sheet::{Cells, Sheet};
use crate::owm::mistake::Mistake;

pub use morta_lab::as_written::delimited::NumberedRow;

/// Names that a row must have to be a header.
const NAMES_MIN: usize = 3;

/// How many names of columns a row has; 0 where a cell can't be a name.
pub fn names_of(cells: &[String], named: &[Naming]) -> usize {
    let filled: Vec<&String> = cells.iter().filter(|cell| !cell.trim().is_empty()).collect();
    let is_value = |cell: &&String| {
        numbers::written(cell).is_some_and(|number| number.unit.is_none())
            || cell.trim().starts_with(|sign: char| sign.is_ascii_digit())
    };
    if filled.iter().any(is_value) {
        return 0;
    }
    let is_name = |cell: &&&String| {
        let key = names::key(cell);
        names::is_known(&key) || named.iter().any(|naming| names::key(&naming.theirs) == key)
    };
    filled.iter().filter(is_name).count()
}

/// The tables of rows: each header with the rows under it. Where no row has enough names, the first of several cells is the header.
pub fn sheets(lines: Vec<NumberedRow>, named: &[Naming]) -> Vec<Sheet> {
    let least = lines.iter().map(|(_, cells)| names_of(cells, named)).max().unwrap_or(0).clamp(2, NAMES_MIN);
    let mut sheets: Vec<Sheet> = Vec::new();
    let is_header = |cells: &[String]| names_of(cells, named) >= least;
    let nobody = !lines.iter().any(|(_, cells)| is_header(cells));
    for (line, cells) in lines {
        let filled = cells.iter().filter(|cell| !cell.trim().is_empty()).count();
        if is_header(&cells) || nobody && sheets.is_empty() && filled > 1 {
            let width = cells.iter().rposition(|cell| !cell.trim().is_empty()).map_or(0, |last| last + 1);
            sheets.push(Sheet::new(&cells[..width], true));
        } else if let Some(sheet) = sheets.last_mut()
            // One cell alone is a heading, or a note under the table.
            && filled > usize::from(sheet.columns.len() > 2)
        {
            let width = sheet.columns.len();
            let beyond = cells.iter().skip(width).any(|cell| !cell.trim().is_empty());
            let record = if beyond || cells.len() < width {
                Err(Mistake::OtherColumns { found: cells.len(), expected: width })
            } else {
                Ok(Cells::of_texts(cells))
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
    fn a_header_is_found_below_a_preamble_and_a_table_ends_at_the_next() {
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
