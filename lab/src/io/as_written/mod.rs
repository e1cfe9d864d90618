//! Tables as people's programs write them: the encoding of their text, the sign between columns, numbers and moments. What one cell leaves
//! open (an ambiguity), the rest of its column settles; what a column is for is the caller's to know. This is locale detection for columns:
//! number format, date format, encoding, delimiter, time zone. A column whose cells contradict each other is reported, and the caller
//! refuses the file or leaves the cells as text, because a guess could turn 1,500 into 1.5. The users are the price files, the tables of
//! `morta stats` and the trade exports of the `owm` tools.

pub mod delimited;
pub mod encoding;
pub mod moments;
pub mod numbers;

/// What a cell says of how it is written: in one way or ambiguous (date or number format).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormEvidence<T> {
    /// It can be read in one way alone.
    Only(T),
    /// In both, as different values.
    Both,
    /// In both, as the same.
    Same,
}

/// Infers the format of a column from the evidence of the cells seen so far.
#[derive(Clone, Debug)]
pub struct Shown<T> {
    /// The first cell that can be read in one way alone, with its line and that way.
    pub only: Option<(usize, String, T)>,
    /// The first cell that reads both ways, with its line.
    pub both: Option<(usize, String)>,
}

impl<T> Default for Shown<T> {
    fn default() -> Self {
        Self { only: None, both: None }
    }
}

impl<T: Copy + PartialEq> Shown<T> {
    /// Takes in the evidence of a cell, and so updates the inferred format.
    ///
    /// # Errors
    /// Where it is written in another way than one before it: that one's line, text and way, and the way of this one.
    pub fn take(
        &mut self,
        line: usize,
        cell: &str,
        evidence: FormEvidence<T>,
    ) -> Result<(), ((usize, String, T), T)> {
        match (evidence, &self.only) {
            (FormEvidence::Only(way), Some(before)) if before.2 != way => return Err((before.clone(), way)),
            (FormEvidence::Only(way), None) => self.only = Some((line, cell.to_owned(), way)),
            (FormEvidence::Both, _) if self.both.is_none() => self.both = Some((line, cell.to_owned())),
            _ => {}
        }
        Ok(())
    }

    /// The inferred format, i.e. the way that some cell shows; `None` while every cell can be read both ways.
    pub fn way(&self) -> Option<T> {
        self.only.as_ref().map(|(.., way)| *way)
    }
}

/// Normalises the name of a column: it loses case, blanks, signs, and the zone that some programs put behind it: `Closing time (UTC+1)`
/// becomes `closingtime`.
pub fn key(name: &str) -> String {
    let lower = name.to_lowercase();
    let is_zone = |part: &str| part.starts_with("utc") || part.starts_with("gmt");
    let bare = match lower.split_once('(') {
        Some((head, tail)) if is_zone(tail.trim_start()) => head,
        _ => &lower,
    };
    bare.replace('%', "pct").chars().filter(|sign| sign.is_alphanumeric()).collect()
}

/// Reads the UTC offset of a time zone from the name of a column: `Closing time (UTC+1)`.
pub fn zone_in(name: &str) -> Option<jiff::tz::Offset> {
    let upper = name.to_uppercase();
    let (_, tail) = upper.split_once("(UTC").or_else(|| upper.split_once("(GMT"))?;
    moments::offset(tail.split(')').next()?.trim())
}
