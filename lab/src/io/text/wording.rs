//! Figures in words (number formatting): significant digits, p-values, confidence intervals, percentages, plurals. One place, so that
//! terminal, Markdown and page round alike. Rounding is for readers only: JSON and tables keep all digits.

use morta_stats::{Computed, Interval};

/// Formats a figure with four significant digits, or more where the whole part has more; below .0001 and from 10⁷ on in powers of ten.
pub fn figure(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if !(1e-4..1e7).contains(&size) {
        format!("{value:.3e}")
    } else {
        let decimals = (3 - size.log10().floor() as i32).clamp(0, 7) as usize;
        format!("{value:.decimals$}")
    }
}

/// Formats a time as it was in the data, or with four significant digits when it was computed.
pub fn time(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value}") } else { figure(value) }
}

/// Formats a p-value with three decimals, below .001 in powers of ten.
pub fn p_value(p: f64) -> String {
    if p < 1e-300 {
        "<1e-300".to_owned()
    } else if p < 0.001 {
        format!("{p:.1e}")
    } else {
        format!("{p:.3}")
    }
}

/// Formats a p-value after its letter, as in `p = 0.031`.
pub fn p_is(p: f64) -> String {
    let value = p_value(p);
    value.strip_prefix('<').map_or(format!("p = {value}"), |bound| format!("p < {bound}"))
}

/// Formats a difference with its sign, plus included.
pub fn signed(value: f64) -> String {
    if value > 0.0 { format!("+{}", figure(value)) } else { figure(value) }
}

/// Formats a confidence interval in brackets, `[low, high]`.
pub fn between(interval: &Interval) -> String {
    format!("[{}, {}]", figure(interval.low), figure(interval.high))
}

/// Formats an interval as a range from its lower to its upper end, `low to high`.
pub fn range(interval: Interval) -> String {
    format!("{} to {}", figure(interval.low), figure(interval.high))
}

/// Formats a share as a percentage, .95 as `95 %`.
pub fn percent(level: f64) -> String {
    let share = figure(level * 100.0);
    let short = if share.contains('.') { share.trim_end_matches('0').trim_end_matches('.') } else { &share };
    format!("{short} %")
}

/// Formats a computed value, or for an undefined statistic the reason why it can't be computed.
pub fn or_why<T>(figure: &Computed<T>, subject: &str, say: impl FnOnce(&T) -> String) -> String {
    match figure {
        Computed::Known(known) => say(known),
        Computed::Unknown { cannot_be_computed } => {
            format!("{subject} can't be computed, because {cannot_be_computed}")
        }
    }
}

/// Capitalises the first letter of a text.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Formats a count with its noun in the singular or plural: `1 world`, `2 worlds`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_honest() {
        for (value, expected) in [
            (0.0, "0"),
            (-28.715321, "-28.72"),
            (1234567.8, "1234568"),
            (0.00012345, "0.0001234"),
            (3e-9, "3.000e-9"),
            (99.996, "100.00"),
        ] {
            assert_eq!(figure(value), expected);
        }
        assert_eq!((p_value(0.0312), p_value(2.04e-28)), ("0.031".to_owned(), "2.0e-28".to_owned()));
        assert_eq!((p_is(0.0), percent(0.95)), ("p < 1e-300".to_owned(), "95 %".to_owned()));
        assert_eq!(percent(-20.0), "-2000 %");
    }
}
