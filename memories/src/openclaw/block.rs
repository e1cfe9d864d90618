//! Blocks that phases write into a daily note: between a start and an end marker, one of a kind (digest section 7).

use super::schedule::Phase;
use super::sentence::without_marks;

fn markers(phase: Phase) -> (String, String) {
    let marker = |end: &str| format!("<!-- openclaw:dreaming:{}:{end} -->", phase.name());
    (marker("start"), marker("end"))
}

const fn heading(phase: Phase) -> &'static str {
    match phase {
        Phase::Light => "## Light Sleep",
        Phase::Rem => "## REM Sleep",
        Phase::Deep => "## Deep Sleep",
    }
}

/// The note with the block of a phase: it replaces the one that is there, else it follows after an empty line.
pub fn with_block(note: &str, phase: Phase, body: &[String]) -> String {
    let (start, end) = markers(phase);
    let block = format!("{}\n{start}\n{}\n{end}", heading(phase), body.join("\n"));
    if let Some((from, to)) = old_block(note, phase) {
        return format!("{}{block}{}", &note[..from], &note[to..]);
    }
    let kept = note.trim_end();
    if kept.is_empty() { format!("{block}\n") } else { format!("{kept}\n\n{block}\n") }
}

/// Where the block that is there begins, heading included, and ends.
fn old_block(note: &str, phase: Phase) -> Option<(usize, usize)> {
    let (start, end) = markers(phase);
    let from = note.find(&start)?;
    let to = from + note[from..].find(&end)? + end.len();
    let before = note[..from].trim_end();
    let headed = before.strip_suffix(heading(phase)).filter(|rest| rest.is_empty() || rest.ends_with('\n'));
    Some((headed.map_or(from, str::len), to))
}

/// What a phase has written into a note, without heading and markers; none where it hasn't.
pub fn block_of(note: &str, phase: Phase) -> Option<&str> {
    let (start, end) = markers(phase);
    let from = note.find(&start)? + start.len();
    Some(note[from..from + note[from..].find(&end)?].trim())
}

/// What every marker begins with.
const MARKER: &str = "<!-- openclaw:dreaming:";

/// The note without what phases have written into it, line by line as long as before: their blocks are empty lines, headings included, and so
/// is a marker that has lost its partner. What a user has deleted is then nowhere, though a block still quotes it.
pub fn without_blocks(note: &str) -> String {
    let mut kept: Vec<&str> = note.split('\n').collect();
    for phase in [Phase::Light, Phase::Rem, Phase::Deep] {
        let (start, end) = markers(phase);
        let mut from = 0;
        while let Some(first) = place(&kept, from, &start) {
            let last = place(&kept, first, &end).unwrap_or(first);
            let headed = first.checked_sub(1).filter(|before| kept[*before].trim() == heading(phase));
            kept[headed.unwrap_or(first)..=last].fill("");
            from = last + 1;
        }
    }
    for line in kept.iter_mut().filter(|line| line.contains(MARKER)) {
        *line = "";
    }
    without_candidates(&mut kept);
    kept.join("\n")
}

/// Blanks candidates that stand outside of a block: earlier releases wrote no markers, and they stay where a marker is deleted.
fn without_candidates(lines: &mut [&str]) {
    let says = |line: &str, names: &[&str]| names.iter().any(|name| without_marks(line).starts_with(name));
    for first in 0..lines.len() {
        let next = lines.get(first + 1).copied().unwrap_or_default();
        if !(says(lines[first], &["Candidate:"]) && says(next, &FIGURES)) {
            continue;
        }
        lines[first] = "";
        let figures = lines[first + 1..].iter().take_while(|line| says(line, &FIGURES)).count();
        lines[first + 1..=first + figures].fill("");
    }
}

/// Beginnings of a candidate's further lines.
const FIGURES: [&str; 5] = ["confidence:", "evidence:", "recalls:", "status:", "cluster:"];

fn place(lines: &[&str], from: usize, marker: &str) -> Option<usize> {
    let found = lines.get(from..)?.iter().position(|line| line.contains(marker));
    found.map(|place| from + place)
}
