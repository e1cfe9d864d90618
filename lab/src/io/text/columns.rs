//! Text in columns: a plain-text table (ASCII table) for a terminal, with left- and right-aligned columns, two spaces apart. Widths are
//! counted in characters. Most tables are made here, so that commands align alike; the summary of a run and `morta score` lay theirs out
//! themselves and take only the widest column from here. Cells are laid out as they are: the console escapes control characters when it
//! prints.

/// The alignment of a column's text: left or right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Against the left edge: words.
    Left,
    /// Against the right edge: numbers.
    Right,
}

/// Widest column, letters: what is wider sticks out. The standard library's widths end at 65,535.
pub const COLUMN_MAX: usize = 1_000;

/// Lays out a text table: a header, and rows beneath it, each column as wide as its widest cell. A row must have a cell for each column.
pub fn table(columns: &[(&str, Align)], rows: &[Vec<String>]) -> Vec<String> {
    let header = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let all: Vec<&Vec<String>> = std::iter::once(&header).chain(rows).collect();
    let width =
        |index: usize| all.iter().map(|row| row[index].chars().count()).max().unwrap_or(0).min(COLUMN_MAX);
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let line = |row: &&Vec<String>| {
        let cell = |(index, text): (usize, &String)| match columns[index].1 {
            Align::Left => format!("{text:<0$}", widths[index]),
            Align::Right => format!("{text:>0$}", widths[index]),
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    };
    all.iter().map(line).collect()
}

/// A column of a [`table_of`]: its name, where its text goes, and its cell of a row.
pub type TextColumn<'a, T> = (&'a str, Align, &'a dyn Fn(&T) -> String);

/// Lays out a text [`table`] of rows of one kind, whose columns are each declared once.
pub fn table_of<'a, T: 'a>(
    columns: &[TextColumn<'_, T>],
    rows: impl IntoIterator<Item = &'a T>,
) -> Vec<String> {
    let heads: Vec<(&str, Align)> = columns.iter().map(|(name, align, _)| (*name, *align)).collect();
    let row = |row: &T| columns.iter().map(|(_, _, cell)| cell(row)).collect();
    table(&heads, &rows.into_iter().map(row).collect::<Vec<Vec<String>>>())
}

/// Formats an optional value, with a dash as the placeholder for a missing one.
pub fn or_dash<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or("-".to_owned(), show)
}

/// Replaces underscores by spaces in a key or word of snake case, for a sentence.
pub fn plain(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["a".to_owned(), "1".to_owned()], vec!["bcd".to_owned(), "20".to_owned()]];
        let lines = table(&[("who", Align::Left), ("n", Align::Right)], &rows);
        assert_eq!(lines, ["who   n", "a     1", "bcd  20"]);
    }

    #[test]
    fn a_label_of_any_length_is_a_line() {
        let lines =
            table(&[("who", Align::Right), ("n", Align::Left)], &[vec!["x".repeat(70_000), "1".to_owned()]]);
        assert_eq!(lines[1].len(), 70_003);
    }
}
