//! JSON5, the format of OpenClaw's configuration, parsed with the position of every value, so that one value can be changed and all other
//! text kept. Positions are byte offsets (spans) into the text without its byte-order mark. It reads only: `dreaming` makes the edit,
//! every reading of a configuration goes through it, and the MCP server parses arguments by it that are nearly JSON.

use jsonc_parser::ast;
use jsonc_parser::errors::ParseError;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

/// The byte-order mark that Windows editors write. It isn't white space in Unicode, so the parser rejects it.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// A parsed text of JSON5 (JSON5 document with spans): its syntax tree (AST) and tokens.
pub(crate) struct Document<'a> {
    /// The root with the position of each value; none if the text has no value.
    pub root: Option<ast::Value<'a>>,
    tokens: Vec<TokenAndRange<'a>>,
}

impl Document<'_> {
    /// Converts to a plain JSON value. Of equal keys the last one counts.
    pub(crate) fn value(&self) -> Value {
        self.root.clone().map_or(Value::Null, Value::from)
    }

    /// Whether a comma follows the value that ends at byte `end` (trailing comma).
    pub(crate) fn has_comma_after(&self, end: usize) -> bool {
        let next = self.tokens.iter().find(|token| token.range.start >= end);
        next.is_some_and(|next| next.token == Token::Comma)
    }
}

/// Parses JSON5 without a leading [`BYTE_ORDER_MARK`] into a syntax tree (JSON5 parser).
///
/// # Errors
/// When the text isn't JSON5, or has NaN or infinity, which JSON settings can't hold.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, ParseError> {
    // The parser's default accepts missing commas as well, which aren't JSON5.
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
        fn parsing_any_text_never_panics(text in any::<String>(), marks in "[\\[\\]{}:,'\"/*\\\\ \n0-9a-fxu+.-]{0,60}") {
            for text in [text, marks] {
                if let Err(error) = parse(&text).map(|read| read.value()) {
                    prop_assert!(error.range().start <= text.len(), "{}", text);
                }
            }
        }
    }

    #[test]
    fn comments_trailing_commas_and_bare_keys_are_read() {
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
