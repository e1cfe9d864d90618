//! The line of a mistake: place, key, value, remedy (error message, diagnostic), in one line without control characters; longer values are
//! cut to 80 characters. The place is file and line, the flag as it was typed, or the place in a sweep file. It is one line, so that an
//! editor or a script can go to the place. Checks of shape and of values and the notes make their lines by it. Key, value and flag are
//! escaped here; remedy, file and sweep place are taken as they are, so that their authors have to keep them free of control characters.

use super::tree::{Node, Origin, Value};
use morta_base::Problem;

/// Longest value that is repeated in full, in characters.
const SHOWN_MAX: usize = 80;

/// One mistake of a scenario file (validation error).
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// Where the value was written.
    pub origin: Origin,
    /// Dotted path.
    pub key: String,
    /// The value as text; `None` for a missing key.
    pub value: Option<String>,
    /// The remedy: a valid value.
    pub remedy: String,
}

impl Mistake {
    /// Traces a mistake that the engine found to where its value was written.
    pub(crate) fn from_problem(problem: Problem, tree: &Node) -> Self {
        let origin = tree.origin_of(&problem.key).clone();
        let key = tree.as_written(&problem.key);
        Self { origin, key, value: Some(problem.value), remedy: problem.remedy }
    }

    /// Words the mistake as an error message of one line; `file` names the scenario.
    pub fn line(&self, file: &str) -> String {
        let subject = match &self.value {
            Some(value) => format!("{} = {}", shown(&self.key), shown(value)),
            None => shown(&self.key),
        };
        let remedy = &self.remedy;
        match &self.origin {
            Origin::Line(line) => format!("{file}:{line}: {subject}: {remedy}"),
            Origin::Flag(flag) if flag.key == self.key => format!("{}: {remedy}", shown(&flag.text)),
            Origin::Flag(flag) => format!("{}: {subject}: {remedy}", shown(&flag.text)),
            Origin::Sweep(place) => format!("{place}: {subject}: {remedy}"),
            Origin::Unknown => format!("{file}: {subject}: {remedy}"),
        }
    }
}

/// Sanitises a text for one line: escapes control characters, and truncates long ones.
pub fn shown(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let short: String = text.chars().take(SHOWN_MAX).map(escape).collect();
    if text.chars().nth(SHOWN_MAX).is_some() { format!("{short}…") } else { short }
}

/// Prints a TOML value for a message.
pub fn written(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(value) => format!("\"{}\"", shown(value)),
        Value::Time(value) => value.clone(),
        Value::List(nodes) => {
            let inside: Vec<_> = nodes.iter().take(8).map(|node| written(&node.value)).collect();
            format!("[{}]", inside.join(", "))
        }
        Value::Table(_) => "{…}".to_owned(),
    }
}
