//! Blocks that phases write into a daily note, between a start and an end marker, one block a phase (digest section 7). It is an idempotent edit
//! of Markdown between comment markers. A block is replaced, so that four runs a day leave one. Only users' files have blocks: the daily
//! note, a phase's report of the day, or both (`storage`); a simulated golem's dreams write none. Deep sleep reads notes without them.

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

/// Writes the block of a phase into the Markdown note (idempotent). It replaces the phase's earlier block, so that four light runs a day
/// leave one; without one it is appended after an empty line.
pub fn with_block(note: &str, phase: Phase, body: &[String]) -> String {
    let (start, end) = markers(phase);
    let block = format!("{}\n{start}\n{}\n{end}", heading(phase), body.join("\n"));
    if let Some((from, to)) = old_block(note, phase) {
        return format!("{}{block}{}", &note[..from], &note[to..]);
    }
    let kept = note.trim_end();
    if kept.is_empty() { format!("{block}\n") } else { format!("{kept}\n\n{block}\n") }
}

/// The byte range of a phase's block, its heading included; `None` without one.
fn old_block(note: &str, phase: Phase) -> Option<(usize, usize)> {
    let (start, end) = markers(phase);
    let from = note.find(&start)?;
    let to = from + note[from..].find(&end)? + end.len();
    let before = note[..from].trim_end();
    let headed = before.strip_suffix(heading(phase)).filter(|rest| rest.is_empty() || rest.ends_with('\n'));
    Some((headed.map_or(from, str::len), to))
}

/// Extracts the body of a phase's block, without heading and markers; `None` without a block. The tools' diary of dreams shows it.
pub fn block_of(note: &str, phase: Phase) -> Option<&str> {
    let (start, end) = markers(phase);
    let from = note.find(&start)? + start.len();
    Some(note[from..from + note[from..].find(&end)?].trim())
}

/// The beginning of every marker.
const MARKER: &str = "<!-- openclaw:dreaming:";

/// Strips the note of the generated text that phases have written. Blocks, their headings, and markers without a partner become empty
/// lines, so that line numbers stay. Without this, a sentence that the user has deleted would still be found in a block that quotes it.
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

/// Blanks candidates outside of a block. There are such, because earlier releases wrote no markers and a user may delete one.
fn without_candidates(lines: &mut [&str]) {
    let begins = |line: &str, names: &[&str]| names.iter().any(|name| without_marks(line).starts_with(name));
    for first in 0..lines.len() {
        let next = lines.get(first + 1).copied().unwrap_or_default();
        if !(begins(lines[first], &["Candidate:"]) && begins(next, &FIGURES)) {
            continue;
        }
        lines[first] = "";
        let figures = lines[first + 1..].iter().take_while(|line| begins(line, &FIGURES)).count();
        lines[first + 1..=first + figures].fill("");
    }
}

/// Beginnings of a candidate's further lines.
const FIGURES: [&str; 5] = ["confidence:", "evidence:", "recalls:", "status:", "cluster:"];

fn place(lines: &[&str], from: usize, marker: &str) -> Option<usize> {
    let found = lines.get(from..)?.iter().position(|line| line.contains(marker));
    found.map(|place| from + place)
}
