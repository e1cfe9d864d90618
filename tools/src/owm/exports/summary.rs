//! Counts of rows that an import skipped, by reason, with the first place of each (`file:line`). It keeps the error report to one line
//! with at most eight reasons, however many rows fail alike; `--every-line` also prints each row. The first place is kept, so that a user can
//! look at one row.
//!
//! Equal reasons are found by the text of the `Mistake`; of a line that isn't JSON, by the parser's message without its column. A value
//! between ` = ` and the last `: ` is cut from it. Digits are cut only from a message that begins with one, or has a value and no `: ` after
//! it. Other numbers stay: rows with different numbers are then different reasons. A new message should therefore have its value in the
//! form `name = value: what`.

use crate::owm::mistake::Mistake;
use std::collections::BTreeMap;
use std::fmt;

/// Number of reasons in a line of text.
const SHOWN: usize = 8;

/// Aggregates the errors of an import: counts of skipped rows by reason.
#[derive(Debug, Default)]
pub struct Skipped {
    /// Reasons in the order of appearance: the reason, the number of rows, and the first place.
    reasons: Vec<(String, u64, String)>,
}

impl Skipped {
    /// Counts a skipped row at a place, `file:line`, under its reason.
    pub fn count(&mut self, place: &str, what: &Mistake) {
        let reason = match what {
            // Rows that are cut off alike are cut off at different columns.
            Mistake::NotJson { what, .. } => what.clone(),
            _ => reason(&what.to_string()),
        };
        match self.reasons.iter_mut().find(|(known, ..)| *known == reason) {
            Some((_, count, _)) => *count += 1,
            None => self.reasons.push((reason, 1, format!("{place}: {what}"))),
        }
    }

    /// The number of skipped rows for each reason (error counts).
    pub fn by_reason(&self) -> BTreeMap<String, u64> {
        self.reasons.iter().map(|(reason, count, _)| (reason.clone(), *count)).collect()
    }
}

/// A message without the value, so that rows with different values count as one reason: `timestamp: must be a moment like ...`.
fn reason(message: &str) -> String {
    let bare = |text: &str| text.chars().filter(|sign| !sign.is_ascii_digit()).collect::<String>();
    match message.split_once(" = ") {
        // A value may contain colons, but the text after its own colon contains none, so the last one is searched.
        Some((name, rest)) => {
            rest.rsplit_once(": ").map_or_else(|| bare(message), |(_, what)| format!("{name}: {what}"))
        }
        // `4 cells, but the header has 15` has numbers that differ from row to row.
        None if message.starts_with(|sign: char| sign.is_ascii_digit()) => bare(message).trim().to_owned(),
        None => message.to_owned(),
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total: u64 = self.reasons.iter().map(|(_, count, _)| count).sum();
        write!(to, "{total} skipped")?;
        for (number, (_, count, first)) in self.reasons.iter().take(SHOWN).enumerate() {
            write!(to, "{}{count} ({first})", if number == 0 { ": " } else { ", " })?;
        }
        match self.reasons.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(to, ", and {more} more reasons (--every-line)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Skipped;
    use crate::owm::mistake::Mistake;
    use serde_json::json;

    #[test]
    fn rows_are_counted_by_reason_with_their_first_place() {
        let mut skipped = Skipped::default();
        for (line, value) in [(2, json!("soon: now")), (3, json!("then"))] {
            skipped
                .count(&format!("t.csv:{line}"), &Mistake::NoMoment { name: "timestamp".to_owned(), value });
        }
        skipped.count("t.csv:4", &Mistake::OtherColumns { found: 3, expected: 15 });
        skipped.count("t.csv:5", &Mistake::OtherColumns { found: 4, expected: 15 });
        for column in [7, 12] {
            let what = "EOF while parsing an object".to_owned();
            skipped.count(&format!("t.jsonl:{column}"), &Mistake::NotJson { column, what });
        }
        assert_eq!(
            skipped.to_string(),
            "6 skipped: 2 (t.csv:2: timestamp = \"soon: now\": must be a moment like 2026-02-01T14:00:00Z), 2 (t.csv:4: 3 cells, but the header has 15), \
             2 (t.jsonl:7: column 7: EOF while parsing an object)"
        );
        assert_eq!(skipped.by_reason().values().collect::<Vec<_>>(), [&2, &2, &2]);
    }
}
