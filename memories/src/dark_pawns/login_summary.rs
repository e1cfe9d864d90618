//! The summary of a log that an agent reads at login (digest section 6). It keeps within its budget from 13 tokens on, which its title and
//! the remark that lines are left out take, while the original's may exceed its own by a line and by all relations. The newest sessions are
//! chosen first, because the original spends its budget on the oldest; a part of it is kept for relations. The text is in the order of
//! time all the same. It is extractive summarization under a token budget, for a prompt. Log dreams and the command for summaries write it;
//! golems read `summary` instead.

use crate::dark_pawns::relations::relations;
use crate::dark_pawns::summary::{BYTES_A_TOKEN, CUT, RELATIONS, TITLE, aside, header, kind_of, sessions};
use crate::dark_pawns::{DreamRules, EventKind, LogGraph, Node, Valence};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Relations are guaranteed one part in so many of the budget, even when there are more events than fit. Our choice: it is half a dozen relations
/// in the default budget of 2,000 bytes.
const SHARE_OF_RELATIONS: usize = 5;
/// Characters of an event's line; a longer one is cut. Our choice, because a speech may be as long as a book and would fill the budget.
const LONGEST_EVENT: usize = 240;

/// A line of a session.
struct Line {
    /// The line with its line break.
    text: String,
    /// Absolute valence, 0 to 3: the strongest lines are chosen first.
    strength: u8,
}

/// Events without a gap of `session_gap_minutes` between them, as lines.
struct Session {
    /// Its heading, with number, day and hours.
    header: String,
    /// In the order of time, equal ones merged.
    lines: Vec<Line>,
}

/// Writes the summary of a log's graph for a prompt, with a budget of `max_tokens` tokens of four bytes. Empty when there is no event.
pub fn login_summary(graph: &LogGraph, rules: &DreamRules, max_tokens: u32) -> String {
    let sessions = sessions(graph, rules);
    if sessions.is_empty() {
        return String::new();
    }
    let sessions = (1..).zip(&sessions).map(|(number, events)| Session::from_events(number, events, rules));
    let sessions: Vec<Session> = sessions.filter(|session| !session.lines.is_empty()).collect();
    let known = relations(graph, rules);

    let most_bytes = (max_tokens as usize).saturating_mul(BYTES_A_TOKEN);
    let all = |lines: &[String]| if lines.is_empty() { 0 } else { RELATIONS.len() + length(lines) };
    let whole: usize = sessions.iter().map(Session::length).sum();
    if TITLE.len() + whole + all(&known) <= most_bytes {
        let every = sessions.iter().map(|session| (0..session.lines.len()).collect()).collect();
        return written(&sessions, every, &known, false);
    }
    let room = most_bytes.saturating_sub(TITLE.len() + CUT.len());
    let kept = first_that_fit(&known, room / SHARE_OF_RELATIONS);
    let (chosen, left) = choose(&sessions, room - all(&known[..kept]));
    // Bytes that the sessions have left go to further relations.
    let kept = first_that_fit(&known, all(&known[..kept]) + left);
    written(&sessions, chosen, &known[..kept], true)
}

/// The text of chosen lines and relations.
fn written(sessions: &[Session], chosen: Vec<BTreeSet<usize>>, known: &[String], is_cut: bool) -> String {
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
        text.push_str(CUT);
    }
    text
}

fn length(lines: &[String]) -> usize {
    lines.iter().map(String::len).sum()
}

/// The number of relations that fit into `room` bytes, their heading included.
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

/// Chooses lines of each session within `room` bytes; returns them and the bytes left. The newest session is first, and whole if it fits. One
/// that doesn't fit gets half of the rest, so that a single long session doesn't displace all earlier ones. A second pass spends what is
/// left, the newest session first again.
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
    fn from_events(number: usize, events: &[&Node<String>], rules: &DreamRules) -> Self {
        // Equal lines become one, at the place of the first, with the strongest of their feelings: repeated fights would fill the budget otherwise.
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
        Self { header: header(number, events), lines: merged.into_iter().map(line).collect() }
    }

    /// Bytes of the whole session, with its header and the blank line after it.
    fn length(&self) -> usize {
        self.header.len() + self.lines.iter().map(|line| line.text.len()).sum::<usize>() + 1
    }

    /// Chooses further lines within `allowed` bytes, the strongest first and of equal ones the latest. Returns their bytes.
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

/// The remark after an event. A wound or a death of negative valence is always "a difficult moment": the document's sample has that for 12 of 50
/// hit points, which its tables value at −1.
fn moment(node: &Node<String>, feeling: Valence) -> &'static str {
    let kind = kind_of(&node.id);
    let is_wound =
        matches!(kind, Some(EventKind::Damage | EventKind::Death)) || node.label.starts_with("Low HP (");
    if is_wound && feeling.get() < 0 { aside(Valence::new(-2)) } else { aside(feeling) }
}

/// A narrative on one line, cut to [`LONGEST_EVENT`] characters. A line break in a player's speech could otherwise begin a line that the agent
/// takes for the server's.
fn on_one_line(label: &str) -> String {
    let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
    match label.char_indices().nth(LONGEST_EVENT) {
        Some((end, _)) => format!("{}…", &label[..end]),
        None => label,
    }
}
