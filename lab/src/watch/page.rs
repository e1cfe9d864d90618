//! The pages: each one file that needs no other.

use crate::io::error::Result;
use crate::io::pointer::{POINTER, POINTER_STYLE};
use crate::io::web::Token;

const STYLE: &str = include_str!("page.css");
/// What both pages draw with.
const DRAWING: &str = include_str!("drawing.js");

/// Which page.
#[derive(Clone, Copy, Debug)]
pub(super) enum Page {
    /// A world, lived before one's eyes.
    World,
    /// A sweep, cell by cell.
    Sweep,
}

impl Page {
    /// The page, and the policy under which a browser runs its own script and no other.
    pub(super) fn written(self) -> Result<(String, String)> {
        let (body, script) = match self {
            Self::World => (include_str!("page.html"), include_str!("page.js")),
            Self::Sweep => (include_str!("sweep.html"), include_str!("sweep.js")),
        };
        let nonce = Token::draw()?;
        let page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, \
             initial-scale=1\">\n<title>Morta</title>\n<style nonce=\"{nonce}\">{STYLE}{POINTER_STYLE}</style>\n</head>\n<body>\n{body}\n<script \
             nonce=\"{nonce}\">{DRAWING}{script}{POINTER}</script>\n</body>\n</html>\n"
        );
        let policy = format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; base-uri 'none'; form-action \
             'none'; frame-ancestors 'none'"
        );
        Ok((page, policy))
    }
}
