//! Routes of the server (HTTP routing), and the stream of states as server-sent events (SSE, `text/event-stream`). Events go
//! one way, so that SSE is enough and no WebSocket is needed.

use super::audience::{self, Exhibit, Views};
use super::page::Page;
use crate::io::error::{Context as _, Result};
use crate::io::web::{self, ListenPlace, ServerLimits};
use actix_web::http::header;
use actix_web::web::{Bytes, Data, ServiceConfig, get};
use actix_web::{HttpResponse, rt};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;

/// Two connections for each viewer: the stream of states stays open, so requests need another.
const LIMITS: ServerLimits =
    ServerLimits { connections: 2 * audience::VIEWERS_MAX, body_bytes: 4096, blocking_threads: 8 };

/// After so long without news a viewer is sent a comment, by which one that has gone is noticed.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// A server on a thread of its own, and the thread that sends viewers new states.
pub(super) struct Server {
    server: web::Server,
    show: JoinHandle<()>,
}

impl Server {
    /// Shows something on a page, with what it answers besides.
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
                .configure(routes.clone());
        };
        let server = place.serve(LIMITS, configure).context("the live view could not be started")?;
        let show = move || audience::show(shown.as_ref());
        let show = std::thread::Builder::new().name("viewers".to_owned()).spawn(show);
        Ok(Self { server, show: show.context("a thread could not be started")? })
    }

    /// Lets everybody go.
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

async fn events(exhibit: Data<dyn Exhibit>) -> HttpResponse {
    let Some((viewer, Views { mut states, named })) = audience::enter(&exhibit.into_inner()) else {
        return HttpResponse::ServiceUnavailable().body("there are too many viewers");
    };
    states.mark_changed();
    // A state is taken when the connection can take it: a slow viewer gets fewer states, and never an old one.
    let stream = futures_util::stream::unfold((states, viewer), |(mut states, viewer)| async {
        let bytes = match rt::time::timeout(HEARTBEAT, states.changed()).await {
            Ok(Ok(())) => states.borrow_and_update().clone(),
            Ok(Err(_)) => return None,
            Err(_) => Bytes::from_static(b": nothing new\n\n"),
        };
        Some((Ok::<_, actix_web::Error>(bytes), (states, viewer)))
    });
    // States have no name, for the page; named events are for other programs, as the dream architecture has it ("SSE events").
    let named = futures_util::stream::unfold(named, |mut named| async {
        let bytes = match named.recv().await {
            Ok(bytes) => bytes,
            Err(RecvError::Lagged(left_out)) => Bytes::from(format!(": {left_out} events left out\n\n")),
            Err(RecvError::Closed) => return None,
        };
        Some((Ok(bytes), named))
    });
    let stream = futures_util::stream::select(Box::pin(stream), Box::pin(named));
    HttpResponse::Ok().content_type("text/event-stream").streaming(stream)
}
