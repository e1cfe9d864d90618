//! The guard of requests: the host must be the server's own (against DNS rebinding), an origin that the request names its own page (against
//! cross-site request forgery, CSRF), and the token right where one is needed, which is off loopback. A request is refused before its body
//! is read, with status 421, 403 or 401. The token is 128 random bits in hexadecimal, in the header (bearer token) or the query, and is
//! compared by hashes in constant time. Loopback alone is no protection, because any page in the same browser can send requests to it.

use actix_web::http::StatusCode;
use actix_web::http::header::{AUTHORIZATION, HOST, HeaderMap, ORIGIN};
use std::fmt;
use std::net::SocketAddr;

/// A random access token: a secret of 128 bits.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Draws a token from the operating system's random numbers.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn draw() -> std::io::Result<Self> {
        let mut bytes = [0; 16];
        let none = |error| std::io::Error::other(format!("there are no random numbers: {error}"));
        getrandom::fill(&mut bytes).map_err(none)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Compared by hashes, which takes as long however much of it is right.
    fn is(&self, said: &str) -> bool {
        blake3::hash(self.0.as_bytes()) == blake3::hash(said.as_bytes())
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What every request is held against.
#[derive(Clone)]
pub(super) struct Guard {
    address: SocketAddr,
    token: Option<Token>,
}

impl Guard {
    /// Makes a guard of the address that is listened on; without a token none is asked for.
    pub(super) fn new(address: SocketAddr, token: Option<Token>) -> Self {
        Self { address, token }
    }

    /// Authenticates a request: returns why it is refused, if it is, with the status of the answer.
    pub(super) fn check(&self, headers: &HeaderMap, query: &str) -> Result<(), (StatusCode, &'static str)> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        // A page whose name was made to mean this machine (DNS rebinding) still says its own name here.
        let host = text(HOST).unwrap_or_default();
        if !self.is_known(host) {
            return Err((StatusCode::MISDIRECTED_REQUEST, "this address isn't served here"));
        }
        if let Some(origin) = text(ORIGIN)
            && origin.strip_prefix("http://") != Some(host)
        {
            return Err((StatusCode::FORBIDDEN, "other pages may not ask here"));
        }
        let Some(token) = &self.token else { return Ok(()) };
        let in_query = query.split('&').find_map(|pair| pair.strip_prefix("token="));
        let said = text(AUTHORIZATION).and_then(|said| said.strip_prefix("Bearer ")).or(in_query);
        match said {
            Some(said) if token.is(said) => Ok(()),
            _ => Err((StatusCode::UNAUTHORIZED, "the token is missing or wrong")),
        }
    }

    fn is_known(&self, host: &str) -> bool {
        let port = self.address.port();
        if host == self.address.to_string() || host == format!("localhost:{port}") {
            return true;
        }
        // A server that listens on every address is reached by any of its numbers, and never by a name that another site chooses.
        self.address.ip().is_unspecified()
            && host.parse::<SocketAddr>().is_ok_and(|address| address.port() == port)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    fn header_map(pairs: &[(actix_web::http::header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    fn status(guard: &Guard, pairs: &[(actix_web::http::header::HeaderName, &str)], query: &str) -> u16 {
        guard.check(&header_map(pairs), query).map_or_else(|(status, _)| status.as_u16(), |()| 200)
    }

    #[test]
    fn hosts_and_origins() {
        let guard = Guard::new("127.0.0.1:8080".parse().unwrap(), None);
        assert_eq!(status(&guard, &[(HOST, "127.0.0.1:8080")], ""), 200);
        assert_eq!(status(&guard, &[(HOST, "localhost:8080")], ""), 200);
        for host in ["evil.example:8080", "127.0.0.1", "127.0.0.1:81", "", "0.0.0.0:8080"] {
            assert_eq!(status(&guard, &[(HOST, host)], ""), 421, "{host}");
        }
        assert_eq!(status(&guard, &[], ""), 421);
        let from = |origin| status(&guard, &[(HOST, "localhost:8080"), (ORIGIN, origin)], "");
        assert_eq!(from("http://localhost:8080"), 200);
        for origin in ["http://evil.example", "https://localhost:8080", "null", "http://localhost:8081"] {
            assert_eq!(from(origin), 403, "{origin}");
        }
    }

    #[test]
    fn tokens() {
        let token = Token::draw().unwrap();
        let guard = Guard::new("0.0.0.0:80".parse().unwrap(), Some(token.clone()));
        let host = (HOST, "10.0.0.7:80");
        assert_eq!(status(&guard, std::slice::from_ref(&host), ""), 401);
        assert_eq!(status(&guard, std::slice::from_ref(&host), "token=0"), 401);
        assert_eq!(status(&guard, std::slice::from_ref(&host), &format!("a=b&token={token}")), 200);
        assert_eq!(status(&guard, &[host, (AUTHORIZATION, &format!("Bearer {token}"))], ""), 200);
        assert_eq!(status(&guard, &[(HOST, "evil.example:80")], &format!("token={token}")), 421);
        assert!(token != Token::draw().unwrap(), "another each time");
    }
}
