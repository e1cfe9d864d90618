//! A specification curve: effects in order with their intervals, and below each the choices that it comes from. Its source is the
//! specification curve analysis of a multiverse of choices (Simonsohn, Simmons and Nelson 2020). Effects are in the unit of the measure,
//! sorted by the caller. The registered choice is marked by a band, so that a reader sees whether it was a lucky one.

use super::scale::Scale;
use super::{Anchor, Canvas, Figure, WIDTH, cell, range, text_width};
use crate::io::text::figure;
use crate::io::text::markup::shortened;

/// One way to ask: an effect, and the analysis choices that it comes from (one specification of a multiverse).
#[derive(Clone, Debug)]
pub(crate) struct SpecificationPoint {
    pub value: f64,
    pub interval: Option<(f64, f64)>,
    /// The level of each choice, by its number from 0.
    pub levels: Vec<usize>,
    /// Whether it is drawn as established, in blue.
    pub established: bool,
    /// Whether it is the one that decides.
    pub registered: bool,
}

/// A specification curve, before it is drawn (multiverse analysis).
#[derive(Clone, Debug)]
pub(crate) struct Specification<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub y_label: &'a str,
    /// Differences smaller than this don't matter: a zone around zero.
    pub zone: Option<f64>,
    /// Names of the choices, and of their levels.
    pub choices: &'a [(String, Vec<String>)],
    /// In ascending order of effect.
    pub points: &'a [SpecificationPoint],
}

const CURVE_HEIGHT: f64 = 230.0;
const ROW: f64 = 18.0;
const TOP: f64 = 12.0;
/// Most letters of a level's name (our choice): longer ones would take the width from the columns.
const LETTERS: usize = 28;
/// Widest that a column is, so that a few of them don't lose sight of one another.
const COLUMN_MAX: f64 = 48.0;

impl Specification<'_> {
    /// Draws it; `None` without points (specification curve as SVG).
    pub(crate) fn draw(&self) -> Option<Figure> {
        if self.points.is_empty() {
            return None;
        }
        let levels = || self.choices.iter().flat_map(|(_, levels)| levels);
        let names = levels().map(|level| text_width(&shortened(level, LETTERS))).fold(80.0, f64::max);
        let (left, bottom) = (names + 28.0, TOP + CURVE_HEIGHT);
        let column = ((WIDTH - left - 12.0) / self.points.len() as f64).min(COLUMN_MAX);
        let right = left + column * self.points.len() as f64;
        let zone = self.zone.unwrap_or(0.0);
        let reach = |point: &SpecificationPoint| point.interval.unwrap_or((point.value, point.value));
        let low = self.points.iter().map(|point| reach(point).0).fold(-zone, f64::min);
        let high = self.points.iter().map(|point| reach(point).1).fold(zone, f64::max);
        let room = (high - low) * 0.05;
        let scale = Scale::new((low - room, high + room), (bottom, TOP));
        let at = |index: usize| left + column * (index as f64 + 0.5);
        let mut canvas = Canvas::default();
        let head = self.choices.iter().map(|(name, _)| name.clone());
        let figures = [self.y_label, "low", "high", "registered"].map(str::to_owned);
        canvas.data.push(head.chain(figures).collect());
        if self.zone.is_some() {
            canvas.rect((left, scale.at(zone)), (right - left, scale.at(-zone) - scale.at(zone)), "zone");
        }
        // The way that was registered to decide is a band through curve and choices.
        let rows = self.choices.iter().map(|(_, levels)| levels.len() + 1).sum::<usize>() as f64;
        for (index, _) in self.points.iter().enumerate().filter(|(_, point)| point.registered) {
            canvas.rect((at(index) - column / 2.0, TOP), (column, CURVE_HEIGHT + 14.0 + ROW * rows), "row");
        }
        for (value, label) in scale.ticks(6) {
            canvas.line((left - 4.0, scale.at(value)), (left, scale.at(value)), "axis");
            canvas.text((left - 8.0, scale.at(value) + 4.0), Anchor::End, "tick", &label);
        }
        canvas.line((left, TOP), (left, bottom), "axis");
        canvas.line((left, scale.at(0.0)), (right, scale.at(0.0)), "zero");
        let size = (column * 0.6).clamp(2.0, 8.0);
        for (index, point) in self.points.iter().enumerate() {
            if let Some((low, high)) = point.interval {
                let stroke = if point.established { "whisker l0" } else { "whisker axis" };
                canvas.line((at(index), scale.at(low)), (at(index), scale.at(high)), stroke);
            }
            mark(&mut canvas, (at(index), scale.at(point.value)), size, point);
            let levels = self.choices.iter().zip(&point.levels);
            let levels: Vec<String> = levels.map(|((_, levels), level)| levels[*level].clone()).collect();
            let interval = point.interval.map_or(String::new(), |ends| format!(" {}", range(ends)));
            let tooltip = format!("{}: {}{interval}", levels.join(", "), figure(point.value));
            canvas.titled_rect((at(index) - column / 2.0, TOP), (column, CURVE_HEIGHT), "over", &tooltip);
            let (low, high) =
                (cell(point.interval.map(|ends| ends.0)), cell(point.interval.map(|ends| ends.1)));
            let figures = [point.value.to_string(), low, high, point.registered.to_string()];
            canvas.data.push(levels.into_iter().chain(figures).collect());
        }
        let mut y = bottom + 14.0;
        for (choice, (name, levels)) in self.choices.iter().enumerate() {
            y += ROW;
            canvas.text((8.0, y - 4.0), Anchor::Start, "strong", &shortened(name, LETTERS));
            for (level, name) in levels.iter().enumerate() {
                y += ROW;
                canvas.text((left - 12.0, y - 4.0), Anchor::End, "label", &shortened(name, LETTERS));
                canvas.line((left, y - 8.0), (right, y - 8.0), "grid");
                for (index, point) in self.points.iter().enumerate() {
                    if point.levels.get(choice) == Some(&level) {
                        mark(&mut canvas, (at(index), y - 8.0), size, point);
                    }
                }
            }
        }
        canvas.text((left, y + 24.0), Anchor::Start, "label", self.y_label);
        Some(canvas.figure(self.name, self.title, self.description, (WIDTH, y + 36.0)))
    }
}

fn mark(canvas: &mut Canvas, (x, y): (f64, f64), size: f64, point: &SpecificationPoint) {
    let colour = if point.established { "f0" } else { "f6" };
    canvas.rect((x - size / 2.0, y - size / 2.0), (size, size), colour);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way has a mark in the curve and one below for each choice; ways that the test distinguishes from 0 are in blue.
    #[test]
    fn every_way_shows_its_choices() {
        let point = |value: f64, levels: [usize; 2]| SpecificationPoint {
            value,
            interval: Some((value - 1.0, value + 1.0)),
            levels: levels.to_vec(),
            established: value > 1.0,
            registered: levels == [0, 0],
        };
        let points = [point(-0.5, [0, 0]), point(0.5, [1, 0]), point(2.0, [1, 1])];
        let choices = ["rung", "era"].map(|name| (name.to_owned(), vec!["a".to_owned(), "b".to_owned()]));
        let (zone, choices) = (Some(0.2), &choices[..]);
        let curve = Specification {
            name: "s",
            title: "",
            description: "",
            y_label: "",
            zone,
            choices,
            points: &points,
        };
        let drawn = curve.draw().unwrap().inline();
        assert_eq!((drawn.matches("\"f0\"").count(), drawn.matches("\"f6\"").count()), (3, 6), "{drawn}");
        assert!(Specification { points: &[], ..curve }.draw().is_none());
    }
}
