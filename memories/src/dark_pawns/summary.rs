//! The narrative summary that an agent reads before its first decision (digest section 6). It is a template-based summary for a prompt,
//! with a token budget; a token is estimated at four bytes. It may exceed its budget as the original does; `login_summary` exists because
//! an agent's prompt can't. Golems with this memory read it once after each dream and after an inheritance, and pay for that; where the
//! purse can't, it is skipped; a model's stances on it shift their expectations where `valence` is on and `reading_weight` above 0. Its
//! budget is `summary_tokens` (default 500). The simulated model parses its lines (the engine's `llm::reading`): a relation must stay
//! `label — word (met n times)`.

use crate::dark_pawns::{DreamRules, EventKind, Graph, Node, NodeKind, Stamp, Valence};
use serde::Serialize;
use std::cmp::Reverse;

pub(super) const BYTES_A_TOKEN: usize = 4;
pub(super) const TITLE: &str = "## Memory\n\n";
pub(super) const RELATIONS: &str = "### Relationships\n\n";
/// A line break first, as in the original, even after a blank line.
pub(super) const CUT: &str = "\n_(additional memories consolidated)_\n";
const NANOSECONDS_A_MINUTE: i64 = 60_000_000_000;

/// An id of nodes that a summary can be written of (node identifier). The order of ids doesn't give the order of events of one moment, so
/// the id has to.
pub trait NodeName: Ord + Clone {
    /// The rank of the event among those of its moment: lower comes first.
    fn order_within_moment(&self) -> u32;
}

impl NodeName for String {
    fn order_within_moment(&self) -> u32 {
        let kind = kind_of(self);
        EventKind::ALL.iter().position(|one| Some(*one) == kind).unwrap_or(EventKind::ALL.len()) as u32
    }
}

/// The kind of an event's node in a log's graph, parsed from its id; `None` for other nodes. From the right, because an agent's own name may
/// contain the name of a kind.
pub(super) fn kind_of(id: &str) -> Option<EventKind> {
    let time_after = |kind: &EventKind| {
        let (_, time) = id.rsplit_once(kind.name())?;
        time.strip_prefix('-')?.parse::<i64>().ok()
    };
    EventKind::ALL.iter().find(|kind| time_after(kind).is_some()).copied()
}

/// The message by which a server sends the summary to an agent at login, a JSON message with the summary as its payload (digest section 8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "memory_summary")]
pub struct SummaryMessage {
    /// The summary, trimmed.
    pub summary: String,
}

impl SummaryMessage {
    /// Makes the login message of a summary; `None` for an empty one, because the original's server sends nothing then.
    pub fn of(summary: &str) -> Option<Self> {
        let summary = summary.trim();
        (!summary.is_empty()).then(|| Self { summary: summary.to_owned() })
    }
}

/// Estimates the token count of a text: tokens of four bytes, rounded down. A dream's result has that of its summary. A golem pays for
/// reading its summary by it where no model is asked for stances.
pub fn estimated_tokens(text: &str) -> u64 {
    (text.len() / BYTES_A_TOKEN) as u64
}

/// Writes the narrative summary as the original does: sessions in the order of time, then relations. Empty when there is no event. It may
/// exceed its budget by one line or header, and by all relations, because the original tests the budget only before it writes.
pub fn summary<Id: NodeName>(graph: &Graph<Id>, rules: &DreamRules, max_tokens: u32) -> String {
    let sessions = sessions(graph, rules);
    if sessions.is_empty() {
        return String::new();
    }
    let most_bytes = (max_tokens as usize).saturating_mul(BYTES_A_TOKEN);
    let mut text = TITLE.to_owned();
    for (number, session) in (1..).zip(&sessions) {
        if text.len() >= most_bytes {
            return text + CUT;
        }
        write_session(&mut text, number, session, rules, most_bytes);
    }
    if text.len() < most_bytes {
        let entities = graph.nodes().filter(|node| node.kind == NodeKind::Entity);
        let known = known_lines(
            entities.map(|node| (node.label.as_str(), node.feeling(rules.valence_from), node.visit_count)),
        );
        if !known.is_empty() {
            text.push_str(RELATIONS);
            known.iter().for_each(|line| text.push_str(line));
        }
    }
    text
}

/// The events of a graph in the order of time, split where more than `session_gap_minutes` lie between two.
pub(super) fn sessions<'a, Id: NodeName>(graph: &'a Graph<Id>, rules: &DreamRules) -> Vec<Vec<&'a Node<Id>>> {
    let mut events: Vec<&Node<Id>> = graph.nodes().filter(|node| node.kind == NodeKind::Event).collect();
    events.sort_by_key(|node| (node.created_at, node.id.order_within_moment()));
    let gap = i64::from(rules.session_gap_minutes).saturating_mul(NANOSECONDS_A_MINUTE);
    events.chunk_by(|a, b| b.created_at.since(a.created_at) <= gap).map(<[_]>::to_vec).collect()
}

/// The heading of a session, with its number, day and hours.
pub(super) fn header<Id>(number: usize, session: &[&Node<Id>]) -> String {
    let stamp = |node: Option<&&Node<Id>>| node.map_or(Stamp::default(), |node| node.created_at);
    let (first, last) = (stamp(session.first()), stamp(session.last()));
    let until = if session.len() > 1 { format!(" – {}", last.clock()) } else { String::new() };
    format!("### Session {number} — {} at {}{until}\n\n", first.day(), first.clock())
}

fn write_session<Id>(
    text: &mut String,
    number: usize,
    session: &[&Node<Id>],
    rules: &DreamRules,
    most_bytes: usize,
) {
    text.push_str(&header(number, session));
    for node in session {
        if text.len() >= most_bytes {
            break;
        }
        if node.salience >= rules.told_from_salience {
            text.push_str(&format!("{}{}.\n", node.label, aside(node.feeling(rules.valence_from))));
        }
    }
    text.push('\n');
}

/// The lines of known entities (name, relation, visits), the strongest relation first, then the most visited. An entity of neutral relation is
/// left out unless it was met twice.
pub(super) fn known_lines<'a>(met: impl Iterator<Item = (&'a str, Valence, u32)>) -> Vec<String> {
    let is_known =
        |(_, standing, visits): &(&str, Valence, u32)| *standing != Valence::NEUTRAL || *visits > 1;
    let mut known: Vec<(&str, Valence, u32)> = met.filter(is_known).collect();
    known.sort_by_key(|(label, standing, visits)| (Reverse(standing.get().abs()), Reverse(*visits), *label));
    let line = |(label, standing, visits)| {
        let times = if visits == 1 { "time" } else { "times" };
        format!("{label} — {} (met {visits} {times})\n", relation(standing))
    };
    known.into_iter().map(line).collect()
}

/// The remark after an event, by its valence.
pub(super) const fn aside(valence: Valence) -> &'static str {
    match valence.get() {
        3.. => " (a significant moment)",
        2 => " (noteworthy)",
        0..=1 => "",
        -1 => " (unpleasant)",
        ..=-2 => " (a difficult moment)",
    }
}

/// The word for a relation, by its valence (a sentiment label). The engine's simulated model parses these words (`llm::reading`).
pub const fn relation(valence: Valence) -> &'static str {
    match valence.get() {
        3.. => "trusted ally",
        2 => "friendly",
        1 => "acquaintance",
        0 => "met",
        -1 => "unfriendly",
        ..=-2 => "dangerous",
    }
}
