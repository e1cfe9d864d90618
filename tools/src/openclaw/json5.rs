//! JSON5, in which OpenClaw's users write their configuration, read with the place of every value, so that one can be changed and all else stay.

use jsonc_parser::ast;
use jsonc_parser::errors::ParseError;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

/// The byte-order mark of editors of Windows: no white space by Unicode, so the parser doesn't pass it.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// A text of JSON5, read.
pub struct Document<'a> {
    /// Its value, with the place of each value in it; none of a text without one.
    pub root: Option<ast::Value<'a>>,
    tokens: Vec<TokenAndRange<'a>>,
}

impl Document<'_> {
    /// The value by itself; of a key that occurs twice the last one counts.
    pub fn value(&self) -> Value {
        self.root.clone().map_or(Value::Null, Value::from)
    }

    /// Whether a comma follows a value that ends at a byte.
    pub fn has_comma_after(&self, end: usize) -> bool {
        let next = self.tokens.iter().find(|token| token.range.start >= end);
        next.is_some_and(|next| next.token == Token::Comma)
    }
}

/// Reads a text of JSON5 that begins with no [`BYTE_ORDER_MARK`].
///
/// # Errors
/// When it isn't JSON5, or has NaN or infinity, which have no value in the JSON that settings are read as.
pub fn parse(text: &str) -> Result<Document<'_>, ParseError> {
    // By default the parser lets commas be missing, too.
    let options =
        ParseOptions { allow_missing_commas: false, allow_non_finite_numbers: false, ..Default::default() };
    let read = parse_to_ast(text, &CollectOptions { tokens: true, ..Default::default() }, &options)?;
    Ok(Document { root: read.value, tokens: read.tokens.unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in any::<String>(), marks in "[\\[\\]{}:,'\"/*\\\\ \n0-9a-fxu+.-]{0,60}") {
            for text in [text, marks] {
                if let Err(error) = parse(&text).map(|read| read.value()) {
                    prop_assert!(error.range().start <= text.len(), "{}", text);
                }
            }
        }
    }

    #[test]
    fn what_users_write_is_read() {
        let text = "// mine\n{ a: 'it\\'s', \"b\": [1, .5, +2, 0x10,], /* c */ c_$: { d: null, }, e: '\\ud83d\\ude00' }\n";
        let read = parse(text).unwrap().value();
        assert_eq!(read, json!({ "a": "it's", "b": [1, 0.5, 2, 16], "c_$": { "d": null }, "e": "😀" }));
    }

    #[test]
    fn what_isnt_json5_is_refused_on_its_line() {
        for (text, line) in [
            ("{a 1}", 1),
            ("{a: 1\n b: 2}", 1),
            ("[1,\n2\n3]", 2),
            ("/* x", 1),
            ("{}\n{}", 2),
            ("{a: NaN}", 1),
            ("'\\ud83d'", 1),
        ] {
            assert_eq!(parse(text).map(|read| read.value()).unwrap_err().line_display(), line, "{text}");
        }
        assert!(parse("").unwrap().root.is_none());
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
