//! The live note is read again before anything of it is kept: is the snippet still there, and where (digest section 5, step 4)?

use super::text::collapse;

/// Windows up to this many lines are looked at, however short the snippet was (digest section 5).
const USUAL_WINDOW: usize = 8;
/// Lines by which a window may be longer than the snippet was (digest section 5).
const LONGER_BY: usize = 3;

/// Where a snippet was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, not before the first.
    pub end_line: u32,
    /// The text there, in one line.
    pub text: String,
}

/// Looks for a snippet that stood at these lines. Where it stands it stays; else the windows of the note are searched: a window that
/// equals it beats one that contains it, and that one beats a window that is part of it; then the nearest first line
/// decides, then the span closest to the old one. A snippet without text is whatever stands at its lines now.
pub fn relocate(note: &str, start_line: u32, end_line: u32, snippet: &str) -> Option<Found> {
    let lines: Vec<String> = note.lines().map(collapse).collect();
    let snippet = collapse(snippet);
    let (start, span) = (start_line as usize, end_line.saturating_sub(start_line) as usize + 1);
    let there = window(&lines, start, span);
    let there = there.filter(|text| !text.is_empty() && (*text == snippet || snippet.is_empty()));
    if let Some(text) = there {
        return Some(found(start, span, text));
    }
    if snippet.is_empty() {
        return None;
    }
    let mut best: Option<((u8, usize, usize), Found)> = None;
    for size in 1..=(span + LONGER_BY).max(USUAL_WINDOW).min(lines.len()) {
        for first in 1..=lines.len() - size + 1 {
            let Some(text) = window(&lines, first, size) else { continue };
            let Some(quality) = quality(&text, &snippet) else { continue };
            // Smaller is better, all the way.
            let rank = (3 - quality, first.abs_diff(start), size.abs_diff(span));
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, found(first, size, text)));
            }
        }
    }
    best.map(|(_, found)| found)
}

fn found(first: usize, span: usize, text: String) -> Found {
    Found { start_line: first as u32, end_line: (first + span - 1) as u32, text }
}

/// The text of so many lines from this one (counted from 1), in one line; none when the note is shorter.
fn window(lines: &[String], first: usize, span: usize) -> Option<String> {
    let lines = lines.get(first.checked_sub(1)?..first + span - 1)?;
    let filled: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    Some(filled.join(" "))
}

/// 3 equal, 2 the window contains the snippet, 1 the snippet contains the window; none otherwise.
fn quality(window: &str, snippet: &str) -> Option<u8> {
    if window.is_empty() {
        None
    } else if window == snippet {
        Some(3)
    } else if window.contains(snippet) {
        Some(2)
    } else {
        snippet.contains(window).then_some(1)
    }
}
