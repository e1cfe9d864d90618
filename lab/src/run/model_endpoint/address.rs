//! The address of an endpoint (`llm.endpoint.base_url`, base URL), parsed and validated: it needs a scheme and a host, and may have no
//! credentials and no query string. Calls go to `/chat/completions` below it. Credentials in it are refused, because addresses are written
//! into errors and logs.

use crate::io::error::{Error, Result};

/// Where chat completions are asked of (endpoint URL).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address(String);

impl Address {
    /// Parses an address up to and with the version (base URL parsing).
    pub(super) fn parse(base_url: &str) -> Result<Self> {
        let wrong = |problem: &str, remedy: &str| {
            Err(Error::invalid(format!("llm.endpoint.base_url: {problem}: {remedy}")))
        };
        let base = base_url.trim().trim_end_matches('/');
        let Some((scheme, rest)) = base.split_once("://") else {
            return wrong("it has no scheme", "begin with http:// or https://");
        };
        if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
            return wrong(&format!("a model isn't asked by `{scheme}://`"), "begin with http:// or https://");
        }
        let host = rest.split('/').next().unwrap_or_default();
        // An address is written into errors and logs; a key in it would be too.
        if host.contains('@') || base.contains(['?', '#']) {
            return wrong(
                "it holds a name and a password, or a query",
                "name the key's environment variable in api_key_env",
            );
        }
        if host.is_empty() || base.parse::<ureq::http::Uri>().is_err() {
            return wrong(&format!("`{base}` is no address"), "write one such as http://127.0.0.1:8080/v1");
        }
        Ok(Self(format!("{base}/chat/completions")))
    }

    /// The request URL, as it is called and as errors name it.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_asked_over_http_alone() {
        for address in ["http://127.0.0.1:8080/v1", "HTTPS://models.example/v1/"] {
            assert!(Address::parse(address).is_ok(), "{address}");
        }
        for address in
            ["ftp://127.0.0.1/v1", "file:///etc/passwd", "127.0.0.1:8080", "http://", "http://key@host/v1"]
        {
            let wrong = Address::parse(address).expect_err(address).to_string();
            assert!(wrong.contains("llm.endpoint.base_url"), "{wrong}");
        }
    }
}
