//! A world looked at in a browser while it lives: a small server, one page, and a hand on the pace. A sweep is looked at in the same way,
//! but without pace, directives and branches.
//!
//! Looking on changes nothing that happens: a [`Scene`] gets the events of the world between ticks, and the world reads nothing from it.
//! Directives that viewers give are the exception; only a scenario that is lived here takes them, and they are written into its scenario
//! ([`crate::run::steering`]). A branch is another run in another folder. Viewers get the latest state of the scene, never a queue of what
//! they have missed, so a slow one sees fewer of them and holds up no other.
//!
//! It is a live dashboard: HTTP server, server-sent events (SSE), and pages without external resources. It listens on loopback by default;
//! at any other address each request needs the token of the URL. It exists because a table can't show how a population moves. `stage` joins
//! the world's thread and the viewers, `scene` is the state, `people` one golem, `server` and `requests` answer, `audience` sends states,
//! `page` and `parts` write markup, `written` follows another process.

mod audience;
mod branches;
mod pace;
mod page;
mod parts;
mod people;
mod requests;
mod scene;
mod series;
mod server;
mod stage;
mod styx;
mod sweep;
mod written;

pub use branches::BranchOrigin;
pub use scene::Scene;
pub use sweep::SweepWatch;
pub use written::RunUnderWay;

use crate::io::error::{Error, Result};
use crate::io::web::ListenPlace;
use crate::run::drive::EventTap;
use crate::run::laboratory::Laboratory;
use crate::run::run_folder::FinishedRun;
use crate::run::steering::Steering;
use page::Page;
use server::Server;
use stage::Stage;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a world is shown (dashboard options): host and port to listen on, paused start, tick rate limit, laboratory of branches.
#[derive(Clone, Debug)]
pub struct WatchOptions {
    /// The address that is listened on; requests at another than loopback need the token.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Whether the world waits after its first tick.
    pub paused: bool,
    /// Most ticks a second, above 0; as fast as they can be lived when none.
    pub ticks_per_second: Option<f64>,
    /// What branches are lived with, and cells are judged with.
    pub laboratory: Laboratory,
}

impl Default for WatchOptions {
    fn default() -> Self {
        let (host, laboratory) = (Ipv4Addr::LOCALHOST.into(), Laboratory::default());
        Self { host, port: 0, paused: false, ticks_per_second: None, laboratory }
    }
}

/// A live dashboard server that shows a world.
pub struct Watch {
    stage: Arc<Stage>,
    tap: Arc<dyn EventTap>,
    server: Server,
    url: String,
}

impl Watch {
    /// Begins to listen on the address and port (dashboard); there is nothing to see before a world is lived with its [tap](Self::tap).
    ///
    /// # Errors
    /// [`Error::Invalid`] when the address can't be listened on; others when there are no threads or no random numbers left.
    pub fn open(options: &WatchOptions) -> Result<Self> {
        let place = listen(options)?;
        let stage = Arc::new(Stage::new(options));
        let (url, routes) = (url(&place), requests::routes(Arc::clone(&stage)));
        let exhibit = Arc::clone(&stage) as Arc<dyn audience::Exhibit>;
        let server = Server::start(exhibit, Page::World, routes, place)?;
        Ok(Self { tap: Arc::clone(&stage) as Arc<dyn EventTap>, stage, server, url })
    }

    /// The URL at which a browser finds the dashboard, with the token if one is needed.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The event tap, an observer of the world that is shown, which must be lived by the plain loop; a world that isn't can be neither
    /// paused nor stepped.
    pub fn tap(&self) -> &Arc<dyn EventTap> {
        &self.tap
    }

    /// Lets viewers give directives to the world (command channel), which must be lived with what is returned
    /// ([`RunControl::steered_by`](crate::run::drive::RunControl::steered_by)).
    pub fn steering(&self) -> Arc<Steering> {
        self.stage.steering()
    }

    /// Lets viewers branch the world before it has ended, from what it is lived from (counterfactual from the dashboard).
    pub fn branches_from(&self, origin: BranchOrigin) {
        self.stage.branches_from(origin);
    }

    /// Shows a run that another process is living, by polling its folder; returns it when it has ended, or nothing when `stop` was set
    /// before.
    ///
    /// # Errors
    /// When what it has written can't be read.
    pub fn follow(&self, run: &RunUnderWay, stop: &AtomicBool) -> Result<Option<FinishedRun>> {
        run.tell(&self.stage, stop)
    }

    /// Says how the world has ended, and where its run folder is to viewers: from now on golems can be looked into as `inspect` does, and
    /// it is that run that is branched.
    pub fn ended(&self, how: &str, run: Option<&Path>) {
        self.stage.end(how, run);
    }

    /// Shuts down: ends branches that are still lived, lets viewers go and stops listening.
    pub fn close(self) {
        self.stage.close();
        self.server.stop();
    }
}

/// Listens where it was asked for.
fn listen(options: &WatchOptions) -> Result<ListenPlace> {
    let address = SocketAddr::new(options.host, options.port);
    ListenPlace::listen(address).map_err(|error| {
        Error::invalid(format!("{address}: can't be listened on: {error}: choose another --port"))
    })
}

/// Where a browser finds it, with the token if one is needed.
fn url(place: &ListenPlace) -> String {
    let address = place.address();
    match place.token() {
        None => format!("http://{address}/"),
        Some(token) => format!("http://{address}/?token={token}"),
    }
}
