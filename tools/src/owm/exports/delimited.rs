//! Delimited text (CSV, TSV, semicolons, `|`) as tables of cells: the last resort of `exports::read`, after database, zip, HTML,
//! backtrader and JSON. The delimiter is that which gives some line of the first 400 the most known column names; where no name is known,
//! the one that cuts the first line into most cells. It isn't taken from the file's ending, because programs write all of these as
//! `.csv`. Excel's `sep=` line is skipped. Cells stay texts here; `columns` gives them types.

use super::grid;
use super::names::Naming;
use super::sheet::Sheet;
use morta_lab::as_written::delimited;

/// Parses the tables of a delimited text (CSV): one for each header row found by `grid`. `named` are the user's `--map` names, which count
/// as known.
pub(super) fn sheets(text: String, named: &[Naming]) -> Vec<Sheet> {
    let text = delimited::with_plain_line_ends(text);
    let text = without_sep(&text);
    let delimiter = delimited::delimiter(&text, |cells| grid::names_of(cells, named));
    grid::sheets(delimited::lines(&text, delimiter, usize::MAX), named)
}

/// Removes Excel's `sep=;` on the first line, but keeps the line, so that line numbers in messages stay right.
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
