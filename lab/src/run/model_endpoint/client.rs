//! One attempt at a call: an HTTP client of chat completions (POST, JSON, TLS, timeout) without any retry. An attempt may take
//! `llm.endpoint.timeout_seconds` (120 by default) in all, its connection ten seconds of that. The connection of a call can be shut down
//! from another thread, so that a stop needn't wait for a slow model.

use super::address::Address;
use super::api_key::ApiKey;
use super::backoff;
use super::fault::Fault;
use super::reply::{self, ReceivedReply};
use super::request;
use crate::io::error::Result;
use morta_engine::llm::outside::Call;
use morta_engine::llm::{EndpointConfig, SchemaForm};
use std::time::Duration;
use ureq::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use ureq::http::{HeaderName, Response};
use ureq::{Agent, Body};

/// Most that is read of a body, bytes: a reply of the shipped scenarios takes a few thousand.
const LARGEST_BODY: u64 = 1 << 20;
/// The longest wait for a connection; an attempt that takes longer is repeated.
const LONGEST_CONNECT: Duration = Duration::from_secs(10);

/// A client of one endpoint (HTTP client).
#[derive(Debug)]
pub(super) struct Client {
    agent: Agent,
    address: Address,
    key: ApiKey,
    schema: SchemaForm,
}

impl Client {
    /// A client; no connection is opened yet (HTTP client).
    pub(super) fn new(config: &EndpointConfig, key: ApiKey) -> Result<Self> {
        let timeout = Duration::from_secs_f64(config.timeout_seconds);
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(timeout))
            .timeout_connect(Some(timeout.min(LONGEST_CONNECT)))
            .max_idle_connections_per_host(config.concurrency as usize)
            .max_idle_connections(config.concurrency as usize)
            .user_agent(concat!("morta/", env!("CARGO_PKG_VERSION")))
            .build();
        let address = Address::parse(&config.base_url)?;
        Ok(Self { agent: agent.into(), address, key, schema: config.schema })
    }

    /// Where it asks (endpoint URL).
    pub(super) fn address(&self) -> &str {
        self.address.as_str()
    }

    /// Ends the attempts under way, and any later one at its beginning (aborts requests).
    pub(crate) fn shut_down(&self) {
        self.agent.clone().shutdown();
    }

    /// Sends the call once, without a retry: retries and their back-off are the caller's (single HTTP request). Neither the reply nor the
    /// reason of a failure holds the key, because both are written to files and logs; but a key of fewer than 12 bytes stays in replies.
    pub(super) fn attempt(&self, call: &Call) -> Result<ReceivedReply, Fault> {
        self.send(call).map(|received| self.without_key(received)).map_err(|fault| match fault {
            Fault::Passing { reason, wait } => {
                Fault::Passing { reason: self.key.out_of_error(&reason), wait }
            }
            Fault::Final(reason) => Fault::Final(self.key.out_of_error(&reason)),
        })
    }

    fn without_key(&self, mut received: ReceivedReply) -> ReceivedReply {
        received.reply.text = self.key.out_of_reply(received.reply.text);
        received.reply.model = self.key.out_of_reply(received.reply.model);
        received
    }

    fn send(&self, call: &Call) -> Result<ReceivedReply, Fault> {
        let mut request = self.agent.post(self.address()).header(CONTENT_TYPE, "application/json");
        request = request.header(ACCEPT, "application/json");
        if let Some(bearer) = self.key.bearer() {
            request = request.header(AUTHORIZATION, bearer);
        }
        let response = request.send(&request::body_of(call, self.schema)[..]);
        let mut response = response.map_err(|error| unsent(&error))?;
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(LARGEST_BODY).read_to_vec();
        if response.status().is_success() {
            let body = body.map_err(|error| Fault::passing(format!("its answer can't be read: {error}")))?;
            return reply::read(call, &body, text_of(&response, CONTENT_TYPE));
        }
        // Of a refusal whose words are cut off, the status is enough; the key is taken out before the words are shortened, or half of it could stay.
        let words = self.key.out_of_error(&String::from_utf8_lossy(&body.unwrap_or_default()));
        let wait = backoff::retry_after(text_of(&response, RETRY_AFTER), jiff::Timestamp::now());
        Err(Fault::of_status(status, &words, wait))
    }
}

fn text_of(response: &Response<Body>, name: HeaderName) -> &str {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The fault of a request without a response. A mistake in the request itself is final: repeating it would fail the same way.
fn unsent(error: &ureq::Error) -> Fault {
    match error {
        ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::InvalidProxyUrl => {
            Fault::Final(format!(
                "it can't be asked ({error}): check llm.endpoint.base_url and the proxy in the environment"
            ))
        }
        _ => Fault::passing(format!("it can't be reached: {error}")),
    }
}
