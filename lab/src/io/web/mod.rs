//! A small HTTP server of this machine, on a thread of its own. It listens on the address that the caller names, loopback by default;
//! requests at any other address need a token. It carries the live view with its server-sent events, and the memory tools over HTTP (MCP);
//! routes and limits are the caller's. There is no TLS, because nothing leaves the machine by default. `guard` admits or
//! refuses requests, `server` has the thread and its limits.

mod guard;
mod server;

pub use guard::Token;
pub use server::{Server, ServerLimits};

use crate::io::error::Result;
use actix_web::web::ServiceConfig;
use std::net::{SocketAddr, TcpListener};

/// A TCP listener that is bound to an address, with its guard.
pub struct ListenPlace {
    listener: TcpListener,
    address: SocketAddr,
    token: Option<Token>,
}

impl ListenPlace {
    /// Binds a TCP listener; requests at another address than loopback need a token. Port 0 is any that is free.
    ///
    /// # Errors
    /// When the address can't be listened on, or there are no random numbers.
    pub fn listen(address: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let token = (!address.ip().is_loopback()).then(Token::draw).transpose()?;
        Ok(Self { listener, address, token })
    }

    /// The socket address that is listened on, with the port that was free.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The access token that requests must carry, where one is needed.
    pub fn token(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    /// Answers by the HTTP routes that `configure` sets, within limits.
    ///
    /// # Errors
    /// When there is no thread, or the server can't be started.
    pub fn serve(
        self,
        limits: ServerLimits,
        configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
    ) -> Result<Server> {
        Server::start(self.listener, guard::Guard::new(self.address, self.token), limits, configure)
    }
}
