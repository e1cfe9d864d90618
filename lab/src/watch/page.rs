//! The pages: each is one HTML file that needs no other (inline CSS, JavaScript and SVG), so that it works without a network. The server
//! fills in the state of the moment, so a browser without script shows it too and reloads it every five seconds. A content security policy
//! with a nonce lets a browser run the page's own scripts and no other.

use crate::io::error::Result;
use crate::io::pointer::{POINTER, POINTER_STYLE};
use crate::io::web::Token;
use serde_json::Value;

const STYLE: &str = include_str!("page.css");
/// What both pages draw with.
const DRAWING: &str = include_str!("drawing.js");

/// Which page (HTML template).
#[derive(Clone, Copy, Debug)]
pub(super) enum Page {
    /// A world, lived before one's eyes.
    World,
    /// A sweep, cell by cell.
    Sweep,
}

impl Page {
    /// Renders the page with the parts of a state, and the policy under which a browser runs its own scripts and no other (CSP header).
    pub(super) fn written(self, parts: &Value) -> Result<(String, String)> {
        let (body, script) = match self {
            Self::World => (include_str!("page.html"), include_str!("page.js")),
            Self::Sweep => (include_str!("sweep.html"), include_str!("sweep.js")),
        };
        let (body, nonce) = (filled(body, parts), Token::draw()?);
        // The script of the reports comes first, as it is: the page's own calls it.
        let page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, \
             initial-scale=1\">\n<title>Morta</title>\n<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>\n<style \
             nonce=\"{nonce}\">{STYLE}{POINTER_STYLE}</style>\n</head>\n<body>\n{body}\n<script nonce=\"{nonce}\">{POINTER}</script>\n<script \
             nonce=\"{nonce}\">{DRAWING}{script}</script>\n</body>\n</html>\n"
        );
        let policy = format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; base-uri 'none'; form-action \
             'none'; frame-ancestors 'none'"
        );
        Ok((page, policy))
    }
}

/// Puts parts into the elements that show them, in place of their text: a page without script shows the state of when it was loaded.
fn filled(body: &str, parts: &Value) -> String {
    let mut body = body.to_owned();
    for (id, markup) in parts.as_object().into_iter().flatten() {
        let named = body.find(&format!(" id=\"{id}\""));
        let Some(from) = named.and_then(|at| Some(at + body[at..].find('>')? + 1)) else { continue };
        let to = body[from..].find('<').map_or(from, |length| from + length);
        body.replace_range(from..to, markup.as_str().unwrap_or_default());
    }
    body
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]
mod tests {
    use super::*;
    use serde_json::json;

    /// Bytes that a page's own script may have; the script of the reports, unchanged, is beside it.
    const SCRIPT_MAX: usize = 12 * 1024;

    #[test]
    fn scripts_are_small_and_parts_are_in_their_places() {
        for page in [Page::World, Page::Sweep] {
            let (written, _) = page.written(&json!({ "name": "a &lt; b", "unknown": "x" })).unwrap();
            assert!(written.contains("<h1 id=\"name\">a &lt; b</h1>"), "{page:?}");
            let scripts: Vec<&str> = written.split("<script nonce=\"").skip(1).collect();
            let scripts = scripts.iter().map(|rest| rest.split_once("\">").unwrap().1);
            let scripts: Vec<&str> = scripts.map(|rest| rest.split("</script>").next().unwrap()).collect();
            assert_eq!((scripts.len(), scripts[0]), (2, POINTER), "{page:?}");
            for script in scripts {
                assert!(script.len() < SCRIPT_MAX, "{page:?} has a script of {} bytes", script.len());
            }
        }
    }
}
