//! Routes of the server (HTTP routing), and the stream of states as server-sent events (SSE, `text/event-stream`). Events go one way, so
//! that SSE is enough and no WebSocket is needed. `/` is the page, `/states` its stream, `/events` the same with named events for other
//! programs. A connection without news gets a comment every ten seconds.

use super::audience::{self, Exhibit, Viewer};
use super::page::Page;
use crate::io::error::{Context as _, Result};
use crate::io::web::{self, ListenPlace, ServerLimits};
use actix_web::http::header;
use actix_web::web::{Bytes, Data, ServiceConfig, get};
use actix_web::{HttpResponse, rt};
use futures_util::stream::{self, Stream, StreamExt as _};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

/// Two connections for each viewer: the stream of states stays open, so requests need another.
const LIMITS: ServerLimits =
    ServerLimits { connections: 2 * audience::VIEWERS_MAX, body_bytes: 4096, blocking_threads: 8 };

/// After so long without news a viewer is sent a comment, by which one that has gone is noticed.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// An HTTP server on a thread of its own, and the thread that sends viewers new states.
pub(super) struct Server {
    server: web::Server,
    show: JoinHandle<()>,
}

impl Server {
    /// Starts an HTTP server that shows something on a page, with the routes that it answers besides.
    pub(super) fn start(
        exhibit: Arc<dyn Exhibit>,
        page: Page,
        routes: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
        place: ListenPlace,
    ) -> Result<Self> {
        let shown = Arc::clone(&exhibit);
        let configure = move |app: &mut ServiceConfig| {
            app.app_data(Data::from(Arc::clone(&exhibit)))
                .app_data(Data::new(page))
                .route("/", get().to(show_page))
                .route("/events", get().to(events))
                .route("/states", get().to(states))
                .configure(routes.clone());
        };
        let server = place.serve(LIMITS, configure).context("the live view could not be started")?;
        let show = move || audience::show(shown.as_ref());
        let show = std::thread::Builder::new().name("viewers".to_owned()).spawn(show);
        Ok(Self { server, show: show.context("a thread could not be started")? })
    }

    /// Lets everybody go (server shutdown).
    pub(super) fn stop(self) {
        self.server.stop();
        if self.show.join().is_err() {
            tracing::warn!("a thread of the live view has failed");
        }
    }
}

async fn show_page(page: Data<Page>, exhibit: Data<dyn Exhibit>) -> HttpResponse {
    match page.written(&exhibit.description()["parts"]) {
        Ok((page, policy)) => HttpResponse::Ok()
            .insert_header((header::CONTENT_SECURITY_POLICY, policy))
            .content_type("text/html; charset=utf-8")
            .body(page),
        Err(error) => HttpResponse::InternalServerError().body(error.to_string()),
    }
}

/// Whole states without a name, as server-sent events: the stream of the page.
async fn states(exhibit: Data<dyn Exhibit>) -> HttpResponse {
    match audience::enter(&exhibit.into_inner()) {
        Some((viewer, states)) => as_events(each_state(viewer, states)),
        None => turned_away(),
    }
}

/// The same, and what happens, by name, between them: for other programs, as the dream architecture has it ("SSE events").
async fn events(exhibit: Data<dyn Exhibit>) -> HttpResponse {
    let named = exhibit.audience().named();
    let Some((viewer, states)) = audience::enter(&exhibit.into_inner()) else { return turned_away() };
    let named = stream::unfold(named, |mut named| async {
        let bytes = match named.recv().await {
            Ok(bytes) => bytes,
            Err(RecvError::Lagged(left_out)) => Bytes::from(format!(": {left_out} events left out\n\n")),
            Err(RecvError::Closed) => return None,
        };
        Some((bytes, named))
    });
    as_events(stream::select(Box::pin(each_state(viewer, states)), Box::pin(named)))
}

fn turned_away() -> HttpResponse {
    HttpResponse::ServiceUnavailable().body("there are too many viewers")
}

fn as_events(stream: impl Stream<Item = Bytes> + 'static) -> HttpResponse {
    HttpResponse::Ok().content_type("text/event-stream").streaming(stream.map(Ok::<_, actix_web::Error>))
}

/// States, the present one first. One is taken when the connection can take it: a slow viewer gets fewer states, and never an old one.
fn each_state(viewer: Viewer, mut states: watch::Receiver<Bytes>) -> impl Stream<Item = Bytes> {
    states.mark_changed();
    stream::unfold((states, viewer), |(mut states, viewer)| async {
        let bytes = match rt::time::timeout(HEARTBEAT, states.changed()).await {
            Ok(Ok(())) => states.borrow_and_update().clone(),
            Ok(Err(_)) => return None,
            Err(_) => Bytes::from_static(b": nothing new\n\n"),
        };
        Some((bytes, (states, viewer)))
    })
}
