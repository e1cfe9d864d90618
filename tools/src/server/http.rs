//! Toolboxes over MCP's streamable HTTP. Nothing is kept between two requests, so there are no sessions to bound, to steal or to forget: tools only
//! answer, and never ask their client anything.

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

/// The path of the only thing there is.
const PATH: &str = "/mcp";

// A thousand agents may come at once; each holds a socket and, while it is answered, a body.
const LIMITS: ServerLimits =
    ServerLimits { connections: 2_048, body_bytes: 1024 * 1024, blocking_threads: 4 };

type Answerer = StreamableHttpService<Served, NeverSessionManager>;

/// A toolbox that is served over HTTP.
pub struct HttpServer {
    server: Server,
    url: String,
    token: Option<String>,
}

impl HttpServer {
    /// Begins to serve. At another address than loopback everybody needs the token, as `Authorization: Bearer`.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the address can't be listened on; others when there is no thread.
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

    /// What clients connect to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What they must bring, if anything.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Stops listening.
    pub fn close(self) {
        self.server.stop();
    }
}

fn answerer(toolbox: Arc<dyn Toolbox>) -> Answerer {
    // Hosts and origins have been looked at by the guard of the server that this stands behind.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(LIMITS.body_bytes)
        .disable_allowed_hosts();
    let served = move || Ok(Served(Arc::clone(&toolbox)));
    StreamableHttpService::new(served, Arc::default(), config)
}

/// Hands a request over to the protocol, and its answer back: the two sides know HTTP by different versions of the same types.
async fn answer(asked: HttpRequest, body: Bytes, answerer: Data<Answerer>) -> HttpResponse {
    let mut body = body;
    if asked.method() == Method::POST {
        match Gate::open().judge(&body) {
            // A request that is wrong in itself has been understood; what is no request at all hasn't.
            Line::Answered(answer) if answer["id"].is_null() => {
                return HttpResponse::BadRequest().json(answer);
            }
            Line::Answered(answer) => return HttpResponse::Ok().json(answer),
            Line::Mended(message) => body = message.to_string().into(),
            Line::Passes | Line::Dropped => {}
        }
    }
    let mut request = http::Request::builder().method(asked.method().as_str()).uri(asked.uri().to_string());
    // The length may be another one by now, and the SDK goes by the body.
    let headers = asked.headers().iter().filter(|(name, _)| **name != CONTENT_LENGTH);
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
