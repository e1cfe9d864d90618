//! The HTTP server (actix-web): its thread, its limits (timeout, request body size, connections), and the security headers of every answer.
//! Times are seconds, sizes bytes. One worker thread answers; the head and the body of a request may each take five seconds. The caller
//! sets the other limits: the live view strict ones, because viewers must not be able to slow the run that they watch, the memory tools
//! 2,048 connections and bodies of 1 MiB.

use super::guard::Guard;
use crate::io::error::{Context as _, Result};
use actix_web::body::MessageBody;
use actix_web::dev::{ServerHandle, ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::{DefaultHeaders, Next, from_fn};
use actix_web::web::{Bytes, JsonConfig, PayloadConfig, ServiceConfig};
use actix_web::{App, HttpResponse, HttpServer, rt};
use std::net::TcpListener;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Longest that the head of a request may take to arrive, and longest for its body: without it, as many unfinished bodies as there are
/// connections would shut everybody out.
const REQUEST_SECONDS_MAX: Duration = Duration::from_secs(5);

/// The limits of a server: connections at once, the timeout of a request, and the size of a body.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// Connections at a time.
    pub connections: usize,
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Threads that may wait for files at a time.
    pub blocking_threads: usize,
}

/// A running HTTP server on a thread of its own, until it is stopped (server handle).
pub struct Server {
    handle: ServerHandle,
    thread: JoinHandle<()>,
}

impl Server {
    /// Starts a server on its thread, and returns once it runs or has failed to start (start-up).
    pub(super) fn start(
        listener: TcpListener,
        guard: Guard,
        limits: ServerLimits,
        configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
    ) -> Result<Self> {
        let (said, hear) = mpsc::channel();
        let serve = move || {
            rt::System::new().block_on(async move {
                let server = HttpServer::new(move || {
                    let guard = guard.clone();
                    App::new()
                        .app_data(JsonConfig::default().limit(limits.body_bytes))
                        .app_data(PayloadConfig::new(limits.body_bytes))
                        .wrap(from_fn(move |request, next| admit(guard.clone(), request, next)))
                        .wrap(
                            DefaultHeaders::new()
                                .add((header::CACHE_CONTROL, "no-store"))
                                .add((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
                                .add((header::REFERRER_POLICY, "no-referrer"))
                                .add((header::X_FRAME_OPTIONS, "DENY")),
                        )
                        .configure(configure.clone())
                });
                let server = server
                    .workers(1)
                    .worker_max_blocking_threads(limits.blocking_threads)
                    .max_connections(limits.connections)
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
                            tracing::warn!(%error, "the HTTP server has failed");
                        }
                    }
                }
            });
        };
        let thread = std::thread::Builder::new().name("web".to_owned()).spawn(serve);
        let thread = thread.context("a thread could not be started")?;
        let handle = hear.recv().unwrap_or_else(|_| Err(std::io::Error::other("its thread is gone")));
        Ok(Self { handle: handle.context("the HTTP server could not be started")?, thread })
    }

    /// Shuts the server down: lets everybody go, and waits for its thread.
    pub fn stop(self) {
        // The command is sent as this is called; the answer comes when its thread has ended, which is waited for here.
        drop(self.handle.stop(false));
        if self.thread.join().is_err() {
            tracing::warn!("the thread of the HTTP server has failed");
        }
    }
}

/// The middleware of every request: the guard first, then the body within its time limit.
async fn admit(
    guard: Guard,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    if let Err((status, why)) = guard.check(request.headers(), request.query_string()) {
        let refusal = HttpResponse::build(status).body(why);
        return Ok(request.into_response(refusal).map_into_right_body());
    }
    let body = rt::time::timeout(REQUEST_SECONDS_MAX, request.extract::<Bytes>()).await;
    let refusal = match body {
        Ok(Ok(body)) => {
            request.set_payload(body.into());
            return Ok(next.call(request).await?.map_into_left_body());
        }
        Ok(Err(error)) => error.error_response(),
        // What is left of the body may come as the next request: the connection ends.
        Err(_) => HttpResponse::RequestTimeout()
            .insert_header((header::CONNECTION, "close"))
            .body("the body of the request took too long"),
    };
    Ok(request.into_response(refusal).map_into_right_body())
}
