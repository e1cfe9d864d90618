//! Text of other authors, safe to print: control characters could move a terminal's cursor, and megabytes would push everything else away.
//! The threats are terminal escape injection and Trojan Source (bidirectional override characters): a log or a CSV file of a stranger must
//! not write to the terminal of its reader. The console passes every line that it prints, errors included, through `escaped`; only its own
//! texts (completion scripts, manual pages) go unescaped into a pipe. Files keep the text as it was.

use std::borrow::Cow;
use std::fmt::Display;

/// Characters that change what surrounds them: controls, which terminals obey, and marks that turn the direction of writing around
/// (bidirectional override). HTML escaping (`markup::escape`) replaces them by this rule too, ends of lines aside.
pub fn is_obeyed(character: char) -> bool {
    let turns_direction = matches!(
        character,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    (character.is_control() && character != '\t') || turns_direction
}

/// Sanitises a text for a terminal: every control character is replaced. A terminal would obey it: move its cursor, hide text, change its
/// title.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.contains(is_obeyed) { text.replace(is_obeyed, "\u{FFFD}").into() } else { text.into() }
}

/// Escapes everything that a terminal would obey as JSON does, `\u202e`: JSON stays what it is, and nothing is lost.
pub fn escaped(lines: &str) -> Cow<'_, str> {
    let is_wanted = |character| is_obeyed(character) && character != '\n';
    if !lines.contains(is_wanted) {
        return lines.into();
    }
    let mut safe = String::with_capacity(lines.len() + 16);
    for character in lines.chars() {
        match character {
            // All of them have four digits.
            other if is_wanted(other) => safe.push_str(&format!("\\u{:04x}", u32::from(other))),
            other => safe.push(other),
        }
    }
    safe.into()
}

/// Most letters of a value that an error repeats.
const QUOTED_MAX: usize = 60;

/// Quotes a value, truncated where it is long: cells may have megabytes.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_MAX) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?} (and {} bytes more)", &text[..end], text.len() - end),
    }
}

/// Longest line that an error says, bytes: half a page, and most of any path and value.
const LINE_MAX: usize = 4_000;

/// A line, or how it begins and ends: a name in a user's file may have megabytes, and the remedy stands at the end of the line.
fn bounded(line: String) -> String {
    if line.len() <= LINE_MAX {
        return line;
    }
    let (begins, ends) =
        (line.floor_char_boundary(LINE_MAX / 2), line.ceil_char_boundary(line.len() - LINE_MAX / 4));
    format!("{} … ({} bytes) … {}", &line[..begins], ends - begins, &line[ends..])
}

/// Folds a text of several lines into one: every run of white space becomes a blank.
pub fn folded(text: impl Display) -> String {
    text.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Shortens an error message to a single bounded line, with each newline escaped: words of a file in it, which parsers repeat as they are,
/// may have ends of lines.
pub fn one_line(text: String) -> String {
    let text =
        if text.contains(['\n', '\r']) { text.replace('\n', "\\n").replace('\r', "\\r") } else { text };
    bounded(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_whatever_words_it_repeats() {
        assert_eq!(one_line("unknown variant `a\nb\r`".to_owned()), "unknown variant `a\\nb\\r`");
    }

    #[test]
    fn a_line_of_megabytes_is_cut_to_its_ends() {
        let line = format!("here: {}: do this", "ä".repeat(1_000_000));
        let message = bounded(line);
        assert!(
            message.len() < LINE_MAX && message.starts_with("here: ä") && message.ends_with("ä: do this"),
            "{message}"
        );
        assert_eq!(bounded("short".to_owned()), "short");
    }

    #[test]
    fn nothing_is_obeyed() {
        assert_eq!(printable("a\u{1b}[31mb\u{202E}c\td"), "a\u{FFFD}[31mb\u{FFFD}c\td");
        assert!(matches!(printable("plain, and Ω"), Cow::Borrowed(_)));
        assert_eq!(escaped("a\u{1b}[31m\nb\u{202E}c\u{9b}"), "a\\u001b[31m\nb\\u202ec\\u009b");
        let json = serde_json::to_string("a\u{202E}b\u{7f}").unwrap();
        assert_eq!(serde_json::from_str::<String>(&escaped(&json)).unwrap(), "a\u{202E}b\u{7f}");
    }

    #[test]
    fn long_values_are_cut_to_their_beginning() {
        assert_eq!(quoted("a\u{202E}b"), "\"a\\u{202e}b\"");
        let long = quoted(&"ö".repeat(1_000_000));
        assert_eq!(long, format!("\"{}\" (and 1999880 bytes more)", "ö".repeat(60)));
    }
}
