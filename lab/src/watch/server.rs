//! What is answered to which request.

use super::audience::{self, Exhibit};
use super::guard::{Guard, Token};
use super::page::Page;
use crate::error::Context as _;
use actix_web::body::MessageBody;
use actix_web::dev::{ServerHandle, ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::{DefaultHeaders, Next, from_fn};
use actix_web::web::{Bytes, Data, JsonConfig, ServiceConfig};
use actix_web::{App, HttpResponse, HttpServer, rt, web};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

/// Connections at a time: each viewer has one open, and one to ask with.
const CONNECTIONS_MAX: usize = 2 * audience::VIEWERS_MAX;

/// Longest that a request may take to arrive.
const REQUEST_SECONDS_MAX: Duration = Duration::from_secs(5);

/// Bytes of a request's body.
const BODY_BYTES_MAX: usize = 4096;

/// After so long without news a viewer is sent a comment, by which one that has gone is noticed.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// A server on a thread of its own.
pub(super) struct Server {
    handle: ServerHandle,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    /// Shows something on a page, with what it answers besides.
    pub(super) fn start(
        exhibit: Arc<dyn Exhibit>,
        page: Page,
        routes: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
        (listener, address): (TcpListener, SocketAddr),
        token: Option<Token>,
    ) -> crate::Result<Self> {
        let (said, hear) = mpsc::channel();
        let shown = Arc::clone(&exhibit);
        let show = move || audience::show(shown.as_ref());
        let show = std::thread::Builder::new().name("viewers".to_owned()).spawn(show);
        let show = show.context("a thread could not be started")?;
        let guard = Guard::new(address, token);
        let serve = move || {
            rt::System::new().block_on(async move {
                let server = HttpServer::new(move || app!(exhibit, page, routes, guard));
                let server = server
                    .workers(1)
                    .max_connections(CONNECTIONS_MAX)
                    .client_request_timeout(REQUEST_SECONDS_MAX)
                    .shutdown_timeout(1)
                    .disable_signals()
                    .listen(listener);
                match server {
                    Err(error) => drop(said.send(Err(error))),
                    Ok(server) => {
                        let running = server.run();
                        let _ = said.send(Ok(running.handle()));
                        if let Err(error) = running.await {
                            tracing::warn!(%error, "the server of the live view has failed");
                        }
                    }
                }
            });
        };
        let serve = std::thread::Builder::new().name("live view".to_owned()).spawn(serve);
        let serve = serve.context("a thread could not be started")?;
        let handle = hear.recv().unwrap_or_else(|_| Err(std::io::Error::other("its thread is gone")));
        let handle = handle.context("the server of the live view could not be started")?;
        Ok(Self { handle, threads: vec![serve, show] })
    }

    /// Lets everybody go.
    pub(super) fn stop(self) {
        // The command is sent as this is called; the answer comes when its thread has ended, which is waited for here.
        drop(self.handle.stop(false));
        for thread in self.threads {
            if thread.join().is_err() {
                tracing::warn!("a thread of the live view has failed");
            }
        }
    }
}

/// The routes; a macro, because the type of an application can't be named.
macro_rules! app {
    ($exhibit:expr, $page:expr, $routes:expr, $guard:expr) => {{
        let guard = $guard.clone();
        let admit = move |request: ServiceRequest, next: Next<_>| {
            let guard = guard.clone();
            async move { admit(guard, request, next).await }
        };
        App::new()
            .app_data(Data::from(Arc::clone(&$exhibit)))
            .app_data(Data::new($page))
            .app_data(JsonConfig::default().limit(BODY_BYTES_MAX))
            .wrap(from_fn(admit))
            .wrap(
                DefaultHeaders::new()
                    .add((header::CACHE_CONTROL, "no-store"))
                    .add((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
                    .add((header::REFERRER_POLICY, "no-referrer"))
                    .add((header::X_FRAME_OPTIONS, "DENY")),
            )
            .route("/", web::get().to(show_page))
            .route("/events", web::get().to(events))
            .configure($routes.clone())
    }};
}
use app;

async fn admit(
    guard: Guard,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    if let Err((status, why)) = guard.check(request.headers(), request.query_string()) {
        let refusal = HttpResponse::build(status).body(why);
        return Ok(request.into_response(refusal).map_into_right_body());
    }
    Ok(next.call(request).await?.map_into_left_body())
}

async fn show_page(page: Data<Page>) -> HttpResponse {
    match page.written() {
        Ok((page, policy)) => HttpResponse::Ok()
            .insert_header((header::CONTENT_SECURITY_POLICY, policy))
            .content_type("text/html; charset=utf-8")
            .body(page),
        Err(error) => HttpResponse::InternalServerError().body(error.to_string()),
    }
}

async fn events(exhibit: Data<dyn Exhibit>) -> HttpResponse {
    let Some((viewer, mut states)) = audience::enter(&exhibit.into_inner()) else {
        return HttpResponse::ServiceUnavailable().body("there are too many viewers");
    };
    states.mark_changed();
    // A state is taken when the connection can take it: whoever is slow gets fewer, and never an old one.
    let stream = futures_util::stream::unfold((states, viewer), |(mut states, viewer)| async {
        let bytes = match rt::time::timeout(HEARTBEAT, states.changed()).await {
            Ok(Ok(())) => states.borrow_and_update().clone(),
            Ok(Err(_)) => return None,
            Err(_) => Bytes::from_static(b": nothing new\n\n"),
        };
        Some((Ok::<_, actix_web::Error>(bytes), (states, viewer)))
    });
    HttpResponse::Ok().content_type("text/event-stream").streaming(stream)
}
