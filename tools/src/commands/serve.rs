//! `serve`: a memory as tools of an MCP server, over standard input and output or over HTTP. It is the command of the
//! Model Context Protocol server, with the stdio transport or streamable HTTP. The server of `owm` keeps its store open, because parsing it
//! for each question would take longer than the answer; the other two read their files anew for each call. `OwmArgs`, `DarkPawnsArgs` and
//! `OpenClawArgs` are the command-line arguments (CLI arguments, server options): the store with its database path, the memories of agents
//! with their session logs, a workspace with its config file.

use morta_console::output;
use morta_console::terminal::stop_on_interrupt;
use morta_tools::owm::priced::Prices;
use morta_tools::server::dark_pawns::DarkPawnsTools;
use morta_tools::server::http::HttpServer;
use morta_tools::server::openclaw::OpenClawTools;
use morta_tools::server::owm::OwmTools;
use morta_tools::server::{Toolbox, serve};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The transport of a server.
#[derive(clap::Args)]
struct Over {
    /// Serve over streamable HTTP until Ctrl-C, instead of standard input and output: at an address as 127.0.0.1:8900, or a port of this machine;
    /// left out, any port that is free. At another address than loopback, whoever asks needs the token that is printed.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "0", value_parser = address)]
    http: Option<SocketAddr>,
}

fn address(text: &str) -> Result<SocketAddr, &'static str> {
    if let Ok(port) = text.parse::<u16>() {
        // A port alone means loopback, because a server that the network can reach must be asked for by its address.
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    // Port 0 lets the system choose a free one; its number is printed.
    let free_port = || text.parse::<IpAddr>().map(|host| (host, 0).into());
    text.parse().or_else(|_| free_port()).map_err(|_| {
        "must be a port, or an address with or without one, as 8900 or 127.0.0.1:8900; anything else goes before --http"
    })
}

impl Over {
    fn serve(&self, toolbox: impl Toolbox) -> anyhow::Result<ExitCode> {
        let Some(address) = self.http else {
            serve(toolbox)?;
            return Ok(ExitCode::SUCCESS);
        };
        let stop = stop_on_interrupt()?;
        let server = HttpServer::open(toolbox, address)?;
        output::line(format!("MCP server   {}", server.url()))?;
        if let Some(token) = server.token() {
            output::line(format!("needs        Authorization: Bearer {token}"))?;
        }
        // The server runs on threads of its own, so this one only waits.
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(100));
        }
        server.close();
        Ok(ExitCode::SUCCESS)
    }
}

/// The flags of `morta-memory owm serve`.
#[derive(clap::Args)]
pub(crate) struct OwmArgs {
    /// The folder of the store; made by the first trade if it isn't there.
    store: PathBuf,
    /// Share the store with TradeMemory through its database, as morta-memory owm share does, at every trade of either.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Complete contexts that leave the market out (regime, volatility, true ranges, price) from a file of bars of a symbol, CSV or Parquet, as it was read at the
    /// last close before the entry; may be given for several
    /// symbols. A file that grows is read again.
    #[arg(long, value_name = "SYMBOL=FILE")]
    prices: Vec<String>,
    #[command(flatten)]
    over: Over,
}

/// The flags of `morta-memory dark-pawns serve`.
#[derive(clap::Args)]
pub(crate) struct DarkPawnsArgs {
    /// Folder of memories, with a folder for each agent, as dream writes it.
    #[arg(default_value = "data/dreaming")]
    dreaming: PathBuf,
    /// Folder of session logs, with a folder for each agent; with it there is a tool to dream over them.
    #[arg(long, value_name = "SESSIONS")]
    sessions: Option<PathBuf>,
    #[command(flatten)]
    over: Over,
}

/// The flags of `morta-memory openclaw serve`.
#[derive(clap::Args)]
pub(crate) struct OpenClawArgs {
    /// The workspace, with its memory/ folder.
    #[arg(default_value = ".")]
    workspace: PathBuf,
    /// openclaw.json, or its dreaming block alone.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    over: Over,
}

/// Serves outcome-weighted memory (MCP server).
pub(super) fn owm(args: OwmArgs) -> anyhow::Result<ExitCode> {
    let prices = Prices::from_arguments(&args.prices)?;
    args.over.serve(OwmTools::new(args.store, args.db.as_deref(), prices)?)
}

/// Serves the messages of agents' logins (MCP server).
pub(super) fn dark_pawns(args: DarkPawnsArgs) -> anyhow::Result<ExitCode> {
    args.over.serve(DarkPawnsTools::new(args.dreaming, args.sessions))
}

/// Serves a workspace of OpenClaw (MCP server).
pub(super) fn openclaw(args: OpenClawArgs) -> anyhow::Result<ExitCode> {
    args.over.serve(OpenClawTools::new(args.workspace, args.config)?)
}
