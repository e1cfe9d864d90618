//! Parts of the pages, written as HTML fragments on the server (server-side rendering): a fragment that is ready when it is sent needs no
//! script that puts it together. HTML escaping: `text`, `golem`, `swatch`, `note`, `lines` and `words` escape what they get; `markup`,
//! `each`, `cell`, `figure` and `facts` take markup as it is. Their callers must have escaped names, because those come from scenarios.

use crate::io::text::markup::escape;
use crate::run::follow::{FollowLine, Happening};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::fmt::{Display, Write as _};

/// Markup by the id of the element that shows it (HTML fragments).
#[derive(Debug, Default)]
pub(super) struct Parts(Map<String, Value>);

impl Parts {
    /// Markup for the inside of an element (inner HTML).
    pub(super) fn markup(&mut self, id: &str, markup: String) {
        self.0.insert(id.to_owned(), Value::String(markup));
    }

    /// Sets the text inside an element, escaped.
    pub(super) fn text(&mut self, id: &str, text: impl AsRef<str>) {
        self.markup(id, escape(text.as_ref()));
    }

    /// All of them, as a state has them (JSON object).
    pub(super) fn into_value(self) -> Value {
        Value::Object(self.0)
    }
}

/// Writes elements with markup inside, one after the other, such as list items.
pub(super) fn each(tag: &str, inside: impl IntoIterator<Item = String>) -> String {
    let mut list = String::new();
    for one in inside {
        let _ = write!(list, "<{tag}>{one}</{tag}>");
    }
    list
}

/// A table cell of words (`<td>`).
pub(super) fn cell(markup: impl Display) -> String {
    format!("<td>{markup}</td>")
}

/// A table cell with a figure (numeric cell).
pub(super) fn figure(text: impl Display) -> String {
    format!("<td class=\"n\">{text}</td>")
}

/// Writes a link to a golem's page.
pub(super) fn golem(name: impl Display) -> String {
    let name = escape(&name.to_string());
    format!("<a href=\"#{name}\">{name}</a>")
}

/// A box in a cohort's colour, before its name (legend entry).
pub(super) fn swatch(place: usize, name: &str) -> String {
    format!("<span class=\"shade full {}\"></span> {}", colour(place), escape(name))
}

/// The CSS class of a cohort's or an arm's colour (colour palette).
pub(super) fn colour(place: usize) -> String {
    format!("c{}", place % COLOURS)
}

/// Colours of cohorts and arms. Causes of death have others, so that a colour never means two things on a
/// page.
const COLOURS: usize = 7;

/// Names with what they stand for (items of a definition list); values are markup.
pub(super) fn facts(facts: &[(&str, String)]) -> String {
    let mut list = String::new();
    for (name, value) in facts {
        let _ = write!(list, "<dt>{name}</dt><dd>{value}</dd>");
    }
    list
}

/// Writes a paragraph that stands back, such as a footnote.
pub(super) fn note(text: &str) -> String {
    format!("<p class=\"note\">{}</p>", escape(text))
}

/// Lines as a terminal shows them (preformatted text).
pub(super) fn lines(lines: &[String]) -> String {
    format!("<pre tabindex=\"0\">{}</pre>", escape(&lines.join("\n")))
}

/// Adds the newest of a list that holds so many at the most: the oldest goes (ring buffer).
pub(super) fn keep_newest<T>(all: &mut VecDeque<T>, most: usize, newest: T) {
    if all.len() == most {
        all.pop_front();
    }
    all.push_back(newest);
}

/// What happened to golems, a line each, the newest first (event log).
pub(super) fn newest_first<'a>(
    lines: impl IntoIterator<Item = &'a FollowLine, IntoIter: DoubleEndedIterator>,
) -> String {
    let item = |line: &FollowLine| {
        let happened = match &line.happening {
            Happening::Born { cohort, parent, .. } => {
                let heir = parent.map_or_else(String::new, |parent| format!(", heir of {}", golem(parent)));
                format!("born in {}{heir}", escape(cohort))
            }
            Happening::Died { cause, age_ticks, .. } => {
                format!("died: {}, aged {age_ticks} ticks", words(cause.name()))
            }
            Happening::BloodstainLeft { bloodstain } => format!("left {bloodstain}"),
            Happening::BloodstainDrawn { bloodstain, rank, score } => {
                format!("drew {bloodstain} (rank {rank}, score {score:.2})")
            }
            _ => String::new(),
        };
        format!("tick {} {} {happened}", line.tick, golem(line.golem))
    };
    each("li", lines.into_iter().rev().map(item))
}

/// A value, or a dash where there is none (placeholder of an `Option`).
pub(super) fn or_dash<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), show)
}

/// Turns a name into words, with blanks for underscores.
pub(super) fn words(name: &str) -> String {
    escape(&name.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_elsewhere_is_never_markup() {
        let evil = "<img src=x onerror=alert(1)>";
        let mut parts = Parts::default();
        parts.text("text", evil);
        parts.markup("list", each("li", [golem(evil), swatch(9, evil), words(evil), note(evil)]));
        parts.markup("lines", lines(&[evil.to_owned()]));
        let state = parts.into_value().to_string();
        assert_eq!(state.matches("&lt;img").count(), 7, "{state}");
        assert!(!state.contains("<img") && state.contains("c2"), "{state}");
    }
}
