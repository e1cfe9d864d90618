//! Durations as text, as in `--duration 500ms`; a number without a unit is seconds. It is duration parsing and formatting
//! (human-readable units); values are nanoseconds, because latencies are.

use crate::generator::NS_PER_S;

/// Parses a duration: a number with `ns`, `us`, `µs`, `ms`, `s`, `min` or no unit (seconds). Returns ns; `None` when the text is no
/// duration or not finite. Negative durations are parsed, because the caller's refusal names the flag.
pub(super) fn read(text: &str) -> Option<f64> {
    let text = text.trim();
    // Longer units first, because `ms` ends in `s`.
    let units = [("min", 60e9), ("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", NS_PER_S as f64)];
    let (number, unit) = units
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)))
        .unwrap_or((text, NS_PER_S as f64));
    let value: f64 = number.trim().parse().ok()?;
    (value * unit).is_finite().then_some(value * unit)
}

/// A duration of `ns` as text, with four significant digits and the largest unit that leaves a digit before the point (duration formatting).
/// The limits of units lie half a digit below the round number, because a value that rounds up to 1000 µs is written as 1.000 ms.
pub(super) fn formatted(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => return format!("{ns:.0} ns"),
        ns if ns < 999.95e3 => (ns / 1e3, "µs"),
        ns if ns < 999.95e6 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    let decimals = match value {
        value if value < 9.9995 => 3,
        value if value < 99.995 => 2,
        value if value < 999.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_parsed_and_formatted() {
        for (text, ns) in
            [("1ms", 1e6), ("250us", 250e3), ("0.5 s", 0.5e9), ("2", 2e9), ("2min", 120e9), ("-1", -1e9)]
        {
            assert_eq!(read(text), Some(ns), "{text}");
        }
        for text in ["", "soon", "nan", "inf", "1h"] {
            assert_eq!(read(text), None, "{text}");
        }
        for (ns, text) in [
            (0.0, "0 ns"),
            (999.0, "999 ns"),
            (1e3, "1.000 µs"),
            (999_960.0, "1.000 ms"),
            (25.0035e9, "25.00 s"),
            (123.456e6, "123.5 ms"),
            (2_000e9, "2000 s"),
        ] {
            assert_eq!(formatted(ns), text);
        }
    }
}
