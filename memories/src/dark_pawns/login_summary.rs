//! The summary of a log, as an agent reads it at login (digest section 6): never longer than it may be, with the newest sessions first into that
//! length and room kept for relations. It is told in the order of time all the same.

use crate::dark_pawns::relations::relations;
use crate::dark_pawns::summary::{BYTES_A_TOKEN, CUT, NANOSECONDS_A_MINUTE, Told as _, aside, kind_of};
use crate::dark_pawns::{DreamRules, EventKind, LogGraph, Node, NodeKind, Stamp, Valence};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

const TITLE: &str = "## Memory\n\n";
const RELATIONS: &str = "### Relationships\n\n";
/// Relations may take one part of so many, even when there are more events than fit. Our choice: half a dozen of them by the usual length.
const SHARE_OF_RELATIONS: usize = 5;
/// Letters of an event that are told; a speech may be a book.
const LONGEST_EVENT: usize = 240;

/// A line of a session.
struct Line {
    text: String,
    /// Strength of the feeling: the stronger stays where not all can.
    strength: u8,
}

struct Session {
    header: String,
    lines: Vec<Line>,
}

/// Tells what is remembered of a log. Empty when there is no event.
pub fn login_summary(graph: &LogGraph, rules: &DreamRules, max_tokens: u32) -> String {
    let mut events: Vec<&Node<String>> = graph.nodes().filter(|node| node.kind == NodeKind::Event).collect();
    if events.is_empty() {
        return String::new();
    }
    events.sort_by_key(|node| (node.created_at, node.id.order_within_moment()));
    let gap = i64::from(rules.session_gap_minutes).saturating_mul(NANOSECONDS_A_MINUTE);
    let sessions = events.chunk_by(|a, b| b.created_at.since(a.created_at) <= gap).enumerate();
    let sessions: Vec<Session> = sessions
        .map(|(place, events)| Session::of(place + 1, events, rules))
        .filter(|session| !session.lines.is_empty())
        .collect();
    let known: Vec<String> = relations(graph, rules).iter().map(super::relations::Known::line).collect();

    let most_bytes = (max_tokens as usize).saturating_mul(BYTES_A_TOKEN);
    let all = |lines: &[String]| if lines.is_empty() { 0 } else { RELATIONS.len() + length(lines) };
    let whole: usize = sessions.iter().map(Session::length).sum();
    if TITLE.len() + whole + all(&known) <= most_bytes {
        let every = sessions.iter().map(|session| (0..session.lines.len()).collect()).collect();
        return told(&sessions, every, &known, false);
    }
    // The remark that something is left out stands on lines of its own.
    let room = most_bytes.saturating_sub(TITLE.len() + CUT.len() + 2);
    let kept = first_that_fit(&known, room / SHARE_OF_RELATIONS);
    let (chosen, left) = choose(&sessions, room - all(&known[..kept]));
    let kept = first_that_fit(&known, all(&known[..kept]) + left);
    told(&sessions, chosen, &known[..kept], true)
}

fn told(sessions: &[Session], chosen: Vec<BTreeSet<usize>>, known: &[String], is_cut: bool) -> String {
    let mut text = TITLE.to_owned();
    for (session, chosen) in sessions.iter().zip(chosen).filter(|(_, chosen)| !chosen.is_empty()) {
        text.push_str(&session.header);
        chosen.iter().for_each(|line| text.push_str(&session.lines[*line].text));
        text.push('\n');
    }
    if !known.is_empty() {
        text.push_str(RELATIONS);
        known.iter().for_each(|line| text.push_str(line));
    }
    if is_cut {
        text.push('\n');
        text.push_str(CUT);
        text.push('\n');
    }
    text
}

fn length(lines: &[String]) -> usize {
    lines.iter().map(String::len).sum()
}

/// How many relations there is room for, their heading included.
fn first_that_fit(known: &[String], room: usize) -> usize {
    let mut taken = RELATIONS.len();
    known
        .iter()
        .take_while(|line| {
            taken += line.len();
            taken <= room
        })
        .count()
}

/// Lines of each session, and the bytes that are left. The newest session comes first, and whole if it fits; one that doesn't leaves half to those
/// before it, so that a long evening isn't all there ever was.
fn choose(sessions: &[Session], room: usize) -> (Vec<BTreeSet<usize>>, usize) {
    let mut chosen = vec![BTreeSet::new(); sessions.len()];
    let mut left = room;
    for (session, chosen) in sessions.iter().zip(&mut chosen).rev() {
        let allowed = if session.length() <= left { left } else { left / 2 };
        left -= session.fill(chosen, allowed);
    }
    for (session, chosen) in sessions.iter().zip(&mut chosen).rev() {
        left -= session.fill(chosen, left);
    }
    (chosen, left)
}

impl Session {
    fn of(number: usize, events: &[&Node<String>], rules: &DreamRules) -> Self {
        let stamp = |node: Option<&&Node<String>>| node.map_or(Stamp::default(), |node| node.created_at);
        let (first, last) = (stamp(events.first()), stamp(events.last()));
        let until = if events.len() > 1 { format!(" – {}", last.clock()) } else { String::new() };
        let header = format!("### Session {number} — {} at {}{until}\n\n", first.day(), first.clock());
        // Lines that say the same are one, where the first of them stood, with the strongest of their feelings.
        let mut same: BTreeMap<String, usize> = BTreeMap::new();
        let mut merged: Vec<(&Node<String>, String, Valence, u32)> = Vec::new();
        for node in events.iter().filter(|node| node.salience >= rules.told_from_salience) {
            let (label, feeling) = (on_one_line(&node.label), node.feeling(rules.valence_from));
            match same.get(&label) {
                Some(place) => {
                    let (_, _, before, times) = &mut merged[*place];
                    *times += 1;
                    if feeling.get().abs() > before.get().abs() {
                        *before = feeling;
                    }
                }
                None => {
                    same.insert(label.clone(), merged.len());
                    merged.push((node, label, feeling, 1));
                }
            }
        }
        let line = |(node, label, feeling, times): (&Node<String>, String, Valence, u32)| Line {
            text: match times {
                1 => format!("{label}{}.\n", moment(node, feeling)),
                _ => format!("{label}, {times} times{}.\n", moment(node, feeling)),
            },
            strength: feeling.get().unsigned_abs(),
        };
        Self { header, lines: merged.into_iter().map(line).collect() }
    }

    /// Bytes of all of it.
    fn length(&self) -> usize {
        self.header.len() + self.lines.iter().map(|line| line.text.len()).sum::<usize>() + 1
    }

    /// Chooses more of its lines, the strongest and then the latest first; how many bytes they take.
    fn fill(&self, chosen: &mut BTreeSet<usize>, allowed: usize) -> usize {
        let mut order: Vec<usize> = (0..self.lines.len()).filter(|place| !chosen.contains(place)).collect();
        order.sort_by_key(|place| (Reverse(self.lines[*place].strength), Reverse(*place)));
        let mut taken = 0;
        for place in order {
            let heading = if chosen.is_empty() { self.header.len() + 1 } else { 0 };
            let cost = heading + self.lines[place].text.len();
            if taken + cost <= allowed {
                taken += cost;
                chosen.insert(place);
            }
        }
        taken
    }
}

/// What is said after an event. To be down to a quarter of one's hit points is never just unpleasant, and neither is to die.
fn moment(node: &Node<String>, feeling: Valence) -> &'static str {
    let kind = kind_of(&node.id);
    let is_wound =
        matches!(kind, Some(EventKind::Damage | EventKind::Death)) || node.label.starts_with("Low HP (");
    if is_wound && feeling.get() < 0 { aside(Valence::new(-2)) } else { aside(feeling) }
}

/// What happened, on one line that isn't longer than a line may be: a line of its own could pass for something that the server says.
fn on_one_line(label: &str) -> String {
    let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
    match label.char_indices().nth(LONGEST_EVENT) {
        Some((end, _)) => format!("{}…", &label[..end]),
        None => label,
    }
}
