//! The page: one file that needs no other.

use super::guard::Token;

const BODY: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page, and the policy under which a browser runs its own script and no other.
pub(super) fn page() -> crate::Result<(String, String)> {
    let nonce = Token::draw()?;
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, \
         initial-scale=1\">\n<title>Morta</title>\n<style nonce=\"{nonce}\">{STYLE}</style>\n</head>\n<body>\n{BODY}\n<script \
         nonce=\"{nonce}\">{SCRIPT}</script>\n</body>\n</html>\n"
    );
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    Ok((page, policy))
}
