//! Text that others wrote, safe to print.

use std::borrow::Cow;

/// Characters that change what surrounds them: controls, which terminals obey, and marks that turn the direction of writing around.
fn is_obeyed(character: char) -> bool {
    let turns_direction =
        matches!(character, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    (character.is_control() && character != '\t') || turns_direction
}

/// The text with a replacement character for everything that a terminal would obey instead of showing it.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.contains(is_obeyed) { text.replace(is_obeyed, "\u{FFFD}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_obeyed() {
        assert_eq!(printable("a\u{1b}[31mb\u{202E}c\td"), "a\u{FFFD}[31mb\u{FFFD}c\td");
        assert!(matches!(printable("plain, and Ω"), Cow::Borrowed(_)));
    }
}
