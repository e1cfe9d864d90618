//! Splits a note into sentences, and formats a text as one item of a list. It is sentence segmentation by punctuation; lengths are
//! characters. A text is cut at a sentence's end where it can be, because half a sentence may mislead. Live notes and long-term memory
//! are compared by these sentences; candidates, themes and promoted facts are written as such items.

/// The most characters of a text that is written into a note or long-term memory. Our choice, about 200 tokens, because an agent reads long-term
/// memory whole, and the beginning of a long paragraph names its subject.
pub const MOST_LETTERS: usize = 800;

/// Splits a text into sentences (segmentation), as parts of it: each ends with its full stop, question mark or semicolon.
pub fn sentences(text: &str) -> Vec<&str> {
    let (mut sentences, mut from) = (Vec::new(), 0);
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        // A dot inside of a number or name isn't an end, so a blank must follow.
        let ends = match letter {
            '。' | '！' | '？' | '；' | '｡' => true,
            '.' | '!' | '?' | ';' | '…' => next.is_none_or(char::is_whitespace),
            '\n' => true,
            _ => false,
        };
        if ends {
            let to = at + letter.len_utf8();
            sentences.push(text[from..to].trim());
            from = to;
        }
    }
    sentences.push(text[from..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// Strips a line of the Markdown marks of a list, quotation or heading at its beginning.
pub fn without_marks(line: &str) -> &str {
    let mut rest = line.trim();
    loop {
        let marks = ['-', '*', '+', '•', '–', '—', '·', '>'];
        let mark = rest
            .strip_prefix(marks)
            .or_else(|| Some(rest.trim_start_matches('#')).filter(|bare| *bare != rest));
        match mark {
            // A blank must follow, because emphasis (`**so**`) and negative numbers begin with such a character too.
            Some(bare) if bare.is_empty() || bare.starts_with(char::is_whitespace) => {
                rest = bare.trim_start()
            }
            _ => return rest,
        }
    }
}

/// Strips a snippet of the diff header (hunk header) that some search engines put before it: `@@ -29,4 @@ (28 before, 177 after)`.
pub fn without_head(snippet: &str) -> &str {
    let Some((lines, rest)) = snippet.strip_prefix("@@ ").and_then(|rest| rest.split_once(" @@")) else {
        return snippet;
    };
    let is_lines = |letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '+' | ',' | ' ');
    if !lines.chars().all(is_lines) {
        return snippet;
    }
    let around = rest.trim_start().strip_prefix('(').and_then(|around| around.split_once(')'));
    match around {
        Some((around, rest)) if around.contains("before") && around.contains("after") => rest.trim_start(),
        _ => rest.trim_start(),
    }
}

/// Whether a line is a Markdown heading.
pub fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    let bare = line.trim_start_matches('#');
    bare.len() < line.len() && (bare.is_empty() || bare.starts_with(char::is_whitespace))
}

/// Whether a line is an item of a list (bullet point).
pub fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    line.strip_prefix(['-', '*', '+', '•']).is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// Makes a text an item of a Markdown list: without marks at its beginning, because the caller puts one there, and cut to [`MOST_LETTERS`].
/// The cut is at the end of a sentence, or after a word with an ellipsis.
pub fn as_item(text: &str) -> String {
    let text = without_marks(without_head(text.trim_start_matches('\u{feff}')));
    let Some((most, _)) = text.char_indices().nth(MOST_LETTERS) else { return text.to_owned() };
    let head = &text[..most];
    // The last sentence is incomplete, so it is left out.
    let last = sentences(head).last().map_or(0, |last| last.len());
    let whole = head.trim_end().len() - last;
    // Not if less than half would be left: a short first sentence would stand for a long paragraph.
    if whole >= most / 2 {
        return head[..whole].trim_end().to_owned();
    }
    let words = head.rfind(char::is_whitespace).filter(|at| *at >= most / 2).unwrap_or(most);
    format!("{}…", head[..words].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_punctuation_before_a_blank() {
        for (text, expected) in [
            ("VLAN ten is for guests", &["VLAN ten is for guests"][..]),
            ("It is 3.5 GB. Done? Yes; now", &["It is 3.5 GB.", "Done?", "Yes;", "now"]),
            ("路由器备份。下午开会！好", &["路由器备份。", "下午开会！", "好"]),
            ("see host.example:80", &["see host.example:80"]),
            (" . ", &["."]),
        ] {
            assert_eq!(sentences(text), expected);
        }
    }

    #[test]
    fn items_lose_their_marks_and_are_cut_at_the_limit() {
        for (text, expected) in [
            ("- Printer", "Printer"),
            ("* - Printer", "Printer"),
            ("• Printer", "Printer"),
            ("> ## Printer", "Printer"),
            ("\u{feff}# Fri", "Fri"),
            ("**Printer** is new", "**Printer** is new"),
            ("-5 degrees", "-5 degrees"),
            ("#vlan", "#vlan"),
            ("-", ""),
            ("@@ -29,4 @@ (28 before, 177 after) - Printer", "Printer"),
            ("@@ -1,2 +1,2 @@ Printer", "Printer"),
            ("@@ what @@ Printer", "@@ what @@ Printer"),
        ] {
            assert_eq!(as_item(text), expected, "{text}");
        }
        let long = "A sentence of some words. ".repeat(100);
        let cut = as_item(&long);
        assert!(cut.chars().count() <= MOST_LETTERS && cut.ends_with("words."), "{cut}");
        let endless = as_item(&"word ".repeat(1000));
        assert!(endless.chars().count() <= MOST_LETTERS + 1 && endless.ends_with("word…"), "{endless}");
        assert_eq!(as_item(&"路".repeat(2000)).chars().count(), MOST_LETTERS + 1);
    }
}
