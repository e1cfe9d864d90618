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
        assert!(with_block("", Phase::Rem, &body("x")).starts_with("## REM Sleep\n"));
    }
}
