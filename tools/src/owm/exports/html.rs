//! Tables of an HTML page, as in MetaTrader's reports: rows of visible cells, without those of the class `hidden`
//! (HTML table extraction, scraping). A spanning cell (`colspan`) is followed by empty cells. `grid` finds the headers in the rows. A
//! parser for tables alone was written, because a report needs no more than rows and cells.

use super::grid::NumberedRow;

/// Largest number of columns that a cell may span, so that a wrong attribute can't exhaust memory.
const SPAN_MAX: usize = 64;

/// Whether a text is an HTML page (content sniffing): it begins with `<`, and its first 512 characters have a known tag.
pub(crate) fn is_html(text: &str) -> bool {
    // Only the beginning is searched, so that a CSV whose cells contain tags isn't taken for a page.
    let head: String = text.trim_start().chars().take(512).collect::<String>().to_lowercase();
    head.starts_with('<')
        && ["<html", "<!doctype html", "<table", "<head"].iter().any(|tag| head.contains(tag))
}

/// Parses HTML and returns the rows of all tables, by the line where they begin. A cell that spans columns (`colspan`) is followed by empty
/// cells, so that later cells stay in their columns.
pub(super) fn lines(text: &str) -> Vec<NumberedRow> {
    let mut rows: Vec<NumberedRow> = Vec::new();
    // The open cell: its text, the number of columns it spans, and whether it is visible.
    let mut cell: Option<(String, usize, bool)> = None;
    let (mut place, mut line) = (0, 1);
    while let Some(start) = text[place..].find('<').map(|start| place + start) {
        let between = &text[place..start];
        if let Some((content, ..)) = &mut cell {
            content.push_str(between);
        }
        line += between.matches('\n').count();
        let comment = text[start..].starts_with("<!--");
        let close = if comment { "-->" } else { ">" };
        // An unclosed tag ends the page: a report that was cut off is read up to that place.
        let Some(end) = text[start..].find(close).map(|end| start + end + close.len()) else { break };
        let tag = &text[start + 1..end - 1];
        let name: String = tag
            .chars()
            .take_while(|sign| sign.is_ascii_alphanumeric() || *sign == '/')
            .collect::<String>()
            .to_lowercase();
        // Browsers close a cell at the next one, so `<td>1<td>2` is two cells.
        let ends_cell = matches!(name.as_str(), "td" | "th" | "/td" | "/th" | "tr" | "/tr" | "/table");
        if let (true, Some((content, span, is_shown)), Some((_, cells))) =
            (ends_cell, cell.take_if(|_| ends_cell), rows.last_mut())
            && is_shown
        {
            cells.push(unescaped(&content));
            cells.extend(std::iter::repeat_n(String::new(), span.saturating_sub(1)));
        }
        match name.as_str() {
            "tr" => rows.push((line, Vec::new())),
            "td" | "th" => {
                let span = attribute(tag, "colspan").and_then(|span| span.parse().ok()).unwrap_or(1);
                let is_hidden = attribute(tag, "class")
                    .is_some_and(|class| class.split(' ').any(|class| class == "hidden"));
                // A cell before the first row begins one, as in a browser, instead of being lost.
                if rows.is_empty() {
                    rows.push((line, Vec::new()));
                }
                cell = Some((String::new(), span.min(SPAN_MAX), !is_hidden));
            }
            "br" => {
                if let Some((content, ..)) = &mut cell {
                    content.push(' ');
                }
            }
            _ => {}
        }
        line += text[start..end].matches('\n').count();
        place = end;
    }
    rows.retain(|(_, cells)| !cells.is_empty());
    rows
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let lower = tag.to_ascii_lowercase();
    let place = lower.find(&format!("{name}="))? + name.len() + 1;
    let value = &tag[place..];
    match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split(quote).next(),
        _ => value.split([' ', '/', '>']).next(),
    }
}

/// Replaces the character references that occur in reports of numbers; others stay.
fn unescaped(text: &str) -> String {
    let text = text.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    let text =
        // `&amp;` is last, otherwise `&amp;lt;` would become `<`.
        text.replace("&#160;", " ").replace("&#39;", "'").replace("&minus;", "-").replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{is_html, lines};

    #[test]
    fn hidden_cells_are_left_out() {
        let page = "<html><body>\n<table>\n<tr><th colspan=\"3\">Positions</th></tr>\n<tr align=right><td class=\"hidden\" colspan=8></td><td>4&nbsp;012.50\n</td><!-- <td>x</td> --><td nowrap><b>P&amp;L</b></td></tr><tr><td>1<td>2</table>";
        assert!(is_html(page) && !is_html("Time;Price"));
        let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            lines(page),
            [(3, cells(&["Positions", "", ""])), (4, cells(&["4 012.50", "P&L"])), (5, cells(&["1", "2"]))]
        );
    }
}
