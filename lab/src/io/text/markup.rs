//! HTML and SVG as text: everything that comes from files is escaped on its way in (HTML escaping against cross-site scripting, XSS),
//! because a scenario's name could otherwise run a script in a report. Escaped text is for elements and quoted attributes, not for scripts
//! or URLs.

use super::is_obeyed;

/// Escapes a text as HTML, for the inside of an element or of an attribute in double quotes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML has no place for some of these, and SVG files are XML; others turn the page's own words around.
            other if is_obeyed(other) && other != '\n' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// Truncates a text to `letters_max` in all, with an ellipsis where letters are left out. It doesn't escape.
pub fn shortened(text: &str, letters_max: usize) -> String {
    if text.chars().count() <= letters_max {
        return text.to_owned();
    }
    text.chars().take(letters_max.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_escaped_is_markup() {
        assert_eq!(
            escape("<script>alert(\"a\" & 'b')</script>\u{1}\u{202e}"),
            "&lt;script&gt;alert(&quot;a&quot; &amp; &#39;b&#39;)&lt;/script&gt;\u{fffd}\u{fffd}"
        );
        assert_eq!((shortened("abcdef", 4), shortened("äöü", 3)), ("abc…".to_owned(), "äöü".to_owned()));
    }
}
