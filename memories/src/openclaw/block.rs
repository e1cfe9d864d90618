//! Blocks that phases write into a daily note: between a start and an end marker, one of a kind (digest section 7).

use super::schedule::Phase;

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
    kept.join("\n")
}

fn place(lines: &[&str], from: usize, marker: &str) -> Option<usize> {
    let found = lines.get(from..)?.iter().position(|line| line.contains(marker));
    found.map(|place| from + place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_leaves_one_block() {
        let body = |text: &str| vec![format!("- {text}")];
        let first = with_block("# Sunday\n\nNothing new\n\n", Phase::Light, &body("one"));
        let expected = "# Sunday\n\nNothing new\n\n## Light Sleep\n<!-- openclaw:dreaming:light:start -->\n- one\n\
            <!-- openclaw:dreaming:light:end -->\n";
        assert_eq!(first, expected);
        let both = with_block(&first, Phase::Rem, &body("theme"));
        let later = format!("{both}\nWritten later\n");
        let fourth = with_block(&later, Phase::Light, &body("four"));
        assert_eq!(fourth, later.replace("- one", "- four"));
        assert_eq!(fourth.matches("## Light Sleep").count(), 1);
        assert_eq!(
            (block_of(&fourth, Phase::Light), block_of(&fourth, Phase::Rem)),
            (Some("- four"), Some("- theme"))
        );
        assert_eq!(block_of("# Sunday\n", Phase::Light), None);
        assert!(with_block("", Phase::Rem, &body("x")).starts_with("## REM Sleep\n"));
    }
    #[test]
    fn blocks_are_blanked_and_every_other_line_stays_where_it_is() {
        let body = |text: &str| vec![format!("- Candidate: {text}")];
        let own = "# Sunday\n\nNothing new\n";
        let written = with_block(&with_block(own, Phase::Light, &body("gone")), Phase::Rem, &body("theme"));
        let written = format!("{written}\nWritten later\n");
        let bare = without_blocks(&written);
        assert_eq!(bare.lines().count(), written.lines().count());
        let filled: Vec<_> = bare.lines().enumerate().filter(|(_, line)| !line.is_empty()).collect();
        let later = written.lines().position(|line| line == "Written later").unwrap();
        assert_eq!(filled, [(0, "# Sunday"), (2, "Nothing new"), (later, "Written later")]);
        assert_eq!(without_blocks(own), own);
        let torn = "a\n<!-- openclaw:dreaming:light:start -->\nb\n<!-- openclaw:dreaming:rem:end --> c\nd";
        assert_eq!(without_blocks(torn), "a\n\nb\n\nd", "what can't be told from a user's own words stays");
    }
}
