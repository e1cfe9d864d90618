//! Morta beside what a researcher would otherwise use: numpy and faiss for scoring, cpprb for prioritised sampling, Python and
//! numpy for outcome-weighted recall. Rounds of both alternate, so that a noisy neighbour disturbs both alike.
//!
//! `cargo bench --bench peers -- [--json] [--rounds N] [--only scoring|sampling|recall] [--most N]`; see README.md here.

mod peer;
mod recall;
mod sampling;
mod scoring;
mod table;

use clap::Parser as _;
use clap::builder::RangedU64ValueParser;
use peer::Peer;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use table::Row;

/// What to measure.
#[derive(clap::Parser)]
struct Options {
    /// Whether it is a benchmark that is asked for: `cargo test --benches` starts this program too.
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long)]
    json: bool,
    /// Alternations of ours and theirs.
    #[arg(long, default_value_t = 7, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    rounds: usize,
    #[arg(long, value_parser = ["scoring", "sampling", "recall"])]
    only: Option<String>,
    /// Cases of more episodes are left out.
    #[arg(long, default_value_t = usize::MAX)]
    most: usize,
}

/// A part of the benchmark, which adds its rows.
type Part = fn(&Options, &mut Peer, &mut Vec<Row>) -> anyhow::Result<()>;

fn python() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let chosen = std::env::var_os("MORTA_PEERS_PYTHON").map(PathBuf::from);
    chosen.unwrap_or_else(|| here.join("benches/peers/.venv/bin/python"))
}

fn measure(options: &Options, peer: &mut Peer) -> anyhow::Result<Vec<Row>> {
    let parts: [(&str, Part); 3] =
        [("sampling", sampling::measure), ("recall", recall::measure), ("scoring", scoring::measure)];
    let mut rows = Vec::new();
    for (name, measure) in parts {
        if options.only.as_deref().is_none_or(|only| only == name) {
            measure(options, peer, &mut rows)?;
        }
    }
    Ok(rows)
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            writeln!(std::io::stderr(), "{error:#}").ok();
            ExitCode::from(2)
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let options = Options::parse();
    if !options.bench {
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = std::io::stdout().lock();
    let python = python();
    if !python.exists() {
        writeln!(
            out,
            "There is no {}, so there is nobody to compare with. Make it from the repository's root:\n  \
             python3.11 -m venv benches/peers/.venv\n  \
             benches/peers/.venv/bin/pip install -r benches/peers/requirements.txt\n\
             or name a Python that has the packages: MORTA_PEERS_PYTHON=/path/to/python",
            python.display()
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut peer = Peer::start(&python)?;
    let about = peer.about()?;
    let rows = measure(&options, &mut peer)?;
    if options.json {
        writeln!(out, "{}", table::json(&about, &rows))?;
    } else {
        write!(out, "{}", table::text(&about, &rows))?;
    }
    Ok(ExitCode::SUCCESS)
}
