//! Toolboxes over MCP's streamable HTTP, at the path `/mcp` (`--http`). The server is stateless: tools only answer and never ask their
//! client, so there are no sessions that would have to be bounded, guarded and expired.
//!
//! Host and origin are checked against DNS rebinding by `morta_lab::web`, and off loopback every request needs a bearer token. Messages
//! pass the same gate as on standard input. At most 2,048 connections and bodies of 1 MiB are allowed.

use super::lines::{Gate, Line};
use super::{Served, Toolbox};
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Bytes, Data, ServiceConfig, route};
use actix_web::{HttpRequest, HttpResponse};
use http_body_util::{BodyExt as _, Full};
use morta_lab::error::{Error, Result};
use morta_lab::web::{ListenPlace, Server, ServerLimits};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::net::SocketAddr;
use std::sync::Arc;

/// The path of the only endpoint.
const PATH: &str = "/mcp";

// Room for a thousand agents at once. Each holds a socket and, during a request, a body.
const LIMITS: ServerLimits =
    ServerLimits { connections: 2_048, body_bytes: 1024 * 1024, blocking_threads: 4 };

type Answerer = StreamableHttpService<Served, NeverSessionManager>;

/// A server that offers a toolbox over MCP's streamable HTTP.
pub struct HttpServer {
    server: Server,
    url: String,
    token: Option<String>,
}

impl HttpServer {
    /// Starts an HTTP server. At an address other than loopback every client needs the token, as `Authorization: Bearer`, because the
    /// network can reach it.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the address can't be bound; others when no thread can be started.
    pub fn open(toolbox: impl Toolbox, address: SocketAddr) -> Result<Self> {
        let place = ListenPlace::listen(address).map_err(|error| {
            Error::invalid(format!("--http {address}: can't be listened on: {error}: choose another port"))
        })?;
        let url = format!("http://{}{PATH}", place.address());
        let token = place.token().map(ToString::to_string);
        let answerer = answerer(Arc::new(toolbox));
        let routes = move |app: &mut ServiceConfig| {
            app.app_data(Data::new(answerer.clone())).route(PATH, route().to(answer));
        };
        Ok(Self { server: place.serve(LIMITS, routes)?, url, token })
    }

    /// The URL by which clients reach the server.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The bearer token that clients need; none on loopback.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Stops the server (graceful shutdown); `serve` calls it at Ctrl-C.
    pub fn close(self) {
        self.server.stop();
    }
}

fn answerer(toolbox: Arc<dyn Toolbox>) -> Answerer {
    // The guard of the outer server has checked host and origin.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        // One JSON answer and no stream, because a tool answers once. A client that requests progress gets a stream.
        .with_json_response(true)
        .with_max_request_body_bytes(LIMITS.body_bytes)
        .disable_allowed_hosts();
    let served = move || Ok(Served(Arc::clone(&toolbox)));
    StreamableHttpService::new(served, Arc::default(), config)
}

/// Passes a request to the SDK and its answer back. The two libraries use different versions of the same HTTP types, so both are converted.
async fn answer(received: HttpRequest, body: Bytes, answerer: Data<Answerer>) -> HttpResponse {
    let mut body = body;
    if received.method() == Method::POST {
        match Gate::open().judge(&body) {
            // An error with an id is an answer in the protocol (200). Without an id it wasn't even a request (400).
            Line::Answered(answer) if answer["id"].is_null() => {
                return HttpResponse::BadRequest().json(answer);
            }
            Line::Answered(answer) => return HttpResponse::Ok().json(answer),
            Line::Mended(message) => body = message.to_string().into(),
            Line::Passes | Line::Dropped => {}
        }
    }
    let mut request =
        http::Request::builder().method(received.method().as_str()).uri(received.uri().to_string());
    // The length is left out, because the corrected body may be longer; the SDK reads the body itself.
    let headers = received.headers().iter().filter(|(name, _)| **name != CONTENT_LENGTH);
    for (name, value) in headers {
        request = request.header(name.as_str(), value.as_bytes());
    }
    let request = match request.body(Full::new(body)) {
        Ok(request) => request,
        Err(error) => return HttpResponse::BadRequest().body(error.to_string()),
    };
    let (head, body) = answerer.handle(request).await.into_parts();
    let status = StatusCode::from_u16(head.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = HttpResponse::build(status);
    for (name, value) in &head.headers {
        answer.append_header((name.as_str(), value.as_bytes()));
    }
    answer.streaming(body.into_data_stream())
}
