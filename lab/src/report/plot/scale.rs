//! Scales of axes: from values to pixels, and the values that are written beside the axis. This is axis scaling: linear scale, log scale
//! (base 10), tick marks at 1, 2 or 5 times a power of ten. Pixels are CSS pixels; a value beyond an end stays at the edge. A scale is a
//! plain linear map, so heat maps use it for the strength of a colour too. Ticks are round numbers, because readers compare with them by
//! eye. Besides the marks of axes they are the levels of a phase map's contour lines and the times of a number-at-risk table.

/// The scale of a plot axis, linear or logarithmic (base 10).
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The ends; of an axis by powers of ten, their logarithms.
    from: f64,
    to: f64,
    start: f64,
    end: f64,
    powers: bool,
}

impl Scale {
    /// Makes a linear scale that maps values `from..to` to pixels `start..end`; a range without width gets one.
    pub(super) fn new((from, to): (f64, f64), (start, end): (f64, f64)) -> Self {
        if to - from > 0.0 && (to - from).is_finite() {
            return Self { from, to, start, end, powers: false };
        }
        let room = if from == 0.0 { 1.0 } else { from.abs() * 0.5 };
        Self { from: from - room, to: from + room, start, end, powers: false }
    }

    /// A scale by powers of ten; both ends above 0 (log scale). From one power to another when `whole`.
    pub(crate) fn of_powers((from, to): (f64, f64), (start, end): (f64, f64), whole: bool) -> Self {
        let (from, to) = (from.log10(), to.log10());
        let (from, to) = if whole { (from.floor(), to.ceil()) } else { (from, to) };
        let to = if to > from { to } else { from + 1.0 };
        Self { from, to, start, end, powers: true }
    }

    /// A linear scale whose ends are rounded outwards to multiples of the tick step (nice axis limits).
    pub(super) fn rounded((from, to): (f64, f64), pixels: (f64, f64), about: u32) -> Self {
        let plain = Self::new((from, to), pixels);
        let step = plain.step(about);
        Self { from: (plain.from / step).floor() * step, to: (plain.to / step).ceil() * step, ..plain }
    }

    /// The pixel of a value; values outside stay at the edge (data to pixel coordinates).
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if self.powers { value.max(f64::MIN_POSITIVE).log10() } else { value };
        let share = ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.start + share * (self.end - self.start)
    }

    /// The pixels at which both ends of the axis lie.
    pub(crate) fn pixels(&self) -> (f64, f64) {
        (self.start, self.end)
    }

    /// The values of its ends; of an axis by powers of ten, their logarithms (axis domain).
    pub(super) fn range(&self) -> (f64, f64) {
        (self.from, self.to)
    }

    /// Whether a value lies within the domain of the axis, both ends included.
    pub(super) fn holds(&self, value: f64) -> bool {
        let value = if self.powers { value.max(f64::MIN_POSITIVE).log10() } else { value };
        (self.from..=self.to).contains(&value)
    }

    fn step(&self, about: u32) -> f64 {
        let raw = (self.to - self.from) / f64::from(about.max(1));
        let size = 10_f64.powf(raw.log10().floor());
        let nice = [1.0, 2.0, 5.0, 10.0].into_iter().find(|nice| raw <= nice * size * 1.000_001);
        nice.unwrap_or(10.0) * size
    }

    /// Finds the axis ticks: round values within the range, about so many, with their labels.
    pub(super) fn ticks(&self, about: u32) -> Vec<(f64, String)> {
        if self.powers {
            return self.powers_of_ten();
        }
        let step = self.step(about);
        let (first, last) = ((self.from / step - 1e-9).ceil() as i64, (self.to / step + 1e-9).floor() as i64);
        (first..=last).map(|n| (n as f64 * step, tick_label(n as f64 * step, step))).collect()
    }

    /// Powers of ten within the range, and their doubles and fivefolds where there are few.
    fn powers_of_ten(&self) -> Vec<(f64, String)> {
        let few = self.to - self.from <= 2.5;
        let steps: &[f64] = if few { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let powers = self.from.floor() as i32..=self.to.ceil() as i32;
        let values = powers.flat_map(|power| steps.iter().map(move |step| (10_f64.powi(power), step)));
        let within = |value: f64| (self.from - 1e-9..=self.to + 1e-9).contains(&value.log10());
        values
            .filter(|(power, step)| within(*power * *step))
            .map(|(power, step)| (power * step, tick_label(power * step, power)))
            .collect()
    }
}

/// Formats a tick label with the decimals that its step needs, thousands set apart. The figures in a phase map's cells are written by it
/// too.
pub(crate) fn tick_label(value: f64, step: f64) -> String {
    let decimals = (-(step * 1.000_001).log10().floor()).clamp(0.0, 9.0) as usize;
    let value = if value.abs() < step * 1e-6 { 0.0 } else { value };
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 && whole.len() > 4 {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    let sign = if value < 0.0 { "\u{2212}" } else { "" };
    format!("{sign}{grouped}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        let labels = |from, to| {
            let scale = Scale::new((from, to), (0.0, 100.0));
            scale.ticks(5).into_iter().map(|(_, label)| label).collect::<Vec<_>>()
        };
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(
            labels(-0.03, 0.02),
            ["\u{2212}0.03", "\u{2212}0.02", "\u{2212}0.01", "0.00", "0.01", "0.02"]
        );
        assert_eq!(labels(0.0, 25_000.0).last().map(String::as_str), Some("25\u{202f}000"));
    }

    #[test]
    fn powers_of_ten_are_at_equal_distances() {
        let labels = |from, to| {
            let ticks = Scale::of_powers((from, to), (0.0, 300.0), true).ticks(5).into_iter();
            ticks.map(|(_, label)| label).collect::<Vec<_>>()
        };
        assert_eq!(labels(0.03, 2_000.0), ["0.01", "0.1", "1", "10", "100", "1000", "10\u{202f}000"]);
        assert_eq!(labels(2.0, 30.0), ["1", "2", "5", "10", "20", "50", "100"]);
        let scale = Scale::of_powers((1.0, 1_000.0), (0.0, 300.0), true);
        assert_eq!((scale.at(10.0).round(), scale.at(0.0), scale.at(1e9)), (100.0, 0.0, 300.0));
    }

    #[test]
    fn a_range_without_width_gets_one() {
        let scale = Scale::new((3.0, 3.0), (0.0, 100.0));
        assert_eq!(scale.at(3.0), 50.0);
        assert_eq!(Scale::rounded((0.0, 0.97), (100.0, 0.0), 5).at(1.0), 0.0);
    }
}
