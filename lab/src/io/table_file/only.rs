//! Rows that count (row filter, where clause, `--only`): those with a value in a column or without it, or with a number above or below one.
//! Several filters must all hold (logical and). A filter that leaves no row is refused, with the column named. Equality compares text, so
//! `1` isn't `1.0`. It exists so that one file with several groups can be analysed without being cut first. `morta stats survival` also
//! says by it which value of the event's column is the event (`TableFile::which`).

use super::{Cell, TableFile};
use crate::io::error::{Error, Result};
use crate::io::limits::Limits;
use crate::io::text::quoted;
use std::path::Path;
use std::str::FromStr;

/// A row filter as `--only` has it: `COLUMN=VALUE` or `COLUMN>NUMBER`, say.
#[derive(Clone, Debug)]
pub struct Only {
    column: String,
    how: Comparison,
    value: String,
}

/// How a cell is held against a value (comparison operator).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Is,
    IsNot,
    Above,
    Below,
    AtLeast,
    AtMost,
}

/// The signs. Their order decides nothing: the first sign in the text counts, and of two at one place the longer.
const SIGNS: [(&str, Comparison); 6] = [
    ("!=", Comparison::IsNot),
    (">=", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    ("=", Comparison::Is),
    (">", Comparison::Above),
    ("<", Comparison::Below),
];

/// Why a text can't be read as a filter (parse error).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAFilter {
    /// It has no sign, or nothing before it.
    #[error(
        "must be COLUMN=VALUE, as in cohort=all, or with !=, >, >=, < or <= in place of =, as in generation>0"
    )]
    NoSign,
    /// What is held against it has no order.
    #[error("what stands behind >, >=, < or <= must be a number, as in generation>0")]
    NoNumber,
}

impl FromStr for Only {
    type Err = NotAFilter;

    fn from_str(text: &str) -> Result<Self, NotAFilter> {
        // The first sign of the text; where two begin at one place, the longer.
        let found = SIGNS.iter().filter_map(|(sign, how)| Some((text.find(sign)?, *sign, *how)));
        let first = found.min_by_key(|(at, sign, _)| (*at, std::cmp::Reverse(sign.len())));
        let (at, sign, how) = first.filter(|(at, ..)| *at > 0).ok_or(NotAFilter::NoSign)?;
        let (column, value) = (text[..at].trim().to_owned(), text[at + sign.len()..].to_owned());
        let one = Self { column, how, value };
        if !matches!(how, Comparison::Is | Comparison::IsNot) && one.number().is_none() {
            return Err(NotAFilter::NoNumber);
        }
        Ok(one)
    }
}

impl Only {
    /// The column that the filter looks at.
    pub fn column(&self) -> &str {
        &self.column
    }

    fn number(&self) -> Option<f64> {
        self.value.trim().parse().ok().filter(|number: &f64| !number.is_nan())
    }

    /// Whether a cell with this text is meant. A cell that is no number is neither above nor below one, so that empty cells are left out by every comparison
    /// of order.
    fn keeps(&self, label: &str) -> bool {
        let by = |test: fn(&f64, &f64) -> bool| {
            let cell = label.trim().parse().ok();
            cell.zip(self.number()).is_some_and(|(cell, number)| test(&cell, &number))
        };
        match self.how {
            Comparison::Is => label == self.value,
            Comparison::IsNot => label != self.value,
            Comparison::Above => by(f64::gt),
            Comparison::Below => by(f64::lt),
            Comparison::AtLeast => by(f64::ge),
            Comparison::AtMost => by(f64::le),
        }
    }

    fn shown(&self) -> String {
        let sign = SIGNS.iter().find(|(_, how)| *how == self.how).map_or("=", |(sign, _)| sign);
        format!("{sign} {}", quoted(&self.value))
    }
}

impl TableFile {
    /// Reads the wanted columns of the rows that have all these values (filtered read).
    ///
    /// # Errors
    /// [`Error::Invalid`] when the file can't be read, a column isn't there, or no row has a value.
    pub(crate) fn read_only(path: &Path, wanted: &[&str], only: &[Only], limits: &Limits) -> Result<Self> {
        let columns: Vec<&str> =
            wanted.iter().copied().chain(only.iter().map(|one| one.column.as_str())).collect();
        let mut table = Self::read(path, &columns, limits)?;
        for one in only {
            let keep: Vec<bool> =
                table.cells(&one.column).iter().map(|cell| one.keeps(&cell.label())).collect();
            if !keep.contains(&true) {
                let (name, column) = (&table.name, &one.column);
                let which = match one.how {
                    Comparison::Is => format!("no row has {} in {column}", quoted(&one.value)),
                    _ => format!("no row has a {column} {}", one.shown()),
                };
                return Err(Error::invalid(format!("{name}: {which}: see which values it has")));
            }
            table.retain(&keep);
        }
        Ok(table)
    }

    /// Finds the rows that have a value (boolean mask). None may be empty: nobody knows of an empty cell whether it is meant.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a cell is empty.
    pub fn which(&self, one: &Only) -> Result<Vec<bool>> {
        self.each(&one.column, "must hold a value", |cell| {
            (*cell != Cell::Missing).then(|| one.keeps(&cell.label()))
        })
    }

    fn retain(&mut self, keep: &[bool]) {
        fn kept<T>(all: &mut Vec<T>, keep: &[bool]) {
            let mut row = keep.iter();
            all.retain(|_| *row.next().expect("there is a word for each row"));
        }
        self.columns.iter_mut().for_each(|column| kept(&mut column.cells, keep));
        if let Some(lines) = &mut self.lines {
            kept(lines, keep);
        }
        self.rows = keep.iter().filter(|keep| **keep).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_read_and_hold() {
        for (text, kept, left) in [
            ("cohort=all", vec!["all"], vec!["a", ""]),
            ("cohort!=all", vec!["a", ""], vec!["all"]),
            ("generation>0", vec!["1", "2.5"], vec!["0", "-1", "x", ""]),
            ("generation>=1", vec!["1"], vec!["0.9"]),
            ("x < 3", vec!["2", "-inf"], vec!["3", "nan"]),
            ("x<=3", vec!["3"], vec!["3.1"]),
            ("x=a>b", vec!["a>b"], vec!["a"]),
        ] {
            let only: Only = text.parse().unwrap();
            assert!(kept.iter().all(|cell| only.keeps(cell)), "{text}");
            assert!(!left.iter().any(|cell| only.keeps(cell)), "{text}");
        }
        for (text, why) in [
            ("cohort", NotAFilter::NoSign),
            ("=x", NotAFilter::NoSign),
            ("generation>some", NotAFilter::NoNumber),
        ] {
            assert_eq!(text.parse::<Only>().unwrap_err(), why, "{text}");
        }
    }
}
