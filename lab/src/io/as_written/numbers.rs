//! Numbers as people's programs write them: `18.000,50`, `4 012.50`, `$(12.50)`, `- 0.70`, `0.0528450000BTC`, `12.50-`. This is
//! number parsing with an unknown decimal separator: a cell keeps both meanings of its points and commas (decimal comma,
//! thousands separator) until its column decides. One cell rarely settles its signs, so the caller gathers the evidence of a whole column
//! (`super::Shown`) and asks for the value by the sign that it found. Accounting negatives in parentheses, trailing signs and currency
//! codes are understood; a unit is split off, never converted: the price reader multiplies volumes in K, M or B itself. Price files, tables
//! of `morta stats` and trade exports are read by it.

use super::FormEvidence;

morta_base::words! {
    /// The sign between the whole part of a number and its fraction: decimal point or decimal comma.
    pub enum Decimal {
        /// `18,000.50`
        Point = "point",
        /// `18.000,50`
        Comma = "comma",
    }
}

/// A number whose decimal sign isn't known yet (ambiguous decimal separator).
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenNumber {
    is_negative: bool,
    /// Digits, points and commas, and an exponent.
    digits: String,
    /// Groups were apart by blanks or apostrophes, so a point or comma can't be between groups.
    is_grouped: bool,
    /// The unit: a currency, or %.
    pub unit: Option<String>,
}

/// Whether a cell stands for a missing value: it is blank, or a word such as NA or null.
pub fn is_blank(cell: &str) -> bool {
    let cell = cell.trim_matches(|sign: char| sign.is_whitespace() || is_blank_sign(sign));
    let words = ["nan", "nat", "null", "none", "n/a", "na", "#n/a", "-", "--", "—", "–", "\\n"];
    cell.is_empty() || words.contains(&cell.to_lowercase().as_str())
}

/// Blanks that `char::is_whitespace` doesn't count: zero-width space and the mark of an encoding.
const fn is_blank_sign(sign: char) -> bool {
    matches!(sign, '\u{200b}' | '\u{feff}' | '\u{200e}')
}

/// Parses a number up to the meaning of its points and commas; none when the cell is no number.
pub fn written(cell: &str) -> Option<WrittenNumber> {
    // Blanks can be anywhere: behind a sign, between groups of digits, before a currency.
    let mut text: String = cell
        .chars()
        .filter(|sign| !is_blank_sign(*sign))
        .map(|sign| match sign {
            '\u{2212}' | '\u{2013}' => '-',
            '\u{2019}' | '\'' => ' ',
            sign if sign.is_whitespace() => ' ',
            sign => sign,
        })
        .collect();
    text = text.trim().to_owned();
    let (mut is_negative, mut unit) = (false, None);
    // Outer marks come in any order: `$(12.50)`, `-$12`, `($12)`, `12 USD-`.
    loop {
        let before = text.len();
        let mut rest = text.trim();
        if let Some(inner) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            (is_negative, rest) = (true, inner);
        }
        for sign in ['-', '+'] {
            let stripped = rest.strip_prefix(sign).or_else(|| rest.strip_suffix(sign));
            if let Some(inner) = stripped {
                // `--5` and `(-5)` are no numbers that a program writes.
                if sign == '-' && is_negative {
                    return None;
                }
                (is_negative, rest) = (is_negative || sign == '-', inner);
            }
        }
        let is_unit = |sign: char| sign.is_alphabetic() || is_currency(sign) || sign == '%';
        let (head, tail) = (rest.trim_start_matches(is_unit), rest.trim_end_matches(is_unit));
        let named = if head.len() < rest.len() {
            Some((&rest[..rest.len() - head.len()], head))
        } else if tail.len() < rest.len() {
            Some((&rest[tail.len()..], tail))
        } else {
            None
        };
        if let Some((name, inner)) = named {
            if unit.is_some() || !(is_code(name) || name.chars().all(is_currency) || name == "%") {
                return None;
            }
            unit = Some(name.to_owned());
            rest = inner;
        }
        text = rest.trim().to_owned();
        if text.len() == before {
            break;
        }
    }
    let is_grouped = text.contains(' ');
    if is_grouped && !are_groups(text.split(['.', ',']).next()?.split(' ')) {
        return None;
    }
    let digits: String = text.chars().filter(|sign| *sign != ' ').collect();
    let mantissa = digits.split(['e', 'E']).next()?;
    let is_number = mantissa.contains(|sign: char| sign.is_ascii_digit())
        && mantissa.chars().all(|sign| sign.is_ascii_digit() || matches!(sign, '.' | ','));
    is_number.then_some(WrittenNumber { is_negative, digits, is_grouped, unit })
}

/// A currency as exchanges write it, `USDT`, `R$`, `BTC`; words such as `lots` aren't.
fn is_code(name: &str) -> bool {
    let letters = name.trim_end_matches(is_currency);
    // Twelve bytes (our choice): longer than codes of exchanges, and a sentence in capitals isn't one.
    letters.len() <= 12 && letters.chars().all(char::is_uppercase)
}

const fn is_currency(sign: char) -> bool {
    matches!(sign, '$' | '£' | '¥' | '¢' | '¤' | '\u{20a0}'..='\u{20cf}')
}

/// Groups of three, but for the first; two between the others are India's.
fn are_groups<'a>(groups: impl Iterator<Item = &'a str>) -> bool {
    let groups: Vec<&str> = groups.collect();
    let [first, between @ .., last] = groups.as_slice() else { return true };
    (1..=3).contains(&first.len())
        && between.iter().all(|group| (2..=3).contains(&group.len()))
        && last.len() == 3
}

impl WrittenNumber {
    /// The possible meanings of its points and commas (decimal comma or decimal point).
    pub fn evidence(&self) -> FormEvidence<Decimal> {
        let (mantissa, has_exponent) = match self.digits.split_once(['e', 'E']) {
            Some((mantissa, _)) => (mantissa, true),
            None => (self.digits.as_str(), false),
        };
        let by = |decimal| self.value(decimal).is_some();
        match (mantissa.find(['.', ',']), by(Decimal::Point), by(Decimal::Comma)) {
            (None, ..) | (_, false, false) => FormEvidence::Same,
            (_, true, false) => FormEvidence::Only(Decimal::Point),
            (_, false, true) => FormEvidence::Only(Decimal::Comma),
            (Some(place), ..) => {
                let decimal =
                    if mantissa[place..].starts_with('.') { Decimal::Point } else { Decimal::Comma };
                // No program groups digits that begin with 0, groups in two ways at once, or groups a number with an exponent.
                let is_decimal = self.is_grouped || has_exponent || mantissa.starts_with('0');
                if is_decimal { FormEvidence::Only(decimal) } else { FormEvidence::Both }
            }
        }
    }

    /// Parses the digits as a float, by a decimal sign; `None` where they can't be read so, or beyond the range of `f64`.
    pub fn value(&self, decimal: Decimal) -> Option<f64> {
        let (point, group) = match decimal {
            Decimal::Point => ('.', ','),
            Decimal::Comma => (',', '.'),
        };
        let (mantissa, exponent) = match self.digits.find(['e', 'E']) {
            Some(place) => self.digits.split_at(place),
            None => (self.digits.as_str(), ""),
        };
        let (whole, fraction) = mantissa.split_once(point).unwrap_or((mantissa, ""));
        let is_sound = !fraction.contains(['.', ','])
            && (!whole.contains(group) || !self.is_grouped && are_groups(whole.split(group)));
        // The zeros at both ends make `.5` and `5.` numbers for Rust's parser without changing a value.
        let number = format!("{}.{fraction}0{exponent}", whole.replace(group, ""));
        let number: f64 = is_sound.then(|| format!("0{number}").parse().ok()).flatten()?;
        let number = if self.is_negative { -number } else { number };
        number.is_finite().then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::{Decimal, FormEvidence, is_blank, written};

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for (cell, by, expected) in [
            ("18.000,50", Decimal::Comma, Some(18000.5)),
            ("18,000.50", Decimal::Point, Some(18000.5)),
            ("18.000,50", Decimal::Point, None),
            ("4 012.50", Decimal::Point, Some(4012.5)),
            ("4\u{a0}012.50", Decimal::Point, Some(4012.5)),
            ("4\u{202f}012,50", Decimal::Comma, Some(4012.5)),
            ("18'000.50", Decimal::Point, Some(18000.5)),
            ("18’000.50", Decimal::Point, Some(18000.5)),
            ("12,34,567.5", Decimal::Point, Some(1_234_567.5)),
            ("- 0.70", Decimal::Point, Some(-0.7)),
            ("\u{2212}12.5", Decimal::Point, Some(-12.5)),
            ("+12.5", Decimal::Point, Some(12.5)),
            ("(978.14)", Decimal::Point, Some(-978.14)),
            ("$(12.50)", Decimal::Point, Some(-12.5)),
            ("($12.50)", Decimal::Point, Some(-12.5)),
            ("-$1,012.50", Decimal::Point, Some(-1012.5)),
            ("$-12.50", Decimal::Point, Some(-12.5)),
            ("12.50-", Decimal::Point, Some(-12.5)),
            ("12,50 €", Decimal::Comma, Some(12.5)),
            ("-R$ 35,00", Decimal::Comma, Some(-35.0)),
            ("USD 12.5", Decimal::Point, Some(12.5)),
            ("0.0528450000BTC", Decimal::Point, Some(0.052845)),
            ("1e-7", Decimal::Point, Some(1e-7)),
            (".5", Decimal::Point, Some(0.5)),
            ("12.5%", Decimal::Point, Some(12.5)),
            ("1,2,3", Decimal::Point, None),
            ("1.2.3", Decimal::Point, None),
            ("12 34", Decimal::Point, None),
            ("soon", Decimal::Point, None),
            ("5 lots", Decimal::Point, None),
            ("(-5)", Decimal::Point, None),
            ("1e999", Decimal::Point, None),
            ("-", Decimal::Point, None),
            ("1,2345", Decimal::Point, None),
        ] {
            let number = written(cell).and_then(|written| written.value(by));
            assert_eq!(number, expected, "{cell} by {by}");
        }
    }

    #[test]
    fn a_point_or_comma_has_its_only_possible_meaning() {
        let (point, comma) = (FormEvidence::Only(Decimal::Point), FormEvidence::Only(Decimal::Comma));
        for (cell, expected) in [
            ("18000", FormEvidence::Same),
            ("18.000", FormEvidence::Both),
            ("18,000", FormEvidence::Both),
            ("0.123", point),
            ("0,123", comma),
            ("1234.567", point),
            ("49,50", comma),
            ("1.234.567", comma),
            ("1,234,567", point),
            ("4 012.500", point),
            ("1.234e3", point),
            ("18.000,50", comma),
        ] {
            assert_eq!(written(cell).unwrap().evidence(), expected, "{cell}");
        }
        assert!(["", " \u{a0}", "NaN", "-", "—", "null"].iter().all(|cell| is_blank(cell)));
    }
}
