//! Plots as SVG (vector graphics). Colours are classes: the page, or the style inside a file of its own, says what they are in light, in
//! dark and in print. The first seven are those of Okabe and Ito, which people with any kind of colour vision can distinguish.
//!
//! A `Figure` is an inline SVG with a title, a description for screen readers (accessibility), tooltips, and its data as a CSV download.
//! Each kind of plot is a struct with a method `draw`, which gives no figure where there is nothing to draw. Sizes are CSS pixels. Widths
//! of texts are estimated by their length, because no font is known here. SVG was taken and no canvas or image, because it scales, prints
//! and can be read by a screen reader without a script. `curves` are lines and steps; `bars` shares; `dots`, `forest`, `ranked` and
//! `specification` estimates; `paired` and `scatter` single points; `heat`, `phase` (with `contour`) and `field` maps; `lineages` a
//! timeline; `scale` is the axis of most.

pub mod bars;
mod contour;
pub mod curves;
pub(crate) mod dots;
pub(crate) mod field;
pub(crate) mod forest;
pub(crate) mod heat;
pub(crate) mod lineages;
pub(crate) mod paired;
pub(crate) mod phase;
pub(crate) mod ranked;
mod scale;
pub(crate) mod scatter;
pub(crate) mod specification;

use crate::io::text::figure;
use crate::io::text::markup::{escape, shortened};
use scale::Scale;
use std::fmt::{Display, Write as _};

/// Series that have a colour of their own: those of Okabe and Ito; an eighth hue would be too near one of them. Curves beyond it take
/// their colours again from the first; replications split their arms into figures of at most so many.
pub(crate) const COLOURS: usize = 7;

/// The rules of colour and type (CSS) that all plots share.
pub(crate) const STYLE: &str = include_str!("plot.css");

/// A plot that is ready to be shown: its SVG, a caption, and the data behind it.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Name of its file, without the ending; also its identity in the page.
    pub name: String,
    /// Its caption, one line.
    pub title: String,
    /// The same in sentences, for screen readers.
    pub description: String,
    /// The marks that are drawn by their values, as CSV with a header: a reader of a page can check a figure, or draw it again.
    pub csv: String,
    width: f64,
    height: f64,
    body: String,
}

impl Figure {
    /// Renders the figure as inline SVG, for the inside of a page.
    pub fn inline(&self) -> String {
        self.drawn("")
    }

    /// Makes a link that downloads the data as CSV. They are in the link itself, so that the page needs nothing else for it, script
    /// included.
    pub(crate) fn data_link(&self) -> String {
        let mut data = String::with_capacity(self.csv.len() * 5 / 4);
        for byte in self.csv.bytes() {
            // RFC 3986: all but the unreserved and a few that URLs of data may hold is written by its number.
            if byte.is_ascii_alphanumeric() || b"-_.~,:;=/()".contains(&byte) {
                data.push(char::from(byte));
            } else {
                write!(data, "%{byte:02X}").expect("writing to a string does not fail");
            }
        }
        let name = escape(&self.name);
        format!(
            "<a class=\"data\" download=\"{name}.csv\" href=\"data:text/csv;charset=utf-8,{data}\" aria-label=\"Data of {}, as CSV\">Data \
             (CSV)</a>",
            escape(&self.title)
        )
    }

    /// Exports the figure as a standalone SVG file with its stylesheet.
    pub fn standalone(&self) -> String {
        let style = format!("<style>{STYLE}</style>");
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", self.drawn(&style))
    }

    fn drawn(&self, style: &str) -> String {
        let Self { name, title, description, width, height, body, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-labelledby=\"{name}-title {name}-desc\">\
             <title id=\"{name}-title\">{}</title><desc id=\"{name}-desc\">{}</desc>{style}\
             <rect class=\"ground\" width=\"100%\" height=\"100%\"/>{body}</svg>",
            escape(title),
            escape(description)
        )
    }
}

/// The side of a text at its point (text-anchor).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Start,
    Middle,
    End,
}

/// Shapes of a [`Figure`] under construction (SVG builder).
#[derive(Debug, Default)]
struct Canvas {
    body: String,
    /// Header and rows of [`Figure::csv`].
    data: Vec<Vec<String>>,
}

/// An interval in words.
fn range((low, high): (f64, f64)) -> String {
    format!("[{}, {}]", figure(low), figure(high))
}

/// A value as data: every digit, and nothing where there is none.
fn cell(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

impl Canvas {
    fn raw(&mut self, markup: impl Display) {
        write!(self.body, "{markup}").expect("writing to a string does not fail");
    }

    /// Adds a row of the figure's data; the first is the header.
    fn datum<const N: usize>(&mut self, cells: [&str; N]) {
        self.data.push(cells.map(str::to_owned).to_vec());
    }

    /// Draws marks that belong together and that the page's script can hide: those of the legend's entry of the same name.
    fn series(&mut self, name: &str, draw: impl FnOnce(&mut Self)) {
        self.raw(format_args!("<g data-series=\"{}\">", escape(name)));
        draw(self);
        self.raw("</g>");
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        self.raw(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>"
        ));
    }

    /// Text that reads upwards.
    fn upright(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        let text = escape(text);
        self.raw(format_args!(
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\" class=\"{class}\">{text}</text>"
        ));
    }

    fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        self.raw(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"
        ));
    }

    fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        self.raw(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" class=\"{class}\"/>"
        ));
    }

    fn dot(&mut self, (x, y): (f64, f64), radius: f64, class: &str) {
        self.raw(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" class=\"{class}\"/>"));
    }

    /// A rectangle with words that appear when it is pointed at.
    fn titled_rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str, tooltip: &str) {
        let tooltip = escape(tooltip);
        self.raw(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" class=\"{class}\"><title>{tooltip}</title></rect>"
        ));
    }

    /// The ticks of an axis along the bottom: about so many marks with their labels (tick marks).
    fn ticks_below(&mut self, scale: &Scale, about: u32, bottom: f64) {
        self.marks_below(scale, scale.ticks(about), bottom, "tick");
    }

    fn marks_below(&mut self, scale: &Scale, marks: Vec<(f64, String)>, bottom: f64, class: &str) {
        for (value, label) in marks {
            self.line((scale.at(value), bottom), (scale.at(value), bottom + 4.0), "axis");
            self.text((scale.at(value), bottom + 17.0), Anchor::Middle, class, &label);
        }
    }

    /// The label of an axis along the bottom, below its ticks.
    fn label_below(&mut self, (left, right): (f64, f64), bottom: f64, label: &str) {
        self.text(((left + right) / 2.0, bottom + 36.0), Anchor::Middle, "label", label);
    }

    fn path(&mut self, path: &str, class: &str) {
        self.raw(format_args!("<path d=\"{path}\" class=\"{class}\"/>"));
    }

    /// Swatches with names, in as many rows as it takes; returns the height they need. Classes of lines (`l0`) are shown as a line with its
    /// dashes, those of areas (`f0`) as a box.
    fn legend(&mut self, (left, top): (f64, f64), width: f64, entries: &[(String, String)]) -> f64 {
        let (mut x, mut y) = (left, top);
        for (class, full) in entries {
            let name = shortened(full, 40);
            let needs = 38.0 + text_width(&name) + 16.0;
            if x > left && x + needs > left + width {
                (x, y) = (left, y + LEGEND_ROW);
            }
            let is_line = class.starts_with('l');
            let wide = if is_line { 30.0 } else { 18.0 };
            self.raw(format_args!("<g data-key=\"{}\">", escape(full)));
            if is_line {
                self.line((x, y + 6.5), (x + wide, y + 6.5), &format!("curve {class}"));
            } else {
                self.rect((x, y + 2.0), (wide, 9.0), class);
            }
            self.text((x + wide + 6.0, y + 10.5), Anchor::Start, "label", &name);
            self.raw("</g>");
            x += needs;
        }
        y - top + LEGEND_ROW
    }

    fn figure(self, name: &str, title: &str, description: &str, (width, height): (f64, f64)) -> Figure {
        let mut csv = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        self.data.iter().for_each(|row| csv.write_record(row).expect("writing to memory does not fail"));
        let csv = csv.into_inner().expect("writing to memory does not fail");
        Figure {
            name: name.to_owned(),
            title: title.to_owned(),
            description: description.to_owned(),
            csv: String::from_utf8(csv).expect("rows are text"),
            width,
            height,
            body: self.body,
        }
    }
}

const LEGEND_ROW: f64 = 18.0;
/// Width of a plot, in CSS pixels: that of the page's column.
const WIDTH: f64 = 860.0;

/// About how wide a label is, in CSS pixels, bold ones included; fonts differ, so with some room to spare.
fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 7.4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_files_stand_alone() {
        let mut canvas = Canvas::default();
        canvas.text((1.0, 2.0), Anchor::End, "label", "<b>&");
        let figure = canvas.figure("one", "a < b", "\"quoted\"", (10.0, 20.0));
        let file = figure.standalone();
        assert!(file.contains("&lt;b&gt;&amp;</text>") && file.contains("a &lt; b</title>"), "{file}");
        assert!(
            file.starts_with("<?xml") && file.contains("<style>") && !figure.inline().contains("<style>")
        );
    }
}
